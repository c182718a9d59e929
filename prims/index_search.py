"""Searching by words: the repository, this conversation, or the project's earlier tasks."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from nodwyn.prims.context import Context
from nodwyn.prims.declare import ArgumentError, primitive
from nodwyn.prims.effects import SCHEME, Effect
from nodwyn.prims.kinds import Text, Whole
from nodwyn.prims.parameters import Path

LONGEST_QUERY: Final = 4096

Query = Annotated[str, Text("words, a string", empty=False, longest=LONGEST_QUERY)]
Limit = Annotated[int, Whole("a number of results", 1, 20)]


@primitive("index-search", effect=Effect.READ, provenance=("external:file", "external:log"))
def index_search(
    context: Context,
    query: Annotated[Query, "plain words and names, such as those of the task, its code and its messages"],
    scope: Annotated[
        Literal["repo", "conversation", "earlier"],
        "repo for the repository's files, conversation for this one, earlier for the project's other tasks",
    ],
    limit: Annotated[Limit, "how many results"] = 8,
    path: Annotated[Path | None, "with repo: only files at or below this directory or file"] = None,
) -> str:
    """Return what matches plain words best, ranked; nothing needs to be spelled as the text spells it.

    Use it to find code by what it does, or by several names that it may have: give all the words at once, in place of
    a pattern of guesses. For an exact string or a pattern, and for every place where a name is used, use index-grep.

    In the repository names are taken apart (ScrubEnv is found by scrub and by env), other forms of a word count too,
    and rarer words, and more of them, rank first; paths, the names that a file defines and the messages of the commits
    that touched it count as well. Each result is PATH:A-B: and the first line of a stretch of the file, then its three
    best lines with their numbers, as the file is now: go on with fs-read from there. The index is brought up to date
    first, for ten seconds at most; the heading says what it did not reach.

    In the conversation it finds messages, replies and results by their seq, which recall returns whole.
    """
    context.comes_from("external:file" if scope == "repo" else "external:log")
    if scope == "repo":
        from nodwyn.prims.retrieval.searching import search_repository

        return search_repository(context, query, limit, path)
    if path is not None:
        raise ArgumentError(f'path narrows a search of "repo"; "{scope}" has no files')
    from nodwyn.prims.memory import searching

    search = searching.search_conversation if scope == "conversation" else searching.search_earlier
    return search(context, query, limit)


@primitive("index-explain", effect=Effect.READ, provenance="external:file", callers=SCHEME)
def index_explain(
    context: Context,
    query: Annotated[Query, "plain words and names"],
    limit: Annotated[Limit, "how many results"] = 8,
    path: Annotated[Path | None, "only files at or below this directory or file"] = None,
) -> dict[str, Any]:
    """Return what index-search finds in the repository, as an object, with the parts of each score.

    It has header, and results: each with path, start, end, first, lines, score, and what of the score comes from the
    text, the path, the names defined, how much of the query the file has, and the history, and matched, the words of
    the query that were found.
    """
    from nodwyn.prims.retrieval.searching import search

    found = search(context, query, limit, path)
    return {
        "header": found.header,
        "results": [
            {
                "path": result.path,
                "start": result.start,
                "end": result.end,
                "first": result.first,
                "lines": [{"line": number, "text": text} for number, text in result.lines],
                "score": round(result.score, 4),
                **{
                    name: round(part, 4)
                    for name, part in zip(
                        ("text", "path-part", "definitions", "coverage", "history"), result.parts, strict=True
                    )
                },
                "matched": list(result.matched),
            }
            for result in found.results
        ],
    }


PRIMITIVES = (index_search, index_explain)
