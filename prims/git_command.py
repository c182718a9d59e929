"""Running git itself, with its answer whole or an error that says what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodwyn.prims import processes
from nodwyn.prims.processes import CannotRun, Limits, signal_name

SECONDS: Final = 60.0

LARGEST_OUTPUT: Final = 1 << 24
"""Characters that a command may print; more is an error, for half a list of files is none."""

_USUAL_LIMITS = Limits(SECONDS, LARGEST_OUTPUT, 1)


class GitError(Exception):
    """Git cannot answer; the message says what was asked, why not, and what can be done.

    what: the message without that last part. advice: a sentence or more; nothing when there is none.
    """

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(f"{what}. {advice}" if advice else what)
        self.what = what


def run(
    command: list[str],
    cwd: str,
    environment: Mapping[str, str],
    given: str = "",
    limits: Limits = _USUAL_LIMITS,
) -> str | None:
    """Run git; return what it prints, or None when that is too much.

    command: the program's file, then its own options, then what is asked. cwd: the directory it runs in. environment:
    all of its variables. given: what it reads. limits: of seconds and characters.

    Raises: GitError.
    """
    asked = next((word for word in command[1:] if not word.startswith("-") and "=" not in word), "")
    try:
        finished = processes.run(command, cwd=cwd, environment=environment, limits=limits, stdin=given.encode())
    except CannotRun as error:
        raise GitError(str(error)) from None
    if finished.ending == "timed out":
        raise GitError(f"git {asked} took more than {limits.seconds:g} seconds and was stopped", "Ask for less.")
    if finished.ending == "killed":
        raise GitError(f"git {asked} was killed by {signal_name(finished.signal)}", "Ask for less, or once more.")
    if finished.status != 0:
        said = finished.errors.text().strip().removeprefix("fatal: ") or f"it exited with {finished.status}"
        what, _, advice = said.partition("\n")
        raise GitError(f"git {asked} failed: {what}", advice.strip())
    return None if finished.output.cut else finished.output.text()


def settings_in(listed: str) -> list[tuple[str, str]]:
    """Return names and values of ``git config --list -z``; the names are in lower case but for their middle parts."""
    pairs = (entry.partition("\n") for entry in listed.split("\0") if entry)
    return [(name, value) for name, _, value in pairs]
