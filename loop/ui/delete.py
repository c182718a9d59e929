"""``nodwyn delete``: delete sessions, with all that is derived from them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from nodwyn.loop.ui.cli import DONE, UNANSWERED, complain
from nodwyn.loop.ui.options import parser
from nodwyn.loop.ui.sessions import brief_title
from nodwyn.prims.counting import counted
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.log import Reader, delete_session, find_session


def run(arguments: Sequence[str]) -> int:
    """Delete sessions once the person has said yes; return the exit status."""
    line = parser(
        "delete",
        "Delete sessions for good: their logs and all that is derived from them. `nodwyn archive` only puts them away.",
        "nodwyn delete 20261009T034803Z",
    )
    line.add_argument("session", nargs="+", help="its name, or the beginning of it that no other has")
    line.add_argument("--yes", action="store_true", help="do not ask")
    given = line.parse_args(arguments)
    for path in [find_session(name, kept_projects()) for name in given.session]:
        if not given.yes and not _is_wanted(path):
            complain(f"session {path.stem} was not deleted")
            return UNANSWERED
        delete_session(path)
    return DONE


def _is_wanted(path: Path) -> bool:
    """Ask whether a session is to be deleted. Where there is nobody to ask, it is not."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        complain("there is no terminal to ask at; --yes says yes")
        return False
    sys.stderr.write(f"Delete session {path.stem} for good? {_described(path)}\n[y]es, [n]o: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _described(path: Path) -> str:
    with Reader(path) as log:
        overview = log.overview
    title = brief_title(overview)
    held = f"{counted(overview.events, 'event')} in {counted(overview.turns, 'turn')}"
    return f"It has {held}{f': {title}' if title else ''}."
