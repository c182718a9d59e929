"""Which characters have names, and which may stand in a symbol: what reader and printer must agree on."""

from __future__ import annotations

from typing import Final

NAMES: Final = {
    "alarm": "\a",
    "backspace": "\b",
    "delete": "\x7f",
    "escape": "\x1b",
    "newline": "\n",
    "null": "\0",
    "return": "\r",
    "space": " ",
    "tab": "\t",
}
"""The characters that section 6.6 of R7RS names."""

ESCAPES: Final = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "r": "\r", '"': '"', "\\": "\\", "|": "|"}
"""What a letter after a backslash means in a string or between vertical lines."""

_ALLOWED: Final = frozenset(
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pd Pc Po Sc Sm Sk So Co".split()  # the list of section 7.1.1
)
_NOT_FIRST: Final = frozenset(("Nd", "Mc", "Me"))
_JOINERS: Final = "\u200c\u200d"


def misfit(name: str) -> int:
    """Return the index of the first non-ASCII character that may not stand where it does in a symbol, or -1.

    name: the symbol as written without vertical lines; its ASCII characters are not looked at.
    """
    # Few programs have such names, and the tables are large.
    from unicodedata import category

    for index, char in enumerate(name):
        if char < "\x80" or char in _JOINERS:
            continue
        kind = category(char)
        if kind not in _ALLOWED or (index == 0 and kind in _NOT_FIRST):
            return index
    return -1


def scalar(digits: str) -> str | None:
    """Return the character with a hexadecimal code, or None when Unicode has no such scalar value."""
    code = int(digits[-9:], 16) if not digits[:-9].strip("0") else 0x110000
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return None
    return chr(code)
