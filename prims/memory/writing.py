"""Writing SESSION.mem: what was stored before and what came since, as one file.

:mod:`nodwyn.prims.memory.mem` reads it.
"""

from __future__ import annotations

import json
import sys
from array import array
from hashlib import sha256
from typing import Any, Final
from zlib import crc32

from nodwyn.prims.log.line import Position
from nodwyn.prims.memory.fold import Whole
from nodwyn.prims.memory.mem import (
    BUCKET,
    CODES,
    LAYOUT,
    ROW,
    SECTIONS,
    WORD,
    Stored,
    unpacked,
)
from nodwyn.prims.retrieval.words import VERSION as WORDS_VERSION

WORDS_IN_BUCKET: Final = 16
"""So many words share a bucket, on average: a search reads all of it for one."""


def encode(line: int, position: Position, hidden: bool, whole: Whole, before: Stored | None) -> bytes:
    """Return the file for a log's whole turns.

    line, position: where the last of them begins its last line, and where it ends. whole: the turns that came since
    ``before`` was stored.

    Raises: Unusable when what was stored before is damaged.
    """
    seqs, lengths = (before.seqs(), before.lengths()) if before else (array("Q"), array("I"))
    words = _merged(whole, before, len(lengths))
    cards = [*(before.cards() if before else ()), *whole.cards]
    notes = [*(before.notes() if before else ()), *whole.notes]
    sections = dict.fromkeys(SECTIONS, b"")
    sections["seqs"] = _little(seqs + whole.seqs)
    sections["lengths"] = _little(lengths + whole.lengths)
    sections["cards"], sections["card_texts"] = _texts([(card.first, card) for card in cards])
    sections["notes"], sections["note_texts"] = _texts([(note.seq, note) for note in notes])
    buckets = max(1, len(words) // WORDS_IN_BUCKET)
    sections["buckets"], sections["words"], sections["postings"] = _dictionary(words, buckets)
    header = {
        "words": WORDS_VERSION,
        "line": line,
        "offset": position.offset,
        "seq": position.seq,
        "sum": position.checksum.decode(),
        "hidden": hidden,
        "buckets": buckets,
        "sizes": [len(sections[name]) for name in SECTIONS],
        "sums": {name: crc32(sections[name]) for name in ("seqs", "lengths", "cards", "notes")},
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    first = b"%b %b\n%b\n" % (LAYOUT, sha256(text).hexdigest().encode(), text)
    return first + b"".join(sections[name] for name in SECTIONS)


def _merged(whole: Whole, before: Stored | None, shift: int) -> dict[str, tuple[int, int, int, bytes]]:
    """Return every word's postings as they are stored: events, bytes of a number and of a count, and both columns."""
    merged: dict[str, tuple[int, int, int, bytes]] = {}
    for word, each, data in before.all_postings() if before else ():
        known = whole.postings.get(word)
        if known is None:
            merged[word] = (each.events, each.wide, each.high, data)
        else:
            old = unpacked(each, data, shift)
            merged[word] = _packed(
                array("I", old.events) + array("I", (number + shift for number in known[0::2])),
                array("I", old.counts) + known[1::2],
            )
    for word, known in whole.postings.items():
        if word not in merged:
            numbers = array("I", (number + shift for number in known[0::2])) if shift else known[0::2]
            merged[word] = _packed(numbers, known[1::2])
    return merged


def _packed(numbers: array[int], counts: array[int]) -> tuple[int, int, int, bytes]:
    wide, high = _width(numbers[-1]), _width(max(counts))
    if wide == high == 1:  # as nearly all are, and quickly made
        return len(numbers), 1, 1, bytes(numbers.tolist() + counts.tolist())
    return len(numbers), wide, high, _little(array(CODES[wide], numbers)) + _little(array(CODES[high], counts))


def _width(most: int) -> int:
    return 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4


def _little(column: array[int]) -> bytes:
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def _texts(items: list[tuple[int, Any]]) -> tuple[bytes, bytes]:
    """Return the rows and the texts of cards or notes."""
    texts = [json.dumps(item, separators=(",", ":")).encode() for _, item in items]
    rows = [ROW.pack(seq, len(text), crc32(text)) for (seq, _), text in zip(items, texts)]
    return b"".join(rows), b"".join(texts)


def _dictionary(words: dict[str, tuple[int, int, int, bytes]], count: int) -> tuple[bytes, bytes, bytes]:
    """Return where each bucket begins, the buckets, and the postings."""
    buckets: list[list[tuple[bytes, str]]] = [[] for _ in range(count)]
    for word in words:
        encoded = word.encode()
        buckets[crc32(encoded) % count].append((encoded, word))
    starts, entries, postings = [0], bytearray(), bytearray()
    for number, bucket in enumerate(buckets):
        body = bytearray(len(postings).to_bytes(8, "little"))
        for encoded, word in sorted(bucket):
            events, wide, high, data = words[word]
            body += bytes((len(encoded),))
            body += encoded
            body += WORD.pack(events, wide, high, crc32(data))
            postings += data
        entries += crc32(body, number).to_bytes(4, "little")
        entries += body
        starts.append(len(entries))
    return b"".join(map(BUCKET.pack, starts)), bytes(entries), bytes(postings)
