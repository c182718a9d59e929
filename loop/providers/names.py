"""Names of tools and ids of calls, as a wire allows them.

The name that a tool has on the wire depends on its own name alone, unless two would collide: a cache of the request's
beginning lasts, and what a model called a tool an hour ago is what it calls it now.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from string import ascii_letters, digits
from typing import Any

JSON = Any

LEGAL = frozenset(f"{ascii_letters}{digits}_-")
LONGEST_NAME = 64
LONGEST_ID = 40
READABLE = 48
"""Characters of a name that are kept where it cannot be kept whole."""


class Names:
    """The names of one request's tools."""

    def __init__(self, request: JSON) -> None:
        self._wire: dict[str, str] = {}
        self._scheme: dict[str, str] = {}
        names = sorted(set(_names(request)), key=lambda name: (not _is_legal(name, LONGEST_NAME), name))
        for name in names:  # those that stay as they are come first, so that they do
            self._add(name)

    def wire(self, name: str) -> str:
        """Return the name that the wire has for a tool."""
        return self._wire[name]

    def scheme(self, name: str) -> str:
        """Return the tool that a wire's name means; a name that was not offered stays as it is."""
        return self._scheme.get(name, name)

    def _add(self, name: str) -> None:
        wire, turn = _legal(name, LONGEST_NAME, ""), 0
        while wire in self._scheme:
            turn += 1
            wire = _legal(f"{name}\0{turn}", LONGEST_NAME, "")
        self._wire[name] = wire
        self._scheme[wire] = name


def wire_id(id: str) -> str:
    """Return a call's id as every wire allows it."""
    return _legal(id, LONGEST_ID, "call")


def _names(request: JSON) -> Iterable[str]:
    for tool in request.get("tools", ()):
        yield tool["name"]
    for message in request["messages"]:
        for block in message["content"]:
            if block["type"] in ("call", "result"):
                yield block["name"]


def _is_legal(name: str, longest: int) -> bool:
    return 0 < len(name) <= longest and LEGAL.issuperset(name)


def _legal(name: str, longest: int, otherwise: str) -> str:
    if _is_legal(name, longest):
        return name
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    most = min(READABLE, longest - len(digest) - 1)
    readable = "".join(each if each in LEGAL else "_" for each in name.partition("\0")[0][:most])
    return f"{readable or otherwise or 'tool'}_{digest}"
