"""``nodwyn search``: the repository searched by words, as a model's index-search does it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nodwyn.loop.ui.calling import call_primitive
from nodwyn.loop.ui.cli import DONE, FAILED, USAGE
from nodwyn.loop.ui.colours import BOLD, CYAN, FAINT, GREEN, Paint, wanted
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.guard.display import escape_in_one_line, escape_name, escape_unseen

NO_MATCH = FAILED

PARTS = (
    ("text", "text"),
    ("path-part", "path"),
    ("definitions", "definitions"),
    ("coverage", "coverage"),
    ("history", "history"),
)


def run(arguments: Sequence[str]) -> int:
    """Search, and write what was found; return the exit status: 0 with a result, 1 without, 2 after an error."""
    line = parser(
        "search",
        "Search the files of the current directory by words; an index of them is kept. For patterns: nodwyn grep.",
        "nodwyn search where are credentials checked --path prims",
    )
    line.add_argument("words", nargs="+", help="words and names, as they come to mind")
    line.add_argument("--path", metavar="P", help="only files at or below this directory or file")
    line.add_argument("--limit", type=int, default=8, metavar="N", help="how many results, up to 20")
    line.add_argument("--explain", action="store_true", help="show what each score is made of")
    add_approve(line)
    given = line.parse_args(arguments)
    asked = {"query": " ".join(given.words), "limit": given.limit, "path": given.path}
    found = call_primitive("index-explain", asked, client="search", approve=given.approve, failed=USAGE)
    # First, for it says what may be missing below.
    sys.stderr.write(f"{escape_unseen(found['header'])}\n")
    sys.stderr.flush()
    sys.stdout.writelines(_written(found["results"], Paint(wanted(sys.stdout)), explains=given.explain))
    return DONE if found["results"] else NO_MATCH


def _written(results: Sequence[Mapping[str, Any]], paint: Paint, *, explains: bool) -> Iterator[str]:
    """Yield the lines: of each result where it is and its first line, then its best lines."""
    for result in results:
        path = paint(CYAN, escape_name(result["path"]))
        place = paint(GREEN, str(result["start"]))
        yield f"{path}:{place}: {paint(BOLD, escape_in_one_line(result['first']))}\n"
        for each in (line for line in result["lines"] if line["line"] != result["start"]):
            yield f"{path}:{paint(GREEN, str(each['line']))}: {escape_in_one_line(each['text'])}\n"
        if explains:
            parts = ", ".join(f"{name} {result[key]:.3f}" for key, name in PARTS)
            matched = " ".join(result["matched"])
            yield paint(FAINT, f"    score {result['score']:.3f}: {parts}; words {matched}") + "\n"
