"""``nodwyn memory``: the person searches and recalls the tasks of this project, whatever models may."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nodwyn.loop.ui.cli import DONE, CommandError
from nodwyn.loop.ui.options import parser
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.directories import kept_sessions
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Reader
from nodwyn.prims.memory.cards import described, one_line
from nodwyn.prims.memory.earlier import find_task, tasks
from nodwyn.prims.memory.recalled import recall_text
from nodwyn.prims.memory.remembered import remember
from nodwyn.prims.memory.searching import search_tasks

LIMIT: Final = 8
MOST: Final = 20


def run(arguments: Sequence[str]) -> int:
    """Search or recall; return the exit status."""
    line = parser(
        "memory",
        "Search what was said and done in the tasks of this project, and read any of it again.",
        "nodwyn memory search flaky pager test",
    )
    # Without prog argparse would ask how wide the terminal is, for which it imports compressors.
    what = line.add_subparsers(required=True, metavar="search|recall|cards", prog=line.prog)
    search = what.add_parser("search", help="the events that have most of some words", allow_abbrev=False)
    search.add_argument("words", nargs="+", help="words or names, as they come to mind")
    search.add_argument("--limit", type=_limit, default=LIMIT, metavar="N", help=f"how many, {LIMIT} when not given")
    search.set_defaults(do=_search)
    recall = what.add_parser("recall", help="an event, whole or in part", allow_abbrev=False)
    recall.add_argument("--task", metavar="T", help="the task, or the beginning of its name; the latest if not given")
    recall.add_argument("seq", type=int, help="the event's number")
    recall.add_argument("start", type=_from_0, nargs="?", default=0, help="its first line, from 1")
    recall.add_argument("count", type=_from_0, nargs="?", default=0, help="how many lines; 0 for all that follow")
    recall.set_defaults(do=_recall)
    cards = what.add_parser("cards", help="every turn of a task on its card, and its notes", allow_abbrev=False)
    cards.add_argument("--task", metavar="T", help="the task, or the beginning of its name; the latest if not given")
    cards.set_defaults(do=_cards)
    given = line.parse_args(arguments)
    try:
        text = given.do(given, kept_sessions(Path.cwd()))
    except PrimitiveError as error:
        raise CommandError(str(error)) from None
    sys.stdout.write(f"{escape_unseen(text)}\n")
    return DONE


def _search(given: argparse.Namespace, directory: Path) -> str:
    how = "nodwyn memory recall --task TASK SEQ"
    return search_tasks(tasks(directory), " ".join(given.words), given.limit, how=how)


def _recall(given: argparse.Namespace, directory: Path) -> str:
    with Reader(_task(given.task, directory)) as log:
        return recall_text(log, given.seq, given.start, given.count, most=None)


def _cards(given: argparse.Namespace, directory: Path) -> str:
    with remember(_task(given.task, directory)) as known:
        parts = {card.first: f"turn {one_line(card)}\n{_indented(described(card))}" for card in known.cards()}
        for note in known.notes():
            parts[note.seq] = f"note {note.seq}, in place of {note.first}-{note.through}\n{_indented(note.text)}"
        ordered = [parts[seq] for seq in sorted(parts)]
        return "\n\n".join([*ordered, *([known.damage] if known.damage else [])]) or "There are no turns in it."


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


def _task(beginning: str | None, directory: Path) -> Path:
    """Return the log of a task, of the latest one if none is named.

    Raises: CommandError when there is none. PrimitiveError when the name is none's or of several.
    """
    if beginning is not None:
        return find_task(beginning, directory)
    for path in tasks(directory):
        with Reader(path) as log:
            if log.last and not log.overview.hidden:
                return path
    raise CommandError("there are no tasks here")


def _limit(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST:
        raise argparse.ArgumentTypeError(f"{text} is not from 1 to {MOST}")
    return number


def _from_0(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


_limit.__name__, _from_0.__name__ = "number", "number"  # as argparse calls them in a message
