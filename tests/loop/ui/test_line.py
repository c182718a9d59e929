"""The line client: Scheme, commands and messages, from a pipe and at a terminal, and how it is left."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from nodwyn.loop.ui.cli import main
from tests.loop.ui.conftest import COMMAND, HELLO, SIGNALS, Place, Terminal, calling, wait_for

AtTerminal = Callable[..., Terminal]

SLEEPS = calling('(call shell-exec (line . "echo begun > begun; sleep 60"))')


def enter(text: str, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Give the client lines; return its exit status."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return main(arguments)


@pytest.mark.parametrize(
    ("lines", "written"),
    [
        ("(+ 1 2)\n", "3\n"),
        ("(define x\n 5)\n(* x 2)\n", "10\n"),
        ('(display "hi")\n', "hi"),
        ("  (list 1)", "(1)\n"),
        ('(fs-list ".")\n', '("a.txt")\n'),
        ("\n \n", ""),
    ],
)
def test_scheme_works_without_a_model(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str, written: str
) -> None:
    (place.root / "a.txt").touch()
    assert enter(lines, monkeypatch) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (written, "")


@pytest.mark.parametrize(
    ("line", "said", "status"),
    [
        ("hello", "no model is named. Name one with --model SERVER/NAME", 2),
        ("/hlep", "there is no command /hlep; did you mean /help?", 1),
        ("/xyzzy", "there is no command /xyzzy; /help lists them", 1),
        ("/", "there is no command /; /help lists them", 1),
        ("/approve", "/approve takes one of reads, edits, all", 1),
        ("/approve network", "/approve takes one of reads, edits, all", 1),
        ("/model nowhere/x", "names no model", 2),
        ("/compact", "no model is named", 2),
        ("/compact please", "/compact takes no words; usage: /compact", 1),
        ("/help foo", "/help takes no words; usage: /help", 1),
        ("/quit now", "/quit takes no words; usage: /quit", 1),
        ("/forget all", "/forget takes no words; usage: /forget", 1),
        ("/model a/b c", "/model takes no more words; usage: /model [M]", 1),
        ("/undo 1 2", "/undo takes no more words; usage: /undo [SEQ]", 1),
        ("/undo last", "/undo takes the number of an event, from 1; usage: /undo [SEQ]", 1),
        ("/undo 4", "no file change by event 4 is left", 1),
        ("(car 1)", "error: car: pair must be a pair, got 1", 1),
        ("(fs-raed 1)", "unbound variable: fs-raed", 1),
        ("(+ 1", "error", 1),
        ("/undo", "no file change in this session is left", 1),
        ("/etc/hosts is wrong", "no model is named. Name one with --model SERVER/NAME", 2),
    ],
)
@pytest.mark.usefixtures("place")
def test_a_mistake_is_answered_and_the_conversation_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, said: str, status: int
) -> None:
    assert enter(f"{line}\n(display 1)\n" if said != "error" else f"(display 1)\n{line}", monkeypatch) == status
    shown = capsys.readouterr()
    assert said in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == "1"


@pytest.mark.usefixtures("place")
def test_help_lists_the_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    enter("/help\n", monkeypatch)
    shown = capsys.readouterr().out
    for command in (
        "/help",
        "/model [M]",
        "/compact",
        "/undo",
        "/approve KIND",
        "/forget",
        "/index",
        "/earlier",
        "/quit",
    ):
        assert f"\n{command}" in shown


def test_exit_and_quit_leave(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert enter('(exit 7)\n(fs-write "a" "")\n', monkeypatch) == 7
    assert enter('/quit\n(fs-write "a" "")\n', monkeypatch) == 0
    assert list(place.root.iterdir()) == []


BY_WORD = """
(import (only (srfi 1) last) (only (srfi 13) string-contains))
(define (reply request)
  (let* ((words (cdr (assq 'text (last (cdr (assq 'content (last (cdr (assq 'messages request)))))))))
         (says? (lambda (word) (string-contains words word))))
    (cond ((says? "fail") (car '()))
          ((says? "write") '((call fs-write (path . "a") (content . "")) (call fs-write (path . "b") (content . ""))))
          ((says? "empty") '())
          (else '("Hello.")))))
"""


@pytest.mark.parametrize(
    ("lines", "options", "status"),
    [
        ("hello\n(+ 1 2)\n/help\n", [], 0),
        ("fail\n", [], 1),
        ("fail\nhello\n", [], 1),
        ("fail\n/quit\n", [], 1),
        ("fail\n(exit 7)\n", [], 7),
        ("fail\n(exit)\n", [], 0),
        ("write\n", [], 4),
        ("hello\n/undo\nwrite\nhello\n", [], 4),
        ("empty\n", [], 6),
        ("write\n", ["--approve", "edits", "--max-rounds", "1"], 3),
        ("(car 1)\nhello\n", [], 1),
        ("/model nowhere/x\nhello\n", [], 2),
        ("/sessions --nonsense\n", [], 2),
        ("/index --help\n", [], 0),
    ],
)
def test_from_a_pipe_the_exit_status_is_that_of_the_last_line_that_did_not_end_well(
    lines: str, options: list[str], status: int, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert enter(lines, monkeypatch, "--model", place.model(BY_WORD), *options) == status


def test_at_a_terminal_what_went_wrong_was_seen(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal("--model", place.model(BY_WORD))
    terminal.expect("> ")
    terminal.type("fail\n(car 1)\n/quit\n")
    assert terminal.status() == 0


def test_who_says_nothing_leaves_no_session(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert enter("", monkeypatch) == 0
    assert list(place.folder.glob("data/projects/*/sessions/*")) == []


def test_a_message_is_answered(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enter("hello\n", monkeypatch, "--model", place.model(HELLO)) == 0
    assert capsys.readouterr().out.startswith("Hello.\ndone (")
    assert [event["text"] for event in place.events("user.msg")] == ["hello"]


def test_a_message_may_have_several_lines(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    enter("one\\\ntwo\n", monkeypatch, "--model", place.model(HELLO))
    assert [event["text"] for event in place.events("user.msg")] == ["one\ntwo"]


def test_calls_are_told_in_words(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.root / "a.txt").write_text("x\n")
    enter("go\n", monkeypatch, "--model", place.model(calling('(call fs-read (path . "a.txt"))')))
    assert capsys.readouterr().out.startswith("I run it.\n  read a.txt\nThat was it.\ndone (")


def test_a_question_is_a_no_when_lines_are_no_answers(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    enter("go\n(display 1)\n", monkeypatch, "--model", model)
    assert "  could not write a.txt: this needs the person's yes" in capsys.readouterr().out
    assert not (place.root / "a.txt").exists()


def test_lines_are_answers_when_they_are_said_to_be(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    enter("go\ny\n", monkeypatch, "--model", model, "--approve", "ask")
    assert (place.root / "a.txt").read_text() == "x"
    assert [event["actor"] for event in place.events("approval")] == ["person"]


def test_approving_a_kind_holds_until_it_is_taken_back(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    enter("/approve edits\ngo\n/forget\nagain\n", monkeypatch, "--model", model)
    answers = [event["decision"] for event in place.events("guard.decision") if event["effect"] == "write"]
    assert answers == ["allow", "confirm"]


def test_undo_takes_back_what_a_turn_changed(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.root / "a.txt").write_text("before")
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "after"))'))
    enter('go\n(display (fs-read "a.txt"))\n/undo\n', monkeypatch, "--model", model, "--approve", "edits")
    assert capsys.readouterr().out.endswith("aftertook back the changes of a.txt\n")
    assert (place.root / "a.txt").read_text() == "before"


def test_undo_takes_back_the_event_that_is_named(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = '(fs-write "a.txt" "a")\n(fs-write "b.txt" "b")'
    enter(f"{both}\n", monkeypatch, "--approve", "edits")
    first = place.events("scheme.input")[0]["seq"]
    name = place.log().stem
    for wrong in ("0", "one", "1 2", "1)(fs-delete", "9" * 5000, "99999"):
        given = ["resume", name, "--approve", "edits"]
        monkeypatch.setattr("sys.stdin", io.StringIO(f"/undo {wrong}\n"))
        assert main(given) == 1
        assert sorted(path.name for path in place.root.iterdir()) == ["a.txt", "b.txt"]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"/undo {first}\n"))
    assert main(["resume", name, "--approve", "edits"]) == 0
    assert "took back the changes of a.txt" in capsys.readouterr().out
    assert [path.name for path in place.root.iterdir()] == ["b.txt"]


def test_undo_leaves_alone_what_was_changed_since(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = '(fs-write "{}.txt" "{}")'
    both = f"(begin {write.format('a', 'x')} {write.format('b', 'x')})"
    lines = f'{both}\n(shell-exec "echo mine > b.txt")\n/undo\n'
    assert enter(lines, monkeypatch, "--approve", "edits") == 1
    shown = capsys.readouterr().out
    assert "took back the changes of a.txt\nleft b.txt alone: " in shown
    assert (place.root / "b.txt").read_text() == "mine\n"


@pytest.mark.parametrize("command", ["/undo", "/approve nothing", "/model nowhere/x", "/index nothing"])
@pytest.mark.usefixtures("place")
def test_what_a_command_says_shows_no_scheme(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    enter(f"{command}\n", monkeypatch)
    shown = capsys.readouterr()
    assert shown.err
    assert "<scheme>" not in shown.out + shown.err


def test_a_script_of_the_persons_that_fails_is_said_with_its_place(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = place.configure("(define x 1)\n(car x)\n", "init.scm")
    assert enter("(display 1)\n", monkeypatch) == 1
    assert f"{script}:2:1: error: car: pair must be a pair, got 1" in capsys.readouterr().err
    assert enter("(display 1)\n", monkeypatch, "--no-init") == 0


def test_ctrl_c_at_the_prompt_drops_the_line_and_a_second_one_leaves(at_terminal: AtTerminal) -> None:
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type("(display 'never")
    terminal.expect("never")
    terminal.press_ctrl_c()
    terminal.expect("Ctrl-C again leaves")
    terminal.expect("> ")
    terminal.press_ctrl_c()
    assert terminal.status() == 130


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ("\x04", 0),
        ("exit\n", 0),
        (" quit \n", 0),
        ("/quit\n", 0),
        ("(exit 7)\n", 7),
        ("\x1c", 131),
        ("\x03\x03", 130),
    ],
)
def test_each_way_of_leaving_says_how_to_go_on(at_terminal: AtTerminal, place: Place, typed: str, status: int) -> None:
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type("(* 6 7)\n")
    terminal.expect("\n42\n> ")
    for key in typed if "\x03" in typed else [typed]:
        time.sleep(0.4)
        terminal.type(key)
    assert terminal.status() == status
    assert f"\nnodwyn resume {place.log().stem} goes on with this session\n" in terminal.rest()


BRACKETED, PLAIN = "\x1b[?2004h", "\x1b[?2004l"


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def test_what_is_pasted_is_one_message(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal("--model", place.model(HELLO), kind="xterm")
    terminal.expect(f"{BRACKETED}> ")
    terminal.type(paste("Traceback:\n\tat line one\n/quit\n") + "what is it?\n")
    terminal.expect("done (")
    terminal.expect(f"{BRACKETED}> ")
    terminal.type("/quit\n")
    assert terminal.status() == 0
    assert terminal.rest().rpartition(PLAIN)[2].count(BRACKETED) == 0
    assert [event["text"] for event in place.events("user.msg")] == ["Traceback:\n\tat line one\n/quit\nwhat is it?"]


def test_pasted_scheme_goes_on_to_its_last_parenthesis(at_terminal: AtTerminal) -> None:
    terminal = at_terminal(kind="xterm")
    terminal.expect("> ")
    terminal.type(paste("(define x\n  6)\n(* x\n   7") + ")\n")
    terminal.expect("42\n")


@pytest.mark.parametrize("keys", ["\x04", "\x03\x03"])
def test_pastes_are_plain_again_however_it_ends(at_terminal: AtTerminal, keys: str) -> None:
    terminal = at_terminal(kind="xterm")
    terminal.expect(f"{BRACKETED}> ")
    for key in keys:
        terminal.press_ctrl_c() if key == "\x03" else terminal.type(key)
    assert terminal.status() in (0, 130)
    assert terminal.rest().rpartition(PLAIN)[1:] != ("", "")
    assert BRACKETED not in terminal.rest().rpartition(PLAIN)[2]


def test_pastes_are_plain_while_it_is_suspended(at_terminal: AtTerminal) -> None:
    terminal = at_terminal(kind="xterm")
    terminal.expect(f"{BRACKETED}> ")
    terminal.process.send_signal(signal.SIGTSTP)
    terminal.expect(PLAIN)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.expect(BRACKETED)
    terminal.type("(* 6 7)\n")
    terminal.expect("42\n")


def test_a_dumb_terminal_is_sent_no_sequences(at_terminal: AtTerminal) -> None:
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type("(* 6 7)\n/quit\n")
    assert terminal.status() == 0
    assert "\x1b" not in terminal.rest()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("/he\t", "/help "),
        ("(vector-for-e\t", "(vector-for-each"),
        ("(my-own-pro\t", "(my-own-procedure"),
        ("(list\n(fs-edi\t", "(fs-edit"),
    ],
)
def test_tab_completes_commands_and_names(at_terminal: AtTerminal, typed: str, completed: str) -> None:
    terminal = at_terminal(kind="xterm")
    terminal.expect("> ")
    terminal.type("(define (my-own-procedure) 1)\n")
    terminal.expect("> ")
    terminal.type(typed)
    terminal.expect(completed)


def test_tab_completes_before_the_session_begins(at_terminal: AtTerminal) -> None:
    terminal = at_terminal(kind="xterm")
    terminal.expect("> ")
    terminal.type('(index-gr\t "never" "nowhere")\n')
    terminal.expect("index-grep: ")


def test_tab_in_a_message_is_a_tab(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal("--model", place.model(HELLO))
    terminal.expect("> ")
    terminal.type("a\tb /he\t(\n")
    terminal.expect("done (")
    assert [event["text"] for event in place.events("user.msg")] == ["a\tb /he\t("]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ('(display "x")', "x\n> "),
        ('(display "x\\n")', "\nx\n> "),
        ('(begin (display "x") 5)', "x\n5\n> "),
        ('(begin (display "x") (car 1))', "x\n"),
        ('(display "")', '")\n> '),
    ],
)
def test_what_scheme_writes_ends_before_the_prompt(at_terminal: AtTerminal, typed: str, written: str) -> None:
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type(f"{typed}\n")
    terminal.expect(written)


@pytest.mark.parametrize("line", ["go", "(let loop () (loop))"])
def test_what_ctrl_c_stops_is_said_on_a_line_of_its_own(
    at_terminal: AtTerminal, place: Place, silent_server: str, line: str
) -> None:
    place.configure(f'default = "s/m"\n[servers.s]\nwire = "chat"\naddress = "{silent_server}"\n')
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type(f"{line}\n")
    if line.startswith("("):
        time.sleep(1)
    else:
        place.wait_for_event("egress")
    terminal.press_ctrl_c()
    assert "^C\n" in terminal.expect("> ")
    terminal.type("/quit\n")
    assert terminal.status() == 0


def test_ctrl_c_stops_scheme_that_runs(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type('(begin (fs-write "begun" "") (let loop () (loop)))\n')
    wait_for(place.root / "begun")
    terminal.press_ctrl_c()
    terminal.expect("interrupted")
    terminal.expect("> ")
    terminal.type("(* 6 7)\n")
    terminal.expect("\n42\n> ")
    terminal.type("/quit\n")
    assert terminal.status() == 0


def test_a_question_is_put_at_the_terminal(at_terminal: AtTerminal, place: Place) -> None:
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    terminal = at_terminal("--model", model)
    terminal.expect("> ")
    terminal.type("go\n")
    terminal.expect("May this be done?")
    terminal.type("y\n")
    terminal.expect("wrote a.txt")
    terminal.expect("done (")
    assert (place.root / "a.txt").read_text() == "x"


@pytest.mark.parametrize("early", ["y\n", "y", "y\ny\ny\n"])
def test_what_was_typed_before_a_question_is_no_answer_to_it(at_terminal: AtTerminal, place: Place, early: str) -> None:
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    terminal = at_terminal("--model", model)
    terminal.expect("> ")
    terminal.type(f"go\n{early}")
    if "\n" in early:
        terminal.expect("(what was typed before this question is no answer to it)\n")
    terminal.expect("May this be done?")
    terminal.type("no\n")
    terminal.expect("could not write a.txt: ")
    assert [event["answer"] for event in place.events("approval")] == ["no"]


def test_ctrl_c_at_a_question_is_a_no_and_stops_the_turn(at_terminal: AtTerminal, place: Place) -> None:
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    terminal = at_terminal("--model", model)
    terminal.expect("> ")
    terminal.type("go\n")
    terminal.expect("May this be done?")
    terminal.press_ctrl_c()
    terminal.expect("\n  could not write a.txt: ")
    terminal.expect("stopped: the person stopped it")
    terminal.expect("> ")
    terminal.type("/quit\n")
    assert terminal.status() == 0
    assert [event["answer"] for event in place.events("approval")] == ["no"]
    assert not (place.root / "a.txt").exists()


def test_ctrl_c_once_ends_the_tool_and_keeps_the_record(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal("--model", place.model(SLEEPS), "--approve", "all")
    terminal.expect("> ")
    terminal.type("go\n")
    wait_for(place.root / "begun")
    terminal.press_ctrl_c()
    terminal.expect("stopped: the person stopped it")
    terminal.expect("> ")
    terminal.type("(* 6 7)\n")
    terminal.expect("\n42\n> ")
    terminal.type("/quit\n")
    assert terminal.status() == 0
    assert [event["how"] for event in place.events("turn.end")] == ["stopped"]
    assert place.events("session.end")


def test_ctrl_c_once_ends_the_models_call(at_terminal: AtTerminal, place: Place, silent_server: str) -> None:
    place.configure(f'[servers.silent]\nwire = "chat"\naddress = "{silent_server}"\n')
    terminal = at_terminal("--model", "silent/model")
    terminal.expect("> ")
    terminal.type("go\n")
    place.wait_for_event("egress")
    terminal.press_ctrl_c()
    terminal.expect("stopped: the person stopped it")
    terminal.expect("> ")
    terminal.type("/quit\n")
    assert terminal.status() == 0


def test_ctrl_c_twice_ends_what_does_not_heed_one(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal("--model", place.model("(define (reply request) (let loop () (loop)))"))
    terminal.expect("> ")
    terminal.type("go\n")
    place.wait_for_event("llm.req")
    terminal.press_ctrl_c()
    terminal.expect("^C")
    terminal.press_ctrl_c()
    assert terminal.status() == 130
    assert place.events("turn.end")
    assert place.events("session.end")


def test_ctrl_c_twice_leaves(at_terminal: AtTerminal, place: Place) -> None:
    terminal = at_terminal("--model", place.model(SLEEPS), "--approve", "all")
    terminal.expect("> ")
    terminal.type("go\n")
    wait_for(place.root / "begun")
    terminal.press_ctrl_c()
    terminal.expect("stopped: the person stopped it")
    terminal.press_ctrl_c()
    assert terminal.status() == 130
    assert [event["how"] for event in place.events("turn.end")] == ["stopped"]
    assert place.events("session.end")[0]["reason"] == "the person interrupted it"


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_the_systems_signals_close_the_session_in_good_order(
    at_terminal: AtTerminal, place: Place, number: signal.Signals, status: int
) -> None:
    terminal = at_terminal("--model", place.model(SLEEPS), "--approve", "all")
    terminal.expect("> ")
    terminal.type("go\n")
    wait_for(place.root / "begun")
    os.kill(terminal.process.pid, number)
    assert terminal.status() == status
    assert [event["how"] for event in place.events("turn.end")] == ["stopped"]
    assert place.events("session.end")
    assert f"nodwyn resume {place.log().stem} goes on with this session" in terminal.rest()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_terminal_that_is_closed_ends_it_in_good_order(
    at_terminal: AtTerminal, place: Place, monkeypatch: pytest.MonkeyPatch, unbuffered: str
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    terminal = at_terminal()
    terminal.expect("> ")
    terminal.type("(* 6 7)\n")
    terminal.expect("\n42\n> ")
    terminal.hang_up()
    assert terminal.process.wait(30) == 129
    assert place.events("session.end")


@pytest.mark.parametrize("line", ["exit", "quit"])
def test_what_leaves_when_it_is_typed_is_a_message_in_a_pipe(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{line}\n"))
    assert main(["--model", place.model(HELLO)]) == 0
    assert "Hello." in capsys.readouterr().out


def test_nobody_who_reads_is_no_traceback(place: Place) -> None:
    with subprocess.Popen(
        [*COMMAND, "--model", place.model(HELLO)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, errors = process.communicate("hello\nhello\n", timeout=60)
    assert "Traceback" not in errors
    assert place.events("session.end")


def test_earlier_tasks_are_allowed_and_forbidden(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    enter("/earlier\n/earlier on\n/earlier\n/earlier off\n/earlier maybe\n/earlier onn\n", monkeypatch)
    shown = capsys.readouterr()
    said = [line.partition(" for models")[0] for line in shown.out.splitlines()]
    assert said == [f"Earlier tasks of this project are {state}" for state in ("off", "on", "on", "off")]
    assert "/earlier takes one of on, off, status\n" in shown.err
    assert "/earlier takes one of on, off, status; did you mean on?\n" in shown.err


def test_sessions_are_listed(place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    enter("hello\n/sessions\n/sessions --nonsense\n(display 1)\n", monkeypatch, "--model", place.model(HELLO))
    shown = capsys.readouterr()
    assert f"\n{place.log().stem}  " in shown.out
    assert "unrecognized arguments: --nonsense" in shown.err
    assert shown.out.endswith("1")


def test_a_model_can_be_named_later(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = place.model(HELLO)
    enter(f"/model\n/model {model}\nhello\n", monkeypatch)
    first, second, *rest = capsys.readouterr().out.splitlines()
    assert first == "there is no model; `nodwyn models` says more"
    assert second == model
    assert rest[0] == "Hello."


@pytest.mark.usefixtures("place")
def test_the_index_is_described(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    enter("/index\n/index forgte\n(display 1)\n", monkeypatch)
    shown = capsys.readouterr()
    assert "This project has no index yet" in shown.out
    assert "invalid choice: 'forgte'" in shown.err
    assert shown.out.endswith("1")


@pytest.mark.parametrize("options", [[], ["--model", "far/x"]])
def test_a_cost_that_cannot_be_known_cannot_be_limited(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    place.configure('default = "far/x"\n[servers.far]\nwire = "chat"\naddress = "http://192.0.2.1/v1"\n')
    assert enter("(display 1)\n", monkeypatch, "--max-cost", "1", *options) == 2
    shown = capsys.readouterr()
    assert "the price of far/x is not known, so --max-cost cannot be kept" in shown.err
    assert shown.out == ""
    assert list(place.folder.glob("data/projects/*/sessions/*")) == []


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [[], ["run", "go"]])
def test_a_terminal_that_is_closed_at_a_question_ends_it(
    at_terminal: AtTerminal, place: Place, monkeypatch: pytest.MonkeyPatch, words: list[str], unbuffered: str
) -> None:
    """Nobody is there: what the model would do next is neither paid for nor done."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    model = place.model(calling('(call fs-write (path . "a.txt") (content . "x"))'))
    terminal = at_terminal(*words, "--model", model)
    if not words:
        terminal.expect("> ")
        terminal.type("go\n")
    terminal.expect("]o")
    terminal.hang_up()
    assert terminal.process.wait(20) == 129
    assert len(place.events("llm.req")) == 1
    assert [event["how"] for event in place.events("turn.end")] == ["stopped"]
    assert place.events("session.end")
