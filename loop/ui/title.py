"""``nodwyn title``: show the name of a session, give it one that lists show, or take it away."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from nodwyn.loop.ui.cli import DONE, USAGE, CommandError, complain
from nodwyn.loop.ui.mended import tell_mended
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.guard.display import escape_in_one_line
from nodwyn.prims.log import Log, Reader, find_session
from nodwyn.prims.log.events import SessionTitle
from nodwyn.prims.session import own_redactor, recording


def run(arguments: Sequence[str]) -> int:
    """Show, set or remove the name of a session; return the exit status."""
    line = parser(
        "title",
        "Give a session a name that lists show. Without words, show the one that it has.",
        "nodwyn title 20261009 The parser, again",
    )
    line.add_argument("session", help="its name, or the beginning of it that no other has")
    line.add_argument("title", nargs="*", help="the words of its title; without any, the one that it has is shown")
    line.add_argument("--remove", action="store_true", help="take its title away")
    given = line.parse_args(arguments)
    title = " ".join(given.title).strip()
    if given.title and (given.remove or not title):
        raise CommandError("a title is words, and --remove stands without any: it takes the title away", USAGE)
    path = find_session(given.session, kept_projects())
    if not title and not given.remove:
        return _show(path)
    with Log.open(path, redact=recording(own_redactor())) as log:
        tell_mended(log)
        if log.overview.title != title:
            log.append(SessionTitle(title=title))
    return DONE


def _show(path: Path) -> int:
    with Reader(path) as log:
        title = log.overview.title
    if title:
        sys.stdout.write(f"{escape_in_one_line(title)}\n")
    else:
        complain(f"session {path.stem} has no title; nodwyn title {path.stem} WORD… gives it one")
    return DONE
