"""A search of the repository: bring the index up to date, rank, and read again what is shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from nodwyn.prims import surrogates
from nodwyn.prims.counting import counted
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.environment import is_within
from nodwyn.prims.files import FileError
from nodwyn.prims.fs.text import NotText, text_of
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.display import in_one_line
from nodwyn.prims.private import NotPrivate
from nodwyn.prims.retrieval import ranking
from nodwyn.prims.retrieval.collecting import collect
from nodwyn.prims.retrieval.database import Damaged, Unwritable
from nodwyn.prims.retrieval.index import Index, index_of
from nodwyn.prims.retrieval.redacted import redacted
from nodwyn.prims.retrieval.refreshing import SEARCH_SECONDS, Refresh, Refreshed
from nodwyn.prims.retrieval.store import Batch
from nodwyn.prims.retrieval.tree import LARGEST_FILE
from nodwyn.prims.retrieval.trees import Arranged
from nodwyn.prims.retrieval.words import counts, words

if TYPE_CHECKING:
    from nodwyn.prims.context import Context

Done = TypeVar("Done")

CHUNKS_OF_A_FILE: Final = 2
WORTH_SHOWING: Final = 0.5
"""How good a file's second chunk is, compared with its best, to be shown."""

BEST_LINES: Final = 3
LONGEST_LINE: Final = 200
"""Characters of a line that are shown."""

MOST_ATTEMPTS: Final = 3
"""How often a query is ranked at most, while other processes change the index."""

MOST_NAMED: Final = 10
"""Files that were left out which a result names."""


class Result(NamedTuple):
    """A chunk that is shown."""

    path: str
    start: int
    end: int
    """Its last line."""
    first: str
    """Its first line."""
    lines: tuple[tuple[int, str], ...]
    """Its best lines, each with its number in the file."""
    score: float
    """Its file's score, and the parts of it."""
    parts: tuple[float, ...]
    matched: tuple[str, ...]
    """The words of the query that are in it, or in its path."""


class Found(NamedTuple):
    """What a search found."""

    header: str
    results: list[Result]


def search_repository(context: Context, query: str, limit: int, path: str | None) -> str:
    """Return what answers a query best, as text; see :func:`search`.

    Raises: PrimitiveError, Refused.
    """
    found = search(context, query, limit, path)
    return "\n\n".join([found.header, *map(shown, found.results)])


def shown(result: Result) -> str:
    """Return a result as text: where it is and its first line, then its best lines."""
    lines = [f"{in_one_line(result.path)}:{result.start}-{result.end}: {result.first}"]
    return "\n".join([*lines, *(f"  {number}: {text}" for number, text in result.lines)])


def search(context: Context, query: str, limit: int, path: str | None) -> Found:
    """Return what answers a query best.

    limit: how many chunks. path: only files at or below it.

    Raises: PrimitiveError, Refused.
    """
    if not words(query):
        raise PrimitiveError("query has no word; index-grep finds what consists of other characters")
    prefix = _prefix(context, path)
    with using(context) as index:
        return again_if_damaged(index, lambda: _searched(context, index, query, limit, prefix))


@contextmanager
def using(context: Context) -> Iterator[Index]:
    """Have the index of the session's repository, for one call at a time; where there can be none, say why.

    Raises: PrimitiveError.
    """
    try:
        index = index_of(context.session)
    except (OSError, NotPrivate) as error:
        raise _no_index(error) from None
    with index.lock:
        try:
            yield index
        except Unwritable as error:
            raise _no_index(error) from None


def _no_index(error: Exception) -> PrimitiveError:
    return PrimitiveError(f"the repository has no index: {str(error).rstrip('.')}. index-grep searches without one.")


def again_if_damaged(index: Index, work: Callable[[], Done]) -> Done:
    """Do something with an index; when that is damaged, once more with one that is made anew."""
    try:
        return work()
    except Damaged:
        index.discard()
    try:
        return work()
    except Damaged as error:
        raise Unwritable(f"{index.store.database.directory} does not keep what is written: {error}") from error


def _prefix(context: Context, path: str | None) -> str:
    """Return what the paths of files at or below a path begin with, or the path of one file.

    Raises: PrimitiveError when it does not exist, Refused.
    """
    if path is None:
        return ""
    relative = surrogates.escape(inside(context, path))
    return "" if relative == "." else relative


def inside(context: Context, path: str) -> str:
    """Return where a path leads to, relative to the root.

    Raises: PrimitiveError when it does not exist, or leads out of the root; Refused.
    """
    if not context.files.exists(path):
        raise FileError(path, "there is no such file or directory")
    root = context.session.root
    absolute = os.path.realpath(os.path.join(root, os.path.expanduser(path)))
    if not is_within(absolute, root):
        raise FileError(path, f"it is outside of {root}; the index is of that alone")
    return os.path.relpath(absolute, root)


def _searched(context: Context, index: Index, query: str, limit: int, prefix: str) -> Found:
    refreshed = Refresh(context, index, SEARCH_SECONDS).run(always=False)
    if refreshed.read:
        collect(index.store)
    arranged, ranked = _ranked(context, index, query, prefix)
    with context.session.guard.without_asking():
        results = list(_results(context, index, arranged, ranked, limit))
    return Found(_header(arranged, refreshed, bool(results), prefix), results)


def _ranked(context: Context, index: Index, query: str, prefix: str) -> tuple[Arranged, ranking.Ranking]:
    """Return the files as they were ranked, and what was found."""
    arranged = index.arranged()
    for _ in range(MOST_ATTEMPTS):
        history = index.messages(context, arranged)
        paths = arranged.paths

        def wants(file: int, paths: Sequence[str] = paths) -> bool:
            return paths[file] == prefix or paths[file].startswith(f"{prefix}/")

        ranked = ranking.rank(query, arranged, index.store, history, wants if prefix else None)
        # Where another process wrote meanwhile, words were looked up in what the files are not in any more.
        before, arranged = arranged, index.arranged()
        if arranged is before:
            break
    return before, ranked


def _header(arranged: Arranged, refreshed: Refreshed, is_any: bool, prefix: str) -> str:
    said = f"ranked {counted(arranged.number, 'chunk')} of {counted(len(arranged.paths), 'file')}"
    if prefix:
        said += f", and shown is what lies in {in_one_line(prefix)}"
    lines = [said]
    if not is_any:
        where = "there " if prefix else ""
        lines.append(f"No file {where}has any of these words. index-grep finds parts of words and patterns.")
    if refreshed.left:
        left = counted(refreshed.left, "file that is", "files that are")
        lines.append(
            f"{left} new or changed could not be read in time; the next search goes on, and"
            " index-update reads for a minute."
        )
    if refreshed.partial:
        lines.append(partial(refreshed.partial))
    if refreshed.refused:
        lines.append(left_out(refreshed.refused))
    return "\n".join(lines)


def partial(reason: str) -> str:
    """Return that the index does not cover all files, why, and what to do about the rest."""
    return (
        f"The index is partial: {reason}. For the rest use index-grep, or begin a session in a directory further down;"
        " what .gitignore names does not count."
    )


def left_out(refused: Sequence[str]) -> str:
    """Return which files the guard keeps out of the index, the first of them by name."""
    named = ", ".join(map(in_one_line, refused[:MOST_NAMED]))
    more = len(refused) - MOST_NAMED
    return f"Left out, because the guard refuses or would ask: {named}{f' and {more} more' if more > 0 else ''}"


def _results(
    context: Context,
    index: Index,
    arranged: Arranged,
    ranked: ranking.Ranking,
    limit: int,
) -> Iterator[Result]:
    forms = {word: term.word for term in ranked.terms for word in (*term.forms, term.word)}
    left = limit
    for scored in ranked.files:
        path = arranged.paths[scored.file]
        lines = _live_lines(context, index, path)
        if lines is None:
            continue
        for chunk in _chunks(scored, arranged)[:left]:
            start, end = arranged.lines(chunk)
            if end <= len(lines):
                left -= 1
                yield _result(path, start, end, lines, scored, forms, ranked.weights)
        if not left:
            return


def _chunks(scored: ranking.Scored, arranged: Arranged) -> list[int]:
    """Return the chunks of a file that are shown."""
    if not scored.chunks:
        return list(arranged.chunks(scored.file)[:1])
    best = scored.chunks[0][1]
    return [chunk for chunk, score in scored.chunks[:CHUNKS_OF_A_FILE] if score >= WORTH_SHOWING * best]


def _live_lines(context: Context, index: Index, path: str) -> list[str] | None:
    """Return the lines that a file has now, redacted; None when it is gone, or no text any more.

    Raises: Refused; the file is then out of the index.
    """
    try:
        text = text_of(context.files.read(surrogates.unescape(path), largest=LARGEST_FILE))
    except Refused:
        index.refuse(path, None)
        gone = Batch()
        gone.removed.append(path)
        index.write(gone)
        raise
    except (FileError, NotText):
        return None
    lines = redacted(context.session.redactor, text).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _result(
    path: str,
    start: int,
    end: int,
    lines: list[str],
    scored: ranking.Scored,
    forms: Mapping[str, str],
    weights: Mapping[str, float],
) -> Result:
    """Return a chunk with the lines of it whose words weigh most. forms: the query's word by each of its forms."""
    matched = {number: _matched(lines[number - 1], forms) for number in range(start, end + 1)}
    best = sorted(
        (number for number, found in matched.items() if found),
        key=lambda number: -sum(weights.get(word, 0.0) for word in matched[number]),
    )
    return Result(
        path,
        start,
        end,
        _cut(lines[start - 1]),
        tuple((number, _cut(lines[number - 1])) for number in sorted(best[:BEST_LINES])),
        scored.score,
        scored.parts,
        tuple(sorted(_matched(path, forms).union(*matched.values()))),
    )


def _matched(text: str, forms: Mapping[str, str]) -> set[str]:
    return {forms[word] for word in counts(text) if word in forms}


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
