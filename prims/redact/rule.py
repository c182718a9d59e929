r"""How a rule is declared: one call gives its kind, its pattern, its keywords, what its matches must pass, an example.

Patterns are RE2's, over bytes. A match never crosses the end of a line, so that a text may be looked through line by
line, and never holds a mark. Wherever one matches, one of its keywords does too: only there is it tried at all.

The secret is what the first group that took part holds, without groups the whole match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from nodwyn.prims.redact.judge import is_random, is_token

Judge = Callable[[bytes, bytes], bool]
"""Whether a matched value is a secret: (value, what stands before it on its line, up to 80 bytes)."""

_ESCAPED = r"\\[abefnrtv]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\x1b\[[0-9;]{0,8}m"

LEFT = rf"(?:\b|_|{_ESCAPED})"
"""What may stand before a token: the end of a word, or the escape of a character that ends one (``\n``, ``%22``)."""

QUOTE = r"""\\*["'`]"""
"""A quotation mark, escaped or not: text is often quoted inside quoted text."""

CLOSE = rf"(?:{QUOTE})?[\])]?[ \t]*"
"""What may stand between a name and the sign that gives it a value."""

GIVE = (
    r"(?:(?:=>|:=|[!=]=|[=:,]|\bis\b)[ \t]*"
    r"|:[ \t]*[A-Za-z_][\w.\[\]]*[ \t]*=[ \t]*"
    rf"|,?[ \t]*(?:{QUOTE})?(?i:value)(?:{QUOTE})?[ \t]*[:=][ \t]*)"
)
"""What gives a name its value: a sign; a type and a sign; ``"value":``, where name and value are a pair of members."""


RIGHT = "(?:[^A-Za-z0-9_+/-]|$)"
"""What must stand after a value that is known by its length."""


class Rule(NamedTuple):
    """A shape that secrets have."""

    kind: str
    """What a match is called in its mark: lower-case words with hyphens."""
    pattern: str
    """RE2 syntax, over bytes; ``.`` and classes never match a newline."""
    keywords: tuple[str, ...]
    """Patterns without counting, mostly plain words; each match of ``pattern`` has one in it."""
    example: str
    """What one looks like: ``<36 alnum>`` stands for random characters of a class, ``«…»`` encloses the secret."""
    entropy: float
    """The least entropy of a secret, in bits a character."""
    judge: Judge
    """What else a secret must pass: stop words, allowlists, what values of that kind look like."""


def token(kind: str, pattern: str, *keywords: str, example: str, entropy: float = 3.0) -> Rule:
    """Declare a token so distinctive that what stands before it does not matter. The rest is as in :class:`Rule`."""
    return Rule(kind, f"({pattern})", keywords, example, entropy, is_token)


def word(kind: str, pattern: str, *keywords: str, example: str, entropy: float = 3.0, judge: Judge = is_token) -> Rule:
    """Declare a token that is one only where a word can begin. The rest is as in :class:`Rule`."""
    return Rule(kind, f"{LEFT}({pattern})", keywords, example, entropy, judge)


def near(kind: str, name: str, pattern: str, *, example: str, entropy: float = 2.8, judge: Judge = is_random) -> Rule:
    """Declare a value that is a secret only where something named so is given it.

    name: pattern of the name, in any mixture of cases; the rest of a word and two more words may follow it.
    example: ``NAME=«value»``. The rest is as in :class:`Rule`.
    """
    before = rf"(?i:{name})[\w.\-]*(?: [\w.\-]+)?(?: [\w.\-]+)?{CLOSE}{GIVE}(?:{QUOTE})?(?:(?i:bearer|token|basic) )?"
    return Rule(kind, f"{before}({pattern}){RIGHT}", (f"(?i:{name})",), example, entropy, judge)


def assigned(name: str) -> str:
    """Return the keyword of what is given to a name that texts are full of, in any mixture of cases."""
    return rf"(?i:{name})[\w.\-]*[\\\"'`\])]*[ \t]*(?:[=:,]|!=|\bis\b|(?i:value))"


def shape(kind: str, pattern: str, *keywords: str, example: str, entropy: float = 2.5, judge: Judge = is_token) -> Rule:
    """Declare a secret that is known by what stands around it; its groups hold the secret, as in :class:`Rule`."""
    return Rule(kind, pattern, keywords, example, entropy, judge)
