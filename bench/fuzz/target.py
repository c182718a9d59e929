"""What a target of fuzzing is, and the changes of input that targets share."""

from __future__ import annotations

import ast
import copy
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

Case = Any
"""Input: bytes, a text or a list, so that pieces of it can be left out."""

Pieces = TypeVar("Pieces", str, bytes)

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # for what the tests have written down
LARGEST = 4000
"""Bytes, characters or items of a case."""


class Target:
    """A part of the program, how input for it is made, and what must hold for any input."""

    anew = 0.2
    """The share of cases that are not changes of others."""
    longest = 0.0
    """Seconds that a case may take; 0 for what all may."""

    def seeds(self) -> Iterable[Case]:
        """Yield input to begin with."""
        return ()

    def create(self, chance: random.Random) -> Case:
        """Make input up."""
        raise NotImplementedError

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        """Return a change of a case; ``other`` is one that pieces may be taken from."""
        return changed(chance, case, other, [])

    def check(self, case: Case) -> Any:
        """Return what the case came to, the same for cases that are alike.

        Raises: AssertionError with the law that is broken; whatever the part raises and must not.
        """
        raise NotImplementedError


def holds(law: bool, name: str) -> None:
    """Raise AssertionError with the name of the law when it is broken."""
    if not law:
        raise AssertionError(name)


def digest(text: str) -> int:
    """Return a number that a text always has, by which one case in many can be chosen."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def changed(chance: random.Random, case: Pieces, other: Pieces, tokens: Sequence[Pieces]) -> Pieces:
    """Return a text or bytes with one to four changes: pieces left out, repeated, moved, replaced, put in."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        case = _changed_once(chance, case, other, tokens)
    return case[:LARGEST]


def _changed_once(chance: random.Random, case: Pieces, other: Pieces, tokens: Sequence[Pieces]) -> Pieces:
    start, end = sorted((chance.randint(0, len(case)), chance.randint(0, len(case))))
    if chance.random() < 0.6:
        end = min(end, start + chance.randint(0, 8))
    way = chance.randrange(6)
    if way == 0:
        return case[:start] + case[end:]
    if way == 1:
        return case[:end] + case[start:end] * chance.choice((1, 1, 2, 30)) + case[end:]
    if way == 2:
        place = chance.randint(0, len(other))
        return case[:start] + other[place : place + chance.randint(1, 40)] + case[end:]
    if way == 3 and tokens:
        return case[:start] + chance.choice(tokens) + case[start:]
    if way == 4 and tokens:
        return case[:start] + chance.choice(tokens) + case[end:]
    return case[:start] + _unit(chance, case) + case[start + 1 :]


def _unit(chance: random.Random, like: Pieces) -> Pieces:
    """Return one character or byte."""
    if isinstance(like, bytes):
        return bytes((chance.choice((chance.randrange(256), chance.choice(b'\0\n\r "{}[],:\xff\x80\xc3'))),))
    return chance.choice(
        (chr(chance.randrange(32, 127)), chance.choice("\0\n\r\t é鍵🌲\ud800\udcff\u2028\u0130ß\ufeff\x85"))
    )


ODD = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**63,
    -(2**70),
    1.5,
    1e300,
    "",
    "x",
    "\ud800",
    "\ufdd0",
    "\0",
    [],
    {},
    [[]],
    {"": 0},
]
"""JSON in places where other JSON is wanted."""


def changed_value(chance: random.Random, value: Any, other: Any) -> Any:
    """Return a JSON value changed as :func:`changed_json` does it, or another in its place."""
    return (changed_json(chance, [value], other) or [{}])[0]


def changed_json(chance: random.Random, value: Any, other: Any) -> Any:
    """Return a JSON value with one to three changes in places of any depth."""
    value = copy.deepcopy(value)
    for _ in range(chance.choice((1, 1, 2, 3))):
        holders = list(_holders(value))
        if not holders:
            return value
        holder = chance.choice(holders)
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = chance.choice(keys)
        _change_member(chance, holder, key, keys, other)
    return value


def _change_member(chance: random.Random, holder: Any, key: Any, keys: list[Any], other: Any) -> None:
    way = chance.randrange(6)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[chance.choice(keys)]))
    elif way == 2:
        parts = list(_holders(other))
        holder[key] = copy.deepcopy(chance.choice(parts)) if parts else None
    elif way == 3 and isinstance(holder[key], str):
        holder[key] = changed(chance, holder[key], "true null [] {} 9 -", ['"', "\\", "\n", "{", "call_1"])
    elif way == 4 and isinstance(holder[key], (int, float)):
        holder[key] = chance.choice((0, 1, 2, -1, 7, 2**31, 2**53 + 1, 0.1, 1e22, 1e16))
    else:
        holder[key] = copy.deepcopy(chance.choice(ODD))


def _holders(value: Any) -> Iterator[Any]:
    """Yield the objects and lists in a JSON value that have something in them."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, (dict, list)) and part:
            yield part
            pending += part.values() if isinstance(part, dict) else part


def literals(*paths: str, kind: type[Pieces] = str) -> list[Pieces]:  # type: ignore[assignment]
    """Return the texts, or bytes, that Python files of the repository have in them, but for documentation."""
    found: dict[Pieces, None] = {}
    for path in paths:
        for file in sorted(ROOT.glob(path)):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, kind) and 0 < len(node.value) <= LARGEST:
                    found[node.value] = None
    return list(found)


def proportionate(work: Callable[[Any], object], unit: Any, name: str, *, times: int = 8, size: int = 20_000) -> None:
    """Raise AssertionError when a text of eight times the size takes far more than eight times as long.

    unit: text or bytes, of which both are repetitions.
    """
    small = unit * max(1, size // max(1, len(unit)))
    least = _seconds(work, small)
    if _seconds(work, small * times) > 4 * times * max(least, 0.002):
        # Once more: the machine has others' work to do.
        again, large = _seconds(work, small), _seconds(work, small * times)
        holds(large <= 4 * times * max(least, again, 0.002), f"time is linear in {name}")


def _seconds(work: Callable[[Any], object], given: Any) -> float:
    begin = time.process_time()
    work(given)
    return time.process_time() - begin
