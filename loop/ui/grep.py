"""``nodwyn grep``: the files of the current directory searched for a pattern, as a model's index-grep does it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nodwyn.loop.ui.calling import call_primitive
from nodwyn.loop.ui.cli import DONE, FAILED, USAGE, complain
from nodwyn.loop.ui.colours import BOLD, GREEN, MAGENTA, RED, Paint, wanted
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.guard.display import escape_in_one_line

NO_MATCH = FAILED

PATH_STYLE, LINE_STYLE, MATCH_STYLE = MAGENTA, GREEN, f"{BOLD};{RED}"


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
    asked = {"path": given.path, "pattern": given.pattern, "glob": given.glob, "context": given.context}
    found = call_primitive("index-grep", asked, client="grep", approve=given.approve, failed=USAGE)
    sys.stdout.writelines(_written(found["matches"], given.pattern))
    if found["truncated"]:
        complain(found["advice"])
    return DONE if found["matches"] else NO_MATCH


def _written(matches: list[dict[str, Any]], pattern: str) -> Iterator[str]:
    """Yield the lines as grep writes them: ``:`` before a match, ``-`` before a line around it, ``--`` for a gap."""
    show = escape_in_one_line if sys.stdout.isatty() else str
    paint = Paint(wanted(sys.stdout))
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
            yield f"{paint(PATH_STYLE, '--')}\n"
        path = match["path"]
        rows = [
            *((number, "-", show(text)) for number, text in enumerate(before, first) if number > last),
            (match["line"], ":", mark(match["text"])),
            *((number, "-", show(text)) for number, text in enumerate(match.get("after", ()), match["line"] + 1)),
        ]
        for number, sign, text in rows:
            if number < until:
                yield f"{paint(PATH_STYLE, show(path))}{sign}{paint(LINE_STYLE, str(number))}{sign}{text}\n"
                last = number


def _marking(pattern: str, show: Callable[[str], str], paint: Paint) -> Callable[[str], str]:
    """Return what shows a line with its matches painted."""
    if not paint.is_on:
        return show
    from nodwyn.prims.grep.pattern import Pattern

    compiled = Pattern(pattern)

    def mark(line: str) -> str:
        pieces: list[str] = []
        place = 0
        for start, end in compiled.spans(line):
            pieces += show(line[place:start]), paint(MATCH_STYLE, show(line[start:end]))
            place = end
        return "".join([*pieces, show(line[place:])])

    return mark
