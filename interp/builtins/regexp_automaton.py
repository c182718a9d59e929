"""Where matches are, at the cost of one dictionary lookup a character.

Each set of threads that the matcher can be in becomes a state when it is first met, with what every
character leads to from it. Submatches are not followed: who wants them has the matcher look at the
part of the text where the match must be. Programs with look-around, references or grapheme boundaries,
whose ways depend on more than the characters on both sides of a place, have no automaton.
"""

from __future__ import annotations

from typing import Final

from nodwyn.interp.builtins.regexp_nodes import is_word
from nodwyn.interp.builtins.regexp_program import (
    ASSERT,
    CHAR,
    JUMP,
    MATCH,
    SAVE,
    SPLIT,
    Program,
)

MOST_MOVES: Final = 100_000
"""A pattern and a text may lead to moves without number; beyond these all are forgotten and met anew."""


class State:
    """The threads waiting at a place, the best first, each before it looks at the characters there.

    before: a character like the one before the place, "" for none. is_open: matches may still begin.
    moves: what each next character leads to ("" for the end of the text): whether a match ends at the place,
    and the state behind the character, or None if no thread survives.
    """

    __slots__ = ("before", "is_open", "moves", "threads")

    def __init__(self, threads: tuple[int, ...], before: str, is_open: bool) -> None:
        self.threads = threads
        self.before = before
        self.is_open = is_open
        self.moves: dict[str, tuple[bool, State | None]] = {}


class Automaton:
    """The automaton of one program, for matches that begin anywhere or at one place."""

    __slots__ = ("_has_assertions", "_instructions", "_moves", "_states", "program")

    def __init__(self, program: Program) -> None:
        self.program = program
        self._instructions = program.instructions
        self._has_assertions = any(operation == ASSERT for operation, _, _ in program.instructions)
        self._states: dict[tuple[tuple[int, ...], str, bool], State] = {}
        self._moves = 0

    def find(self, text: str, place: int, start: int, end: int, *, is_fixed: bool) -> tuple[int, int] | None:
        """Return where to look for the beginning of the best match, and its end, or None if there is none.

        is_fixed: the match must begin at ``place``. The match begins at the first place returned or later.
        """
        if not is_fixed:
            place = self.program.candidate(text, place, end)
            if place < 0:
                return None
        begin, match_end = place, -1
        state: State | None = self._beginning(text, place, start, is_fixed)
        while state is not None:
            char = text[place] if place < end else ""
            move = state.moves.get(char)
            if move is None:
                move = self._move(state, char)
            is_match, state = move
            if is_match:
                match_end = place
            if place >= end:
                break
            place += 1
            if state is not None and state.is_open and not state.threads:
                # Nothing that began before is still alive: all that was read can be left behind.
                begin = place = self.program.candidate(text, place, end)
                if place < 0:
                    return None
                state = self._beginning(text, place, start, False)
        return None if match_end < 0 else (begin, match_end)

    def _beginning(self, text: str, place: int, start: int, is_fixed: bool) -> State:
        before = self._like(text[place - 1]) if place > start else ""
        return self._state((0,), before, False) if is_fixed else self._state((), before, True)

    def _like(self, char: str) -> str:
        """Return a character that assertions cannot tell from ``char``, one of a few."""
        if not self._has_assertions:
            return " "
        if char == "\n" or char == "\r":
            return char
        if char.isascii():
            return "a" if char.isalnum() or char == "_" else " "
        return "é" if is_word(char, False) else " "

    def _state(self, threads: tuple[int, ...], before: str, is_open: bool) -> State:
        key = (threads, before, is_open)
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = State(threads, before, is_open)
        return found

    def _move(self, state: State, char: str) -> tuple[bool, State | None]:
        """Find out, and note, what ``char`` leads to from a state."""
        self._moves += 1
        if self._moves > MOST_MOVES:
            for each in self._states.values():
                each.moves.clear()
            self._states.clear()
            self._moves = 0
        waiting = [*state.threads, 0] if state.is_open else list(state.threads)
        after: list[int] = []
        seen: set[int] = set()
        is_match = False
        for at in waiting:
            is_match = self._advance(at, state.before, char, seen, after)
            if is_match:
                break
        is_open = state.is_open and not is_match
        # Two threads may stand at one place now; only the better counts.
        threads = tuple(dict.fromkeys(after))
        following = None
        if char and (threads or is_open):
            following = self._state(threads, self._like(char), is_open)
        move = state.moves[char] = (is_match, following)
        return move

    def _advance(self, at: int, before: str, char: str, seen: set[int], after: list[int]) -> bool:
        """Follow a thread over a character; append where it stands then. Return whether it came to a match.

        Threads of less worth than a match are dropped.
        """
        instructions = self._instructions
        waiting = [at]
        while waiting:
            at = waiting.pop()
            while at not in seen:
                seen.add(at)
                operation, first, second = instructions[at]
                if operation == CHAR:
                    if char and first(char):
                        after.append(at + 1)
                    break
                if operation == MATCH:
                    return True
                if operation == SPLIT:
                    waiting.append(second)
                    at = first
                elif operation == JUMP:
                    at = first
                elif operation == SAVE or first(before + char, len(before), 0, len(before + char)):
                    at += 1
                else:
                    break
        return False
