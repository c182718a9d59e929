"""``nodwyn show``: a session as a transcript, or its events as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from nodwyn.loop.ui.cli import DONE, CommandError
from nodwyn.loop.ui.colours import Paint, wanted
from nodwyn.loop.ui.options import parser
from nodwyn.loop.ui.transcript import transcript
from nodwyn.prims import surrogates
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.log import Damaged, Event, find_session, read


def run(arguments: Sequence[str]) -> int:
    """Show a session; return the exit status."""
    line = parser("show", "Show a session: what was said and done, each event with its number.", "nodwyn show 20261009")
    line.add_argument("session", help="its name, or the beginning of it that no other has")
    line.add_argument("--json", action="store_true", help="the events as JSON, one a line")
    line.add_argument("--full", action="store_true", help="long texts whole")
    given = line.parse_args(arguments)
    path = find_session(given.session, kept_projects())
    entries = transcript(read(path), full=given.full, paint=Paint(wanted(sys.stdout)))
    is_empty = True
    try:
        for text in map(as_json, read(path)) if given.json else entries:
            sys.stdout.write(text)
            is_empty = False
    except Damaged as damage:
        sys.stdout.flush()
        raise CommandError(str(damage)) from None
    if is_empty:
        raise CommandError(
            f"session {path.stem} has no whole event: it ended before its first one was written, or the file"
            f" {path} was overwritten."
            f" `nodwyn delete {path.stem}` takes it away"
        )
    return DONE


def as_json(event: Event) -> str:
    """Return an event as a line of JSON."""
    text = json.dumps(event.as_json(), ensure_ascii=False, separators=(",", ":"))
    return f"{surrogates.escape(text)}\n"
