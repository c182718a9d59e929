"""The reader: any text is data or an error of kind "read", with right places, and is the same in pieces.

Case: a text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from target import LARGEST, ROOT, Case, Target, changed, digest, holds, literals, proportionate

from nodwyn.interp.data import EOF, UNLABELLED, Value
from nodwyn.interp.equality import equal
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.ports import TextInput
from nodwyn.interp.printer import write, write_shared
from nodwyn.interp.reader import parse_datum, read_datum, read_source
from nodwyn.interp.syntax import ListSyntax, Source, Syntax, VectorSyntax

TOKENS = (
    "( ) #( #u8( ' ` , ,@ . #; #| |# ; \n \r\n #t #f #true #false #!fold-case #!no-fold-case #0= #0# #1= #1# "
    '#9999999= " | \\ \\x41; \\x110000; \\xD800; \\n #\\a #\\space #\\x41 #\\( #\\ #\\x #d #x #b #e '
    "#i 1/2 1/0 -0.0 "
    "+inf.0 -nan.0 +i 1@2 1e400 1e-400 #e1.5 #e1e10 #i1/3 256 -1 ... -> + - 1+ -1+ .5 5. 0x #!eof #!/ [ ] { } "
    "\ufeff |a b| || #u8(1 2) #T #F #U8( #X1F #\\NUL #\\alarm A ß İ λ \u00a0 \u3000 \x85 \u2028 e i n"
).split(" ")


class Trickle(TextInput):
    """A port to which its text comes in pieces."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[str]) -> None:
        super().__init__("", UNLABELLED, "a trickle")
        self.pieces = [piece for piece in pieces if piece]

    def _more(self) -> str:
        return self.pieces.pop(0) if self.pieces else ""


class Reader(Target):
    """See the module."""

    def seeds(self) -> Iterator[Case]:
        yield from literals("tests/interp/reader/*.py", "tests/interp/test_printer.py", "tests/interp/numbers/*.py")
        for file in sorted(ROOT.glob("stdlib/**/*.s[cl][md]")):
            yield file.read_text(encoding="utf-8")[:LARGEST]

    def create(self, chance: random.Random) -> Case:
        return chance.choice(("", " ")).join(chance.choices(TOKENS, k=chance.randint(1, 20)))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        return changed(chance, case, other, TOKENS)

    def check(self, text: Case) -> object:
        nodes, said = read(text)
        for node in nodes:
            check_places(node, text)
        data = [strip_labels(node) for node in nodes]
        for datum in data:
            check_written(datum)
        check_pieces(text, data, said)
        if digest(text) % 400 == 0:
            proportionate(read, text, "the text")
        kinds = tuple(sorted({type(datum).__name__ for datum in data}))
        return said[:40], kinds, min(len(nodes), 3)


def strip_labels(node: Syntax) -> Value:
    """Return the datum of a node, labels resolved."""
    from nodwyn.interp.reader.labels import LabelStripper

    return LabelStripper().strip(node)


def read(text: str) -> tuple[list[Syntax], str]:
    """Return what a text holds, and the message of the error that ends it."""
    nodes: list[Syntax] = []
    source = Source("fuzz", text)
    try:
        for node in read_source(source):
            nodes.append(node)
    except SchemeError as error:
        payload = error.payload
        holds(isinstance(payload, Condition), "an error of the reader is a condition")
        holds(payload.kind in ("read", "limit"), f"an error of the reader is of kind read, not {payload.kind}")
        holds(0 <= payload.span.start <= payload.span.end <= len(text), "an error is in the text")
        holds(str(error) != "", "an error says something")
        words = (word for word in payload.message.split() if word.isalpha() and word.islower())
        return nodes, f"{payload.kind} {' '.join(words)}"
    return nodes, ""


def check_places(node: Syntax, text: str) -> None:
    """Each datum is where its span says, inside what holds it, behind what stands before it."""
    pending, has_references = [node], re.search(r"#\d+#", text)
    while pending:
        outer = pending.pop()
        assert outer.span is not None
        holds(0 <= outer.span.start < outer.span.end <= len(text), "a span is in the text")
        place = outer.span.start
        parts: list[Syntax] = []
        if isinstance(outer, (ListSyntax, VectorSyntax)):
            parts = [*outer.items]
            if isinstance(outer, ListSyntax) and outer.tail is not None:
                parts.append(outer.tail)
        for part in parts:
            assert part.span is not None
            if not has_references:  # else it may stand where its label is
                holds(place <= part.span.start and part.span.end <= outer.span.end, "parts are in order in the whole")
                place = part.span.end
                pending.append(part)


def check_written(datum: Value) -> None:
    """What is written reads back as the same, and is written the same again."""
    for form in (write(datum), write_shared(datum)):
        again = parse_datum(form)
        holds(equal(again, datum), "what is written reads back equal")
        holds(write(again) == write(datum), "what reads back is written the same")


def check_pieces(text: str, data: list[Value], said: str) -> None:
    """A port that gives the text in pieces gives the same data."""
    if text.startswith(("\ufeff", "#!")):
        return
    chance = random.Random(text.encode("utf-8", "surrogatepass"))
    cuts = sorted(chance.randint(0, len(text)) for _ in range(6))
    port = Trickle([text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])])
    found: list[Value] = []
    failed = False
    try:
        while (datum := read_datum(port)) is not EOF:
            found.append(datum)
    except SchemeError as error:
        holds(error.payload.kind in ("read", "limit"), "an error of a port's reader is of kind read")
        failed = True
    holds(failed is (said != ""), "a port in pieces fails where the text does")
    holds(len(found) == len(data) and all(map(equal, found, data)), "a port in pieces gives the same data")


def make(workspace: Path) -> Target:
    """Return the target."""
    return Reader()
