"""The text of values without parts: as ``write`` gives it, as ``display`` does, and short for messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from nodwyn.interp.characters import NAMES, misfit
from nodwyn.interp.data import Boolean, Bytevector, Char, Singleton, String, Symbol, Value
from nodwyn.interp.numbers import Ratio, Rectangular, format_number, parse_number


def _number(number: Value) -> str:
    if number.__class__ is int and -(10**18) < number < 10**18:
        return str(number)
    return format_number(number)


def _boolean(value: Boolean) -> str:
    return "#t" if value.truth else "#f"


def _singleton(value: Singleton) -> str:
    return value.text


def _bytevector(value: Bytevector) -> str:
    return f"#u8({' '.join(map(str, value.octets))})"


_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&*/:<=>?^_~+-.@")
_DIGITS: Final = "0123456789"
_ONES: Final = ("1+", "1-", "-1+", "-1-")


def symbol_text(name: str) -> str:
    """Return the written form of a symbol: between vertical lines where it would not read back otherwise."""
    return name if _is_plain(name) else f"|{name.translate(_BARRED)}|"


def _is_plain(name: str) -> bool:
    if not name:
        return False
    if not _LETTERS.issuperset(name) and not _is_international(name):
        return False
    # An @ at the front would join a comma before it.
    return name[0] != "@" and (name[0] not in "+-.0123456789" or _is_peculiar(name))


def _is_international(name: str) -> bool:
    """Return whether all characters of a symbol, some of them not ASCII, need no vertical lines."""
    return not name.isascii() and misfit(name) < 0 and _LETTERS.issuperset(char for char in name if char < "\x80")


def _is_peculiar(name: str) -> bool:
    """Return whether a word that begins as a number does is a symbol."""
    if name in _ONES:
        return True
    signed = name[0] in "+-"
    rest = name[1:] if signed else name
    if not rest:
        return True
    if rest[:5].lower() in ("inf.0", "nan.0"):
        # What follows might make it a number; that it does not is not plain to the eye.
        return False
    if rest[0] == ".":
        if len(rest) == 1 or rest[1] in _DIGITS:
            return False
    elif not signed or rest[0] in _DIGITS:
        return False
    return parse_number(name) is None


class _Escapes(dict[int, str]):
    """A table for ``str.translate`` that escapes what cannot be seen; it grows with the characters met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        text = self[code] = char if char.isprintable() else f"\\x{code:x};"
        return text


_QUOTED: Final = _Escapes(
    {ord('"'): '\\"', ord("\\"): "\\\\", 10: "\\n", 9: "\\t", 13: "\\r", 7: "\\a", 8: "\\b"},
)
_BARRED: Final = _Escapes({ord("|"): "\\|", ord("\\"): "\\\\", 10: "\\n", 9: "\\t", 13: "\\r", 7: "\\a", 8: "\\b"})
_CHARACTER_NAMES: Final = {char: name for name, char in NAMES.items()}


def _symbol(symbol: Symbol) -> str:
    return symbol_text(symbol.name)


def _string(string: String) -> str:
    return f'"{string.text().translate(_QUOTED)}"'


def _char(char: Char) -> str:
    text = char.char
    if text in _CHARACTER_NAMES:
        return f"#\\{_CHARACTER_NAMES[text]}"
    return f"#\\{text}" if text.isprintable() else f"#\\x{ord(text):x}"


def _symbol_name(symbol: Symbol) -> str:
    return symbol.name


def _string_contents(string: String) -> str:
    return string.text()


def _char_itself(char: Char) -> str:
    return char.char


_SHORT: Final = 200


def _short_number(number: Value) -> str:
    if number.__class__ is int and number.bit_length() > 4 * _SHORT:
        # log10(2) = 0.30103
        return f"an integer of about {number.bit_length() * 30103 // 100000:,} digits"
    return _number(number)


def _short_string(string: String) -> str:
    chars = string.chars[: _SHORT + 1]
    return f'"{"".join(chars).translate(_QUOTED)}"' if len(string.chars) <= _SHORT else f'"{"".join(chars)}'


def _short_symbol(symbol: Symbol) -> str:
    return symbol_text(symbol.name) if len(symbol.name) <= _SHORT else symbol.name[:_SHORT]


def _short_bytevector(value: Bytevector) -> str:
    end = ")" if len(value.octets) <= _SHORT else " "
    return f"#u8({' '.join(map(str, value.octets[:_SHORT]))}{end}"


Atoms: TypeAlias = dict[type, Callable[[Value], str]]

WRITTEN: Final[Atoms] = {
    int: _number,
    float: format_number,
    Ratio: format_number,
    Rectangular: format_number,
    Symbol: _symbol,
    String: _string,
    Char: _char,
    Boolean: _boolean,
    Singleton: _singleton,
    Bytevector: _bytevector,
}
DISPLAYED: Final[Atoms] = {**WRITTEN, Symbol: _symbol_name, String: _string_contents, Char: _char_itself}
SHORTENED: Final[Atoms] = {
    **WRITTEN,
    int: _short_number,
    String: _short_string,
    Symbol: _short_symbol,
    Bytevector: _short_bytevector,
}
