"""``nodwyn archive``: put sessions away from lists, or take them back."""

from __future__ import annotations

from collections.abc import Sequence

from nodwyn.loop.ui.cli import DONE
from nodwyn.loop.ui.mended import tell_mended
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.log import Log, find_session
from nodwyn.prims.log.events import SessionArchive
from nodwyn.prims.session import own_redactor, recording


def run(arguments: Sequence[str]) -> int:
    """Put sessions away, or take them back; return the exit status."""
    line = parser(
        "archive",
        "Put sessions away: lists leave them out unless asked. Nothing of them is lost, and searches still find them.",
        "nodwyn archive 20261009T034803Z",
    )
    line.add_argument("session", nargs="+", help="its name, or the beginning of it that no other has")
    line.add_argument("--back", action="store_true", help="take them back")
    given = line.parse_args(arguments)
    redact = recording(own_redactor())
    for path in [find_session(name, kept_projects()) for name in given.session]:
        with Log.open(path, redact=redact) as log:
            tell_mended(log)
            if log.overview.archived is given.back:
                log.append(SessionArchive(archived=not given.back))
    return DONE
