"""``nodwyn replay``: the transcript, or requests that were proved before a byte is printed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import DONE, FAILED, USAGE, main
from nodwyn.loop.ui.replay import request_text
from nodwyn.loop.window.canonical import digest
from nodwyn.prims.log import Log, Reader, read
from nodwyn.prims.log.events import SessionStart, UserMessage
from nodwyn.prims.log.line import START, seal

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "tests/logs/20261130T184018Z-001d9e94.jsonl"
NAME = KEPT.stem
FORBIDDEN = (
    "nodwyn.interp",
    "nodwyn.loop.conversation",
    "nodwyn.loop.providers",
    "nodwyn.loop.tools",
    "nodwyn.prims.calling",
    "nodwyn.prims.families",
    "nodwyn.prims.fs",
    "nodwyn.prims.processes",
    "nodwyn.prims.session",
    "httpx2",
    "socket",
    "ssl",
    "subprocess",
)


@pytest.fixture(autouse=True)
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a copy of the kept log, in a data directory that has nothing else."""
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path))
    folder = tmp_path / "projects/orchard-1/sessions"
    folder.mkdir(parents=True)
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o700)
    return Path(shutil.copy(KEPT, folder))


def altered(path: Path, old: bytes, new: bytes) -> None:
    """Change a log as somebody could who knows how its checksums are made."""
    checksum, lines = START.checksum, []
    for line in path.read_bytes().replace(old, new).splitlines():
        members = json.loads(line)
        del members["sum"]
        sealed, checksum = seal(members, checksum)
        lines.append(sealed)
    path.write_bytes(b"".join(lines))


def test_a_request_is_printed_as_json(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["replay", NAME, "--window", "16"]) == DONE
    request = json.loads(capsysbinary.readouterr().out)
    with Reader(KEPT) as kept:
        assert digest(request) == kept.event(16).as_json()["digest"]
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "tool"]


def test_what_a_terminal_may_obey_is_escaped() -> None:
    request = {"system": "a\x1b[2J\x9b1m\u202eb\ufeff", "messages": ["größe 🌳 \U000e0041"]}
    printed = request_text(request)
    assert json.loads(printed) == request
    assert not set("\x1b\x9b\u202e\ufeff\U000e0041") & set(printed)
    assert "größe 🌳" in printed


def test_every_request_is_proved(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["replay", NAME, "--all"]) == DONE
    said = b"25 requests were built again in 2 contexts, each with the recorded digest\n"
    assert capsysbinary.readouterr().out == said


def test_what_makes_two_requests_differ_is_said(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["replay", NAME, "--diff", "44", "50"]) == DONE
    assert b"fold of seq 15 by seq 49 (outline)" in capsysbinary.readouterr().out


def test_the_transcript_is_that_of_show_and_names_every_request(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["show", NAME]) == DONE
    shown = capsysbinary.readouterr().out
    assert main(["replay", NAME]) == DONE
    assert capsysbinary.readouterr().out == shown
    for event in read(KEPT):
        if event.kind in ("llm.req", "summary", "summary.drop", "context.narrow"):
            assert f"{event.seq:>6}  {event.kind}".encode() in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--window", "1"], "event 1 is no request but session.start; requests near it are 6, 16, 31"),
        (["--window", "999"], "there is no event 999; requests near it are"),
        (["--diff", "6", "7"], "event 7 is no request but llm.resp"),
    ],
)
def test_what_is_no_request_is_an_error(
    capsysbinary: pytest.CaptureFixture[bytes], arguments: list[str], said: str
) -> None:
    assert main(["replay", NAME, *arguments]) == FAILED
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert said in err.decode()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"Now the prices", b"Now the rices", "request 50 is not built as it was sent"),
        (b'"version":1,"system"', b'"version":99,"system"', "has version 99 of the window's rules"),
    ],
)
@pytest.mark.parametrize("arguments", [["--window", "50"], ["--all"], ["--diff", "50", "54"]])
def test_nothing_is_printed_of_a_log_that_was_altered(
    log: Path, capsysbinary: pytest.CaptureFixture[bytes], arguments: list[str], old: bytes, new: bytes, said: str
) -> None:
    altered(log, old, new)
    assert main(["replay", NAME, *arguments]) == FAILED
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert said in err.decode()


def test_a_log_without_recipes_has_a_transcript_and_nothing_else(
    log: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with Log.create(log.parent, SessionStart(program="x", root="/"), redact=str) as other:
        other.append(UserMessage(text="go"))
    name = other.path.stem
    assert main(["replay", name]) == DONE
    assert b"user.msg" in capsysbinary.readouterr().out
    assert main(["replay", name, "--window", "2"]) == FAILED
    assert main(["replay", name, "--all"]) == DONE
    out, err = capsysbinary.readouterr()
    assert out.decode() == f"{name} has no requests\n"
    assert "has no requests" in err.decode()


def test_damage_keeps_all_from_being_said_to_be_proved(log: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    log.write_bytes(log.read_bytes().replace(b"Good.", b"Goof.", 1))
    assert main(["replay", NAME, "--all"]) == FAILED
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert b"the checksum is not that of the line" in err


@pytest.mark.parametrize("arguments", [["--window", "x"], ["--window", "1", "--all"], ["--diff", "1"], []])
def test_a_command_line_that_is_wrong_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["replay", *([NAME] if arguments else []), *arguments])
    assert left.value.code == USAGE


def run_alone(*arguments: str, data: Path, **surroundings: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": os.defpath, "NODWYN_DATA_DIR": str(data), **surroundings}
    code = "import sys; from nodwyn.loop.ui.cli import main; status = main(sys.argv[1:])\n"
    code += f"loaded = [name for name in {FORBIDDEN} if name in sys.modules]\n"
    code += "sys.exit(f'loaded {loaded}' if loaded else status)"
    command = [sys.executable, "-c", code, "replay", NAME, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("arguments", [["--all"], ["--window", "6"], ["--diff", "6", "16"]])
def test_no_tool_script_or_model_is_loaded(tmp_path: Path, arguments: list[str]) -> None:
    ran = run_alone(*arguments, data=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_bytes_are_the_same_in_any_locale(tmp_path: Path) -> None:
    surroundings: list[dict[str, str]] = [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"},
    ]
    ran = [run_alone("--window", "16", data=tmp_path, **each) for each in surroundings]
    assert ran[0].stdout == ran[1].stdout
    assert "größe" in ran[0].stdout.decode()


def test_a_request_before_a_summary_is_printed_the_same_after_it(
    log: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    whole = log.read_bytes()
    place = next(event.seq for event in read(log) if event.kind == "summary")
    printed = []
    for content in (b"".join(whole.splitlines(keepends=True)[: place - 1]), whole):
        log.write_bytes(content)
        assert main(["replay", NAME, "--window", "120"]) == DONE
        printed.append(capsysbinary.readouterr().out)
    assert printed[0] == printed[1]
