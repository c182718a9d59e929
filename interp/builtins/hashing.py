"""Hash functions of SRFI 13, 69, 125 and 128. Each name has one binding, which suits all of them.

They rest on Python's own, which is salted for text in each process: a program that reads hostile
keys cannot be made slow by keys chosen to collide.
"""

from __future__ import annotations

from typing import Final

from nodwyn.interp.builtins import unicode
from nodwyn.interp.builtins.arguments import char_text
from nodwyn.interp.builtins.strings import piece
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, TRUE, Boolean, Bytevector, Char, Pair, String, Symbol, Value, Vector, boolean
from nodwyn.interp.errors import out_of_range, wrong_type
from nodwyn.interp.numbers.ratio import Number

define = Table()

_MASK: Final = 2**60 - 1
"""Hash values are below 2**60, which SRFI 128's ``(hash-bound)`` tells programs."""

_MOST_NODES: Final = 256
"""How much of a structure is looked at (SRFI 128, note 1 after finalization): it may be large, or circular."""

_VARARGS: Final = 0x04


def _bounded(procedure: str, code: int, bound: Value) -> int:
    """Return ``code`` as a non-negative integer, below ``bound`` unless that is 0 or was not given."""
    if bound is DEFAULT:
        return code & _MASK
    if bound.__class__ is not int:
        raise wrong_type(procedure, "bound", "an exact non-negative integer", bound)
    if bound < 0:
        raise out_of_range(procedure, "bound", "an exact non-negative integer", bound)
    return (code & _MASK) % bound if bound else code & _MASK


@define("string-hash")
def string_hash(string: Value, bound: Value = DEFAULT, start: Value = DEFAULT, end: Value = DEFAULT) -> int:
    """Return the hash value of a string's characters from ``start`` to ``end`` (SRFI 13)."""
    return _bounded("string-hash", hash(piece("string-hash", string, start, end)), bound)


@define("string-ci-hash")
def string_ci_hash(string: Value, bound: Value = DEFAULT) -> int:
    """Return a hash value that is the same for all strings that ``string-ci=?`` holds equal."""
    return _bounded("string-ci-hash", hash(piece("string-ci-hash", string, DEFAULT, DEFAULT).casefold()), bound)


@define("symbol-hash")
def symbol_hash(symbol: Value, bound: Value = DEFAULT) -> int:
    if symbol.__class__ is not Symbol:
        raise wrong_type("symbol-hash", "symbol", "a symbol", symbol)
    return _bounded("symbol-hash", hash(symbol.name), bound)


@define("char-hash")
def char_hash(char: Value, bound: Value = DEFAULT) -> int:
    return _bounded("char-hash", ord(char_text("char-hash", "char", char)), bound)


@define("char-ci-hash")
def char_ci_hash(char: Value, bound: Value = DEFAULT) -> int:
    return _bounded("char-ci-hash", ord(unicode.foldcase(char_text("char-ci-hash", "char", char))), bound)


@define("boolean-hash")
def boolean_hash(truth: Value, bound: Value = DEFAULT) -> int:
    if truth.__class__ is not Boolean:
        raise wrong_type("boolean-hash", "object", "a boolean", truth)
    return _bounded("boolean-hash", 1 if truth is TRUE else 0, bound)


@define("number-hash")
def number_hash(number: Value, bound: Value = DEFAULT) -> int:
    """Return a hash value that is the same for all numbers that ``=`` holds equal (SRFI 128)."""
    if number.__class__ is not int and number.__class__ is not float and not isinstance(number, Number):
        raise wrong_type("number-hash", "number", "a number", number)
    # Python's hash of a NaN is that of the object, but eqv? takes all NaNs for one.
    return _bounded("number-hash", hash(number) if number == number else 0, bound)


def _mix(first: int, second: int) -> int:
    return hash((first, second)) & _MASK


@define("%hash-mix")
def hash_mix(first: Value, second: Value) -> int:
    """Return a hash value made of two, which are exact integers."""
    if first.__class__ is not int:
        raise wrong_type("%hash-mix", "first", "an exact integer", first)
    if second.__class__ is not int:
        raise wrong_type("%hash-mix", "second", "an exact integer", second)
    return _mix(first, second)


def _identity(value: Value) -> int:
    # Hashed, so that a program does not learn addresses.
    return hash((id(value), "identity")) & _MASK


def _atom(value: Value, *, outermost: bool) -> int:
    kind = value.__class__
    if kind is int or kind is float or isinstance(value, Number):
        return number_hash(value)
    if kind is String:
        return string_hash(value)
    if kind is Symbol:
        return symbol_hash(value)
    if kind is Char:
        return char_hash(value)
    if kind is Boolean:
        return boolean_hash(value)
    if kind is Bytevector:
        return hash(bytes(value.octets)) & _MASK
    # A program may register an equality for objects of its own types, and inside a structure this
    # hash must agree with any. Outermost ones have been looked up by the caller.
    return _identity(value) if outermost else hash(kind.__name__) & _MASK


@define("%default-hash")
def default_hash(value: Value, bound: Value = DEFAULT) -> int:
    """Return a hash value that is the same for all objects that SRFI 128's default comparator holds equal.

    It is the same for all objects that ``equal?`` holds equal, too, since those are fewer.
    """
    if value.__class__ is not Pair and value.__class__ is not Vector:
        return _bounded("default-hash", _atom(value, outermost=True), bound)
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
    return _bounded("default-hash", result, bound)


@define("hash-by-identity")
def hash_by_identity(value: Value, bound: Value = DEFAULT) -> int:
    """Return a hash value for ``eq?`` that does not change when the object is mutated (SRFI 69)."""
    if value.__class__ in (Pair, Vector, String, Bytevector):
        return _bounded("hash-by-identity", _identity(value), bound)
    return _bounded("hash-by-identity", _atom(value, outermost=True), bound)


@define("%hash-salt")
def hash_salt() -> int:
    """Return the salt of this process (SRFI 128)."""
    return hash("salt") & _MASK


@define("%accepts-arguments?")
def accepts_arguments(procedure: Value, count: Value) -> Boolean:
    """Return whether a procedure can be called with ``count`` arguments; #t where that is not known.

    SRFI 69 lets a hash function take one argument or two.
    """
    if not callable(procedure):
        raise wrong_type("make-hash-table", "hash", "a procedure", procedure)
    code = getattr(procedure, "__code__", None)
    if code is None:
        return TRUE
    least = code.co_argcount - len(getattr(procedure, "__defaults__", None) or ())
    most = count if code.co_flags & _VARARGS else code.co_argcount
    return boolean(least <= count <= most)
