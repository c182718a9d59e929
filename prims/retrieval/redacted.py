"""Redacted text whose lines have the numbers that they have in the file."""

from __future__ import annotations

from nodwyn.prims.redact import Redactor


def redacted(redactor: Redactor, text: str) -> str:
    """Return a text with a mark in place of each secret, which keeps the ends of the lines that it stands for."""
    matches = redactor.find(text)
    if not matches:
        return text
    pieces: list[str] = []
    place = 0
    for match in matches:
        ends = "\n" * text.count("\n", match.start, match.end)
        pieces += text[place : match.start], f"[redacted:{match.kind}]", ends
        place = match.end
    pieces.append(text[place:])
    return "".join(pieces)
