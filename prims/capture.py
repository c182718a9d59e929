"""Keeping the start and the end of an output that may be endless, and saying how much lay between."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from nodwyn.prims.counting import counted

LONGEST_SPLIT_LINE = 65_536
"""A line up to this length is left out whole where the cut would go through it: half a secret is not recognised."""


class Captured(NamedTuple):
    """An output, or the two ends of it."""

    head: str
    tail: str
    """What follows ``head`` when nothing was left out."""
    cut: int
    """How many characters were left out between them."""

    def text(self) -> str:
        """Return the output as one text, a line in it saying what was left out."""
        if not self.cut:
            return self.head + self.tail
        between = "" if self.head.endswith("\n") or not self.head else "\n"
        return f"{self.head}{between}[{counted(self.cut, 'character')} left out]\n{self.tail}"


class Capture:
    """Takes an output piece by piece."""

    def __init__(self, head: int, tail: int) -> None:
        """Keep ``head`` characters of its start and ``tail`` of its end, or a little less: whole lines."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._tail_size = tail
        self._head: list[str] = []
        self._head_left = head
        self._tail: list[str] = []
        self._tail_length = 0
        self._dropped = 0

    def add(self, data: bytes) -> str:
        """Take the next bytes, or with none the end; return their text.

        A byte that is not UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF.
        """
        text = self._decoder.decode(data, final=not data)
        rest = text
        if self._head_left:
            self._head.append(text[: self._head_left])
            rest = text[self._head_left :]
            self._head_left -= len(self._head[-1])
        if rest:
            self._tail.append(rest)
            self._tail_length += len(rest)
            if self._tail_length > 2 * self._tail_size + LONGEST_SPLIT_LINE:
                self._shorten()
        return text

    def finish(self) -> Captured:
        """Return what is kept."""
        head = "".join(self._head)
        self._shorten()
        tail = "".join(self._tail)
        if not self._dropped:
            return Captured(head, tail, 0)
        kept_head = head[: self._whole_lines_end(head)]
        kept_tail = tail[self._whole_lines_start(tail) :]
        return Captured(kept_head, kept_tail, self._dropped + len(head) - len(kept_head) + len(tail) - len(kept_tail))

    def _shorten(self) -> None:
        tail = "".join(self._tail)
        if len(tail) > self._tail_size:
            self._dropped += len(tail) - self._tail_size
            tail = tail[len(tail) - self._tail_size :]
        self._tail = [tail]
        self._tail_length = len(tail)

    @staticmethod
    def _whole_lines_end(text: str) -> int:
        """Return where to cut the kept start: behind its last line, else behind its last blank."""
        end = text.rfind("\n") + 1
        if end and len(text) - end <= LONGEST_SPLIT_LINE:
            return end
        return text.rfind(" ") + 1 or len(text)

    @staticmethod
    def _whole_lines_start(text: str) -> int:
        """Return where to cut the kept end: before its first whole line, else behind its first blank."""
        start = text.find("\n") + 1
        return start if 0 < start <= LONGEST_SPLIT_LINE and start < len(text) else text.find(" ") + 1
