"""Redacting a text that comes in pieces, such as a command's output, without waiting for its end."""

from __future__ import annotations

from nodwyn.prims.redact.redactor import Redactor

SURE = 3
"""How many plain lines in a row end what may be a private key: it reaches into the first of them or the last two."""


class Stream:
    """Gives out what it was given, redacted; together the same as if the whole had been redacted at once.

    It stays some lines behind: whether lines belong to a private key may show only where the key ends.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = ""
        self._pieces: list[str] = []
        self._size = 0

    def feed(self, piece: str) -> str:
        """Take the next piece of the text; return what is now sure of the redacted text, often nothing."""
        self._pieces.append(piece)
        self._size += len(piece)
        if "\n" not in piece or self._size < len(self._held):
            return ""
        text = self._held + "".join(self._pieces)
        cut = self._sure(text)
        self._held, self._pieces, self._size = text[cut:], [], 0
        return self._redactor.redact(text[:cut])

    def finish(self) -> str:
        """Return the rest of the redacted text."""
        text = self._held + "".join(self._pieces)
        self._held, self._pieces, self._size = "", [], 0
        return self._redactor.redact(text)

    def _sure(self, text: str) -> int:
        """Return up to where ``text`` is redacted in the same way whatever follows it."""
        end = text.rfind("\n") + 1
        secrets = self._redactor.find(text[:end])
        plain = 0
        while end > 0:
            start = text.rfind("\n", 0, end - 1) + 1
            while secrets and secrets[-1].start >= end:
                secrets.pop()
            is_plain = not (secrets and secrets[-1].end > start) and _is_plain(text[start : end - 1])
            plain = plain + 1 if is_plain else 0
            if plain == SURE:
                return end
            end = start
        return 0


def _is_plain(line: str) -> bool:
    from nodwyn.prims.redact import pem

    return "[redacted:" not in line and not pem.is_inside(line.encode("utf-8", "surrogatepass"))
