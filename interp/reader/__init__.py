"""The reader: from text to data with spans, and from the text of a port to one datum at a time.

The syntax is defined in ``grammar.lark``. Lark is imported when the first datum is read, not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nodwyn.interp.data import EOF, Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.reader.builder import join_tails
from nodwyn.interp.reader.labels import LabelStripper
from nodwyn.interp.reader.mistakes import IncompleteError
from nodwyn.interp.reader.parser import configure_cache, parse
from nodwyn.interp.reader.reading import Reading
from nodwyn.interp.syntax import Source, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.ports import TextInput

__all__ = ["IncompleteError", "configure_cache", "parse_datum", "read_datum", "read_source"]

_USED = 65536
"""Characters of a port's buffer that must have been read before they are dropped."""


def read_source(source: Source, fold_case: bool = False) -> Iterator[Syntax]:
    """Yield the data of a text in order, each as soon as it has been read.

    source: the text. fold_case: read as after ``#!fold-case``, as ``include-ci`` asks.
    Raises: SchemeError of kind "read" at what is not well formed (R7RS, section 7.1.2), after the data before it;
        IncompleteError if only the end of the text is wrong.
    """
    reading = Reading(source, fold_case, for_source=True)
    if source.text.startswith("\ufeff"):
        # The mark that some editors put at the start of a file.
        reading.position = 1
    while (node := _next(reading)) is not None:
        yield node


def read_datum(port: TextInput) -> Value:
    """Read one datum from a port, and nothing after it (section 6.13.2).

    Returns: the datum, or EOF when only white space and comments are left, which are then read.
    Raises: as :func:`read_source`; the text that is wrong has then been read.
    """
    if port.position > max(_USED, len(port.buffer) // 2):
        port.buffer = port.buffer[port.position :]
        port.position = 0
    start = port.position
    # Lines are counted from the datum on: what was read before it may be gone.
    while port.buffer[start : start + 1].isspace():
        start += 1
    reading = Reading(Source(f"a datum of {port.name}", port.buffer, start), port.fold_case, port)
    reading.position = start
    try:
        node = _next(reading)
    except SchemeError as error:
        if error.payload.span is not None:
            # Not where the port itself fails: what it gave before is left to be read.
            reading.position = max(reading.position, error.payload.span.end)
        raise
    finally:
        port.position = reading.position
        port.fold_case = reading.fold_case
    return EOF if node is None else LabelStripper().strip(node)


def parse_datum(text: str, name: str = "text") -> Value:
    """Return the first datum of a text as ``read`` would, or EOF if it has none. ``name`` is for errors."""
    node = _next(Reading(Source(name, text)))
    return EOF if node is None else LabelStripper().strip(node)


def _next(reading: Reading) -> Syntax | None:
    reading.labels = None
    node = parse(reading)
    if reading.dotted:
        join_tails(reading.dotted, set() if reading.labels is None else reading.labels.shared())
        reading.dotted.clear()
    return node
