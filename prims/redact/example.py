"""Made-up secrets: what the examples of the rules stand for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits

ALPHABETS = {
    "alnum": ascii_letters + digits,
    "base32": ascii_uppercase + "234567",
    "base58": "".join(sorted({*ascii_letters, *digits} - {*"0OIl"})),
    "base64": ascii_letters + digits + "+/",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "digit": digits,
    "hex": digits + "abcdef",
    "letter": ascii_letters,
    "lower": ascii_lowercase + digits,
    "lower32": ascii_lowercase + "234567",
    "password": ascii_letters + digits + "!#%+^_~.-*?",
    "symbols": ascii_letters + digits + "!#$%&()*+,-./:;<=>?@[]^_{|}~",
    "upper": ascii_uppercase + digits,
    "upperhex": hexdigits[16:] + digits,
    "url": ascii_letters + digits + "_-",
}


def make_up(example: str, random: Random) -> tuple[str, str]:
    """Return a text that an example of a rule stands for, and the secret in it.

    example: ``<36 alnum>`` is as many random characters of an alphabet, ``<uuid>`` a random UUID, and ``«…»`` encloses
        the secret; without it all of the text is one.
    """
    text = "".join(_pieces(example, random))
    before, opening, rest = text.partition("«")
    if not opening:
        return text, text
    secret, _, after = rest.partition("»")
    return before + secret + after, secret


def _pieces(example: str, random: Random) -> Iterator[str]:
    first, *others = example.split("<")
    yield first
    for piece in others:
        form, closing, rest = piece.partition(">")
        size, _, alphabet = form.partition(" ")
        if form == "uuid":
            yield "-".join(_characters(count, "hex", random) for count in (8, 4, 4, 4, 12))
            yield rest
        elif closing and alphabet in ALPHABETS:
            yield _characters(int(size), alphabet, random)
            yield rest
        else:
            yield "<" + piece


def _characters(count: int, alphabet: str, random: Random) -> str:
    """Return random characters; of a password one at least is a digit, a capital, a small letter and a sign."""
    characters = random.choices(ALPHABETS[alphabet], k=count)
    if alphabet in ("password", "symbols"):
        characters[1:5] = (random.choice(group) for group in (digits, ascii_uppercase, ascii_lowercase, "!#%+^*?"))
        characters[0] = random.choice(ascii_letters)
        characters[-1] = random.choice(ascii_letters)
    return "".join(characters)
