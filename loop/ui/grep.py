"""``nodwyn grep``: the files of the current directory searched for a pattern, as a model's index-grep does it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nodwyn.loop.ui.asking import asker
from nodwyn.loop.ui.cli import DONE, FAILED, USAGE
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.calling import message_of, perform
from nodwyn.prims.declare import ArgumentError
from nodwyn.prims.guard.display import escape_unseen, in_one_line
from nodwyn.prims.session import Session

NO_MATCH = FAILED

PATH_COLOUR, LINE_COLOUR, MATCH_COLOUR = "35", "32", "1;31"


def run(arguments: Sequence[str]) -> int:
    """Search, and write the lines; return the exit status: as grep's, 0 with a match, 1 without, 2 after an error."""
    line = parser(
        "grep",
        "Search the files of the current directory for lines that match a regular expression (RE2).",
        "nodwyn grep 'def (read|write)' prims --glob '*.py'",
    )
    line.add_argument("pattern", help="a regular expression; behind -- when it begins with a hyphen")
    line.add_argument("path", nargs="?", default=".", help="a directory, or one file; the current directory")
    line.add_argument("--glob", help="which files, such as '*.py', 'docs/**/*.md' or '!*.min.js'")
    line.add_argument("--context", type=int, default=0, help="lines before and after each match, up to 5")
    add_approve(line)
    given = line.parse_args(arguments)
    with Session.start(Path.cwd(), client="grep", ask=asker(given.approve), hidden=True) as session:
        primitive = session.primitives["index-grep"]
        try:
            bound = primitive.bind_json(
                {"path": given.path, "pattern": given.pattern, "glob": given.glob, "context": given.context}
            )
        except ArgumentError as error:
            return _failed(str(error))
        outcome = perform(session, primitive, bound, "person")
    if outcome.error is not None:
        return _failed(message_of(outcome.error))
    found = outcome.value
    sys.stdout.writelines(_written(found["matches"], given.pattern))
    if found["truncated"]:
        sys.stderr.write(f"nodwyn: {found['advice']}\n")
    return DONE if found["matches"] else NO_MATCH


def _failed(message: str) -> int:
    sys.stderr.write(f"nodwyn: {escape_unseen(message)}\n")
    return USAGE


def _written(matches: list[dict[str, Any]], pattern: str) -> Iterator[str]:
    """Yield the lines as grep writes them: ``:`` before a match, ``-`` before a line around it, ``--`` for a gap."""
    is_terminal = sys.stdout.isatty()
    show = _in_one_line if is_terminal else str
    paint = _painted if is_terminal and not os.environ.get("NO_COLOR") else _plain
    mark = _marking(pattern, show, paint)
    path, last, has_context = "", 0, any("before" in match for match in matches)
    for place, match in enumerate(matches):
        following = matches[place + 1] if place + 1 < len(matches) else None
        until = following["line"] if following and following["path"] == match["path"] else sys.maxsize
        before = match.get("before", ())
        first = match["line"] - len(before)
        if match["path"] != path:
            last = 0
        if has_context and path and (match["path"] != path or first > last + 1):
            yield f"{paint('--', PATH_COLOUR)}\n"
        path = match["path"]
        rows = [
            *((number, "-", show(text)) for number, text in enumerate(before, first) if number > last),
            (match["line"], ":", mark(match["text"])),
            *((number, "-", show(text)) for number, text in enumerate(match.get("after", ()), match["line"] + 1)),
        ]
        for number, sign, text in rows:
            if number < until:
                yield f"{paint(show(path), PATH_COLOUR)}{sign}{paint(str(number), LINE_COLOUR)}{sign}{text}\n"
                last = number


def _marking(pattern: str, show: Callable[[str], str], paint: Callable[[str, str], str]) -> Callable[[str], str]:
    """Return what shows a line with its matches painted."""
    if paint is _plain:
        return show
    from nodwyn.prims.grep.pattern import Pattern

    compiled = Pattern(pattern)

    def mark(line: str) -> str:
        pieces: list[str] = []
        place = 0
        for start, end in compiled.spans(line):
            pieces += show(line[place:start]), paint(show(line[start:end]), MATCH_COLOUR)
            place = end
        return "".join([*pieces, show(line[place:])])

    return mark


def _in_one_line(text: str) -> str:
    return in_one_line(escape_unseen(text))


def _painted(text: str, colour: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"


def _plain(text: str, colour: str) -> str:
    return text
