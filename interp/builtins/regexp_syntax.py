"""Scheme regular expressions (SRFI 115) read into nodes.

What the document leaves open: ``digit`` is a name for ``numeric`` (its own examples use it), a pattern
has a greatest size, and no change of case changes the length of text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from nodwyn.interp.builtins import char_sets
from nodwyn.interp.builtins.char_sets import CharSet
from nodwyn.interp.builtins.lists import proper
from nodwyn.interp.builtins.regexp_nodes import (
    ASCII,
    EMPTY,
    UNICODE,
    Assertion,
    Capture,
    Choice,
    Look,
    Node,
    One,
    Reference,
    Repeat,
    Sequence,
    fixed_length,
    is_word,
)
from nodwyn.interp.data import Char, Pair, String, Symbol, Value, intern
from nodwyn.interp.errors import SchemeError, failure

MOST_NESTING: Final = 200
MOST_REPEATS: Final = 10_000


class Context(NamedTuple):
    """What the ``w/…`` forms around a place have set, and how deep it is."""

    ignores_case: bool = False
    is_ascii: bool = False
    captures: bool = True
    depth: int = 0


_ALIASES: Final = {
    "lower": "lower-case",
    "upper": "upper-case",
    "title": "title-case",
    "alpha": "alphabetic",
    "num": "numeric",
    "digit": "numeric",
    "alphanum": "alphanumeric",
    "alnum": "alphanumeric",
    "punct": "punctuation",
    "graph": "graphic",
    "white": "whitespace",
    "space": "whitespace",
    "print": "printing",
    "cntrl": "control",
    "xdigit": "hex-digit",
}


def wrong(message: str, sre: Value) -> SchemeError:
    """Return the error for an object that is no regular expression."""
    return failure("error", "regexp", message, sre)


class Parser:
    """Reads one SRE. names: the indices of the submatches of each name. count: of all submatches so far."""

    def __init__(self) -> None:
        self.names: dict[str, list[int]] = {}
        self.count = 0

    def parse(self, sre: Value, context: Context) -> Node:
        """Return the node of an SRE."""
        kind = sre.__class__
        if kind is Pair:
            return self._form(sre, context)
        if kind is Symbol:
            return self._named(sre, context)
        if kind is String:
            parts = tuple([One(terminal(char_sets.of_text(char), context)) for char in sre.text()])
            return parts[0] if len(parts) == 1 else Sequence(parts)
        if kind is Char:
            return One(terminal(char_sets.of_text(sre.char), context))
        if kind is CharSet:
            return One(terminal(sre, context))
        raise wrong("this object is no regular expression", sre)

    def sequence(self, sres: list[Value], context: Context) -> Node:
        """Return the node of SREs that match one after the other."""
        if len(sres) == 1:
            return self.parse(sres[0], context)
        return Sequence(tuple([self.parse(each, context) for each in sres]))

    def sets(self, sres: list[Value], context: Context) -> list[CharSet]:
        """Return the sets of characters that SREs stand for."""
        nodes = [self.parse(each, context) for each in sres]
        for sre, node in zip(sres, nodes, strict=True):
            if not isinstance(node, One):
                raise wrong("a set of characters is needed here", sre)
        return [node.chars for node in nodes if isinstance(node, One)]

    def _named(self, sre: Value, context: Context) -> Node:
        name = _ALIASES.get(sre.name, sre.name)
        if name in UNICODE:
            chars = everything(context, name)
            return One(terminal(chars, context) if name in ("lower-case", "upper-case") else chars)
        if name in ("bos", "eos", "bol", "eol", "bow", "eow", "nwb"):
            return Assertion(name, context.is_ascii)
        if name in ("bog", "eog"):
            return EMPTY if context.is_ascii else Assertion(name, False)
        if name == "grapheme":
            return _grapheme(context)
        if name == "word":
            return _word_of(self, sre, [intern("any")], context)
        raise wrong("this symbol names no regular expression", sre)

    def _form(self, sre: Value, context: Context) -> Node:
        if context.depth >= MOST_NESTING:
            raise failure("limit", "regexp", f"the pattern is nested deeper than {MOST_NESTING}")
        head, *rest = proper("regexp", "re", sre)
        inner = context._replace(depth=context.depth + 1)
        if head.__class__ is String:
            return _set_of(self, sre, [head, *rest], inner)
        read = _FORMS.get(head.name) if head.__class__ is Symbol else None
        if read is None:
            raise wrong("this list is no regular expression", sre)
        return read(self, sre, rest, inner)


def terminal(chars: CharSet, context: Context) -> CharSet:
    """Return a set that was written out, with the case variants of its characters where case is ignored."""
    return char_sets.any_case(chars, context.is_ascii) if context.ignores_case else chars


def everything(context: Context, name: str = "any") -> CharSet:
    """Return the set that a name stands for; ``any`` is everything there is in the context."""
    return (ASCII if context.is_ascii else UNICODE)[name]()


# The forms: each takes the parser, the whole form for messages, its parts and their context.

Reader = Callable[[Parser, Value, list[Value], Context], Node]


def _within(**changes: bool) -> Reader:
    return lambda parser, sre, rest, context: parser.sequence(rest, context._replace(**changes))


def _choice(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    nodes = [parser.parse(each, context) for each in rest]
    sets = [node.chars for node in nodes if isinstance(node, One)]
    return One(char_sets.union(sets)) if len(sets) == len(nodes) else Choice(tuple(nodes))


def _repeating(least: int, most: int | None, is_greedy: bool = True) -> Reader:
    return lambda parser, sre, rest, context: Repeat(parser.sequence(rest, context), least, most, is_greedy)


def _counted(number_of_counts: int, is_greedy: bool = True, is_open: bool = False) -> Reader:
    def read(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
        counts = rest[:number_of_counts]
        if len(counts) < number_of_counts or any(each.__class__ is not int or each < 0 for each in counts):
            raise wrong("a repetition needs counts, which are exact non-negative integers", sre)
        if counts[0] > counts[-1]:
            raise wrong("the second count of a repetition is below the first", sre)
        if counts[-1] > MOST_REPEATS:
            raise failure("limit", "regexp", f"a count of a repetition is above {MOST_REPEATS}")
        part = parser.sequence(rest[number_of_counts:], context)
        return Repeat(part, counts[0], None if is_open else counts[-1], is_greedy)

    return read


def _submatch(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    if not context.captures:
        return parser.sequence(rest, context)
    parser.count += 1
    index = parser.count
    return Capture(index, parser.sequence(rest, context))


def _submatch_named(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    if not rest or rest[0].__class__ is not Symbol:
        raise wrong("a named submatch needs a symbol as its name", sre)
    if context.captures:
        parser.names.setdefault(rest[0].name, []).append(parser.count + 1)
    return _submatch(parser, sre, rest[1:], context)


def _backref(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    if len(rest) != 1:
        raise wrong("backref takes the number or name of one submatch", sre)
    field = rest[0]
    if field.__class__ is Symbol and field.name in parser.names:
        return Reference(tuple(parser.names[field.name]), context.ignores_case)
    if field.__class__ is int and 0 < field <= parser.count:
        return Reference((field,), context.ignores_case)
    raise wrong("backref refers to no submatch before it", sre)


def _in_word_bounds(part: Node, context: Context) -> Node:
    return Sequence((Assertion("bow", context.is_ascii), part, Assertion("eow", context.is_ascii)))


def _word(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    return _in_word_bounds(parser.sequence(rest, context), context)


def _word_of(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    is_ascii = context.is_ascii
    word = CharSet(test=lambda char: is_word(char, is_ascii))
    chars = char_sets.intersection([word, char_sets.union(parser.sets(rest, context))])
    return _in_word_bounds(Repeat(One(chars), 1, None, True), context)


def _look(*, is_negated: bool, is_behind: bool) -> Reader:
    def read(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
        part = parser.sequence(rest, context)
        if not is_behind:
            return Look(part, None, is_negated)
        length = fixed_length(part)
        if length is None:
            raise wrong("what look-behind looks for must have a fixed length", sre)
        return Look(part, length, is_negated)

    return read


def _set_of(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    if len(rest) != 1 or rest[0].__class__ is not String:
        raise wrong("a set of characters is written as one string", sre)
    return One(terminal(char_sets.of_text(rest[0].text()), context))


def _range(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    if any(each.__class__ is not String and each.__class__ is not Char for each in rest):
        raise wrong("a range is made of strings and characters", sre)
    text = "".join([each.text() if isinstance(each, String) else each.char for each in rest])
    if len(text) % 2 or any(low > high for low, high in zip(text[::2], text[1::2], strict=False)):
        raise wrong("a range needs pairs of characters, the lower first", sre)
    return One(terminal(char_sets.of_ranges(text), context))


def _intersection(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    return One(char_sets.intersection([everything(context), *parser.sets(rest, context)]))


def _difference(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    if not rest:
        raise wrong("a difference needs a set to take from", sre)
    first, *others = parser.sets(rest, context)
    return One(char_sets.difference(first, others))


def _complement(parser: Parser, sre: Value, rest: list[Value], context: Context) -> Node:
    return One(char_sets.difference(everything(context), parser.sets(rest, context)))


def _grapheme(context: Context) -> Node:
    if context.is_ascii:
        return One(everything(context))
    char = One(everything(context))
    more = Repeat(Sequence((Assertion("mid-grapheme", False), char)), 0, None, True)
    return Sequence((char, more, Assertion("eog", False)))


def _forms(names: str, read: Reader) -> dict[str, Reader]:
    return dict.fromkeys(names.split(), read)


_FORMS: Final[dict[str, Reader]] = {
    **_forms(": seq", _within()),
    **_forms("or |", _choice),
    **_forms("* zero-or-more", _repeating(0, None)),
    **_forms("+ one-or-more", _repeating(1, None)),
    **_forms("? optional", _repeating(0, 1)),
    **_forms("= exactly", _counted(1)),
    **_forms(">= at-least", _counted(1, is_open=True)),
    **_forms("** repeated", _counted(2)),
    **_forms("?? non-greedy-optional", _repeating(0, 1, False)),
    **_forms("*? non-greedy-zero-or-more", _repeating(0, None, False)),
    **_forms("**? non-greedy-repeated", _counted(2, False)),
    **_forms("$ submatch", _submatch),
    **_forms("-> submatch-named", _submatch_named),
    "backref": _backref,
    "w/case": _within(ignores_case=False),
    "w/nocase": _within(ignores_case=True),
    "w/unicode": _within(is_ascii=False),
    "w/ascii": _within(is_ascii=True),
    "w/nocapture": _within(captures=False),
    "word": _word,
    "word+": _word_of,
    "look-ahead": _look(is_negated=False, is_behind=False),
    "neg-look-ahead": _look(is_negated=True, is_behind=False),
    "look-behind": _look(is_negated=False, is_behind=True),
    "neg-look-behind": _look(is_negated=True, is_behind=True),
    "char-set": _set_of,
    **_forms("/ char-range", _range),
    **_forms("& and", _intersection),
    **_forms("- difference", _difference),
    **_forms("~ complement", _complement),
}
