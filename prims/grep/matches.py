"""The lines of a file that match a pattern, as they are shown: with their numbers, and lines around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nodwyn.prims.fs.text import is_binary

_MARK = b"\xef\xbb\xbf"


def text_bytes(data: bytes) -> bytes | None:
    """Return the UTF-8 text of a file without the byte order mark at its start, or None when it is no such text."""
    if is_binary(data):
        return None
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    return data.removeprefix(_MARK)


def matches(path: str, data: bytes, places: Sequence[int], context: int, hide: Callable[[str], str]) -> list[Any]:
    """Return a match for each of the places in ``data``, which lie in different lines and are in order.

    path: of the file, as it is shown. context: how many lines before and after. hide: given the whole text, returns it
        with the same number of lines and without what no part of may be shown.
    """
    lines = hide(data.decode()).split("\n")
    if lines[-1] == "":
        lines.pop()
    found = []
    number = counted = 0
    for place in places:
        number += data.count(b"\n", counted, place)
        counted = place
        match: dict[str, Any] = {"path": path, "line": number + 1, "text": lines[number]}
        if context:
            match["before"] = lines[max(0, number - context) : number]
            match["after"] = lines[number + 1 : number + 1 + context]
        found.append(match)
    return found


def size(match: dict[str, Any]) -> int:
    """Return how many bytes the texts of a match have."""
    texts = (match["path"], match["text"], *match.get("before", ()), *match.get("after", ()))
    return sum(len(text.encode()) for text in texts)
