"""``nodwyn title``: give a session a name that lists show."""

from __future__ import annotations

from collections.abc import Sequence

from nodwyn.loop.ui.cli import DONE
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.log import Log, find_session
from nodwyn.prims.log.events import SessionTitle
from nodwyn.prims.session import own_redactor, recording


def run(arguments: Sequence[str]) -> int:
    """Name a session; return the exit status."""
    line = parser("title", "Give a session a name that lists show.", "nodwyn title 20261009 The parser, again")
    line.add_argument("session", help="its name, or the beginning of it that no other has")
    line.add_argument("title", nargs="*", help="the words of its title; without any it has none")
    given = line.parse_args(arguments)
    path = find_session(given.session, kept_projects())
    with Log.open(path, redact=recording(own_redactor())) as log:
        log.append(SessionTitle(title=" ".join(given.title)))
    return DONE
