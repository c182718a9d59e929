"""Searching the files as they are now for a pattern. Nothing is kept, so that nothing can be stale."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import ArgumentError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.fs.text import is_binary
from nodwyn.prims.fs.walk import Candidates, Patience, candidates
from nodwyn.prims.grep.matches import matches, size, text_bytes
from nodwyn.prims.kinds import Text, Whole
from nodwyn.prims.parameters import GlobPattern, Path, Paths

if TYPE_CHECKING:
    from nodwyn.prims.grep.pattern import Pattern

LARGEST_FILE: Final = 1 << 20
"""Bytes of a file that is searched."""

MOST_LINES: Final = 100
"""Matching lines that one search returns."""

MOST_BYTES: Final = 1 << 20
"""Bytes of text that one search returns, lines around matches and paths among them."""

MOST_FILES_FOR_PERSON: Final = 20_000
MOST_LINES_FOR_PERSON: Final = 10_000
MOST_BYTES_FOR_PERSON: Final = 1 << 24
"""The same for who reads them, and is no model."""

SHOWN_NAMES: Final = 3
"""How many files that were not searched are named for each reason."""

PatternText = Annotated[str, Text("a string", longest=4096)]
ContextLines = Annotated[int, Whole("a number of lines", 0, 5)]

ADVICE: Final = "there is more: narrow the pattern, name a directory further down, or give a glob"


@primitive("index-grep", effect=Effect.READ, provenance="external:file")
def index_grep(
    reach: Context,
    path: Annotated[Path, "the directory to search, or one file, relative to the root"],
    pattern: Annotated[PatternText, "a regular expression (RE2), such as func (Run|Stop)"],
    glob: Annotated[
        GlobPattern | None, "which files, such as *.py, docs/**/*.md or !*.min.js; all when not given"
    ] = None,
    context: Annotated[ContextLines, "how many lines to show before and after a match"] = 0,
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
    patience = Patience(reach)
    search = _Search(reach, _pattern(pattern), context, patience.check)
    found = candidates(reach, path, glob, patience)
    search.leave_out("protected, or no regular file", *found.left_out)
    search.all(found)
    return search.result()


@primitive("index-grep-all", effect=Effect.READ, provenance="external:file", callers=SCHEME)
def index_grep_all(
    reach: Context,
    paths: Annotated[Paths, "the directories or files to search, relative to the root"],
    pattern: Annotated[PatternText, "a regular expression (RE2)"],
    glob: Annotated[GlobPattern | None, "which files; all when not given"] = None,
    context: Annotated[ContextLines, "how many lines to show before and after a match"] = 0,
    lines: Annotated[
        int, Whole("a number of lines", 1, MOST_LINES_FOR_PERSON), "how many matching lines at most"
    ] = MOST_LINES,
) -> dict[str, Any]:
    """Search as index-grep does, below several paths and with room for more, and say what was not searched and why.

    The value has left-out, too: for each reason how many files, and the names of the first. More than 20,000 files are
    an error.
    """
    patience = Patience(reach)
    search = _Search(reach, _pattern(pattern), context, patience.check, lines, MOST_BYTES_FOR_PERSON)
    seen: set[str] = set()
    for path in paths or ["."]:
        found = candidates(
            reach,
            path,
            glob,
            patience,
            most=MOST_FILES_FOR_PERSON,
            too_deep=lambda name: search.leave_out("too deep", name),
        )
        search.leave_out("protected, or no regular file", *(name for name in found.left_out if name not in seen))
        search.all(found._replace(names=[name for name in found.names if name not in seen]))
        seen.update(found.names, found.left_out)
    return {**search.result(), "left-out": search.left_out()}


def _pattern(text: str) -> Pattern:
    """Return the pattern that a text is. Raises ArgumentError."""
    from nodwyn.prims.grep.pattern import Pattern, PatternError

    try:
        return Pattern(text)
    except PatternError as error:
        raise ArgumentError(f"pattern must be a regular expression of RE2, and {error}", text) from None


class _Search:
    """A search under way. lines, room: how many matching lines there may be, and bytes of them."""

    def __init__(
        self,
        reach: Context,
        pattern: Pattern,
        context: int,
        going_on: Callable[[], None],
        lines: int = MOST_LINES,
        room: int = MOST_BYTES,
    ) -> None:
        self._lines = lines
        self._room = room
        self._files = reach.files
        self._redactor = reach.session.redactor
        self._pattern = pattern
        self._context = context
        self._going_on = going_on
        self._matches: list[dict[str, Any]] = []
        self._size = 0
        self._searched = 0
        self._left_out: dict[str, list[str]] = {}
        self._is_full = False
        """Whether there was a match that was one too many."""

    def all(self, found: Candidates) -> None:
        """Search files until there are too many matches.

        Raises: PrimitiveError when it takes too long; Refused.
        """
        for name in found.names:
            self._going_on()
            if self._is_full:
                break
            self._file(name, asking=found.is_file)

    def leave_out(self, reason: str, *names: str) -> None:
        """Take it that files are not searched."""
        if names:
            self._left_out.setdefault(reason, []).extend(names)

    def _file(self, name: str, *, asking: bool) -> None:
        """Search a file, or leave it out. asking: as for Files.search.

        Raises: Refused.
        """
        read = self._files.search(
            name, largest=LARGEST_FILE, asking=asking, left_out=lambda reason: self.leave_out(reason, name)
        )
        if read is None:
            return
        data = text_bytes(read)
        if data is None:
            self.leave_out("binary" if is_binary(read) else "not UTF-8", name)
            return
        self._searched += 1
        places = self._pattern.search(data, self._lines + 1 - len(self._matches), self._going_on)
        if not places:
            return
        for match in matches(surrogates.escape(name), data, places, self._context, self._without_secrets):
            self._size += size(match)
            if len(self._matches) == self._lines or (self._size > self._room and self._matches):
                self._is_full = True
                return
            self._matches.append(match)

    def left_out(self) -> list[dict[str, Any]]:
        """Return which files were not searched and why, the most frequent reason first."""
        most_first = sorted(self._left_out.items(), key=lambda item: -len(item[1]))
        return [
            {"reason": reason, "files": len(names), "names": [surrogates.escape(name) for name in names[:SHOWN_NAMES]]}
            for reason, names in most_first
        ]

    def result(self) -> dict[str, Any]:
        """Return what was found."""
        result = {
            "matches": self._matches,
            "files": self._searched,
            "skipped": sum(map(len, self._left_out.values())),
            "truncated": self._is_full,
        }
        return {**result, "advice": ADVICE} if self._is_full else result

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


PRIMITIVES = (index_grep, index_grep_all)
