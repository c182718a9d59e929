"""How many tokens a text has, by the one estimate that is used everywhere."""

from __future__ import annotations


def estimate(text: str) -> int:
    """Return about how many tokens a model takes a text for: two for every seven bytes of UTF-8, rounded up.

    English prose and code come to 3.5 to 4 bytes a token with the usual vocabularies, so it errs towards too many.
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return (2 * size + 6) // 7
