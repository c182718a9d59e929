"""``nodwyn run``: progress on standard error, the answer on standard output, an exit status that says how it ended."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.loop.ui.cli import main
from tests.loop.ui.conftest import COMMAND, HELLO, SIGNALS, Place, Terminal, calling, wait_for

WRITES = calling('(call fs-write (path . "a.txt") (content . "x"))')
SLEEPS = calling('(call shell-exec (line . "echo begun > begun; sleep 60"))')
ENDLESS = '(define (reply request) (list "On." (quote (call fs-list))))'


def start(*arguments: str, **streams: Any) -> subprocess.Popen[str]:
    """Start the command as a process of its own."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *arguments], **{"stdin": pipe, "stdout": pipe, "stderr": pipe, **streams}, text=True
    )


def test_the_answer_alone_is_on_standard_output(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    (place.root / "a.txt").write_text("x\n")
    model = place.model(calling('(call fs-read (path . "a.txt"))'))
    assert main(["run", "--model", model, "look"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "That was it.\n"
    assert f"session {place.log().stem}\nI run it.\n  read a.txt\ndone (" in shown.err
    assert place.events("session.end")


def test_the_task_can_come_from_standard_input(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("look\nhere\n"))
    assert main(["run", "--model", place.model(HELLO), "-"]) == 0
    assert [event["text"] for event in place.events("user.msg")] == ["look\nhere\n"]


def test_a_task_with_bytes_that_are_no_text_is_no_traceback(place: Place) -> None:
    environment = {**os.environ, "LC_ALL": "en_US.UTF-8"}
    command = [*COMMAND, "run", "--model", place.model(HELLO)]
    for task, given in ((["-"], b"a\xff"), (["a\udcff"], b"")):
        done = subprocess.run([*command, *task], input=given, capture_output=True, env=environment, check=False)
        assert (done.returncode, done.stdout) == (0, b"Hello.\n"), done.stderr


@pytest.mark.parametrize(
    ("model", "options", "status", "said"),
    [
        (HELLO, [], 0, "done"),
        (WRITES, [], 4, "stopped by a question that nobody answered"),
        (WRITES, ["--approve", "never"], 4, "stopped by a question that nobody answered"),
        (WRITES, ["--approve", "reads"], 4, "stopped by a question that nobody answered"),
        (WRITES, ["--approve", "edits"], 0, "wrote a.txt"),
        (WRITES, ["--approve", "all"], 0, "wrote a.txt"),
        (ENDLESS, ["--max-rounds", "2"], 3, "the turn's 2 rounds are used up"),
        ("(define (reply request) (list))", [], 6, "ended without an answer: the model's last reply was empty"),
        ("(define (reply request) (car request) (car '()))", [], 1, "failed"),
        ("(define (reply", [], 1, "failed"),
    ],
)
def test_the_exit_status_says_how_it_ended(
    place: Place, capsys: pytest.CaptureFixture[str], model: str, options: list[str], status: int, said: str
) -> None:
    assert main(["run", "--model", place.model(model), *options, "go"]) == status
    shown = capsys.readouterr()
    assert said in shown.err
    assert "Traceback" not in shown.err


def test_a_prompt_that_the_model_cannot_hold_is_not_sent(
    place: Place, capsys: pytest.CaptureFixture[str], silent_server: str
) -> None:
    server = f'[servers.s]\nwire = "chat"\naddress = "{silent_server}"\n'
    place.configure(f"{server}[servers.s.models.m]\ncontext = 100\noutput = 50\n")
    assert main(["run", "--model", "s/m", "go"]) == 1
    said = capsys.readouterr().err
    assert "tokens, and m takes 100 with its reply: it was not sent" in said
    assert not place.events("egress")
    assert len(place.events("llm.req")) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "there is no task; nodwyn run --help has an example"),
        (["run", "  "], "there is no task"),
        (["run", "--model", "nowhere/x", "go"], "'nowhere/x' names no model: SERVER/NAME does"),
        (["run", "--model", "scripted:nowhere.scm", "go"], "there is no file"),
        (["run", "go"], "no model is named. Name one with --model SERVER/NAME"),
        (["run", "--model", "chat/unheard-of", "--max-cost", "1", "go"], "the price of chat/unheard-of is not known"),
        (["run", "--json", "--approve", "ask", "-"], "answers cannot come from there"),
    ],
)
def test_a_mistake_is_a_line_and_begins_no_session(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("go"))
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert list(place.folder.glob("data/projects/*/sessions/*")) == []


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--max-cots=1", "unrecognized arguments: --max-cots=1; did you mean --max-cost?"),
        ("--max-cost=0", "0 is no amount from 0.000001"),
        ("--max-cost=1e-300", "1e-300 is no amount from 0.000001"),
        ("--max-cost=nan", "nan is no amount from 0.000001"),
        ("--max-cost=much", "'much' is no amount of dollars"),
        ("--max-rounds=0", "0 is not 1 or more"),
        ("--max-cost=1e400", "1e400 is no amount from 0.000001 to below a million"),
        ("--max-rounds=1000000000000000", "it can be no more than 999999999999999"),
        (f"--max-seconds={'9' * 20}", "it can be no more than 999999999999999"),
        (f"--max-rounds={'9' * 5000}", "it can be no more than 999999999999999"),
        (f"--max-seconds={'9' * 5000}", "it can be no more than 999999999999999"),
        ("--max-seconds=soon", "'soon' is no whole number"),
    ],
)
def test_an_option_that_is_wrong_is_said_with_what_is_right(
    capsys: pytest.CaptureFixture[str], option: str, said: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["run", option, "go"])
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_what_a_model_says_cannot_steer_a_terminal(place: Place, at_terminal: Callable[..., Terminal]) -> None:
    terminal = at_terminal("run", "--model", place.model('(define (reply request) (list "a\\x1b;[2Jb"))'), "go")
    terminal.expect("a⟨U+001B⟩[2Jb\n")
    assert terminal.status() == 0


def test_for_a_program_the_answer_is_as_it_is(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--model", place.model('(define (reply request) (list "a\\x1b;[2Jb"))'), "go"]) == 0
    assert capsys.readouterr().out == "a\x1b[2Jb\n"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_gives_every_event_and_delta(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--json", "--model", place.model(HELLO), "go"]) == 0
    shown = capsys.readouterr()
    messages = lines(shown.out)
    assert [message["event"] for message in messages if message["type"] == "event"] == place.events()
    said = [message["text"] for message in messages if message["type"] == "delta" and message["kind"] == "text"]
    assert "".join(said) == "Hello."
    assert shown.err == ""


def test_json_without_anybody_to_ask_is_a_no(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--json", "--model", place.model(WRITES), "go"]) == 4
    assert not [message for message in lines(capsys.readouterr().out) if message["type"] == "question"]


@pytest.mark.parametrize(("yes", "status"), [(True, 0), (False, 0)])
def test_a_question_is_answered_by_a_line(place: Place, yes: bool, status: int) -> None:
    process = start("run", "--json", "--approve", "ask", "--model", place.model(WRITES), "go")
    assert process.stdout is not None
    assert process.stdin is not None
    with process:
        for message in map(json.loads, process.stdout):
            if message["type"] == "question":
                assert message["kind"] == "edits"
                assert "file: a.txt" in message["text"]
                answer = {"type": "answer", "question": message["id"], "yes": yes}
                process.stdin.write(f"no json\n{json.dumps(answer)}\n")
                process.stdin.flush()
        assert process.wait() == status
        assert process.stderr is not None
        assert "nodwyn: the line is no JSON" in process.stderr.read()
    assert (place.root / "a.txt").exists() == yes
    assert [event["actor"] for event in place.events("approval")] == ["person"]


def test_the_end_of_input_is_a_no(place: Place) -> None:
    asking = ["--json", "--approve", "ask", "--model", place.model(WRITES)]
    with start("run", *asking, "go", stdin=subprocess.DEVNULL) as process:
        process.communicate()
    assert process.returncode == 4


def test_messages_can_come_from_input_too(place: Place) -> None:
    said = "".join(json.dumps({"type": "message", "text": text}) + "\n" for text in ("one", "two"))
    with start("run", "--json", "--model", place.model(HELLO)) as process:
        output, _ = process.communicate(said)
    ends = [
        message for message in lines(output) if message["type"] == "event" and message["event"]["kind"] == "turn.end"
    ]
    assert len(ends) == 2
    assert process.returncode == 0
    assert [event["text"] for event in place.events("user.msg")] == ["one", "two"]


@pytest.mark.parametrize(
    ("said", "refused", "status"),
    [
        ("", [], 0),
        ("\n\n", [], 0),
        ("rubbish\n", ["the line is no JSON"], 2),
        ('{"type":"cancel"}\n', [], 0),
        ('{}\n{"type":"mesage","text":"go"}', ["no message of type None", "did you mean message?"], 2),
        (
            '{"type":"message","text":""}\n{"type":"message","text":" \\n"}',
            ["is empty: nothing was asked", "is empty"],
            2,
        ),
    ],
)
def test_input_without_a_message_leaves_no_session(place: Place, said: str, refused: list[str], status: int) -> None:
    with start("run", "--json", "--model", place.model(HELLO)) as process:
        output, _ = process.communicate(said)
    errors = [message["text"] for message in lines(output) if message["type"] == "error"]
    assert len(errors) == len(refused)
    assert all(words in error for words, error in zip(refused, errors, strict=True))
    assert process.returncode == status
    assert not list(place.folder.glob("data/projects/*/sessions/*"))


def test_a_line_that_is_no_message_is_passed_over(place: Place) -> None:
    with start("run", "--json", "--model", place.model(HELLO)) as process:
        output, _ = process.communicate('rubbish\n{"type":"message","text":"go"}\n')
    assert "error" in [message["type"] for message in lines(output)]
    assert process.returncode == 0
    assert place.events("turn.end")


def test_a_cancel_ends_the_tool(place: Place) -> None:
    process = start("run", "--json", "--approve", "all", "--model", place.model(SLEEPS))
    assert process.stdin is not None
    with process:
        process.stdin.write('{"type":"message","text":"go"}\n')
        process.stdin.flush()
        wait_for(place.root / "begun")
        process.communicate('{"type":"cancel"}\n')
    assert process.returncode == 130
    assert [event["reason"] for event in place.events("turn.end")] == ["the person stopped it"]


def test_a_cancel_right_behind_a_message_ends_its_turn(place: Place) -> None:
    messages = ("cancel", "message", "cancel", "message")
    said = "".join(
        json.dumps({"type": kind, **({"text": "go"} if kind == "message" else {})}) + "\n" for kind in messages
    )
    with start("run", "--json", "--model", place.model(HELLO)) as process:
        process.communicate(said)
    assert [event["how"] for event in place.events("turn.end")] == ["stopped", "done"]
    assert len(place.events("llm.resp")) == 1


@pytest.mark.parametrize("kind", [[], ["--json"]])
def test_ctrl_c_ends_the_tool_and_keeps_the_record(place: Place, kind: list[str]) -> None:
    with start("run", *kind, "--approve", "all", "--model", place.model(SLEEPS), "go") as process:
        wait_for(place.root / "begun")
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert [event["how"] for event in place.events("turn.end")] == ["stopped"]
    assert place.events("session.end")


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_the_systems_signals_close_the_session_in_good_order(place: Place, number: signal.Signals, status: int) -> None:
    with start("run", "--approve", "all", "--model", place.model(SLEEPS), "go") as process:
        wait_for(place.root / "begun")
        os.kill(process.pid, number)
        process.communicate()
    assert process.returncode == status
    assert [event["how"] for event in place.events("turn.end")] == ["stopped"]
    assert place.events("session.end")[0]["reason"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), *SIGNALS])
@pytest.mark.parametrize("words", [["run", "go"], ["run", "--json", "go"], []])
def test_a_signal_while_scripts_are_loaded_leaves_with_its_status(
    place: Place, words: list[str], number: signal.Signals, status: int
) -> None:
    place.configure('(fs-write "begun" "") (let loop () (loop))', "init.scm")
    with start(*words, "--model", place.model(HELLO)) as process:
        assert process.stdin is not None
        process.stdin.write("" if words else "go\n")
        process.stdin.flush()
        wait_for(place.root / "begun")
        os.kill(process.pid, number)
        assert process.wait(60) == status
        process.communicate()
    assert place.events("session.end")


@pytest.mark.parametrize("kind", [[], ["--json"]])
def test_a_reader_that_goes_is_no_traceback(place: Place, kind: list[str]) -> None:
    model = place.model(ENDLESS)
    with start("run", *kind, "--max-rounds", "20", "--model", model, "go") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        if not kind:
            process.stderr.close()
        status = process.wait(60)
        errors = "" if process.stderr.closed else process.stderr.read()
    assert status == 1
    assert "Traceback" not in errors
    logs = list(place.folder.glob("data/projects/*/sessions/*.jsonl"))
    assert place.events("session.end") if logs else kind  # with --json the reader has gone before anything was done
