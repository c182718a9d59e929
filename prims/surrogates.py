"""The one reversible escape for lone surrogates, so that every text can be valid UTF-8.

A lone surrogate (U+D800 to U+DFFF) is what Python makes of a byte of a file name that is not UTF-8, and what JSON
can spell in a model's reply. UTF-8 cannot hold one. Each is written as U+FDD0, a code point that Unicode keeps free of
meaning, and the surrogate's four hexadecimal digits; U+FDD0 itself is written in the same way::

    "\\udc80"  <->  "\\ufdd0dc80"        "\\ufdd0"  <->  "\\ufdd0fdd0"

Hence no two texts have the same escaped form, and a text with neither is its own.
"""

from __future__ import annotations

import re

MARK = "\ufdd0"
MARK_BYTES = MARK.encode()

_raw = re.compile("[\ud800-\udfff\ufdd0]")
_escaped = re.compile("\ufdd0([0-9a-f]{4})")


def escape(text: str) -> str:
    """Return ``text`` with each lone surrogate escaped: a text that UTF-8 can hold."""
    if text.isascii():
        return text
    return _raw.sub(lambda match: f"{MARK}{ord(match[0]):04x}", text)


def unescape(text: str) -> str:
    """Return the text of which ``text`` is the escaped form."""
    if MARK not in text:
        return text
    return _escaped.sub(lambda match: chr(int(match[1], 16)), text)
