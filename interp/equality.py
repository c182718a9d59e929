"""When two values are the same: ``eqv?`` and ``equal?`` of section 6.1, for Python code and for the builtins.

``equal?`` ends on every argument. It walks with a stack of its own, first without memory; data that turn out
large, and so perhaps shared or circular, are walked with union-find: parts that were found equal, or are
being compared, become one class, and a pair of parts in one class is never walked again. Each walk below
a new pair merges two classes, so the time is nearly linear in the number of objects.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq
from typing import TypeAlias

from nodwyn.interp.data import Bytevector, Char, Pair, String, Value, Vector
from nodwyn.interp.numbers.ratio import Ratio
from nodwyn.interp.numbers.rectangular import Rectangular

_STEPS_WITHOUT_MEMORY = 10_000

_Pending: TypeAlias = list[tuple[Value, Value]]


def _same_flonum(first: float, second: float) -> bool:
    if first != second:
        return first != first and second != second
    # Zeros of different sign are equal numbers, but the sign of 1/x tells them apart.
    return first != 0.0 or str(first) == str(second)


def _same_rectangular(first: Rectangular, second: Rectangular) -> bool:
    return eqv(first.re, second.re) and eqv(first.im, second.im)


def _same_ratio(first: Ratio, second: Ratio) -> bool:
    return first.num == second.num and first.den == second.den


def _same_char(first: Char, second: Char) -> bool:
    return first.char == second.char


COMPARED_BY_VALUE: dict[type, Callable[[Value, Value], bool]] = {
    int: eq,
    float: _same_flonum,
    Char: _same_char,
    Ratio: _same_ratio,
    Rectangular: _same_rectangular,
}
"""The types on which ``eqv?`` is more than identity, and how two values of one of them are compared."""


def _same_text(first: String, second: String) -> bool:
    left, right = first.chars, second.chars
    if left.__class__ is right.__class__:
        return bool(left == right)
    return first.text() == second.text()


def _same_octets(first: Bytevector, second: Bytevector) -> bool:
    return first.octets == second.octets


_FLAT: dict[type, Callable[[Value, Value], bool]] = {
    **COMPARED_BY_VALUE,
    String: _same_text,
    Bytevector: _same_octets,
}


def eqv(first: Value, second: Value) -> bool:
    """Return whether two values are the same in the sense of ``eqv?``.

    Numbers are when they have the same exactness and value (each NaN is the same as any other), characters when they
    have the same code point; all else when it is the same object.
    """
    if first is second:
        return True
    kind = first.__class__
    if kind is not second.__class__:
        return False
    same = COMPARED_BY_VALUE.get(kind)
    return same is not None and same(first, second)


def equal(first: Value, second: Value) -> bool:
    """Return whether two values print the same, in the sense of ``equal?``.

    Pairs, vectors, strings and bytevectors are compared by contents, all else by :func:`eqv`. Circular data are equal
    when their unfoldings into possibly infinite trees are.
    """
    if first is second:
        return True
    kind = first.__class__
    if kind is not second.__class__:
        return False
    same = _FLAT.get(kind)
    if same is not None:
        return same(first, second)
    if kind is not Pair and kind is not Vector:
        return False
    return _equal_structures(first, second)


def _equal_structures(first: Value, second: Value) -> bool:
    """Compare two pairs or two vectors."""
    pending: _Pending = [(first, second)]
    known_different = _compare_without_memory(pending)
    if known_different is not None:
        return known_different
    return _compare_with_classes(pending)


COMPARED_BY_CONTENTS: dict[type, Callable[[Value, Value], bool]] = {
    **_FLAT,
    Pair: _equal_structures,
    Vector: _equal_structures,
}
"""The types on which ``equal?`` is more than identity, and how two values of one of them are compared."""


def _compare_without_memory(pending: _Pending) -> bool | None:
    """Compare the pairs of values in ``pending``; None when the steps ran out, with the rest left in ``pending``."""
    steps = _STEPS_WITHOUT_MEMORY
    while pending:
        first, second = pending.pop()
        while first is not second:
            kind = first.__class__
            if kind is not second.__class__:
                return False
            if steps == 0:
                pending.append((first, second))
                return None
            steps -= 1
            if kind is not Pair:
                if not _same_node(kind, first, second, pending):
                    return False
                break
            left, right = first.car, second.car
            if left is not right:
                same = _FLAT.get(left.__class__)
                if same is None:
                    pending.append((left, right))
                elif left.__class__ is not right.__class__ or not same(left, right):
                    return False
            first, second = first.cdr, second.cdr
    return True


def _same_node(kind: type, first: Value, second: Value, pending: _Pending) -> bool:
    """Return whether two values of one kind, not pairs, are the same but for the parts that join ``pending``."""
    if kind is Vector:
        if len(first.items) != len(second.items):
            return False
        pending.extend(zip(first.items, second.items, strict=True))
        return True
    same = _FLAT.get(kind)
    return same is not None and same(first, second)


def _compare_with_classes(pending: _Pending) -> bool:
    """Compare the pairs of values in ``pending``, each class of equal compound objects walked once."""
    parents: dict[int, int] = {}
    while pending:
        first, second = pending.pop()
        if first is second:
            continue
        kind = first.__class__
        if kind is not second.__class__:
            return False
        if kind is Pair:
            if _merge(parents, id(first), id(second)):
                pending.append((first.cdr, second.cdr))
                pending.append((first.car, second.car))
        elif kind is Vector and not _merge(parents, id(first), id(second)):
            continue
        elif not _same_node(kind, first, second, pending):
            return False
    return True


def _merge(parents: dict[int, int], first: int, second: int) -> bool:
    """Make one class of two; False when they were one."""
    first = _representative(parents, first)
    second = _representative(parents, second)
    if first == second:
        return False
    parents[first] = second
    return True


def _representative(parents: dict[int, int], member: int) -> int:
    while True:
        parent = parents.get(member, member)
        if parent == member:
            return member
        grandparent = parents.get(parent, parent)
        # Halving the path on the way keeps later look-ups short.
        parents[member] = grandparent
        member = grandparent
