"""What is known of one log: its stored memory, brought up to date, and what came after its last whole turn.

Nothing of the log is read that its memory has. Where that is missing, or does not fit, or part of it turns out to be
damaged, it is made again from the log; an answer never depends on it.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from nodwyn.prims.log import Damaged, LogError
from nodwyn.prims.log.line import START
from nodwyn.prims.log.read import open_to_read
from nodwyn.prims.log.scan import scan
from nodwyn.prims.memory.cards import Card
from nodwyn.prims.memory.fold import Fold, Note, length_of, postings_of
from nodwyn.prims.memory.mem import Stored, Unusable, in_memory, open_stored, store
from nodwyn.prims.memory.ranking import Part
from nodwyn.prims.memory.writing import encode

Result = TypeVar("Result")


class Numbered(NamedTuple):
    """Events that can be ranked, and the seq of each."""

    seqs: Sequence[int]
    part: Part


NOTHING: Final = Numbered(array("Q"), Part(array("I"), {}))


class Remembered:
    """What is known of one log, up to where it ended when this was made. :func:`remember` makes it."""

    def __init__(self, path: Path, log: int) -> None:
        """Bring the memory of a log up to date.

        path: of the log. log: its descriptor.

        Raises: OSError.
        """
        self.path = path
        self._log = log
        self._file = -1
        self._stored: Stored | None = None
        with suppress(OSError, Unusable):
            self._stored, self._file = open_stored(path, log)
        self._catch_up()

    def close(self) -> None:
        """Close the file of the stored memory."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @property
    def hidden(self) -> bool:
        """Whether lists and searches leave the session out."""
        return self._fold.hidden

    @property
    def damage(self) -> str:
        """What is wrong with the log, whose events behind that are not known; nothing when it is whole."""
        return self._fold.damage

    def parts(self, words: Sequence[str]) -> tuple[Numbered, Numbered]:
        """Return the ranked events of the whole turns and those behind, with the postings of some words."""
        return self._checked(lambda stored: _stored_part(stored, words), NOTHING), self._latest(words)

    def card(self, seq: int) -> Card | None:
        """Return the card of the turn that had begun last before or with an event."""
        latest = [card for card in self._fold.cards if card.first <= seq]
        return latest[-1] if latest else self._checked(lambda stored: stored.card(seq), None)

    def cards(self) -> list[Card]:
        """Return the cards of all turns; that of one that is not over is the last."""
        return self._checked(lambda stored: stored.cards(), list[Card]()) + self._fold.cards

    def notes(self) -> list[Note]:
        """Return the notes of all compactions."""
        return self._checked(lambda stored: stored.notes(), list[Note]()) + self._fold.notes

    def _checked(self, ask: Callable[[Stored], Result], nothing: Result) -> Result:
        """Return what the stored memory says, made again if it turns out to be damaged.

        nothing: the answer where no turn is whole.
        """
        if self._stored is None:
            return nothing
        try:
            return ask(self._stored)
        except Unusable:
            self._make_again()
        return nothing if self._stored is None else ask(self._stored)

    def _make_again(self) -> None:
        self.close()
        self._stored = None
        self._catch_up()

    def _catch_up(self) -> None:
        """Take up the events behind the stored memory, and store it again if turns were completed."""
        stored = self._stored
        fold = Fold(stored.position, hidden=stored.hidden) if stored else Fold(START)
        begun = fold.position
        try:
            for members, end, checksum in scan(self.path, self._log, begun):
                fold.add(members, end, checksum)
        except Damaged as damage:
            fold.damage = str(damage)
        self._fold = fold
        if fold.position == begun:
            return
        try:
            data = encode(fold.line, fold.position, fold.hidden, fold.whole, stored)
        except Unusable:
            self._make_again()
            return
        self.close()
        if os.fstat(self._log).st_uid == os.geteuid():  # beside another user's log nothing of ours belongs
            store(self.path, data)
        try:
            self._stored = in_memory(data, self._log)
        except Unusable as error:
            raise LogError(f"{self.path} was changed by another program while it was read: {error}") from None
        del fold.whole

    def _latest(self, words: Sequence[str]) -> Numbered:
        entries = self._fold.entries
        found = {}
        for word in words:
            pairs = list(postings_of(entries, word))
            if pairs:
                found[word] = array("I", (pair[0] for pair in pairs)), array("I", (pair[1] for pair in pairs))
        return Numbered(array("Q", (entry.seq for entry in entries)), Part(array("I", map(length_of, entries)), found))


@contextmanager
def remember(path: Path) -> Iterator[Remembered]:
    """Have what is known of the log at ``path`` meanwhile.

    Raises: LogError when the log cannot be read. OSError.
    """
    log = open_to_read(path)
    try:
        known = Remembered(path, log)
        try:
            yield known
        finally:
            known.close()
    finally:
        os.close(log)


def _stored_part(stored: Stored, words: Sequence[str]) -> Numbered:
    lengths = stored.lengths()
    found = {}
    for word in words:
        postings = stored.postings(word, len(lengths))
        if postings is not None:
            found[word] = postings.events, postings.counts
    seqs = stored.seqs()
    if len(seqs) != len(lengths):
        raise Unusable("not as many seqs as lengths")
    return Numbered(seqs, Part(lengths, found))
