"""From data to text: ``write``, ``display`` and their kin (section 6.13.3), and short forms for messages.

Nothing here recurses, so depth is no matter; circular data is written with labels. What ``write`` gives for data
reads back as equal data; what has no written form is shown as ``#<…>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Final

from nodwyn.interp.data import (
    NIL,
    UNLABELLED,
    UNSPECIFIED,
    Box,
    Char,
    Pair,
    Record,
    String,
    Symbol,
    Value,
    Values,
    Vector,
    intern,
)
from nodwyn.interp.datum import Datum
from nodwyn.interp.errors import Condition, failure
from nodwyn.interp.traversal import circular, shared
from nodwyn.interp.written import DISPLAYED, SHORTENED, WRITTEN, Atoms

MOST_CHARACTERS: Final = 2**26
"""The longest text that is made of a value: `write-simple` of circular data has no end."""

MOST_DEPTH: Final = 2_000_000
"""How deep the written form of a value may be nested."""

_CHUNK: Final = 10_000
"""Pieces of text that are joined to one."""
_SMALL_PIECES: Final = 200
_SMALL_DEPTH: Final = 20

_SMALL: Final = 2_000
"""Pieces of text within which a value is first written as if it were not circular."""


def write(value: Value) -> str:
    """Return the written form, with datum labels where the value is circular and nowhere else."""
    return _text(value, WRITTEN)


def display(value: Value) -> str:
    """Return the form for people: strings, characters and symbols as they are, the rest as ``write`` has it."""
    return _text(value, DISPLAYED)


def small(value: Value, atoms: Atoms) -> str | None:
    """Return the text of a value without labels of origin that is an atom or has few; None if it may be another.

    It takes a third of the time of the general way, which has to be ready for data without end.
    """
    form = atoms.get(value.__class__)
    if form is not None and value.__class__ is not String and value.__class__ is not Char:
        return form(value)
    pieces: list[str] = []
    return "".join(pieces) if _write_small(value, atoms, pieces, _SMALL_DEPTH) else None


def _write_small(value: Value, atoms: Atoms, pieces: list[str], depth: int) -> bool:
    form = atoms.get(value.__class__)
    if form is not None:
        pieces.append(form(value))
        return (value.__class__ is not String and value.__class__ is not Char) or value.origin is UNLABELLED
    if depth == 0 or len(pieces) > _SMALL_PIECES:
        return False
    before = "("
    if value.__class__ is Vector:
        before = "#("
        for item in value.items[:_SMALL_PIECES]:
            pieces.append(before)
            before = " "
            if not _write_small(item, atoms, pieces, depth - 1):
                return False
        pieces.append(")" if value.items else "#()")
        return len(value.items) <= _SMALL_PIECES
    if value.__class__ is not Pair or (value.car.__class__ is Symbol and value.car in _PREFIXES):
        return False
    while value.__class__ is Pair and len(pieces) <= _SMALL_PIECES:
        pieces.append(before)
        before = " "
        if not _write_small(value.car, atoms, pieces, depth - 1):
            return False
        value = value.cdr
    pieces.append(")")
    return value is NIL


def write_shared(value: Value) -> str:
    """Return the written form with datum labels for all pairs, vectors and other containers met more than once."""
    return _Printer(WRITTEN, shared(value)).text(value)


def write_simple(value: Value) -> str:
    """Return the written form without datum labels.

    Raises: SchemeError of kind "limit" for circular values, whose form has no end.
    """
    return _Printer(WRITTEN, {}).text(value)


def abbreviated(value: object, width: int = 60) -> str:
    """Return a form for messages, of at most ``width`` characters: the written form or the beginning of it.

    Takes any Python object, since messages are made when something is wrong already, and raises nothing.
    """
    try:
        text = _Printer(SHORTENED, {}, most=4 * width).text(value)
    except _TooLong as stopped:
        text = stopped.text
    except Exception:  # a damaged object must not hide the error that it is shown in
        text = f"#<{type(value).__name__}>"
    return text if len(text) <= width else text[: width - 1] + "…"


class _TooLong(Exception):
    """The text grew beyond its limit; ``text`` is its beginning."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def _text(value: Value, atoms: Atoms) -> str:
    form = atoms.get(value.__class__)
    if form is not None:
        return form(value)
    try:
        # Most values are small and not circular: finding out costs more than writing them.
        return _Printer(atoms, {}, pieces=_SMALL).text(value)
    except _TooLong:
        return _Printer(atoms, circular(value)).text(value)


class _Printer:
    """Writes one value.

    atoms: how values without parts are written, by class. labels: the containers that get a label, by identity,
    with -1 until it has a number. most: the limit in characters; pieces: the limit in pieces of text.
    """

    __slots__ = ("atoms", "done", "labels", "most", "numbered", "out", "pieces", "used")

    def __init__(
        self, atoms: Atoms, labels: dict[int, int], most: int | None = None, pieces: int | None = None
    ) -> None:
        self.atoms = atoms
        self.labels = labels
        self.numbered = 0
        self.used = 0
        self.most = most
        self.pieces = pieces
        self.out: list[str] = []
        self.done: list[str] = []

    def text(self, value: object) -> str:
        """Return the text of a value."""
        atoms = self.atoms
        out = self.out
        limit = min(_CHUNK, self.pieces or _CHUNK, self.most or _CHUNK)
        unfinished: list[Iterator[object]] = [iter((value,))]
        while unfinished:
            for item in unfinished[-1]:
                kind = item.__class__
                if kind is str:
                    out.append(item)  # type: ignore[arg-type]
                elif (form := atoms.get(kind)) is not None:
                    out.append(form(item))
                    if len(out) > limit:
                        self._flush(len(unfinished))
                else:
                    unfinished.append(self._parts(item))
                    if len(out) > limit:
                        self._flush(len(unfinished))
                    break
            else:
                unfinished.pop()
                if len(out) > limit:
                    self._flush(len(unfinished))
        return "".join(self.done) + "".join(out)

    def _flush(self, depth: int) -> None:
        """Join the pieces written so far, unless they are too many or ``depth`` is too great."""
        text = "".join(self.out)
        self.out.clear()
        self.done.append(text)
        self.used += len(text)
        if self.pieces is not None or (self.most is not None and self.used > self.most):
            raise _TooLong("".join(self.done))
        if self.used > MOST_CHARACTERS:
            message = f"the written form has more than {MOST_CHARACTERS:,} characters, or no end"
            raise failure("limit", None, message)
        if depth > MOST_DEPTH:
            raise failure("limit", None, f"the written form is more than {MOST_DEPTH:,} levels deep, or has no end")

    def _parts(self, value: Value) -> Iterator[object]:
        """Yield what the text of a container is made of: pieces of text (``str``) and values."""
        labels = self.labels
        if labels and (number := labels.get(id(value))) is not None:
            if number >= 0:
                return iter((f"#{number}#",))
            labels[id(value)] = number = self.numbered
            self.numbered += 1
            return self._labelled(number, value)
        return self._plain_parts(value)

    def _labelled(self, number: int, value: Value) -> Iterator[object]:
        yield f"#{number}="
        yield from self._plain_parts(value)

    def _plain_parts(self, value: Value) -> Iterator[object]:
        kind = value.__class__
        if kind is Pair:
            return self._pair(value)
        if kind is Vector:
            return _enclosed("#(", value.items)
        if kind is Box:
            return _enclosed("#<box ", (value.content,), ">")
        if kind is Values:
            return _enclosed("#<values ", value.results, ">")
        if kind is Condition:
            return _condition(value)
        if isinstance(value, Record):
            return _record(value)
        return iter((_opaque(value),))

    def _pair(self, pair: Pair) -> Iterator[object]:
        labels = self.labels
        rest = pair.cdr
        car = pair.car
        prefix = _PREFIXES.get(car) if car.__class__ is Symbol and rest.__class__ is Pair else None
        if prefix is not None and rest.cdr is NIL and id(rest) not in labels:
            yield prefix
            yield rest.car
            return
        yield "("
        yield car
        while rest.__class__ is Pair and not (labels and id(rest) in labels):
            yield " "
            yield rest.car
            rest = rest.cdr
        if rest is not NIL:
            yield " . "
            yield rest
        yield ")"


_PREFIXES: Final = {
    intern("quote"): "'",
    intern("quasiquote"): "`",
    intern("unquote"): ",",
    intern("unquote-splicing"): ",@",
}


def _enclosed(start: str, items: Iterable[object], end: str = ")") -> Iterator[object]:
    yield start
    space = ""
    for item in items:
        yield space
        yield item
        space = " "
    yield end


def _record(record: Record) -> Iterator[object]:
    yield f"#<{_bare(record.record_type.name)}"
    for field, attribute in zip(record.record_type.fields, record.record_type.attributes, strict=True):
        yield f" {field}: "
        yield getattr(record, attribute, UNSPECIFIED)
    yield ">"


def _condition(condition: Condition) -> Iterator[object]:
    where = f"{condition.procedure}: " if condition.procedure else ""
    yield f"#<condition {condition.kind}: {where}"
    yield condition.message
    if condition.kind == "error":
        for irritant in condition.irritants:
            yield " "
            yield irritant
    yield ">"


def _bare(name: str) -> str:
    """Return the name of a record type without the angle brackets that many put around it."""
    return name[1:-1] if len(name) > 2 and name[0] == "<" and name[-1] == ">" else name


def _opaque(value: object) -> str:
    """Return what is shown for a value that has no written form and no parts."""
    external = getattr(value, "external_representation", None)
    if external is not None:
        text = external()
        assert isinstance(text, str)
        return text
    name = getattr(value, "name", "") or getattr(value, "__name__", "")
    if callable(value):
        # Generated code says in its own way what Scheme calls it.
        from nodwyn.interp.runtime.arity import name_of

        name = name_of(value) if isinstance(value, FunctionType) else name
        return f"#<procedure {name}>" if name and name != "<lambda>" else "#<procedure>"
    kind = "".join(f"-{char.lower()}" if char.isupper() else char for char in type(value).__name__).lstrip("-")
    return f"#<{kind} {_bare(name)}>" if isinstance(value, Datum) and name else f"#<{kind}>"
