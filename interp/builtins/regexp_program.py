"""Regular expressions compiled to instructions for the matcher.

An instruction is a tuple of its operation and two arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from nodwyn.interp.builtins.char_sets import CharSet, union
from nodwyn.interp.builtins.graphemes import is_boundary
from nodwyn.interp.builtins.regexp_nodes import (
    Assertion,
    Capture,
    Choice,
    Look,
    Node,
    One,
    Reference,
    Repeat,
    Sequence,
    is_word,
)
from nodwyn.interp.errors import failure

if TYPE_CHECKING:
    from nodwyn.interp.builtins.regexp_automaton import Automaton

CHAR: Final = 0
"""Take a character that the first argument, a test, accepts. The second keeps its answers."""
SPLIT: Final = 1
"""Go on at the first argument, or else at the second."""
JUMP: Final = 2
SAVE: Final = 3
"""Note the place in the slot that is the first argument."""
ASSERT: Final = 4
"""Go on if the first argument holds of the place."""
LOOK: Final = 5
"""Go on if the program that is the first argument matches; the second is the ``Look`` it was made of."""
REFERENCE: Final = 6
"""Take the text of the first submatch of the first argument that matched; the second: whether case is ignored."""
MATCH: Final = 7

Instruction = tuple[int, Any, Any]
Holds = Callable[[str, int, int, int], bool]

MOST_INSTRUCTIONS: Final = 50_000


class Program:
    """A compiled expression.

    slots: twice the number of submatches and one, for their starts and ends. prefix: text that every match
    begins with. first: what the first character of every match is one of, or None if matches may be empty.
    is_anchored: whether matches begin only at the beginning of the string. is_local: whether it depends, at
    each place, on the characters on both sides alone. automaton: made when it is first needed.
    """

    __slots__ = ("automaton", "first", "has_references", "instructions", "is_anchored", "is_local", "prefix", "slots")

    def __init__(self, node: Node, submatches: int) -> None:
        self.slots = 2 * (submatches + 1)
        self.instructions: list[Instruction] = []
        self.has_references = False
        self.is_local = True
        self.automaton: Automaton | None = None
        self._emit(Capture(0, node))
        self._add(MATCH)
        self.prefix = _prefix(node)
        sets, may_be_empty = _first(node)
        self.first = None if may_be_empty else union(sets)
        self.is_anchored = _is_anchored(node)

    def candidate(self, text: str, place: int, end: int) -> int:
        """Return the first place from ``place`` to ``end`` where a match can begin, or -1."""
        if self.prefix:
            return text.find(self.prefix, place, end)
        if self.first is None:
            return place
        answers, ask = self.first.answers, self.first.remembered
        for index in range(place, end):
            char = text[index]
            if answers[char] if char in answers else ask(char):
                return index
        return -1

    def _add(self, operation: int, first: Any = None, second: Any = None) -> int:
        if len(self.instructions) >= MOST_INSTRUCTIONS:
            raise failure("limit", "regexp", f"the pattern needs more than {MOST_INSTRUCTIONS} instructions")
        self.instructions.append((operation, first, second))
        return len(self.instructions) - 1

    def _emit(self, node: Node) -> None:
        match node:
            case One():
                self._add(CHAR, node.chars.test, {})
            case Sequence():
                for part in node.parts:
                    self._emit(part)
            case Choice():
                self._emit_choice(node.parts)
            case Repeat():
                self._emit_repeat(node)
            case Capture():
                self._add(SAVE, 2 * node.number)
                self._emit(node.part)
                self._add(SAVE, 2 * node.number + 1)
            case Assertion():
                self.is_local = self.is_local and node.kind not in _GRAPHEMIC
                self._add(ASSERT, _assertion(node))
            case Look():
                inner = Program(node.part, self.slots // 2 - 1)
                self.has_references = self.has_references or inner.has_references
                self.is_local = False
                self._add(LOOK, inner, node)
            case Reference():
                self.has_references = True
                self.is_local = False
                self._add(REFERENCE, node.indices, node.ignores_case)

    def _emit_choice(self, parts: tuple[Node, ...]) -> None:
        jumps = []
        for part in parts[:-1]:
            split = self._add(SPLIT)
            self._emit(part)
            jumps.append(self._add(JUMP))
            self.instructions[split] = (SPLIT, split + 1, len(self.instructions))
        self._emit(parts[-1])
        for jump in jumps:
            self.instructions[jump] = (JUMP, len(self.instructions), None)

    def _emit_repeat(self, node: Repeat) -> None:
        splits = []
        if node.most is None:
            # The test stands after the part: a part that matched nothing goes on past the loop from there,
            # as it does in a matcher that tries one way after the other.
            for _ in range(node.least - 1):
                self._emit(node.part)
            if node.least == 0:
                splits.append(self._add(SPLIT))
            loop = len(self.instructions)
            self._emit(node.part)
            again = self._add(SPLIT)
            self._resolve(again, loop, node.is_greedy)
        else:
            for _ in range(node.least):
                self._emit(node.part)
            for _ in range(node.most - node.least):
                splits.append(self._add(SPLIT))
                self._emit(node.part)
        for split in splits:
            self._resolve(split, split + 1, node.is_greedy)

    def _resolve(self, split: int, inside: int, is_greedy: bool) -> None:
        """Make a split lead to ``inside``, a repeated part, or past all that was emitted."""
        past = len(self.instructions)
        self.instructions[split] = (SPLIT, inside, past) if is_greedy else (SPLIT, past, inside)


def _prefix(node: Node) -> str:
    match node:
        case One():
            return node.chars.only or ""
        case Sequence():
            text = ""
            for part in node.parts:
                if not isinstance(part, One) or not part.chars.only:
                    # What begins with text but goes on with a choice adds its own beginning.
                    return text + _prefix(part)
                text += part.chars.only
            return text
        case Capture():
            return _prefix(node.part)
    return ""


def _first(node: Node) -> tuple[list[CharSet], bool]:
    """Return sets that together hold the first characters of all matches, and whether one may be empty."""
    match node:
        case One():
            return [node.chars], False
        case Sequence():
            sets: list[CharSet] = []
            for part in node.parts:
                more, may_be_empty = _first(part)
                sets += more
                if not may_be_empty:
                    return sets, False
            return sets, True
        case Choice():
            each = [_first(part) for part in node.parts]
            return [chars for more, _ in each for chars in more], any(may_be_empty for _, may_be_empty in each)
        case Repeat():
            sets, may_be_empty = _first(node.part)
            return sets, may_be_empty or node.least == 0
        case Capture():
            return _first(node.part)
    return [], True


def _is_anchored(node: Node) -> bool:
    match node:
        case Assertion():
            return node.kind == "bos"
        case Sequence():
            return bool(node.parts) and _is_anchored(node.parts[0])
        case Capture():
            return _is_anchored(node.part)
        case Choice():
            return all(_is_anchored(part) for part in node.parts)
    return False


# Assertions: each holds of a place in text[start:end].


def _at_start(text: str, place: int, start: int, end: int) -> bool:
    return place == start


def _at_end(text: str, place: int, start: int, end: int) -> bool:
    return place == end


def _at_line_start(text: str, place: int, start: int, end: int) -> bool:
    if place == start:
        return True
    before = text[place - 1]
    return before == "\n" or (before == "\r" and not (place < end and text[place] == "\n"))


def _at_line_end(text: str, place: int, start: int, end: int) -> bool:
    if place == end:
        return True
    return text[place] == "\r" or (text[place] == "\n" and not (place > start and text[place - 1] == "\r"))


def _at_cluster_start(text: str, place: int, start: int, end: int) -> bool:
    return place < end and is_boundary(text, place, start, end)


def _at_cluster_end(text: str, place: int, start: int, end: int) -> bool:
    return place > start and is_boundary(text, place, start, end)


def _inside_cluster(text: str, place: int, start: int, end: int) -> bool:
    return not is_boundary(text, place, start, end)


_PLAIN: Final[dict[str, Holds]] = {
    "bos": _at_start,
    "eos": _at_end,
    "bol": _at_line_start,
    "eol": _at_line_end,
    "bog": _at_cluster_start,
    "eog": _at_cluster_end,
    "mid-grapheme": _inside_cluster,
}

_GRAPHEMIC: Final = ("bog", "eog", "mid-grapheme")

# Whether there is a word before and after a place.
_WORD_EDGES: Final[dict[str, Callable[[bool, bool], bool]]] = {
    "bow": lambda before, after: after and not before,
    "eow": lambda before, after: before and not after,
    "nwb": lambda before, after: before == after,
}


def _assertion(node: Assertion) -> Holds:
    plain = _PLAIN.get(node.kind)
    if plain is not None:
        return plain
    is_ascii, decide = node.is_ascii, _WORD_EDGES[node.kind]

    def holds(text: str, place: int, start: int, end: int) -> bool:
        before = place > start and is_word(text[place - 1], is_ascii)
        after = place < end and is_word(text[place], is_ascii)
        return decide(before, after)

    return holds
