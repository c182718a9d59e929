r"""Private keys in blocks of lines: PEM, OpenPGP, PuTTY; whole, cut off at either end, or wrapped in base64.

A block is looked for from its marks: forward from where one begins, backward from where one ends, over whatever may
stand between its lines: newlines, real or escaped; quotation marks and commas; indents, comment signs, line numbers.
The stretches between two marks are disjoint, so all takes time in proportion to the text.
"""

from __future__ import annotations

from functools import cache

from nodwyn.prims.redact.encoded import in_base64
from nodwyn.prims.redact.engine import Pattern, Span, compile_pattern

KIND = "private-key"

LEAST = 32
"""How many characters of base64 make a block: fewer are words of a text about keys."""

_SPACE = r"(?: |%20|\+)"
_KEY = f"PRIVATE{_SPACE}KEY"
_LABEL = f"(?:[A-Z0-9]{{1,16}}{_SPACE}){{0,3}}{_KEY}(?:{_SPACE}BLOCK)?"
_WRAPPED = "|".join(form.decode() for form in in_base64(b"PRIVATE KEY"))

TRIGGER = f"{_KEY}|Private-(?:Lines|MAC):|{_WRAPPED}"
"""What a line of every block holds."""

_MARK = (
    rf"(-{{4,5}} ?END{_SPACE}{_LABEL} ?-{{4,5}}|-{{4,5}} ?END (?:[A-Z0-9]{{1,16}} ){{0,2}}PRIV[A-Z ]{{0,8}}"
    r"|Private-MAC:)"
    rf"|((?:-{{0,5}} ?BEGIN{_SPACE})?{_LABEL} ?-{{4,5}}|Private-Lines: [0-9]{{1,4}})"
    rf"|({_WRAPPED})"
)

_BETWEEN = (
    r"""(?:[ \t\r\n"'`,;>#*|()/+.]|\xe2[\x80-\xbf][\x80-\xbf]|\\+[nrt"'/]?|\\+u000[aAdD]|%0[AaDd]|%20|%09"""
    r"""|&#x?[0-9A-Fa-f]{1,2};|<br ?/?>"""
    r"""|\n[ \t]*[0-9]{1,6}[ \t]*[:|\t-])"""
)
_CHAR = r"(?:[A-Za-z0-9+/]|\\+/|%2[BbFf])"
_PAD = "(?:=|%3[Dd]){0,2}"
_LINE = rf"{_CHAR}{{16,}}{_PAD}"
_PART = rf"=?{_CHAR}{{1,15}}{_PAD}"
"""The end of a line, or what a line cut off begins with."""
_HEADER = (
    r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject|Encryption|Public-Lines|Key-Derivation|"
    r"Argon2-[A-Za-z]{1,16}|X-[A-Za-z-]{1,24}):[^\n\\\"]{0,120}"
)

_FORWARD = rf"""(?:{_BETWEEN}*(?:{_HEADER}|{_LINE}))*(?:{_BETWEEN}*{_PART}(?:$|[ \t"'\\<,]))?"""
_BACKWARD = rf"(?:^[ \t]*{_PART}{_BETWEEN}+)?(?:(?:{_HEADER}|{_LINE}){_BETWEEN}*)*(?:{_PART}{_BETWEEN}*)?\z"
_ONWARD = rf"^(?:{_BETWEEN}*(?:{_HEADER}|{_LINE}))*{_BETWEEN}*\z"
_IN_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_IN_BASE64 = bytes(set(range(256)) - set(_IN_BASE64))


@cache
def _compiled(pattern: str) -> Pattern:
    return compile_pattern(pattern, across_lines=True)


def find_blocks(text: bytes) -> list[Span]:
    """Return where private keys are, marks included, in the order of their marks; spans may overlap."""
    marks = [tuple(map(found.span, range(4))) for found in _compiled(_MARK).finditer(text)]
    ends = [0, *(whole[1] for whole, *_ in marks)]
    starts = [*(whole[0] for whole, *_ in marks), len(text)]
    spans = []
    for number, ((start, end), closing, opening, _) in enumerate(marks):
        before, after = text[ends[number] : start], text[end : starts[number + 1]]
        begin = start if opening[0] >= 0 else start - _length_before(before)
        finish = end if closing[0] >= 0 else end + _length_after(after)
        if begin < start or finish > end:
            spans.append((begin, finish))
    return spans


def is_inside(line: bytes) -> bool:
    """Whether a block may go on through ``line``, or begin or end on it."""
    return bool(_compiled(_ONWARD).match(line) or _compiled(TRIGGER).search(line))


def _length_after(text: bytes) -> int:
    """Return how much of ``text``, which begins behind a mark, belongs to a block."""
    found = _compiled(_FORWARD).match(text)
    return _length(text, *found.span()) if found else 0


def _length_before(text: bytes) -> int:
    """Return how much of ``text``, which ends before a mark, belongs to a block."""
    found = _compiled(_BACKWARD).search(text)
    return _length(text, *found.span()) if found else 0


def _length(text: bytes, start: int, end: int) -> int:
    return end - start if len(text[start:end].translate(None, _NOT_IN_BASE64)) >= LEAST else 0
