"""Exact replacements in a text, all or none, that leave alone what they do not name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

BOM: Final = "\ufeff"
MOST_PLACES: Final = 10
"""Places of several occurrences that a message names."""

MOST_NEAREST: Final = 1500
"""Characters of the nearest text that a message shows."""

MOST_WINDOWS: Final = 20
"""Places that are compared closely in looking for the nearest text."""


class Edit(NamedTuple):
    """One replacement."""

    old: str
    new: str
    all: bool = False
    """Whether every occurrence is replaced; otherwise there must be exactly one."""


class EditError(Exception):
    """An edit does not fit the text; the message says which, why, and what would."""


def apply_edits(text: str, edits: Sequence[Edit]) -> tuple[str, list[int]]:
    """Return a text after edits that are made one after another, and the line of each replacement in what came of it.

    A byte order mark stays. Where every line of the text ends in CR LF, line feeds in an edit stand for that. An edit
    whose last line end the end of the text lacks fits without it.

    Raises: EditError.
    """
    mark = BOM if text.startswith(BOM) else ""
    changed = text[len(mark) :]
    ends_in_crlf = "\r\n" in changed and changed.count("\n") == changed.count("\r\n")
    made: list[int] = []
    for number, edit in enumerate(edits, 1):
        which = f"edit {number}: " if len(edits) > 1 else ""
        old, new = (part.removeprefix(BOM) for part in (edit.old, edit.new))
        if not old:
            raise EditError(f"{which}the text to replace is empty but for a byte order mark, which stays as it is.")
        if ends_in_crlf:
            old, new = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old, new))
        changed, made = _apply(changed, Edit(old, new, edit.all), which, made)
    if changed == text[len(mark) :]:
        raise EditError("the new text is the old text.")
    return mark + changed, _lines(changed, made)


def _apply(text: str, edit: Edit, which: str, made: list[int]) -> tuple[str, list[int]]:
    """Return a text after one edit, and where in it that one and earlier ones begin. made: where these do in ``text``.

    Raises: EditError.
    """
    old, new = edit.old, edit.new
    places = _places(text, old)
    if not places and old.endswith("\n") and (shorter := _without_line_end(old)) and text.endswith(shorter):
        old, new = shorter, _without_line_end(new)
        places = [len(text) - len(old)]
    if not places:
        raise EditError(f"{which}the text to replace is not there.{_hint(text, edit.old)}")
    if len(places) > 1 and not edit.all:
        named = ", ".join(str(_line(text, place)) for place in places[:MOST_PLACES])
        more = " and more" if len(places) > MOST_PLACES else ""
        raise EditError(
            f"{which}the text to replace is there {len(places)} times, at lines {named}{more}. Give more of the text"
            f" around the one that is meant, or ask for all."
        )
    pieces: list[str] = []
    end = 0
    for place in places:
        pieces += text[end:place], new
        end = place + len(old)
    growth = len(new) - len(old)
    moved = [_moved(place, places, len(old), growth) for place in made]
    return "".join([*pieces, text[end:]]), [*moved, *(place + growth * before for before, place in enumerate(places))]


def _moved(place: int, places: list[int], size: int, growth: int) -> int:
    """Return where a place of a text is after ``size`` characters at each of ``places`` were replaced."""
    before = bisect_right(places, place)
    if before and place < places[before - 1] + size:
        return places[before - 1] + growth * (before - 1)
    return place + growth * before


def _lines(text: str, places: list[int]) -> list[int]:
    """Return the lines that places of a text are in, each once."""
    lines: dict[int, None] = {}
    last, line = 0, 1
    for place in sorted(places):
        line += text.count("\n", last, place)
        last = place
        lines[line] = None
    return list(lines)


def _places(text: str, old: str) -> list[int]:
    """Return where a text has another one, which is not empty, without overlaps."""
    places = []
    place = text.find(old)
    while place >= 0:
        places.append(place)
        place = text.find(old, place + len(old))
    return places


def _without_line_end(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _hint(text: str, old: str) -> str:
    """Return what of a text is nearest to one that it lacks, in words."""
    nearest = nearest_text(text, old)
    if nearest is None:
        return " Nothing like it is there."
    first, last, found = nearest
    shown = found if len(found) <= MOST_NEAREST else found[:MOST_NEAREST] + "\n[…]"
    lines = f"line {first} is" if first == last else f"lines {first}-{last} are"
    if found == "\n".join(_split(old.strip("\r\n"))):
        return (
            f" But for the ends of lines, {lines} the same: some lines of the file end in CRLF, others in LF. Replace"
            f" such lines one by one, without their ends, in several edits of one call."
        )
    return f" The nearest, {lines}:\n{shown}\n"


def nearest_text(text: str, old: str) -> tuple[int, int, str] | None:
    """Return what is nearest to ``old`` in a text: its first and last line, and itself; None when nothing is like it.

    At most MOST_WINDOWS places are compared.
    """
    from difflib import SequenceMatcher

    lines, wanted = _split(text), _split(old.strip("\r\n"))
    if not lines or not any(line.strip() for line in wanted):
        return None
    best, found = 0.4, None
    for start in _likely_starts(lines, wanted):
        window = "\n".join(lines[start : start + len(wanted)])
        ratio = SequenceMatcher(None, window[:4000], "\n".join(wanted)[:4000], autojunk=False).quick_ratio()
        if ratio > best:
            best, found = ratio, (start + 1, min(start + len(wanted), len(lines)), window)
    return found


def _likely_starts(lines: list[str], wanted: list[str]) -> Iterable[int]:
    """Return the lines at which the wanted ones most likely begin: those that share the rarest words with them."""
    index: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for word in set(_words(line)):
            index.setdefault(word, []).append(number)
    scores: dict[int, float] = {}
    for offset, line in enumerate(wanted):
        for word in set(_words(line)):
            numbers = index.get(word, ())
            if len(numbers) <= len(lines) // 4 + 5:
                for number in numbers:
                    start = max(number - offset, 0)
                    scores[start] = scores.get(start, 0.0) + 1 / len(numbers)
    return sorted(scores, key=lambda start: (-scores[start], start))[:MOST_WINDOWS]


def _split(text: str) -> list[str]:
    """Return the lines of a text without their ends: line feeds alone end one, as where lines are numbered."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def _words(line: str) -> list[str]:
    return "".join(char if char.isalnum() or char == "_" else " " for char in line).split()
