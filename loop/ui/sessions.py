"""``nodwyn sessions``: the sessions of the current directory's project."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from nodwyn.loop.ui.cli import DONE
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Session as Listed
from nodwyn.prims.log import sessions

LONGEST_TITLE = 60


def run(arguments: Sequence[str]) -> int:
    """List the sessions, the latest first; return the exit status."""
    line = parser("sessions", "List the sessions of this project, the latest first.", "nodwyn sessions --all")
    line.add_argument("--all", action="store_true", help="those of eval and archived ones too")
    given = line.parse_args(arguments)
    listed = [
        session
        for session in sessions(sessions_directory(Path.cwd()))
        if given.all or not (session.overview.hidden or session.overview.archived)
    ]
    for session in reversed(listed):
        sys.stdout.write(f"{_row(session)}\n")
    if not listed:
        sys.stderr.write("There are no sessions here. --all lists those of eval too.\n")
    return DONE


def _row(session: Listed) -> str:
    overview = session.overview
    title = escape_unseen((overview.title or overview.first).partition("\n")[0])
    words = [
        session.name,
        local_time(overview.last),
        f"{overview.turns} {'turn' if overview.turns == 1 else 'turns'}",
        f"${overview.cost / 1_000_000:.2f}",
        title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…",
    ]
    marks = [
        f"({overview.client})" if overview.hidden else "",
        "(archived)" if overview.archived else "",
        f"(open: {session.owner})" if session.owner else "",
        "(damaged)" if session.damage else "",
    ]
    return "  ".join(word for word in (*words, *marks) if word)


def local_time(at: str) -> str:
    """Return an event's time as a person here reads it, to the minute."""
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
