"""Searching strings for characters, where the criterion of SRFI 13 is a character or a set of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from nodwyn.interp.builtins.arguments import bounds, string_text
from nodwyn.interp.builtins.char_sets import CharSet, tester
from nodwyn.interp.builtins.strings import new_string
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, Char, String, Value, list_from

define = Table()


def _range(name: str, s: Value, start: Value, end: Value) -> tuple[str, int, int]:
    text = string_text(name, "s", s)
    first, last = bounds(name, start, end, len(text))
    return text, first, last


def _first_or_false(indices: Iterator[int]) -> Value:
    return next(indices, FALSE)


@define("%string-index")
def string_index(s: Value, criterion: Value, start: Value, end: Value) -> Value:
    text, first, last = _range("string-index", s, start, end)
    if criterion.__class__ is Char:
        found = text.find(criterion.char, first, last)
        return FALSE if found < 0 else found
    holds = tester("string-index", criterion)
    return _first_or_false(index for index in range(first, last) if holds(text[index]))


@define("%string-index-right")
def string_index_right(s: Value, criterion: Value, start: Value, end: Value) -> Value:
    text, first, last = _range("string-index-right", s, start, end)
    if criterion.__class__ is Char:
        found = text.rfind(criterion.char, first, last)
        return FALSE if found < 0 else found
    holds = tester("string-index-right", criterion)
    return _first_or_false(index for index in range(last - 1, first - 1, -1) if holds(text[index]))


@define("%string-skip")
def string_skip(s: Value, criterion: Value, start: Value, end: Value) -> Value:
    text, first, last = _range("string-skip", s, start, end)
    holds = tester("string-skip", criterion)
    return _first_or_false(index for index in range(first, last) if not holds(text[index]))


@define("%string-skip-right")
def string_skip_right(s: Value, criterion: Value, start: Value, end: Value) -> Value:
    text, first, last = _range("string-skip-right", s, start, end)
    holds = tester("string-skip-right", criterion)
    return _first_or_false(index for index in range(last - 1, first - 1, -1) if not holds(text[index]))


@define("%string-count")
def string_count(s: Value, criterion: Value, start: Value, end: Value) -> Value:
    text, first, last = _range("string-count", s, start, end)
    if criterion.__class__ is Char:
        return text.count(criterion.char, first, last)
    return sum(map(tester("string-count", criterion), text[first:last]))


@define("%string-filter")
def string_filter(criterion: Value, s: Value, start: Value, end: Value) -> String:
    text, first, last = _range("string-filter", s, start, end)
    holds = tester("string-filter", criterion)
    return String("".join(filter(holds, text[first:last])), s.origin)


@define("%string-delete")
def string_delete(criterion: Value, s: Value, start: Value, end: Value) -> String:
    text, first, last = _range("string-delete", s, start, end)
    if criterion.__class__ is Char:
        return String(text[first:last].replace(criterion.char, ""), s.origin)
    holds = tester("string-delete", criterion)
    return String("".join([char for char in text[first:last] if not holds(char)]), s.origin)


@define("%string-tokenize")
def string_tokenize(s: Value, criterion: Value, start: Value, end: Value) -> Value:
    """Return a list of the longest runs of characters that meet the criterion."""
    text, first, last = _range("string-tokenize", s, start, end)
    if criterion.__class__ is CharSet:
        return list_from([new_string(run, s.origin) for run in criterion.runs(text[first:last])])
    runs = groupby(text[first:last], tester("string-tokenize", criterion))
    return list_from([new_string("".join(run), s.origin) for holds, run in runs if holds])
