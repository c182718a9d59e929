"""Regular expressions (SRFI 115): all of its procedures but ``regexp-fold``, which calls the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nodwyn.interp.builtins.arguments import bounds, string_text
from nodwyn.interp.builtins.char_sets import CharSet
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.strings import joined
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    FALSE,
    UNLABELLED,
    Boolean,
    Origin,
    Pair,
    String,
    Symbol,
    Value,
    boolean,
    intern,
    list_from,
)
from nodwyn.interp.datum import Datum
from nodwyn.interp.errors import SchemeError, out_of_range, wrong_type

if TYPE_CHECKING:
    from nodwyn.interp.builtins.regexp_matching import Slots

define = Table()

Found = tuple[int, int]


class Regexp(Datum):
    """A compiled regular expression. names: the numbers of the submatches of each name."""

    __slots__ = ("names", "program", "sre")

    def __init__(self, sre: Value) -> None:
        # Loaded with the first regular expression: the engine starts faster without.
        from nodwyn.interp.builtins.regexp_program import Program
        from nodwyn.interp.builtins.regexp_syntax import Context, Parser

        parser = Parser()
        node = parser.parse(sre, Context())
        self.program = Program(node, parser.count)
        self.names = parser.names
        self.sre = sre


class RegexpMatch(Datum):
    """A match. places: starts and ends of the whole and of each submatch, -1 where there is none."""

    __slots__ = ("matched_text", "pattern", "places", "text_origin")

    def __init__(self, pattern: Regexp, text: str, origin: Origin, places: Slots) -> None:
        self.pattern = pattern
        self.matched_text = text
        self.text_origin = origin
        self.places = places

    def submatch(self, number: int) -> Value:
        """Return the text of a submatch as a string, or #f."""
        first, last = self.places[2 * number], self.places[2 * number + 1]
        return FALSE if last < 0 else String(self.matched_text[first:last], self.text_origin)


def compiled(re: Value) -> Regexp:
    """Return ``re``, compiled if it is not yet."""
    return re if re.__class__ is Regexp else Regexp(re)


@define("regexp")
def regexp(re: Value) -> Regexp:
    return compiled(re)


@define("regexp?")
def is_regexp(value: Value) -> Boolean:
    return boolean(value.__class__ is Regexp)


@define("valid-sre?")
def is_valid(value: Value) -> Boolean:
    try:
        compiled(value)
    except SchemeError:
        return FALSE
    return boolean(True)


@define("regexp->sre")
def regexp_to_sre(re: Value) -> Value:
    return compiled(re).sre


@define("char-set->sre")
def char_set_to_sre(chars: Value) -> Value:
    if chars.__class__ is not CharSet:
        raise wrong_type("char-set->sre", "char-set", "a set of characters", chars)
    edges = chars.edges
    pairs = "".join([chr(low) + chr(high - 1) for low, high in zip(edges[::2], edges[1::2], strict=True)])
    return list_from([intern("char-range"), String(pairs, UNLABELLED)])


# Matching


def _attempt(procedure: str, re: Value, string: Value, start: Value, end: Value, *, is_whole: bool) -> Value:
    from nodwyn.interp.builtins.regexp_matching import search

    pattern = compiled(re)
    text = string_text(procedure, "str", string)
    first, last = bounds(procedure, start, end, len(text))
    places = search(pattern.program, text, first, first, last, is_whole=is_whole)
    return FALSE if places is None else RegexpMatch(pattern, text, string.origin, places)


@define("regexp-matches")
def regexp_matches(re: Value, string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    return _attempt("regexp-matches", re, string, start, end, is_whole=True)


@define("regexp-matches?")
def does_regexp_match(re: Value, string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Boolean:
    return boolean(_attempt("regexp-matches?", re, string, start, end, is_whole=True) is not FALSE)


@define("regexp-search")
def regexp_search(re: Value, string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    return _attempt("regexp-search", re, string, start, end, is_whole=False)


@define("%regexp-search-from")
def search_from(re: Value, string: Value, place: Value, start: Value, end: Value, taken: Value) -> Value:
    """Return the next match of a walk from ``start`` to ``end`` that has come to ``place``, or #f.

    taken: where the last match ended, or -1: an empty match there would be part of that one.
    """
    pattern = compiled(re)
    text = string_text("regexp-fold", "str", string)
    first, last = bounds("regexp-fold", start, end, len(text))
    for places in _walk(pattern, text, place, first, last, taken):
        return RegexpMatch(pattern, text, string.origin, places)
    return FALSE


def _walk(
    pattern: Regexp, text: str, place: int, first: int, last: int, taken: int = -1, *, needs_submatches: bool = True
) -> Iterator[Slots]:
    """Yield the matches from ``place`` on, none of them empty where the one before it ended."""
    from nodwyn.interp.builtins.regexp_matching import search

    program = pattern.program
    while place <= last:
        places = search(program, text, place, first, last, is_whole=False, needs_submatches=needs_submatches)
        if places is None:
            return
        begin, end = places[0], places[1]
        if begin == end == taken:
            place = end + 1
            continue
        yield places
        taken = end
        place = end + 1 if begin == end else end


# Submatches


@define("regexp-match?")
def is_match(value: Value) -> Boolean:
    return boolean(value.__class__ is RegexpMatch)


def _match(procedure: str, value: Value) -> RegexpMatch:
    if value.__class__ is not RegexpMatch:
        raise wrong_type(procedure, "regexp-match", "a match", value)
    return value


def _number(procedure: str, match: RegexpMatch, field: Value) -> int:
    """Return the number of the submatch that ``field`` means: of several of one name, the first that matched."""
    if field.__class__ is Symbol:
        numbers = match.pattern.names.get(field.name)
        if numbers is None:
            raise out_of_range(procedure, "field", "the name of a submatch", field)
        return next((number for number in numbers if match.places[2 * number + 1] >= 0), numbers[0])
    if field.__class__ is not int:
        raise wrong_type(procedure, "field", "an exact integer or a symbol", field)
    if not 0 <= 2 * field < len(match.places):
        raise out_of_range(procedure, "field", f"a number from 0 to {len(match.places) // 2 - 1}", field)
    return field


@define("regexp-match-count")
def match_count(match: Value) -> int:
    return len(_match("regexp-match-count", match).places) // 2 - 1


@define("regexp-match-submatch")
def match_submatch(match: Value, field: Value = 0) -> Value:
    match = _match("regexp-match-submatch", match)
    return match.submatch(_number("regexp-match-submatch", match, field))


@define("regexp-match-submatch-start")
def match_start(match: Value, field: Value = 0) -> Value:
    match = _match("regexp-match-submatch-start", match)
    place = match.places[2 * _number("regexp-match-submatch-start", match, field)]
    return FALSE if place < 0 else place


@define("regexp-match-submatch-end")
def match_end(match: Value, field: Value = 0) -> Value:
    match = _match("regexp-match-submatch-end", match)
    place = match.places[2 * _number("regexp-match-submatch-end", match, field) + 1]
    return FALSE if place < 0 else place


@define("regexp-match->list")
def match_to_list(match: Value) -> Value:
    match = _match("regexp-match->list", match)
    return list_from([match.submatch(number) for number in range(len(match.places) // 2)])


# All matches of a string


def _all_found(procedure: str, re: Value, string: Value, start: Value, end: Value) -> tuple[str, int, int, list[Found]]:
    """Return a string's text, the range in it, and the places of all matches there that are not empty."""
    pattern = compiled(re)
    text = string_text(procedure, "str", string)
    first, last = bounds(procedure, start, end, len(text))
    walk = _walk(pattern, text, first, first, last, needs_submatches=False)
    found = [(places[0], places[1]) for places in walk]
    return text, first, last, [(begin, stop) for begin, stop in found if begin < stop]


def _strings(pieces: list[str], origin: Origin) -> Value:
    return list_from([String(piece, origin) for piece in pieces])


@define("regexp-extract")
def regexp_extract(re: Value, string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    text, _, _, found = _all_found("regexp-extract", re, string, start, end)
    return _strings([text[begin:stop] for begin, stop in found], string.origin)


@define("regexp-split")
def regexp_split(re: Value, string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    text, place, last, found = _all_found("regexp-split", re, string, start, end)
    pieces = []
    for begin, stop in found:
        pieces.append(text[place:begin])
        place = stop
    return _strings([*pieces, text[place:last]], string.origin)


@define("regexp-partition")
def regexp_partition(re: Value, string: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
    text, place, last, found = _all_found("regexp-partition", re, string, start, end)
    pieces: list[str] = []
    for begin, stop in found:
        pieces += (text[place:begin], text[begin:stop])
        place = stop
    if place < last or not pieces:
        pieces.append(text[place:last])
    return _strings(pieces, string.origin)


# Replacing

_PRE: Final = intern("pre")
_POST: Final = intern("post")


def _template(template: Value, match: RegexpMatch, first: int, last: int) -> list[String]:
    """Return the strings that a template stands for: a string, a submatch, ``pre``, ``post``, or a list of them."""
    strings = []
    waiting = [template]
    while waiting:
        part = waiting.pop()
        if part.__class__ is String:
            strings.append(part)
        elif part is _PRE or part is _POST:
            begin, stop = match.places[:2]
            text = match.matched_text[first:begin] if part is _PRE else match.matched_text[stop:last]
            strings.append(String(text, match.text_origin))
        elif part.__class__ is Pair:
            waiting.extend(reversed(proper("regexp-replace", "subst", part)))
        else:
            submatch = match.submatch(_number("regexp-replace", match, part))
            if submatch is not FALSE:
                strings.append(submatch)
    return strings


def _replaced(
    procedure: str, re: Value, string: Value, template: Value, start: Value, end: Value, count: int | None
) -> String:
    """Return the selected text with all matches replaced, or the one before which there are ``count`` others."""
    pattern = compiled(re)
    text = string_text(procedure, "str", string)
    first, last = bounds(procedure, start, DEFAULT if end is FALSE else end, len(text))
    strings = []
    place = first
    for number, places in enumerate(_walk(pattern, text, first, first, last)):
        if count is None or number == count:
            match = RegexpMatch(pattern, text, string.origin, places)
            strings.append(String(text[place : places[0]], string.origin))
            strings += _template(template, match, first, last)
            place = places[1]
            if count is not None:
                break
    strings.append(String(text[place:last], string.origin))
    return joined(procedure, strings)


@define("regexp-replace")
def regexp_replace(
    re: Value,
    string: Value,
    subst: Value,
    start: Value = DEFAULT,
    end: Value = DEFAULT,
    count: Value = 0,
) -> String:
    if count.__class__ is not int:
        raise wrong_type("regexp-replace", "count", "an exact non-negative integer", count)
    return _replaced("regexp-replace", re, string, subst, start, end, count)


@define("regexp-replace-all")
def regexp_replace_all(re: Value, string: Value, subst: Value, start: Value = DEFAULT, end: Value = DEFAULT) -> String:
    return _replaced("regexp-replace-all", re, string, subst, start, end, None)
