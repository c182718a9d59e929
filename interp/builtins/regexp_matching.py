"""Matching without backtracking: all ways through a program go forward together (Pike's method).

The time is that of the text's length times the program's, whatever the pattern; look-around adds its
own run at each place. Of the matches that begin first the one is found that prefers earlier
alternatives, more of greedy repetitions and less of others. Patterns with references, for which no
such method is known, are matched by trying one way after the other, up to a limit of steps.
"""

from __future__ import annotations

from typing import Final

from nodwyn.interp.builtins.regexp_automaton import Automaton
from nodwyn.interp.builtins.regexp_nodes import Look
from nodwyn.interp.builtins.regexp_program import (
    ASSERT,
    CHAR,
    JUMP,
    MATCH,
    REFERENCE,
    SAVE,
    SPLIT,
    Instruction,
    Program,
)
from nodwyn.interp.errors import failure

MOST_STEPS: Final = 1_000_000
"""How many instructions a search for a pattern with references may take."""

Slots = tuple[int, ...]
Thread = tuple[int, Slots]


def search(
    program: Program, text: str, place: int, start: int, end: int, *, is_whole: bool, needs_submatches: bool = True
) -> Slots | None:
    """Return the places of the first match from ``place`` on in ``text[start:end]``, or None.

    is_whole: the match must begin at ``place`` and reach ``end``. The places are the starts and ends of the
    whole match and of each submatch, -1 for one that did not match; without ``needs_submatches`` maybe of
    the whole alone.
    """
    is_fixed = is_whole or program.is_anchored
    if is_fixed and not is_whole and place > start:
        return None
    run = _Run(program, text, start, end)
    unmatched = (-1,) * program.slots
    if program.has_references:
        for begin in range(place, place + 1 if is_fixed else end + 1):
            found = run.backtrack(begin, unmatched, end if is_whole else None)
            if found is not None:
                return found
        return None
    if is_whole or not program.is_local:
        return run.simulate(place, unmatched, is_fixed=is_fixed, goal=end if is_whole else None)
    automaton = program.automaton
    if automaton is None:
        automaton = program.automaton = Automaton(program)
    found_at = automaton.find(text, place, start, end, is_fixed=is_fixed)
    if found_at is None:
        return None
    begin, match_end = found_at
    if (program.slots == 2 or not needs_submatches) and (
        is_fixed or automaton.find(text, begin, start, end, is_fixed=True) is not None
    ):
        # No match begins earlier, so the one that begins here is the one that was found.
        return begin, match_end
    return run.simulate(begin, unmatched, is_fixed=is_fixed, goal=match_end)


class _Run:
    """One program on one text.

    marks: for each instruction, the last place where a thread came to it. steps: those still allowed.
    """

    __slots__ = ("end", "instructions", "marks", "program", "start", "steps", "text")

    def __init__(self, program: Program, text: str, start: int, end: int) -> None:
        self.program = program
        self.instructions: list[Instruction] = program.instructions
        self.marks = [-1] * len(program.instructions)
        self.text = text
        self.start = start
        self.end = end
        self.steps = MOST_STEPS

    def simulate(self, place: int, slots: Slots, *, is_fixed: bool, goal: int | None) -> Slots | None:
        """Return the slots of the best match. is_fixed: it begins at ``place``. goal: where it must end, or None."""
        text, end, instructions = self.text, self.end, self.instructions
        current: list[Thread] = []
        found: Slots | None = None
        begin = place
        while True:
            if found is None and (place == begin or not is_fixed):
                if not current and not is_fixed:
                    place = self.program.candidate(text, place, end)
                    if place < 0:
                        return None
                self._add(current, 0, slots, place)
            if not current:
                if found is not None or is_fixed or place >= end:
                    return found
                place += 1
                continue
            char = text[place] if place < end else ""
            following: list[Thread] = []
            for at, thread_slots in current:
                operation, test, answers = instructions[at]
                if operation == CHAR:
                    if char:
                        answer = answers.get(char)
                        if answer is None:
                            answer = answers[char] = test(char)
                        if answer:
                            self._add(following, at + 1, thread_slots, place + 1)
                elif goal is None or goal == place:
                    # Threads after this one are of less worth than the match.
                    found = thread_slots
                    break
            if not char or place == goal:
                return found
            current = following
            place += 1

    def _add(self, threads: list[Thread], at: int, slots: Slots, place: int) -> None:
        """Append the threads that instruction ``at`` leads to without taking a character, the best first."""
        instructions, marks = self.instructions, self.marks
        waiting = [(at, slots)]
        while waiting:
            at, slots = waiting.pop()
            while marks[at] != place:
                marks[at] = place
                operation, first, second = instructions[at]
                if operation in (CHAR, MATCH):
                    threads.append((at, slots))
                    break
                if operation == SPLIT:
                    waiting.append((second, slots))
                    at = first
                elif operation == JUMP:
                    at = first
                else:
                    after = self._pass(operation, first, second, slots, place)
                    if after is None:
                        break
                    slots = after
                    at += 1

    def _pass(self, operation: int, first: object, second: object, slots: Slots, place: int) -> Slots | None:
        """Return the slots after an instruction that takes no character, or None if it does not let pass."""
        if operation == SAVE:
            assert isinstance(first, int)
            return (*slots[:first], place, *slots[first + 1 :])
        if operation == ASSERT:
            return slots if first(self.text, place, self.start, self.end) else None  # type: ignore[operator]
        return self._look(first, second, slots, place)

    def _look(self, program: object, look: object, slots: Slots, place: int) -> Slots | None:
        assert isinstance(program, Program) and isinstance(look, Look)
        begin = place if look.behind is None else place - look.behind
        if begin < self.start:
            return slots if look.is_negated else None
        goal = None if look.behind is None else place
        run = _Run(program, self.text, self.start, self.end)
        if program.has_references:
            found = run.backtrack(begin, slots, goal)
        else:
            found = run.simulate(begin, slots, is_fixed=True, goal=goal)
        if look.is_negated:
            return slots if found is None else None
        # The submatches of what was looked at are kept, but it is no part of the match.
        return None if found is None else (*slots[:2], *found[2:])

    def backtrack(self, place: int, slots: Slots, goal: int | None) -> Slots | None:
        """Return the slots of the best match that begins at ``place``, trying one way after the other."""
        text, end, instructions = self.text, self.end, self.instructions
        waiting = [(0, place, slots)]
        # A loop that takes no text would come to the same state for ever.
        seen: set[tuple[int, int, Slots]] = set()
        while waiting:
            state = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            self.steps -= 1
            if self.steps < 0:
                raise failure("limit", "regexp-search", f"a pattern with backref took more than {MOST_STEPS} steps")
            at, place, slots = state
            operation, first, second = instructions[at]
            if operation == CHAR:
                if place < end and first(text[place]):
                    waiting.append((at + 1, place + 1, slots))
            elif operation == SPLIT:
                waiting.append((second, place, slots))
                waiting.append((first, place, slots))
            elif operation == JUMP:
                waiting.append((first, place, slots))
            elif operation == MATCH:
                if goal is None or goal == place:
                    return slots
            elif operation == REFERENCE:
                length = self._referred(first, second, slots, place)
                if length >= 0:
                    waiting.append((at + 1, place + length, slots))
            else:
                after = self._pass(operation, first, second, slots, place)
                if after is not None:
                    waiting.append((at + 1, place, after))
        return None

    def _referred(self, numbers: tuple[int, ...], ignores_case: bool, slots: Slots, place: int) -> int:
        """Return the length of a submatch's text if it stands at ``place`` again, or -1."""
        for number in numbers:
            first, last = slots[2 * number], slots[2 * number + 1]
            if last >= 0:
                wanted = self.text[first:last]
                length = last - first
                there = self.text[place : min(place + length, self.end)]
                if there == wanted or (ignores_case and there.casefold() == wanted.casefold()):
                    return length
                return -1
        return -1
