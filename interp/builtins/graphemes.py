"""Boundaries of extended grapheme clusters (UAX #29), what a reader takes for one character."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final
from unicodedata import category

_FARTHEST: Final = 256
"""How far back a run of flags or emoji parts is followed: it might be as long as the text."""

# Extended_Pictographic (emoji-data, Unicode 14). First and last of each range.
_PICTOGRAPHS: Final = """
a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 2388 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0
25fb-25fe 2600-2605 2607-2612 2614-2685 2690-2705 2708-2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 274c 274e
2753-2755 2757 2763-2767 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299
1f000-1f0ff 1f10d-1f10f 1f12f 1f16c-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ad-1f1e5 1f201-1f20f 1f21a 1f22f
1f232-1f23a 1f23c-1f23f 1f249-1f3fa 1f400-1f53d 1f546-1f64f 1f680-1f6ff 1f774-1f77f 1f7d5-1f7ff 1f80c-1f80f
1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1faff 1fc00-1fffd
"""

_PREPENDED: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd")
_EXTENDING: Final = frozenset("\u200c\u09be\u09d7\u0b3e\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf")
_SPACING_LETTERS: Final = frozenset("\u0e33\u0eb3")

_first: list[int] = []
_last: list[int] = []
_classes: dict[str, str] = {}


def _is_pictograph(char: str) -> bool:
    if not _first:
        for entry in _PICTOGRAPHS.split():
            low, _, high = entry.partition("-")
            _first.append(int(low, 16))
            _last.append(int(high or low, 16))
    index = bisect_right(_first, ord(char)) - 1
    return index >= 0 and ord(char) <= _last[index]


def _hangul(code: int) -> str | None:
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    if 0xAC00 <= code <= 0xD7A3:
        return "LV" if (code - 0xAC00) % 28 == 0 else "LVT"
    return None


def _classify(char: str) -> str:
    code = ord(char)
    if char == "\u200d":
        return "joiner"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "flag"
    if char in _PREPENDED:
        return "prepend"
    kind = category(char)
    if kind in ("Mn", "Me") or char in _EXTENDING or 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        return "extend"
    if kind in ("Cc", "Cf", "Zl", "Zp", "Cs"):
        return "control"
    if kind == "Mc" or char in _SPACING_LETTERS:
        return "spacing"
    return _hangul(code) or ("pictograph" if _is_pictograph(char) else "other")


def _class_of(char: str) -> str:
    found = _classes.get(char)
    if found is None:
        found = _classes[char] = _classify(char)
    return found


_JOINED: Final = frozenset(
    [(first, second) for first, seconds in {
        "L": ("L", "V", "LV", "LVT"), "LV": ("V", "T"), "V": ("V", "T"), "LVT": ("T",), "T": ("T",),
    }.items() for second in seconds]
)  # fmt: skip


def is_boundary(text: str, place: int, start: int, end: int) -> bool:
    """Return whether a cluster begins or ends at ``place`` in ``text[start:end]`` (rules GB1 to GB13)."""
    if place <= start or place >= end:
        return True
    before, after = _class_of(text[place - 1]), _class_of(text[place])
    if before == "control" or after == "control":
        return not (text[place - 1] == "\r" and text[place] == "\n")
    if after in ("extend", "joiner", "spacing") or before == "prepend" or (before, after) in _JOINED:
        return False
    if before == "joiner" and after == "pictograph":
        return not _ends_in_pictograph(text, place - 1, start)
    if before == after == "flag":
        return _flags_before(text, place, start) % 2 == 0
    return True


def _ends_in_pictograph(text: str, place: int, start: int) -> bool:
    for index in range(place - 1, max(start, place - _FARTHEST) - 1, -1):
        kind = _class_of(text[index])
        if kind != "extend":
            return kind == "pictograph"
    return False


def _flags_before(text: str, place: int, start: int) -> int:
    count = 0
    for index in range(place - 1, max(start, place - _FARTHEST) - 1, -1):
        if _class_of(text[index]) != "flag":
            break
        count += 1
    return count
