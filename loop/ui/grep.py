"""``nodwyn grep``: the files of the current directory searched for a pattern, as a model's index-grep does it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nodwyn.loop.ui.calling import call_primitive
from nodwyn.loop.ui.cli import DONE, FAILED, USAGE, CommandError, complain
from nodwyn.loop.ui.colours import BOLD, GREEN, MAGENTA, RED, Paint, wanted
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.guard.display import escape_in_one_line, escape_name
from nodwyn.prims.index_grep import MOST_LINES, MOST_LINES_FOR_PERSON

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
    line.add_argument("path", nargs="*", help="directories and files; the current directory if left out")
    line.add_argument("-n", "-r", "--line-number", "--recursive", action="store_true", help="as it is without, too")
    line.add_argument("-i", "--ignore-case", action="store_true", help="whatever the case: the same as (?i)")
    line.add_argument("-w", "--word", action="store_true", help="between word boundaries: the same as \\b(?:…)\\b")
    shown = line.add_mutually_exclusive_group()
    shown.add_argument("-l", "--files", action="store_true", help="write only the names of the files that match")
    shown.add_argument("-c", "--count", action="store_true", help="write only how many lines of each file match")
    line.add_argument(
        "--limit",
        type=_limit,
        metavar="N",
        help=f"how many matching lines at most; {MOST_LINES}, with -l and -c {MOST_LINES_FOR_PERSON}, if left out",
    )
    line.add_argument("--glob", help="which files, such as '*.py', 'docs/**/*.md' or '!*.min.js'")
    line.add_argument("--context", type=int, default=0, help="lines before and after each match, up to 5")
    add_approve(line)
    given = line.parse_args(arguments)
    pattern = _pattern(given)
    asked = {
        "paths": given.path,
        "pattern": pattern,
        "glob": given.glob,
        "context": given.context,
        "lines": given.limit or (MOST_LINES_FOR_PERSON if given.files or given.count else MOST_LINES),
    }
    found = call_primitive("index-grep-all", asked, client="grep", approve=given.approve, failed=USAGE)
    if given.files or given.count:
        sys.stdout.writelines(_counted(found["matches"], counts=given.count))
    else:
        sys.stdout.writelines(_written(found["matches"], pattern))
    sys.stdout.flush()
    if found["truncated"]:
        complain(f"{found['advice']}, or a higher --limit")
    if found["left-out"]:
        complain(f"not searched: {', '.join(map(_left_out, found['left-out']))}", in_one_line=True)
    return DONE if found["matches"] else NO_MATCH


def _limit(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_LINES_FOR_PERSON:
        raise argparse.ArgumentTypeError(f"{text} is not from 1 to {MOST_LINES_FOR_PERSON}")
    return number


_limit.__name__ = "number"  # as argparse calls it in a message


def _pattern(given: argparse.Namespace) -> str:
    """Return the pattern with what the options add to it.

    Raises: CommandError when it is none.
    """
    from nodwyn.prims.grep.pattern import Pattern, PatternError

    pattern = str(given.pattern)
    if given.word:
        try:
            Pattern(pattern)  # by itself: what is put around it could make one of two halves
        except PatternError as error:
            raise CommandError(f"pattern must be a regular expression of RE2, and {error}", USAGE) from None
        pattern = rf"\b(?:{pattern})\b"
    return f"(?i){pattern}" if given.ignore_case else pattern


def _counted(matches: list[dict[str, Any]], *, counts: bool) -> Iterator[str]:
    """Yield the paths that have matches, each once, with the number of matching lines if wanted."""
    paint = Paint(wanted(sys.stdout))
    for path, count in Counter(match["path"] for match in matches).items():
        shown = paint(PATH_STYLE, escape_name(path))
        yield f"{shown}:{count}\n" if counts else f"{shown}\n"


def _left_out(group: dict[str, Any]) -> str:
    """Return in words how many files were not searched for one reason, and the first of them."""
    more = ["…"] if group["files"] > len(group["names"]) else []
    return f"{group['files']} {group['reason']} ({', '.join([*group['names'], *more])})"


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
        shown = paint(PATH_STYLE, escape_name(path))
        for number, sign, text in rows:
            if number < until:
                yield f"{shown}{sign}{paint(LINE_STYLE, str(number))}{sign}{text}\n"
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
