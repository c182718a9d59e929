"""What tells a secret from what merely has its shape: entropy, stop words, the look of words and of code.

All is over bytes, costs time in proportion to the value, and is asked about few values: a pattern matched before.
Each judge is given a value and what stands before it on its line, up to 80 bytes.
"""

from __future__ import annotations

from binascii import Error, a2b_base64
from functools import cache
from itertools import pairwise
from math import log2

from nodwyn.prims.redact.encoded import percent_decoded
from nodwyn.prims.redact.engine import Pattern, compile_pattern

_DIGITS = frozenset(b"0123456789")
_UPPER = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = frozenset(b"abcdefghijklmnopqrstuvwxyz") | frozenset(range(0x80, 0x100))
_SEPARATORS = b"_-./:, "
_DIGITS_AND_SEPARATORS = b"0123456789" + _SEPARATORS
_BEYOND_HEX = frozenset(b"ghijklmnopqrstuvwxyz")
_NAME = _DIGITS | _UPPER | _LOWER | frozenset(_SEPARATORS)
_WORDS = _UPPER | _LOWER | frozenset(_SEPARATORS)
_QUOTES = (b'"', b"'", b"`")
_CLASSES = bytes(0 if char in _DIGITS else 1 if char in _UPPER else 2 if char in _LOWER else 3 for char in range(256))

TOKEN_STOPS = tuple(b"example xxxxxx abcdef12345 0123456789 1234567890 placeholder ...".split())
"""Never in a random token of any provider, in lower case; in many that documentation shows."""

WORD_STOPS = tuple(
    b"""password passwd passphrase secret token credential apikey changeme change_me change-me changeit change
    placeholder redacted example dummy sample fake mock your insert replace enter default nothing whatever something
    letmein qwerty admin root user name test demo foobar foo bar baz hunter2 abcdef abc123 abc 123456789 12345678
    1234567 123456 12345 1234 123 encrypted hidden masked private public local undefined xxxx **** #### .... todo none
    null true false string value api key my the this that here not some real super dev prod staging
    """.split()
)
"""What values that stand for a secret are made of, in lower case, longer words before those that are in them."""

_COMMON = frozenset(
    b"""ab ac ad ag ai al am an ap ar as at ay ba bl ca cc ce ch ck cl co cr ct da de di do ea ec ed ee ef el em en ep
    er es et ev ex fa ff fi fo ge ha he ho ia ic id ie if ig il im in io ip ir is it iv ke la le li ll lo lt lu
    ly ma me mi mo mp ms na nc nd ne nf ng ni no ns nt oc od ol om on op or os ot ou pa pe pi pl po pr pt qu ra
    re ri rm ro rr rs rt ry sa sc se sh si so sp ss st su ta tc te th ti to tp tr ts tt tu ty ue ul um un up ur
    us ut va ve yp""".split()
)
"""The 150 pairs of letters that are four of five in the names of programs."""

PUBLIC_NAMES = tuple(
    b"""nexttoken next_token next-token changetoken change_token pagetoken page_token page-token pagination continuation
    clienttoken client_token requesttoken request_token publickey public_key public-key publishable token_type tokentype
    token_ur tokenur token_end key_id keyid key-id _file _path filename _name _dir _hash digest checksum sha1 sha256
    sha512 secretsmanager tokeniz outputtoken output_token inputtoken input_token tokendata idempotency integrity
    fingerprint
    """.split()
)
"""What names that are given no secret hold, in lower case."""


def entropy(value: bytes) -> float:
    """Return the entropy of ``value``'s bytes, in bits a byte."""
    size = len(value)
    if not size:
        return 0.0
    # Rounding can make less than nothing of a single byte that is repeated.
    return max(0.0, log2(size) - sum(count * log2(count) for count in map(value.count, set(value))) / size)


def changes(value: bytes) -> float:
    """Return how often neighbours are of different classes (capital, small, digit, other), as a share.

    Random letters and digits change at nearly half of all places, words and numbers at few. Separators are left out,
    and a small letter behind a capital is no change: words begin so.
    """
    classes = value.translate(_CLASSES, _SEPARATORS)
    if len(classes) < 2:
        return 0.0
    changed = sum(left != right for left, right in pairwise(classes))
    return (changed - classes.count(b"\1\2")) / (len(classes) - 1)


def wordiness(value: bytes) -> float | None:
    """Return the share of pairs of letters in ``value`` that words are full of; None where less than six tell nothing.

    Of names in programs one in sixty has less than 0.45; random letters have 0.22 on average.
    """
    letters = value.lower()
    pairs = [pair for pair in map(bytes, pairwise(letters)) if pair.isalpha()]
    return sum(pair in _COMMON for pair in pairs) / len(pairs) if len(pairs) >= 6 else None


def is_wordy(value: bytes) -> bool:
    """Whether a value is made of words and numbers rather than drawn at random."""
    if len(set(value.lower()) & _BEYOND_HEX) < 4:
        return len(set(value) & _DIGITS) < 3 or not value.translate(None, _DIGITS_AND_SEPARATORS)
    share, changed = wordiness(value), changes(value)
    if changed < 0.2:
        return share is None or share >= 0.4
    return share is not None and share >= 0.65 and changed < 0.45


def residue(value: bytes) -> int:
    """Return how many characters of ``value`` are left without stop words and separators."""
    rest = value.lower()
    for stop in WORD_STOPS:
        if stop in rest:
            rest = rest.replace(stop, b"")
    return len(rest.translate(None, _SEPARATORS))


def is_template(value: bytes) -> bool:
    """Whether a value is still to be filled in, or is code: ``${HOME}``, ``{{ x }}``, ``<key>``, ``f(x)``."""
    return _template().search(value) is not None


@cache
def _template() -> Pattern:
    return compile_pattern(
        r"\$\{|\$\(|\{\{|\}\}|%\(|%s$|://|\.\.\.|:$|\[redacted"  # parts of a template, an address, a prompt
        r"|^\$\w+$|^%\w+%$|^__|^<[^<>]+>$|^\[[^\[\]]+\]$|^\*+$|^@\w+$|^:|^UUID="  # the whole stands for something else
        r"|\{[\w.]*\}|^[\w.:]+\(|^[A-Za-z_][\w.]*\[(?:.*\][.,)]*)?$|\(\)|[(,;{]$|^[^(]*\)$"  # code
        r"|^[0-9]+\.[0-9]+(?:[.e-]|$)"  # a number, a version
        r"|^[rbfu]{1,2}[\"']|\\[wdsb]|0-9|A-Z"  # a string in code, a pattern
    )


def is_name(value: bytes) -> bool:
    """Whether a value reads as a name, a path, names joined by dots or a time: ``token_2``, ``/run``, ``it.key``."""
    if value.startswith((b"/", b"./", b"../", b"~", b"--")) or value[:5].translate(_CLASSES) == b"\0\0\0\0\3":
        return True
    if not set(value) <= _NAME:
        return False
    if not set(value) & _DIGITS and b"_" in value and (value.isupper() or value.islower()):
        return True
    parts = value.split(b".")
    return is_wordy(value) or (
        len(parts) > 1 and all(part and part[0] not in _DIGITS and len(part) < 24 for part in parts)
    )


def is_token(value: bytes, before: bytes) -> bool:
    """Whether what has the shape of a token is none that documentation made up."""
    lower = value.lower()
    return not any(stop in lower for stop in TOKEN_STOPS)


def is_random(value: bytes, before: bytes) -> bool:
    """Whether a value of a token's alphabet looks drawn at random: it is no word, number, name or path."""
    return is_token(value, before) and bool(set(value) & (_UPPER | _LOWER)) and not is_wordy(value)


def is_credential(value: bytes, before: bytes) -> bool:
    """Whether what an Authorization header gives is a key: random, or a name and a password in base64."""
    if is_template(value):
        return False
    try:
        pair = a2b_base64(value, strict_mode=True)
    except Error:
        return len(value) >= 16 and is_random(value, before)
    return (b":" in pair and pair.isascii() and pair.decode().isprintable()) or (
        len(value) >= 16 and is_random(value, before)
    )


def is_password(value: bytes, before: bytes) -> bool:
    """Whether a value is a password that someone would use, rather than words or code."""
    if len(value) < 8 or is_template(value) or is_name(value) or residue(value) < 6:
        return False
    return len(set(value.translate(_CLASSES, _SEPARATORS))) >= 2 and not set(value) <= _WORDS


def is_password_in_address(value: bytes, before: bytes) -> bool:
    """Whether what stands between a user and a host is a password rather than words."""
    value = percent_decoded(value)
    if is_template(value) or residue(value) < 4:
        return False
    return len(value) >= 12 or len(set(value.translate(_CLASSES))) >= 2


def is_given_password(value: bytes, before: bytes) -> bool:
    """Whether the value given to a name of a password is one; without quotation marks it could be code, or a word."""
    if not is_password(value, before) or is_public(before):
        return False
    if before.endswith(_QUOTES):
        return True
    return bool(set(value) & _DIGITS) and not is_wordy(value) and not value.endswith(b".")


def is_line_value(value: bytes, before: bytes) -> bool:
    """Whether all that a line of settings gives to the name of a secret is one."""
    if is_template(value) or residue(value) < 5 or is_name(value) or is_public(before):
        return False
    return entropy(value) >= 2.5


def is_given_secret(value: bytes, before: bytes) -> bool:
    """Whether the value given to a name of a secret is a key or token rather than words or code."""
    if len(value) < 16 or is_template(value) or is_name(value) or residue(value) < 12:
        return False
    return is_random(value, before) and not is_public(before)


def is_public(before: bytes) -> bool:
    """Whether a value's name says that it is no secret: a page's token, an identifier, a place."""
    name = before.rstrip(b" \t=:,>\\\"'`(").lower()
    name = name[max(map(name.rfind, b" \t\"'`,;({[&?")) + 1 :]
    return name.startswith(b"arn:") or any(word in name for word in PUBLIC_NAMES)
