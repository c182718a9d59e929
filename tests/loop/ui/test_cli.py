"""The command line: values on standard output, mistakes in a line on standard error, exit statuses."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import COMMANDS, main


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory that is the current one; nodwyn's own directories are elsewhere."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def sessions_directory(tmp_path: Path) -> Path:
    (found,) = tmp_path.glob("data/projects/*/sessions")
    return found


def only_session(tmp_path: Path) -> str:
    (log,) = sessions_directory(tmp_path).glob("*.jsonl")
    return log.stem


@pytest.mark.parametrize(
    ("expressions", "written"),
    [
        (["(+ 1 2)"], "3\n"),
        (['"a\\nb"'], '"a\\nb"\n'),
        (["(values 1 2)"], "1\n2\n"),
        (["(if #f #f)"], ""),
        (["(define x 1)", "(+ x 1)"], "2\n"),
        (['(display "hi")'], "hi"),
        (["(fs-list)"], '("a.txt")\n'),
    ],
)
def test_eval_writes_values(
    root: Path, capsys: pytest.CaptureFixture[str], expressions: list[str], written: str
) -> None:
    (root / "a.txt").touch()
    assert main(["eval", *expressions]) == 0
    assert capsys.readouterr().out == written


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(car 1)", "error: car: pair must be a pair, got 1"),
        ('(fs-read "/etc/hostname")', "error: fs-read: /etc/hostname: "),
        ("(fs-read)", "error: fs-read: path is missing"),
        ("(fs-raed 1)", "unbound variable: fs-raed"),
        ('(fs-read "\\x202e;\\x1b;[2J")', "⟨U+202E⟩⟨U+001B⟩[2J: there is no such file"),
        ("(1", ""),
    ],
)
def test_a_refusal_or_error_is_a_message_and_status_1(
    capsys: pytest.CaptureFixture[str], expression: str, said: str
) -> None:
    assert main(["eval", expression]) == 1
    written = capsys.readouterr()
    assert said in written.err
    assert "Traceback" not in written.err
    assert written.out == ""


@pytest.mark.parametrize("command", [["--version"], ["--help"], ["eval", "3"], ["sessions", "--all"], ["doctor"]])
def test_output_that_cannot_be_written_is_an_error(command: list[str]) -> None:
    main(["eval", "1"])
    line = shlex.join([sys.executable, "-m", "nodwyn.loop.ui.cli", *command])
    done = subprocess.run(["sh", "-c", f"exec {line} >&-"], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "nodwyn: cannot write the standard output: it is closed\n")


@pytest.mark.parametrize(
    ("expression", "closed", "status"),
    [("(if #f #f)", ">&-", 0), ("3", "<&-", 0), ("3", "2>&-", 0), ("(if)", "2>&-", 1)],
)
def test_a_stream_that_is_closed_does_no_harm_where_it_is_not_needed(expression: str, closed: str, status: int) -> None:
    line = shlex.join([sys.executable, "-m", "nodwyn.loop.ui.cli", "eval", expression])
    done = subprocess.run(["sh", "-c", f"exec {line} {closed}"], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "")


def test_help_has_every_command_and_every_option_of_a_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    with suppress(SystemExit):
        main(["--plain", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert {"--model", "--approve", "--max-cost", "--no-init", "--plain"} <= options
    assert options <= set(re.findall(r"--[a-z-]+", shown))
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("command", [["eval", "1"], ["grep", "x"], ["search", "x"], ["index", "update"]])
@pytest.mark.parametrize("is_there", [True, False])
def test_where_nothing_can_be_written_another_place_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
    is_there: bool,
) -> None:
    if is_there:
        (tmp_path / "data").mkdir(mode=0o700)

    def refuse(path: str, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), os.fspath(path))

    monkeypatch.setattr(os, "mkdir", refuse)
    assert main(command) != 0
    said = capsys.readouterr().err
    assert "Read-only file system; NODWYN_DATA_DIR names another directory\n" in said


def test_of_another_file_it_is_not_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "missing.jsonl"]) == 1
    assert "NODWYN_DATA_DIR" not in capsys.readouterr().err


@pytest.mark.usefixtures("root")
def test_eval_shows_notes_beside_the_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", '(note "one")', '(begin (note "two\x1b[31m") 5)']) == 0
    assert capsys.readouterr() == ("5\n", "one\ntwo⟨U+001B⟩[31m\n")


def test_eval_says_which_scripts_of_the_repository_were_not_run(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / ".nodwyn" / "loop").mkdir(parents=True)
    (root / ".nodwyn" / "loop" / "a.scm").write_text("(define x 1)")
    assert main(["eval", "5"]) == 0
    out, err = capsys.readouterr()
    assert out == "5\n"
    assert "which were not run: .nodwyn/loop/a.scm. `nodwyn trust` shows them and asks." in err


def test_eval_leaves_with_the_status_of_exit(tmp_path: Path) -> None:
    assert main(["eval", "(exit 7)"]) == 7
    assert '"session.end"' in (sessions_directory(tmp_path) / f"{only_session(tmp_path)}.jsonl").read_text()


def test_eval_approves_what_it_is_told_to(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "a.txt").write_text("touch b.txt")
    assert main(["eval", "--approve", "all", '(shell-exec (fs-read "a.txt"))']) == 1
    assert "nobody to ask" in capsys.readouterr().err
    assert main(["eval", '(fs-write "c.txt" "x")']) == 0


def test_sessions_lists_those_of_eval_only_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["eval", "1"])
    capsys.readouterr()
    assert main(["sessions"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["sessions", "--all"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(only_session(tmp_path))
    assert line.endswith("(eval)")


def test_show_is_a_transcript_with_the_number_of_each_event(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "a.txt").write_text("one\n\x1b[31mtwo")
    main(["eval", '(fs-read "a.txt")'])
    capsys.readouterr()
    assert main(["show", only_session(tmp_path)[:18]]) == 0
    shown = capsys.readouterr().out
    assert "     3  tool.call: fs-read, by the person\n        path: a.txt\n" in shown
    assert "     4  guard.decision: allow read of a.txt: inside the root (pin)\n" in shown
    assert "     5  tool.result: of 3\n        one\n        ⟨U+001B⟩[31mtwo\n" in shown


def test_show_gives_the_events_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["eval", "(+ 1 2)"])
    capsys.readouterr()
    assert main(["show", "--json", only_session(tmp_path)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["kind"] for event in events] == ["session.start", "scheme.input", "scheme.value", "session.end"]
    assert [event["seq"] for event in events] == [1, 2, 3, 4]


def test_an_unknown_session_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "2099"]) == 1
    assert "nodwyn: no session's name begins with '2099'" in capsys.readouterr().err


def test_a_damaged_log_is_shown_up_to_the_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["eval", "1", "2"])
    capsys.readouterr()
    log = sessions_directory(tmp_path) / f"{only_session(tmp_path)}.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"text":"2"', b'"text":"3"', 1))
    assert main(["show", log.stem]) == 1
    written = capsys.readouterr()
    assert "session.start" in written.out
    assert f"{log}, line 4" in written.err


def test_doctor_says_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    for what in ("python", "data", "configuration", "sandbox", "git", "keyring", "terminal"):
        assert f" {what} " in shown
    assert str(tmp_path / "data") in shown


@pytest.mark.parametrize(
    ("named", "status", "says"),
    [
        ([], 0, "sandbox.toml names, which is nothing"),
        (["~/tool"], 0, "ok       readable       by commands in the sandbox: {home}/tool, which {file} names"),
        (["~/none"], 0, "missing  readable       {file} names ~/none, which is not there"),
        (["~/tool", "~/.ssh"], 1, "fails    readable       {file} names ~/.ssh, but .ssh holds secrets, and is"),
        (["tool"], 1, "fails    readable       {file}: readable has 'tool', but each path in it must begin with"),
    ],
)
def test_doctor_says_what_commands_read_of_the_home(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    named: list[str],
    status: int,
    says: str,
) -> None:
    home, file = tmp_path.resolve() / "home", tmp_path / "config" / "sandbox.toml"
    for name in (".cargo/bin", "tool"):
        (home / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_text(f"readable = {named}\n")
    assert main(["doctor"]) == status
    shown = capsys.readouterr().out
    assert says.format(home=home, file=file) in shown
    assert "by commands in the sandbox, of tools: ~/.cargo/bin\n" in shown


def test_doctor_runs_no_program_of_the_directory(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("git", "bwrap", "true"):
        (root / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\n")
        (root / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}:{os.environ['PATH']}")
    assert main(["doctor"]) == 0
    assert not (tmp_path / "mark").exists()


def test_doctor_fails_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "link"))
    assert main(["doctor"]) == 1
    assert "NODWYN_DATA_DIR names another directory" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--help"], 0, "nodwyn COMMAND"),
        (["--version"], 0, "nodwyn "),
        (["evl"], 2, "there is no command 'evl'; did you mean eval?"),
        (["rnu"], 2, "there is no command 'rnu'; did you mean run?"),
        (["zzz"], 2, "there is no command 'zzz'; there are run, resume, demo, "),
        (["fix the bug"], 2, "there is no command 'fix the bug'; nodwyn run does a task"),
        (["help", "evl"], 2, "there is no command 'evl'; did you mean eval?"),
    ],
)
def test_the_command_itself_has_help_and_a_version_and_knows_its_subcommands(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int, said: str
) -> None:
    assert main(words) == status
    written = capsys.readouterr()
    assert said in written.out + written.err


def test_help_and_a_command_is_the_help_of_that_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["help", "grep"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("usage: nodwyn grep ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--modle x", "unrecognized arguments: --modle x; did you mean --model?"),
        ("run fix the bug", "unrecognized arguments: the bug; words that belong together go in quotation marks"),
        ("run --jsno", "unrecognized arguments: --jsno; did you mean --json?"),
        ("run --approve edit go", "argument --approve: invalid choice: 'edit'; did you mean edits?"),
        ("run --approve mostly go", "invalid choice: 'mostly'; there are never, ask, reads, edits, all"),
        ("sessions --ended don", "argument --ended: invalid choice: 'don'; did you mean done?"),
        ("memory serach words", "invalid choice: 'serach'; did you mean search?"),
        ("memory search --limt 3 words", "unrecognized arguments: --limt; did you mean --limit?"),
        ("index staus", "invalid choice: 'staus'; did you mean status?"),
        ("index forget --path", "unrecognized arguments: --path; did you mean --paths?"),
        ("earlier onn", "argument state: invalid choice: 'onn'; did you mean on?"),
        ("completions bahs", "argument shell: invalid choice: 'bahs'; did you mean bash?"),
    ],
)
def test_a_mistyped_option_or_word_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(line.split())
    assert left.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("models olama", "there is no server 'olama'; did you mean ollama?"),
        ("run --model olama/x go", "is a model in Scheme; did you mean ollama?"),
    ],
)
def test_a_mistyped_server_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    assert main(line.split()) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert f"example: nodwyn {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_option_is_a_usage_error(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--no-such-option"])
    assert left.value.code == 2


def test_nobody_who_reads_is_no_traceback() -> None:
    command = f"{sys.executable} -m nodwyn.loop.ui.cli eval '(make-string 1000000 #\\a)' | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["show"], ["replay"], ["fs-read"]])
def test_what_the_encoding_of_the_locale_has_not_is_spelled_out(tmp_path: Path, command: list[str]) -> None:
    if command == ["fs-read"]:
        words = ["eval", r'(fs-read "n\xe9;")']
    else:
        main(["eval", r'(fs-write "n\xe9;" "x")'])
        words = [*command, only_session(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "nodwyn.loop.ui.cli", *words],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "n\\xe9" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_fault_of_the_program_is_one_line_that_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> int:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr("nodwyn.loop.ui.doctor.run", fail)
    assert main(["doctor"]) == 1
    said = capsys.readouterr().err
    assert "a fault of nodwyn itself: ZeroDivisionError: broken" in said
    assert "test_cli.py:" in said
    assert said.count("\n") == 1


HOSTILE = "a\x1b[2J\u202e\udc80b"


@pytest.mark.parametrize(
    "command",
    [
        [HOSTILE],
        [f"--{HOSTILE}"],
        ["show", HOSTILE],
        ["show", "a", HOSTILE],
        ["show", f"--{HOSTILE}"],
        ["sessions", "--day", HOSTILE],
        ["sessions", "--ended", HOSTILE],
        ["import", HOSTILE],
        ["import", "--project", HOSTILE, "here"],
        ["summary", "--text", HOSTILE, "--from", "1", "--through", "2", "here"],
        ["memory", "recall", "--task", HOSTILE, "1"],
        ["memory", HOSTILE],
        ["grep", "(", HOSTILE],
        ["grep", "x", HOSTILE],
        ["search", "x", "--path", HOSTILE],
        ["index", "update", HOSTILE],
        ["models", HOSTILE],
        ["run", "--model", HOSTILE, "x"],
        ["run", "--model", f"scripted:{HOSTILE}", "x"],
        ["resume", HOSTILE],
        ["trust", HOSTILE],
        ["completions", HOSTILE],
        ["eval", f'(fs-read "{HOSTILE}")'],
        ["eval", f'(error "{HOSTILE}")'],
    ],
    ids=lambda command: ascii(" ".join(command)),
)
def test_no_name_in_an_error_reaches_the_terminal_raw(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        assert main(command) != 0
    said = capsys.readouterr().err
    assert said
    assert not set(said) & {"\x1b", "\u202e", "\udc80"}


def test_a_directory_with_such_a_name_does_not_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / HOSTILE
    place.mkdir(mode=0o700)
    (place / "data").touch()
    monkeypatch.setenv("NODWYN_DATA_DIR", str(place / "data"))
    monkeypatch.chdir(place)
    for command in (["sessions"], ["doctor"], ["show", "2026"], ["eval", "1"]):
        assert main(command) == 1
        out, err = capsys.readouterr()
        assert "data" in out + err
        assert not set(out + err) & {"\x1b", "\u202e", "\udc80"}


UI = Path(__file__).resolve().parents[3] / "loop" / "ui"


def escapes(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return name in ("escape_unseen", "escape_in_one_line", "brief", "complain", "CommandError")


def raw_errors(tree: ast.AST) -> Iterator[int]:
    """Yield the lines in which an exception's words are written as they are."""
    for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name):
        for call in (node for node in ast.walk(handler) if isinstance(node, ast.Call)):
            if getattr(call.func, "attr", "") in ("write", "writelines", "say") or ast.unparse(call.func) == "print":
                inner = {part for part in ast.walk(call) if isinstance(part, ast.Call) and escapes(part)}
                safe = {name for part in inner for name in ast.walk(part)}
                names = (part for part in ast.walk(call) if isinstance(part, ast.Name) and part.id == handler.name)
                if any(name not in safe for name in names):
                    yield call.lineno


@pytest.mark.parametrize("file", sorted(UI.glob("*.py")), ids=lambda file: file.name)
def test_what_went_wrong_is_written_in_one_place(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert list(raw_errors(ast.parse(text))) == []
    if file.name != "cli.py":
        assert '"nodwyn: ' not in text.replace('prog="nodwyn: ', "")
