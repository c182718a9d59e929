"""Hash functions for SRFI 13, 69, 125 and 128.

They rest on Python's own, which is salted for text in each process: a program that reads hostile
keys cannot be made slow by keys chosen to collide.
"""

from __future__ import annotations

from typing import Final

from nodwyn.interp.builtins.arguments import bounds, string_text
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    TRUE,
    Boolean,
    Bytevector,
    Char,
    Pair,
    String,
    Symbol,
    Value,
    Vector,
    boolean,
)
from nodwyn.interp.errors import wrong_type
from nodwyn.interp.numbers.ratio import Number

define = Table()

_MASK: Final = 2**28 - 1
"""Hash values are below 2**28, which SRFI 128's ``(hash-bound)`` tells programs."""

_MOST_NODES: Final = 256
"""How much of a structure is looked at (SRFI 128, note 1 after finalization): it may be large, or circular."""

_VARARGS: Final = 0x04


def _number(value: Value) -> int:
    # Python's hash of a NaN is that of the object, but eqv? takes all NaNs for one.
    return hash(value) & _MASK if value == value else 0


def _mix(first: int, second: int) -> int:
    return hash((first, second)) & _MASK


@define("%hash-mix")
def hash_mix(first: Value, second: Value) -> Value:
    """Return a hash value made of two: exact integers (SRFI 128)."""
    if first.__class__ is not int:
        raise wrong_type("%hash-mix", "first", "an exact integer", first)
    if second.__class__ is not int:
        raise wrong_type("%hash-mix", "second", "an exact integer", second)
    return _mix(first, second)


@define("%string-hash")
def string_hash(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    """Return the hash value of a string, or of its characters from ``start`` to ``end`` (SRFI 13)."""
    text = string_text("string-hash", "string", string)
    if start is DEFAULT:
        return hash(text) & _MASK
    first, last = bounds("string-hash", start, end, len(text))
    return hash(text[first:last]) & _MASK


@define("%string-ci-hash")
def string_ci_hash(string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    """Return a hash value that is the same for all strings that ``string-ci=?`` holds equal."""
    text = string_text("string-ci-hash", "string", string)
    first, last = bounds("string-ci-hash", start, end, len(text))
    return hash(text[first:last].casefold()) & _MASK


@define("%symbol-hash")
def symbol_hash(symbol: Value) -> Value:
    """Return the hash value of a symbol's name (SRFI 128)."""
    if symbol.__class__ is not Symbol:
        raise wrong_type("symbol-hash", "symbol", "a symbol", symbol)
    return hash(symbol.name) & _MASK


@define("%number-hash")
def number_hash(number: Value) -> Value:
    """Return a hash value that is the same for all numbers that ``=`` holds equal (SRFI 128)."""
    if number.__class__ is int or number.__class__ is float or isinstance(number, Number):
        return _number(number)
    raise wrong_type("number-hash", "number", "a number", number)


def _atom(value: Value, *, outermost: bool) -> int:
    kind = value.__class__
    if kind is int or kind is float or isinstance(value, Number):
        return _number(value)
    if kind is String:
        return hash(value.text()) & _MASK
    if kind is Symbol:
        return hash(value.name) & _MASK
    if kind is Char:
        return ord(value.char)
    if kind is Boolean:
        return 1 if value is TRUE else 0
    if kind is Bytevector:
        return hash(bytes(value.octets)) & _MASK
    # A program may register an equality for objects of its own types, and inside a structure this
    # hash must agree with any. Outermost ones have been looked up by the caller.
    return _identity(value) if outermost else hash(kind.__name__) & _MASK


@define("%default-hash")
def default_hash(value: Value) -> Value:
    """Return a hash value that is the same for all objects that SRFI 128's default comparator holds equal."""
    if value.__class__ is not Pair and value.__class__ is not Vector:
        return _atom(value, outermost=True)
    result = 0
    waiting = [value]
    for _ in range(_MOST_NODES):
        if not waiting:
            break
        node = waiting.pop()
        if node.__class__ is Pair:
            result = _mix(result, 1)
            waiting.append(node.cdr)
            waiting.append(node.car)
        elif node.__class__ is Vector:
            result = _mix(result, len(node.items))
            waiting.extend(node.items[:_MOST_NODES][::-1])
        else:
            result = _mix(result, _atom(node, outermost=False))
    return result


def _identity(value: Value) -> int:
    # Hashed, and a part of it only, so that a program does not learn addresses.
    return hash((id(value), "identity")) & _MASK


@define("%identity-hash")
def identity_hash(value: Value) -> Value:
    """Return a hash value for ``eq?`` that does not change when the object is mutated (SRFI 69)."""
    if value.__class__ in (Pair, Vector, String, Bytevector):
        return _identity(value)
    return _atom(value, outermost=True)


@define("%hash-salt")
def hash_salt() -> Value:
    """Return the salt of this process (SRFI 128)."""
    return hash("salt") & _MASK


@define("%accepts-arguments?")
def accepts_arguments(procedure: Value, count: Value) -> Value:
    """Return whether a procedure can be called with ``count`` arguments; #t where that is not known.

    SRFI 69 lets a hash function take one argument or two.
    """
    if not callable(procedure):
        raise wrong_type("%accepts-arguments?", "procedure", "a procedure", procedure)
    code = getattr(procedure, "__code__", None)
    if code is None:
        return TRUE
    least = code.co_argcount - len(procedure.__defaults__ or ())
    most = count if code.co_flags & _VARARGS else code.co_argcount
    return boolean(least <= count <= most)
