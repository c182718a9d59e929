"""Values that are known to be secret, such as keys from the environment, in the forms that text has them in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import dumps

from nodwyn.prims.redact.encoded import in_base64, percent_encoded
from nodwyn.prims.redact.engine import escape
from nodwyn.prims.redact.rule import Rule

KIND = "held-value"

LEAST = 8
"""How many bytes a value must have: a shorter one is a word that text is full of."""


def held_rule(values: Iterable[str]) -> Rule | None:
    """Return the rule that matches ``values`` in every form, or None when there is none to look for.

    A value of several lines is looked for line by line. Lines shorter than eight bytes are left out.
    """
    lines = {line.strip() for value in values for line in value.splitlines()}
    octets = sorted(line for line in (line.encode("utf-8", "surrogatepass") for line in lines) if len(line) >= LEAST)
    forms = {form for value in octets for form in forms_of(value) if len(form) >= LEAST}
    if not forms:
        return None
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    pattern = "|".join(map(escape, longest_first))
    return Rule(KIND, pattern, (pattern,), "", 0.0, lambda value, before: True)


def forms_of(value: bytes) -> Iterator[bytes]:
    """Yield ``value`` as it is and as JSON, addresses, forms, base64 and hexadecimal have it."""
    yield value
    text = value.decode("utf-8", "surrogatepass")
    for ascii_alone in (True, False):
        quoted = dumps(text, ensure_ascii=ascii_alone)[1:-1].encode("utf-8", "surrogatepass")
        yield quoted
        yield quoted.replace(b"/", rb"\/")
    for upper in (True, False):
        yield percent_encoded(value, upper=upper)
        yield percent_encoded(value, b"/", upper=upper)
        yield percent_encoded(value, b" ", upper=upper).replace(b" ", b"+")
    for form in in_base64(value):
        yield form
        yield form.replace(b"+", b"-").replace(b"/", b"_")
        yield percent_encoded(form)
    yield value.hex().encode()
    yield value.hex().upper().encode()
