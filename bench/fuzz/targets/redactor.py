"""The redactor: the laws of docs/redaction.md, with values held, at any cut.

Case: a text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from target import Case, Target, changed, holds, literals, proportionate

from nodwyn.prims.redact import Redactor, Stream
from nodwyn.prims.redact.example import make_up
from nodwyn.prims.redact.held import LEAST, forms_of
from nodwyn.prims.redact.rules import RULES

HELD = ["s3cr3t/Välue+x y", "plain-held-value-9", 'quo"ted\\back\nsecond line of it', "%41%42=&held", "aaaaaaaaaa"]
MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")
MADE_UP = random.Random(3)
SECRETS = [make_up(rule.example, MADE_UP)[0] for rule in RULES]
NAMES = [rule.example.partition("«")[0] for rule in RULES if "«" in rule.example]
FORMS = sorted({
    form.decode("utf-8", "surrogatepass")
    for value in HELD
    for line in value.splitlines()
    for form in forms_of(line.strip().encode())
    if len(form) >= LEAST
})  # fmt: skip
BODY = "".join(make_up("<64 base64>\n", MADE_UP)[0] for _ in range(3))
TOKENS = [
    *SECRETS,
    *(secret[: len(secret) // 2] for secret in SECRETS),
    *NAMES,
    *FORMS,
    *(form[: len(form) // 2] for form in FORMS),
    f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}-----END RSA PRIVATE KEY-----\n",
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", BODY),
    *("PuTTY-User-Key-File-2: x\n", "Private-Lines: 3\n"),
    *("[redacted:secret]", "[redacted:", "[redacted:private-key]", "]", "[redacted:held-value]"),
    *("\n", " ", '"', "'", ": ", "=", "@", "://", "\\n", "\\", "%22", "%", "\t", "\r\n"),
    *("é", "鍵", "\udc80", "\0", "x", "&", "+"),
]  # fmt: skip


class Redaction(Target):
    """See the module."""

    anew = 0.4

    def __init__(self) -> None:
        self.redactor = Redactor(HELD)

    def seeds(self) -> Iterator[Case]:
        yield from literals("tests/prims/redact/*.py", "prims/redact/rules/*.py")

    def create(self, chance: random.Random) -> Case:
        return "".join(chance.choices(TOKENS, k=chance.randint(1, 14)))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        return changed(chance, case, other, TOKENS)

    def check(self, text: Case) -> object:
        redactor = self.redactor
        found = redactor.find(text)
        redacted = redactor.redact(text)
        holds(redactor.find(redacted) == [], "in a redacted text nothing is found")
        pieces: list[str] = []
        place = 0
        for kind, start, end in found:
            holds(place <= start < end <= len(text), "what is found is in order and apart")
            pieces += text[place:start], f"[redacted:{kind}]"
            place = end
        holds("".join((*pieces, text[place:])) == redacted, "what is found is all that changes")
        rest = MARK.sub("\n", redacted)
        holds(not any(form in rest for form in FORMS), "no held value is left in any form")
        chance = random.Random(text.encode("utf-8", "surrogatepass"))
        for number in (1, 3, 9):
            cuts = sorted(chance.randint(0, len(text)) for _ in range(number))
            stream = Stream(redactor)
            parts = [stream.feed(text[start:end]) for start, end in zip([0, *cuts], [*cuts, len(text)])]
            holds("".join((*parts, stream.finish())) == redacted, "a text in pieces is redacted as the whole")
        if chance.random() < 0.01 and text:
            proportionate(redactor.redact, text, "the text", size=30_000)
        return tuple(sorted({match.kind for match in found})), min(len(found), 4), "\n" in text


def make(workspace: Path) -> Target:
    """Return the target."""
    return Redaction()
