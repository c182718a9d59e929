"""The values of Scheme programs that Python has no exact counterpart for.

Exact integers are ``int`` and inexact reals ``float``; procedures are Python functions or
instances of :class:`Procedure`. Everything else is a class of this module (or of
``nodwyn.interp.numbers`` for the rest of the numeric tower), with slots whose names no other
class uses: generated code reads ``x.car`` without a test and lets Python reject a wrong ``x``.

``None`` is never a Scheme value: a Python function that returns it has left a request with the
trampoline (see ``nodwyn.interp.runtime``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from nodwyn.interp.datum import Datum

Value: TypeAlias = Any
"""Any Scheme value. An alias, so that signatures say what is meant where Python cannot check it."""


class Boolean(Datum):
    """``#t`` or ``#f``. Not ``bool``, whose values are integers to Python."""

    __slots__ = ("truth",)

    def __init__(self, truth: bool) -> None:
        self.truth = truth

    def __bool__(self) -> bool:
        return self.truth

    def __repr__(self) -> str:
        return "#t" if self.truth else "#f"

    def __reduce__(self) -> str:
        return "TRUE" if self.truth else "FALSE"


TRUE: Final = Boolean(True)
FALSE: Final = Boolean(False)


def boolean(truth: object) -> Boolean:
    """Return the Scheme boolean for a Python truth value."""
    return TRUE if truth else FALSE


class Singleton(Datum):
    """A value that stands for itself alone: the empty list, the unspecified value, end of file …"""

    __slots__ = ("constant", "text")

    def __init__(self, constant: str, text: str) -> None:
        self.constant = constant
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> str:
        return self.constant


NIL: Final = Singleton("NIL", "()")
UNSPECIFIED: Final = Singleton("UNSPECIFIED", "#<unspecified>")
EOF: Final = Singleton("EOF", "#<eof>")
DEFAULT: Final = Singleton("DEFAULT", "#<default>")
"""What an optional parameter of a Scheme procedure holds when no argument was given."""


class Pair(Datum):
    """A cons cell. Made as ``p = Pair(); p.car = a; p.cdr = b``: half the cost of an ``__init__``."""

    __slots__ = ("car", "cdr")

    car: Value
    cdr: Value


def cons(car: Value, cdr: Value) -> Pair:
    """Return a new pair."""
    pair = Pair()
    pair.car = car
    pair.cdr = cdr
    return pair


def list_from(items: Iterable[Value], tail: Value = NIL) -> Value:
    """Return a Scheme list of ``items``, ending in ``tail``."""
    if items.__class__ is not list and items.__class__ is not tuple:
        items = list(items)
    result = tail
    for item in reversed(items):
        pair = Pair()
        pair.car = item
        pair.cdr = result
        result = pair
    return result


def list1(a: Value) -> Pair:
    """Return a new list of one element. This and the next three are what calls of ``list`` become."""
    first = Pair()
    first.car = a
    first.cdr = NIL
    return first


def list2(a: Value, b: Value) -> Pair:
    """Return a new list of two elements."""
    first, second = Pair(), Pair()
    first.car = a
    first.cdr = second
    second.car = b
    second.cdr = NIL
    return first


def list3(a: Value, b: Value, c: Value) -> Pair:
    """Return a new list of three elements."""
    first, second, third = Pair(), Pair(), Pair()
    first.car = a
    first.cdr = second
    second.car = b
    second.cdr = third
    third.car = c
    third.cdr = NIL
    return first


def list4(a: Value, b: Value, c: Value, d: Value) -> Pair:
    """Return a new list of four elements."""
    first, second, third = Pair(), Pair(), Pair()
    first.car = a
    first.cdr = second
    second.car = b
    second.cdr = third
    third.car = c
    third.cdr = list1(d)
    return first


def iterate(pairs: Value) -> Iterator[Value]:
    """Yield the elements of a chain of pairs up to its first non-pair tail, which is not checked.

    Circular lists never end; callers that take lists from programs use ``builtins.lists.proper``.
    """
    while pairs.__class__ is Pair:
        yield pairs.car
        pairs = pairs.cdr


class Symbol(Datum):
    """A symbol. Interned ones are made by :func:`intern`; ``Symbol(name)`` alone makes an uninterned one."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Symbol], tuple[str]]:
        return intern, (self.name,)


_symbols: dict[str, Symbol] = {}


def intern(name: str) -> Symbol:
    """Return the one interned symbol of that name."""
    symbol = _symbols.get(name)
    if symbol is None:
        symbol = _symbols[name] = Symbol(name)
    return symbol


class Char(Datum):
    """A character: ``char`` is a string of one code point. Compare by ``char``, never by identity."""

    __slots__ = ("char", "origin")

    def __init__(self, char: str, origin: Origin) -> None:
        self.char = char
        self.origin = origin

    def __repr__(self) -> str:
        return f"#\\{self.char}"

    def __reduce__(self) -> tuple[Callable[[str], Char], tuple[str]]:
        return character, (self.char,)


class Origin(dict[str, Char]):
    """Where text came from (a set of provenance labels), and the characters of that origin.

    A string carries its origin; ``s.origin[s.chars[i]]`` is its character ``i`` with the same
    labels. Origins are interned by their labels, so that equal ones are identical.

    A string whose ``chars`` are a list has the ``unsettled`` twin of its origin instead, so that one test tells
    generated code both that a string has no labels and that its ``chars`` are text: ``s.origin is UNLABELLED``.
    """

    __slots__ = ("labels", "settled", "unsettled")

    def __init__(self, labels: frozenset[str], settled: Origin | None = None) -> None:
        super().__init__()
        self.labels = labels
        self.settled: Origin = self if settled is None else settled
        self.unsettled: Origin = Origin(labels, self) if settled is None else self

    def __missing__(self, char: str) -> Char:
        made = self[char] = Char(char, self) if self.settled is self else self.settled[char]
        return made


UNLABELLED: Final = Origin(frozenset())
_origins: dict[frozenset[str], Origin] = {frozenset(): UNLABELLED}


def origin_of(labels: frozenset[str]) -> Origin:
    """Return the one origin with these labels."""
    origin = _origins.get(labels)
    if origin is None:
        origin = _origins[labels] = Origin(labels)
    return origin


def union(first: Origin, second: Origin) -> Origin:
    """Return the origin of text made from both."""
    if first is second:
        return first
    return origin_of(first.labels | second.labels)


def character(char: str) -> Char:
    """Return the unlabelled character for a string of one code point."""
    return UNLABELLED[char]


class String(Datum):
    """A string. ``chars`` is a ``str``, or a ``list`` of one-character strings once it was mutated (:meth:`unsettle`).

    Indexing, ``len`` and iteration work on both; :meth:`text` is the ``str``. Always construct with
    the origin of the text that it was made from (``UNLABELLED`` only for text of the program itself).
    """

    __slots__ = ("chars", "frozen", "origin")

    chars: Any
    origin: Origin
    frozen: bool

    def __init__(self, chars: str | list[str], origin: Origin = UNLABELLED, frozen: bool = False) -> None:
        self.chars = chars
        self.origin = origin if chars.__class__ is str else origin.unsettled
        self.frozen = frozen

    def text(self) -> str:
        """Return the contents as a ``str``; the string goes back to that form."""
        chars = self.chars
        if chars.__class__ is list:
            chars = self.chars = "".join(chars)
            self.origin = self.origin.settled
        return chars  # type: ignore[no-any-return]

    def unsettle(self) -> list[str]:
        """Return the contents as the list that mutation works on; the string goes to that form."""
        chars = self.chars
        if chars.__class__ is not list:
            chars = self.chars = list(chars)
            self.origin = self.origin.unsettled
        return chars

    def take_in(self, origin: Origin) -> None:
        """Add the labels of what was put into the string, which is in the form for mutation."""
        if origin is not self.origin.settled:
            self.origin = union(self.origin, origin).unsettled

    def __repr__(self) -> str:
        return repr(self.text())

    def __reduce__(self) -> tuple[Callable[[str], String], tuple[str]]:
        return literal_string, (self.text(),)


bare_string: Callable[[], String] = partial(object.__new__, String)
"""Makes a string whose attributes are still to be set, at half the cost of a call of the class."""


def literal_string(text: str) -> String:
    """Return a string literal, which mutation procedures refuse to change."""
    return String(text, UNLABELLED, True)


class Vector(Datum):
    """A vector: ``items`` is a Python list."""

    __slots__ = ("items",)

    def __init__(self, items: list[Value]) -> None:
        self.items = items


class Bytevector(Datum):
    """A bytevector: ``octets`` is a ``bytearray``; ``origin`` that of the text or file that it was made from."""

    __slots__ = ("octets", "origin")

    def __init__(self, octets: bytearray, origin: Origin = UNLABELLED) -> None:
        self.octets = octets
        self.origin = origin

    def __reduce__(self) -> tuple[type[Bytevector], tuple[bytearray]]:
        return Bytevector, (self.octets,)


class Values(Datum):
    """Zero, or two or more, values on their way to a continuation that takes them (section 6.10)."""

    __slots__ = ("results",)

    results: tuple[Value, ...]


def several(results: tuple[Value, ...]) -> Values:
    """Return zero, or two or more, values. A class without ``__init__`` is made in half the time."""
    made = Values()
    made.results = results
    return made


class Box(Datum):
    """A cell: SRFI 111's boxes, and assigned variables that a closure or a continuation may share."""

    __slots__ = ("content",)

    content: Value

    def __init__(self, content: Value) -> None:
        self.content = content


class Promise(Datum):
    """A promise (section 4.2.5): ``state`` is shared between promises that ``delay-force`` has chained."""

    __slots__ = ("state",)

    def __init__(self, done: bool, content: Value) -> None:
        self.state: list[Value] = [done, content]


class RecordType(Datum):
    """A record type: name, field names in order, and the Python class of its instances."""

    __slots__ = ("attributes", "fields", "instance", "name")

    def __init__(self, name: str, fields: tuple[str, ...], attributes: tuple[str, ...], instance: type) -> None:
        self.name = name
        self.fields = fields
        self.attributes = attributes
        self.instance = instance


class Record(Datum):
    """Base of all records; each record type makes a subclass with a slot per field."""

    __slots__ = ()
    record_type: RecordType


class Procedure(Datum):
    """Base of callable objects that are Scheme procedures but not Python functions."""

    __slots__ = ()

    def __call__(self, *arguments: Value) -> Value:
        raise NotImplementedError


class Environment(Datum):
    """What ``environment`` and ``interaction-environment`` return; ``scope`` is the expander's."""

    __slots__ = ("name", "scope")

    def __init__(self, name: str, scope: Any) -> None:
        self.name = name
        self.scope = scope
