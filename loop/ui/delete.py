"""``nodwyn delete``: delete sessions, with all that is derived from them: some by name, or what is old."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from nodwyn.loop.ui.asking import has_terminal, is_confirmed
from nodwyn.loop.ui.cli import DONE, UNANSWERED, USAGE, CommandError, complain
from nodwyn.loop.ui.options import parser
from nodwyn.loop.ui.sessions import brief_title, local_time, moment
from nodwyn.prims.counting import counted
from nodwyn.prims.directories import kept_projects, kept_sessions
from nodwyn.prims.log import (
    Reader,
    changed_files,
    delete_session,
    delete_sessions,
    find_session,
    sessions,
    size_of,
)
from nodwyn.prims.log import Session as Listed

KINDS = ("looked", "archived", "imported")
"""What may be asked for of what is old."""

UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}

LONGEST_AGE = 4
"""Digits."""

MEBIBYTE = 1 << 20


def run(arguments: Sequence[str]) -> int:
    """Delete sessions once the person has said yes; return the exit status."""
    line = parser(
        "delete",
        "Delete sessions for good: their logs and all that is derived from them. `nodwyn archive` only puts them away.",
        "nodwyn delete --older-than 30d --only looked",
    )
    line.add_argument("session", nargs="*", help="its name, or the beginning of it that no other has")
    line.add_argument(
        "--older-than",
        type=_age,
        metavar="AGE",
        help="those of this project in which nothing happened for so long: 12h, 30d or 8w; one that is open stays",
    )
    line.add_argument(
        "--only",
        choices=KINDS,
        help="of these only what looked and did no more (no turn, no message, no changed file), what is archived, or"
        " what was imported",
    )
    line.add_argument("--yes", action="store_true", help="do not ask")
    given = line.parse_args(arguments)
    has_age = given.older_than is not None
    if bool(given.session) == has_age or (given.only and not has_age):
        raise CommandError("name sessions, or say --older-than AGE, with or without --only", USAGE)
    return _delete_named(given) if given.session else _delete_old(given)


def _delete_named(given: argparse.Namespace) -> int:
    for path in [find_session(name, kept_projects()) for name in given.session]:
        if not given.yes and not _is_wanted(f"Delete session {path.stem} for good? {_described(path)}"):
            complain(f"session {path.stem} was not deleted")
            return UNANSWERED
        delete_session(path)
    return DONE


def _delete_old(given: argparse.Namespace) -> int:
    before = datetime.now().astimezone() - given.older_than
    found = [each for each in sessions(kept_sessions(Path.cwd())) if _is_meant(each, before, given.only)]
    if not found:
        sys.stderr.write("There are no such sessions here.\n")
        return DONE
    size = size_of(session.path for session in found)
    many = f"{counted(len(found), 'session')} of this project, {size / MEBIBYTE:.1f} MiB"
    with_turns = sum(session.overview.turns > 0 for session in found)
    last = local_time(max(session.overview.last for session in found))
    said = f"The last was used on {last}; {with_turns} of them had turns."
    if not given.yes and not _is_wanted(f"Delete {many}, for good? {said}"):
        complain(f"{many}, would be deleted. {said} None was")
        return UNANSWERED
    deleted = sum(1 for _ in delete_sessions(kept_sessions(Path.cwd()), [session.name for session in found]))
    sys.stderr.write(f"deleted {deleted} of {many}\n")
    return DONE


def _is_meant(session: Listed, before: datetime, only: str | None) -> bool:
    """Return whether a session is closed, last used before then, and of the kind that is asked for."""
    overview = session.overview
    if session.owner is not None or moment(overview.last) >= before:
        return False
    if only == "archived":
        return overview.archived
    if only == "imported":
        return overview.client == "import"
    return only is None or _only_looked(session)


def _only_looked(session: Listed) -> bool:
    """Return whether a session has no turn, no message and no changed file."""
    return not (session.overview.turns or session.overview.first or changed_files(session.path))


def _is_wanted(question: str) -> bool:
    """Ask whether sessions are to be deleted. Where there is nobody to ask, they are not."""
    if not has_terminal():
        complain("there is no terminal to ask at; --yes says yes")
        return False
    return bool(is_confirmed(f"{question}\n[y]es, [n]o: ", sys.stderr))


def _described(path: Path) -> str:
    with Reader(path) as log:
        overview = log.overview
    title = brief_title(overview)
    held = f"{counted(overview.events, 'event')} in {counted(overview.turns, 'turn')}"
    return f"It has {held}{f': {title}' if title else ''}."


def _age(text: str) -> timedelta:
    """Return how long an option says: ``30d``."""
    number, unit = text[:-1], UNITS.get(text[-1:])
    if unit is None or not (number.isascii() and number.isdecimal()) or len(number) > LONGEST_AGE:
        wanted = f"a whole number of at most {LONGEST_AGE} digits and h, d or w for hours, days or weeks"
        raise argparse.ArgumentTypeError(f"{text!r} is no age: that is {wanted}, such as 12h, 30d or 8w")
    return int(number) * unit
