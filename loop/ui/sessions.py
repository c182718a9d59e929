"""``nodwyn sessions``: the sessions of the current directory's project."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

from nodwyn.loop.ui.cli import DONE
from nodwyn.loop.ui.options import parser
from nodwyn.loop.ui.words import brief
from nodwyn.prims.counting import cost_in_words, counted
from nodwyn.prims.directories import kept_sessions
from nodwyn.prims.log import Session as Listed
from nodwyn.prims.log import sessions
from nodwyn.prims.log.overview import Overview

LONGEST_TITLE = 60

ENDINGS = ("done", "stopped", "budget", "error", "unanswered", "idle", "interrupted", "unfinished")
"""How the last turn of a session may have ended."""

Test = Callable[[Listed], bool]


def run(arguments: Sequence[str]) -> int:
    """List the sessions, the latest first; return the exit status."""
    line = parser(
        "sessions", "List the sessions of this project, the latest first.", "nodwyn sessions parser --day today"
    )
    line.add_argument("text", nargs="*", help="words that the title or the first message must have")
    line.add_argument("--day", type=_day, metavar="DAY", help="of that day: 2026-10-09, today or yesterday")
    line.add_argument("--ended", choices=ENDINGS, help="whose last turn ended so")
    line.add_argument("--archived", action="store_true", help="archived ones too")
    line.add_argument("--all", action="store_true", help="those of eval, grep and so on, and archived ones too")
    given = line.parse_args(arguments)
    tests = list(_tests(given))
    listed = [session for session in sessions(kept_sessions(Path.cwd())) if all(test(session) for test in tests)]
    listed.sort(key=lambda session: session.overview.started, reverse=True)
    for session in listed:
        sys.stdout.write(f"{_row(session)}\n")
    if not listed:
        such = "such " if len(tests) > (not given.all) else ""
        more = "" if given.all else " --all lists those of eval too."
        sys.stderr.write(f"There are no {such}sessions here.{more}\n")
    return DONE


def _tests(given: argparse.Namespace) -> Iterator[Test]:
    """Yield what a session must be to be listed."""
    if not given.all:
        yield lambda session: not session.overview.hidden and (given.archived or not session.overview.archived)
    words = [word.casefold() for word in given.text]
    if words:
        yield lambda session: all(word in _said(session) for word in words)
    if given.day is not None:
        yield lambda session: _days(session)[0] <= given.day <= _days(session)[1]
    if given.ended is not None:
        yield lambda session: session.overview.turns > 0 and (session.overview.ended or "unfinished") == given.ended


def _said(session: Listed) -> str:
    return f"{session.overview.title}\n{session.overview.first}".casefold()


def _days(session: Listed) -> tuple[date, date]:
    """Return the days, as a person here counts them, on which a session began and on which its last event was."""
    return moment(session.overview.started).date(), moment(session.overview.last).date()


def _day(text: str) -> date:
    """Return the day that an option names."""
    today = datetime.now().date()
    named = {"today": today, "yesterday": today - timedelta(days=1)}
    return named[text] if text in named else date.fromisoformat(text)


_day.__name__ = "day, such as 2026-10-09"  # as argparse calls it in a message


def _row(session: Listed) -> str:
    overview = session.overview
    words = [
        session.name,
        local_time(overview.last),
        counted(overview.turns, "turn"),
        cost_in_words(overview.cost, unpriced=overview.unpriced),
        brief_title(overview),
    ]
    ended = overview.ended or ("unfinished" if overview.turns and session.owner is None else "")
    marks = [
        f"({overview.client})" if overview.hidden or overview.client == "import" else "",
        f"({ended})" if ended not in ("", "done") else "",
        "(archived)" if overview.archived else "",
        f"(open: {session.owner})" if session.owner else "",
        "(damaged)" if session.damage else "",
    ]
    return "  ".join(word for word in (*words, *marks) if word)


def brief_title(overview: Overview) -> str:
    """Return a session's title, or the beginning of its first message, in one short line."""
    return brief(overview.title or overview.first, LONGEST_TITLE)


def local_time(at: str) -> str:
    """Return an event's time as a person here reads it, to the minute."""
    return moment(at).strftime("%Y-%m-%d %H:%M")


def moment(at: str) -> datetime:
    """Return a time as a person here reads it. What is none, in a log that another program wrote, is the beginning."""
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError):
        return datetime(1970, 1, 1).astimezone()
