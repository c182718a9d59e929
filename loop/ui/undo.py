"""``nodwyn undo``: the file changes of a session taken back, from the shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nodwyn.loop.ui.asking import asker
from nodwyn.loop.ui.calling import called
from nodwyn.loop.ui.cli import DONE, FAILED, CommandError, complain
from nodwyn.loop.ui.mended import tell_mended
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.directories import kept_sessions
from nodwyn.prims.fs.undo import described_conflict
from nodwyn.prims.guard.display import escape_name
from nodwyn.prims.log import changed_files, sessions
from nodwyn.prims.session import Session


def run(arguments: Sequence[str]) -> int:
    """Take back changes, and say which; return the exit status: failure when a file was left as it is."""
    line = parser(
        "undo",
        "Take back the file changes of a session: those of its last turn that made some. A file that was changed since"
        " is left alone. What commands changed is not known, and stays.",
        "nodwyn undo 20261009T034803Z",
    )
    line.add_argument(
        "session",
        nargs="?",
        help="its name, or the beginning of it that no other has; the latest one that began in this directory and"
        " changed files if left out",
    )
    line.add_argument("--event", type=int, metavar="SEQ", help="the changes of that call or turn; show has the numbers")
    add_approve(line)
    given = line.parse_args(arguments)
    with Session.resume(given.session or _latest(), client="undo", ask=asker(given.approve)) as session:
        complain(f"session {session.name}")
        tell_mended(session.log)
        session.written_undo = f"`nodwyn undo {session.name} --event {{}}`"
        undone = called(session, "undo", {"event": given.event}, failed=FAILED)
    for path in undone["restored"]:
        sys.stdout.write(f"{taken_back(path)}\n")
    for path in undone["unchanged"]:
        sys.stdout.write(f"{unchanged(path)}\n")
    for told in conflicts(undone):
        complain(told)
    return FAILED if undone["conflicts"] else DONE


def taken_back(path: str) -> str:
    """Return in words that a file is as it was before."""
    return f"took back the changes of {escape_name(path)}"


def unchanged(path: str) -> str:
    """Return in words that there was nothing to be done for a file."""
    return f"{escape_name(path)} is as it was before: nothing to take back"


def conflicts(undone: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words which files were left alone, and why. undone: the value of the primitive."""
    for conflict in undone["conflicts"]:
        yield described_conflict({**conflict, "path": f"left {conflict['path']} alone"})


def _latest() -> str:
    """Return the name of the session that began in this directory and changed files, of several the one used last.

    Raises: CommandError when there is none.
    """
    root = os.path.realpath(Path.cwd())
    here = [session for session in sessions(kept_sessions(Path.cwd())) if session.overview.root == root]
    for session in sorted(here, key=lambda each: each.overview.last, reverse=True):
        if changed_files(session.path):
            return session.name
    raise CommandError(
        "no session that began in this directory changed a file; nodwyn undo SESSION takes back those of another"
    )
