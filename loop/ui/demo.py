"""``nodwyn demo``: a whole turn on a small repository. Everything in it but the model is the real thing."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nodwyn.loop.ui.cli import FAILED, CommandError
from nodwyn.loop.ui.colours import BOLD, GREEN, RED, Paint, wanted
from nodwyn.loop.ui.interrupting import Interrupts
from nodwyn.loop.ui.opening import chosen_model, conversation_in, opened
from nodwyn.loop.ui.options import add_conversation, parser
from nodwyn.loop.ui.printing import Printer
from nodwyn.loop.ui.statuses import status_of
from nodwyn.loop.ui.transcript import transcript
from nodwyn.prims.guard.approvals import Answer, Question
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Reader, read
from nodwyn.prims.session import Session

if TYPE_CHECKING:
    from nodwyn.prims.guard.sandbox import Offer

FOLDER = Path(os.path.dirname(os.path.realpath(__file__))).parent / "demo"
"""The demo's model, and the project that it works on: each file with .txt after its name."""

TASK = "A test fails here. Find out why, and mend the program."


def run(arguments: Sequence[str]) -> int:
    """Show the demo; return the exit status: done when the tests pass and every request could be rebuilt."""
    line = parser(
        "demo",
        "Show a whole turn: a small repository with a failing test, a model that is a Scheme file instead of a server,"
        " and everything else as it always is. Needs no network and no key.",
        "nodwyn demo",
    )
    line.parse_args(arguments)
    root = Path(tempfile.mkdtemp(prefix="nodwyn-demo-"))
    lay_out(root)
    paint = Paint(wanted(sys.stdout))
    title = _Titles(paint)
    title(f"The task, in {root}")
    sys.stdout.write(f"{TASK}\n\n")
    return Demo(root, paint, title).show()


class Demo:
    """One showing. root: the repository."""

    def __init__(self, root: Path, paint: Paint, title: _Titles) -> None:
        self.root = root
        self._paint = paint
        self._title = title

    def show(self) -> int:
        """Do the turn and show what is on record of it; return the exit status."""
        status, log, offer = self._turn()
        self._title("The record, as `nodwyn show` has it")
        for text in transcript(read(log), paint=self._paint):
            sys.stdout.write(text)
        self._title("What was checked")
        is_exact = self._verify(log)
        is_mended = self._is_mended(log)
        sys.stdout.write(f"commands ran in: {offer.kind}: {offer.promise}\n")
        for reason in offer.missing:
            sys.stdout.write(f"missing here: {reason}\n")
        self._title("What to try next")
        sys.stdout.write(f"The log is {log}\n\n")
        for command in self._next(log):
            sys.stdout.write(f"  {command}\n")
        return status if is_exact and is_mended else FAILED

    def _turn(self) -> tuple[int, Path, Offer]:
        given = _options(["--model", f"scripted:{FOLDER / 'model.scm'}", "--no-init"])
        interrupts = Interrupts()
        approver = Approver(self.root)
        printer = Printer(sys.stdout, approver.ask, self._paint, streams=True)
        approver.tell = printer.say
        with interrupts.handled(), opened(lambda: Session.start(self.root, client="demo"), interrupts) as session:
            conversation = conversation_in(session, chosen_model(given), printer, given)
            with interrupts.cancelling(conversation.cancel):
                end = conversation.say(TASK)
            return interrupts.status or status_of(end), session.log.path, session.sandbox.offer

    def _verify(self, path: Path) -> bool:
        """Rebuild every request from the log, and say so; return whether each is what was sent."""
        from nodwyn.loop.window.replay import ReplayError, rebuild

        is_exact = True
        with Reader(path) as log:
            for seq in log.seqs("llm.req"):
                try:
                    built = rebuild(log, seq)
                except ReplayError as error:
                    is_exact = False
                    said = escape_unseen(f"request {seq} cannot be rebuilt: {error}")
                    sys.stdout.write(self._paint(RED, said) + "\n")
                else:
                    said = f"request {seq}: rebuilt from the log alone, the same digest {built.digest[:12]}"
                    sys.stdout.write(self._paint(GREEN, said) + "\n")
        return is_exact

    def _is_mended(self, path: Path) -> bool:
        """Say how the last run of the tests ended; return whether they passed."""
        tests = {event.seq for event in read(path) if event.as_json().get("name") == "shell-exec"}
        results = [event.as_json() for event in read(path) if event.kind == "tool.result"]
        ran = [result["value"] for result in results if result["call"] in tests and result["ok"]]
        passed = bool(ran) and ran[-1]["exit"] == 0
        said = "the tests pass" if passed else "the tests do not pass"
        sys.stdout.write(self._paint(GREEN if passed else RED, said) + "\n")
        return passed

    def _next(self, log: Path) -> Iterator[str]:
        with Reader(log) as reader:
            latest = max(reader.seqs("llm.req"), default=1)
        program = invoked_as()
        yield f"git -C {shlex.quote(str(self.root))} diff"
        yield f"{program} show {log.stem} --full"
        yield f"{program} replay {log.stem} --window {latest}"
        yield f"cd {shlex.quote(str(self.root))} && {program} eval '(fs-read \"README.md\")'"


class Approver:
    """Answers the demo's questions: yes to its edits of its own program and to its tests, no to everything else.

    root: the demo's repository. tell: shows what was asked and answered.
    """

    def __init__(self, root: Path) -> None:
        self.tell: Callable[[str], None] = lambda text: None
        self._root = root

    def ask(self, question: Question) -> Answer:
        """Answer, and say what."""
        yes = bool(question.kind) and self._is_own(question.text)
        lines = [line for line in question.text.split("\n") if line.startswith(("asked by:", "file:", "line:"))]
        self.tell("\n".join(f"  {line}" for line in (*lines, f"the demo says {'yes' if yes else 'no'}")))
        return Answer(yes, "demo")

    def _is_own(self, text: str) -> bool:
        # What is shown for a question cannot be mistaken: no value begins a line that looks like a field.
        fields = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line and line[0] != " ")
        asked_by = fields.get("asked by", "")
        if asked_by == "fs-edit, called by the model":
            return True
        return asked_by == "shell-exec, called by the model" and self._is_test(fields.get("line", ""))

    def _is_test(self, line: str) -> bool:
        try:
            words = shlex.split(line)
        except ValueError:
            return False
        return words[:2] == ["python3", "-B"] and len(words) == 3 and (self._root / words[2]).is_file()


def lay_out(root: Path) -> None:
    """Make the demo's repository in an empty directory: its files, committed.

    Raises: CommandError when there is no git.
    """
    for source in sorted((FOLDER / "project").iterdir()):
        target = root / source.name.removesuffix(".txt")
        target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    _git(root, "init", "--quiet")
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--message", "A diary of rain")


def _git(root: Path, *arguments: str) -> None:
    from nodwyn.prims.environment import clean_environment, find_git
    from nodwyn.prims.processes import run as run_program

    git = find_git(os.environ, str(root))
    if git is None:
        raise CommandError("the demo works in a git repository, and there is no git here")
    own = ["-c", "user.name=nodwyn", "-c", "user.email=nodwyn@localhost", "-c", "commit.gpgSign=false"]
    command = [git, *own, "-c", "core.hooksPath=/dev/null", "-c", "init.templateDir=", *arguments]
    done = run_program(command, cwd=str(root), environment=clean_environment(os.environ, str(root)))
    if done.status != 0:
        raise CommandError(f"git {arguments[0]} failed: {done.errors.text().strip()}")


def invoked_as() -> str:
    """Return how this program was called, so that a command that begins so works in the same shell."""
    from shutil import which

    program = os.path.abspath(sys.argv[0])
    if os.path.basename(program) != "nodwyn" or not os.access(program, os.X_OK):
        return f"{shlex.quote(sys.executable)} -m nodwyn.loop.ui.cli"
    found = which("nodwyn")
    is_found = found is not None and os.path.samefile(found, program)
    return "nodwyn" if is_found else shlex.quote(program)


def _options(words: Sequence[str]) -> argparse.Namespace:
    line = parser("demo", "", "")
    add_conversation(line)
    return line.parse_args(words)


class _Titles:
    """Writes a heading above each part."""

    def __init__(self, paint: Paint) -> None:
        self._paint = paint
        self._is_first = True

    def __call__(self, text: str) -> None:
        sys.stdout.write(f"{'' if self._is_first else chr(10)}{self._paint(BOLD, text)}\n\n")
        self._is_first = False
