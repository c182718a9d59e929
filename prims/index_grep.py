"""Searching the files as they are now for a pattern. Nothing is kept, so that nothing can be stale."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import ArgumentError, primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.fs.walk import Patience, candidates
from nodwyn.prims.grep.matches import matches, size, text_bytes
from nodwyn.prims.kinds import Text, Whole
from nodwyn.prims.parameters import GlobPattern, Path

if TYPE_CHECKING:
    from nodwyn.prims.grep.pattern import Pattern

LARGEST_FILE: Final = 1 << 20
"""Bytes of a file that is searched."""

MOST_LINES: Final = 100
"""Matching lines that one search returns."""

MOST_BYTES: Final = 1 << 20
"""Bytes of text that one search returns, lines around matches and paths among them."""

ADVICE: Final = "there is more: narrow the pattern, name a directory further down, or give a glob"


@primitive("index-grep", effect=Effect.READ, provenance="external:file")
def index_grep(
    reach: Context,
    path: Annotated[Path, "the directory to search, or one file, relative to the root"],
    pattern: Annotated[str, Text("a string", longest=4096), "a regular expression (RE2), such as func (Run|Stop)"],
    glob: Annotated[
        GlobPattern | None, "which files, such as *.py, docs/**/*.md or !*.min.js; all when not given"
    ] = None,
    context: Annotated[int, Whole("a number of lines", 0, 5), "how many lines to show before and after a match"] = 0,
) -> dict[str, Any]:
    """Search the files below a directory, as they are now, for lines that match a regular expression.

    For an exact string or a pattern; index-search is for words. The value has matches (each with path, line, text, and
    with CONTEXT the lines before and after), sorted by path and line; files, how many were searched; skipped, how many
    were not: protected, larger than 1 MiB, binary, not UTF-8, no regular file; and truncated. No match is an empty
    list. After 100 matching lines, or 1 MiB of text, truncated is true, and advice says how to narrow the search.

    A match lies within one line, which ends at a line feed. There are no back-references and no look-around; (?i)
    ignores case. Hidden files below the path and links are left out, ignore files have no effect, and the glob is that
    of fs-find. More than 3,000 files are an error, and so are 30 seconds.
    """
    from nodwyn.prims.grep.pattern import Pattern, PatternError

    try:
        wanted = Pattern(pattern)
    except PatternError as error:
        raise ArgumentError(f"pattern must be a regular expression of RE2, and {error}", pattern) from None
    patience = Patience(reach)
    found = candidates(reach, path, glob, patience)
    search = _Search(reach, wanted, context, patience.check)
    for name in found.names:
        patience.check()
        if search.is_full:
            break
        search.file(name, asking=found.is_file)
    return search.result(found.left_out)


class _Search:
    """A search under way."""

    def __init__(self, reach: Context, pattern: Pattern, context: int, going_on: Callable[[], None]) -> None:
        self._files = reach.files
        self._redactor = reach.session.redactor
        self._pattern = pattern
        self._context = context
        self._going_on = going_on
        self._matches: list[dict[str, Any]] = []
        self._size = 0
        self._searched = 0
        self._skipped = 0
        self.is_full = False
        """Whether there was a match that was one too many."""

    def file(self, name: str, *, asking: bool) -> None:
        """Search a file, or count it as skipped. asking: as for Files.search.

        Raises: Refused.
        """
        read = self._files.search(name, largest=LARGEST_FILE, asking=asking)
        data = None if read is None else text_bytes(read)
        if data is None:
            self._skipped += 1
            return
        self._searched += 1
        places = self._pattern.search(data, MOST_LINES + 1 - len(self._matches), self._going_on)
        if not places:
            return
        for match in matches(surrogates.escape(name), data, places, self._context, self._without_secrets):
            self._size += size(match)
            if len(self._matches) == MOST_LINES or (self._size > MOST_BYTES and self._matches):
                self.is_full = True
                return
            self._matches.append(match)

    def result(self, left_out: int) -> dict[str, Any]:
        """Return what was found. left_out: how many entries were skipped beforehand."""
        result = {
            "matches": self._matches,
            "files": self._searched,
            "skipped": self._skipped + left_out,
            "truncated": self.is_full,
        }
        return {**result, "advice": ADVICE} if self.is_full else result

    def _without_secrets(self, text: str) -> str:
        """Return a text with secrets of several lines marked in each line: a line alone does not show what it is."""
        pieces: list[str] = []
        place = 0
        for secret in self._redactor.find(text):
            ends = text.count("\n", secret.start, secret.end)
            if ends:
                mark = f"[redacted:{secret.kind}]"
                pieces += text[place : secret.start], "\n".join([mark] * (ends + 1))
                place = secret.end
        return "".join([*pieces, text[place:]]) if pieces else text


PRIMITIVES = (index_grep,)
