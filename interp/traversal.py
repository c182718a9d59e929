"""Walks through data that may be circular, shared or deep: which containers are met again, where text came from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from nodwyn.interp.data import (
    UNLABELLED,
    UNSPECIFIED,
    Boolean,
    Box,
    Bytevector,
    Char,
    Origin,
    Pair,
    Record,
    Singleton,
    String,
    Symbol,
    Value,
    Values,
    Vector,
    union,
)
from nodwyn.interp.errors import Condition

_ATOMIC: Final = frozenset((int, float, Symbol, String, Char, Boolean, Singleton, Bytevector, type(union)))
"""Classes whose values hold no others; those not listed are asked for their parts and have none."""


def children(value: Value) -> Iterable[Value]:
    """Return the values that a container which is not a pair holds."""
    kind = value.__class__
    if kind is Vector:
        return value.items  # type: ignore[no-any-return]
    if kind is Box:
        return (value.content,)
    if kind is Values:
        return value.results  # type: ignore[no-any-return]
    if kind is Condition:
        return value.irritants  # type: ignore[no-any-return]
    if isinstance(value, Record):
        return (getattr(value, attribute, UNSPECIFIED) for attribute in value.record_type.attributes)
    return ()


def circular(value: Value) -> dict[int, int]:
    """Return the containers in which a cycle closes: met again while their own parts are being visited."""
    labels: dict[int, int] = {}
    entered: set[int] = set()
    left: set[int] = set()
    # An int on the stack is the identity of a container whose parts have all been visited when it comes up.
    pending: list[Value] = [value]
    while pending:
        item = pending.pop()
        if item.__class__ is int:
            entered.discard(item)
            left.add(item)
            continue
        while item.__class__ not in _ATOMIC:
            identity = id(item)
            if identity in entered:
                labels[identity] = -1
                break
            if identity in left:
                break
            entered.add(identity)
            pending.append(identity)
            if item.__class__ is not Pair:
                pending.extend(child for child in children(item) if child.__class__ not in _ATOMIC)
                break
            if item.car.__class__ not in _ATOMIC:
                pending.append(item.car)
            item = item.cdr
    return labels


def shared(value: Value) -> dict[int, int]:
    """Return the containers that are met more than once."""
    labels: dict[int, int] = {}
    seen: set[int] = set()
    pending: list[Value] = [value]
    while pending:
        item = pending.pop()
        while item.__class__ not in _ATOMIC:
            identity = id(item)
            if identity in seen:
                labels[identity] = -1
                break
            seen.add(identity)
            if item.__class__ is not Pair:
                pending.extend(children(item))
                break
            pending.append(item.car)
            item = item.cdr
    return labels


def origin(value: Value) -> Origin:
    """Return the union of the origins of all strings and characters in a value: its text is made of theirs."""
    result = UNLABELLED
    seen: set[int] = set()
    pending = [value]
    while pending:
        item = pending.pop()
        while item.__class__ is Pair and id(item) not in seen:
            seen.add(id(item))
            pending.append(item.car)
            item = item.cdr
        kind = item.__class__
        if kind is String or kind is Char:
            result = union(result, item.origin)
        elif kind not in _ATOMIC and id(item) not in seen:
            seen.add(id(item))
            pending.extend(children(item))
    return result
