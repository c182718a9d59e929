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
from nodwyn.prims.directories import sessions_directory
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Reader
from nodwyn.prims.memory.earlier import find_task, tasks
from nodwyn.prims.memory.recalled import recall_text
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
    what = line.add_subparsers(required=True, metavar="search|recall")
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
    given = line.parse_args(arguments)
    try:
        text = given.do(given, sessions_directory(Path.cwd()))
    except PrimitiveError as error:
        raise CommandError(escape_unseen(str(error))) from None
    sys.stdout.write(f"{escape_unseen(text)}\n")
    return DONE


def _search(given: argparse.Namespace, directory: Path) -> str:
    how = "nodwyn memory recall --task TASK SEQ"
    return search_tasks(tasks(directory), " ".join(given.words), given.limit, how=how)


def _recall(given: argparse.Namespace, directory: Path) -> str:
    path = _latest(directory) if given.task is None else find_task(given.task, directory)
    with Reader(path) as log:
        return recall_text(log, given.seq, given.start, given.count, most=None)


def _latest(directory: Path) -> Path:
    """Return the log of the task that lists show first. Raises: CommandError when there is none."""
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
