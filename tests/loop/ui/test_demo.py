"""``nodwyn demo``: a whole turn in which everything but the model is real."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import main
from nodwyn.loop.ui.demo import FOLDER, TASK, Approver, lay_out
from nodwyn.prims.environment import search_path
from nodwyn.prims.guard import sandbox
from nodwyn.prims.guard.approvals import Question
from nodwyn.prims.guard.display import show
from tests.loop.ui.conftest import Place

ROOT = Path(__file__).parents[3]

TESTS = "python3 -B test_spells.py"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


@pytest.fixture(autouse=True)
def temporary(place: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have temporary directories made beside the test's others, and say of the sandbox what each test finds."""
    monkeypatch.setattr("tempfile.tempdir", str(place.folder))
    sandbox._offered.cache_clear()
    yield
    sandbox._offered.cache_clear()


def test_the_demo_mends_the_program_and_proves_what_it_sent(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    (root,) = place.folder.glob("nodwyn-demo-*")
    assert "range(len(days))" in (root / "spells.py").read_text()
    tests = subprocess.run([sys.executable, "-B", str(root / "test_spells.py")], capture_output=True, check=False)
    assert tests.returncode == 0
    changed = subprocess.run(
        ["git", "-C", str(root), "diff", "--name-only"], capture_output=True, text=True, check=True
    )
    assert changed.stdout == "spells.py\n"
    requests = [event["seq"] for event in place.events("llm.req")]
    assert re.findall(r"^request (\d+): rebuilt from the log alone", shown, re.MULTILINE) == list(map(str, requests))
    for seq in requests:
        assert f"{seq:>6}  llm.req: " in shown
    assert f"The log is {place.log()}" in shown
    assert re.search(r"^commands ran in: (bubblewrap|landlock|none): ", shown, re.MULTILINE)


def words(text: str) -> list[str]:
    """Return the words of a text without what differs from run to run: the directory, and what a turn took."""
    return re.sub(r"/\S*nodwyn-demo\S*", "DIRECTORY", re.sub(r"done \(.*\)", "done", text)).split()


def test_the_picture_shows_how_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    picture = (ROOT / "docs" / "demo.svg").read_text(encoding="utf-8")
    drawn = [unescape(re.sub("<[^>]*>", "", line)) for line in picture.splitlines() if line.startswith("<text")]
    assert drawn[0] == "$ nodwyn demo"
    main(["demo"])
    expected = words("\n".join(drawn[1:]))
    assert words(capsys.readouterr().out)[: len(expected)] == expected


def test_what_is_said_to_try_next_works_as_typed(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    main(["demo"])
    commands = re.findall(r"^  (.*)", capsys.readouterr().out.partition("What to try next")[2], re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        done = subprocess.run(["bash", "-c", command], cwd="/", capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert done.stdout


def test_only_its_edits_and_its_tests_were_asked_about_and_approved(place: Place) -> None:
    main(["demo"])
    asked = [event["question"].splitlines()[:2] for event in place.events("approval")]
    assert [event["answer"] for event in place.events("approval")] == ["yes"] * len(asked)
    assert {tuple(question) for question in asked} == {
        ("asked by: shell-exec, called by the model", f"line: {TESTS}"),
        ("asked by: fs-edit, called by the model", "file: spells.py"),
    }


@pytest.mark.parametrize("kind", ["landlock", "none"])
def test_it_works_without_bubblewrap_and_says_so(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    monkeypatch.setattr(sandbox, "_try_bubblewrap", lambda path: "there is no bwrap here")
    if kind == "none":
        monkeypatch.setattr(sandbox, "_try_landlock", lambda path: "the kernel has none")
    elif sandbox._try_landlock(search_path(os.environ)) is not None:
        pytest.skip("there is no Landlock here")
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert f"commands ran in: {kind}: " in shown
    assert "missing here: bubblewrap: there is no bwrap here" in shown
    assert {event["sandbox"] for event in place.events("guard.decision") if event["effect"] == "run"} == {
        "unsandboxed" if kind == "none" else kind
    }


def test_the_model_decides_from_results(place: Place) -> None:
    lay_out(place.root)
    (place.root / "deep er").mkdir()
    (place.root / "spells.py").rename(place.root / "deep er" / "weather.py")
    tests = (place.root / "test_spells.py").read_text().replace("from spells import", "from weather import")
    (place.root / "deep er" / "check it's right.py").write_text(tests)
    (place.root / "test_spells.py").unlink()
    model = ["--model", f"scripted:{FOLDER / 'model.scm'}"]
    assert main(["run", "--approve", "all", *model, TASK]) == 0
    assert "range(len(days))" in (place.root / "deep er" / "weather.py").read_text()


def test_the_model_says_so_when_nothing_fails(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(place.root)
    program = place.root / "spells.py"
    program.write_text(program.read_text().replace("len(days) - 1", "len(days)"))
    assert main(["run", "--approve", "all", "--model", f"scripted:{FOLDER / 'model.scm'}", TASK]) == 0
    assert capsys.readouterr().out == "All tests pass: there is nothing to mend.\n"


@pytest.mark.parametrize(
    ("fields", "kind", "yes"),
    [
        ([("asked by", "fs-edit, called by the model"), ("file", "spells.py")], "edits", True),
        ([("asked by", "fs-edit, called by the model"), ("file", "/etc/passwd")], "", False),
        ([("asked by", "fs-write, called by the model"), ("file", "spells.py")], "edits", False),
        ([("asked by", "shell-exec, called by the model"), ("line", TESTS)], "edits", True),
        ([("asked by", "shell-exec, called by the model"), ("line", TESTS)], "all", True),
        ([("asked by", "shell-exec, called by the model"), ("line", TESTS)], "", False),
        ([("asked by", "shell-exec, called by the model"), ("line", "python3 -B nowhere.py")], "edits", False),
        ([("asked by", "shell-exec, called by the model"), ("line", f"{TESTS}; id")], "edits", False),
        (
            [("asked by", "shell-exec, called by the model"), ("line", f"id\nline: {TESTS}")],
            "all",
            False,
        ),
        ([("asked by", "shell-exec, called by the model"), ("line", "rm 'x")], "all", False),
        ([("asked by", "shell-exec, called by the loop"), ("line", TESTS)], "edits", False),
    ],
)
def test_the_demo_approves_nothing_else(place: Place, fields: list[tuple[str, str]], kind: str, yes: bool) -> None:
    (place.root / "test_spells.py").touch()
    shown = show(fields)
    question = Question(shown.text, shown.digest, ("it writes",), kind)  # type: ignore[arg-type]
    assert Approver(place.root).ask(question).yes is yes


def test_without_git_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["demo"]) == 1
    assert capsys.readouterr().err == "nodwyn: the demo works in a git repository, and there is no git here\n"
