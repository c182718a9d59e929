"""Input: section 6.13.2."""

from __future__ import annotations

from collections.abc import Callable

from nodwyn.interp.builtins.arguments import MOST_ELEMENTS, bounds, length_of
from nodwyn.interp.builtins.bytevectors import octets_of
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    EOF,
    FALSE,
    TRUE,
    Boolean,
    Bytevector,
    String,
    Value,
    bare_string,
    boolean,
    union,
)
from nodwyn.interp.errors import SchemeError, failure, wrong_type
from nodwyn.interp.ports import BinaryInput, TextInput


def _port_error(procedure: str, port: Value, kind: type[TextInput] | type[BinaryInput]) -> SchemeError:
    """Return the error for a port argument that cannot be read from."""
    if isinstance(port, kind):
        return wrong_type(procedure, "port", "an open port", port)
    expected = "a textual input port" if kind is TextInput else "a binary input port"
    return wrong_type(procedure, "port", expected, port)


def _open(procedure: str, port: Value, kind: type[TextInput] | type[BinaryInput]) -> Value:
    if not isinstance(port, kind) or not port.is_open:
        raise _port_error(procedure, port, kind)
    return port


def _count(procedure: str, k: Value) -> int:
    """Return how many elements to read: a larger ``k`` than an object may have is no fault if the input ends before."""
    if k.__class__ is int and k > MOST_ELEMENTS:
        return MOST_ELEMENTS + 1
    return length_of(procedure, "k", k)


def _within_limit(procedure: str, count: int) -> None:
    if count > MOST_ELEMENTS:
        raise failure("limit", procedure, f"there is more to read than the limit of {MOST_ELEMENTS} elements")


def bind_reading(current: Callable[[], Value], define: Table) -> None:
    """Declare the input procedures; ``current`` returns the current input port."""
    _bind_characters(current, define)
    _bind_text(current, define)
    _bind_octets(current, define)
    _bind_bytevectors(current, define)


def _bind_characters(current: Callable[[], Value], define: Table) -> None:
    @define("read-char")
    def read_char(port: Value = DEFAULT) -> Value:
        if port is DEFAULT:
            port = current()
        try:
            text = (port.waiting or port.look_ahead()).pop()
            return text if text is EOF else port.origin[text]
        except AttributeError:
            raise _port_error("read-char", port, TextInput) from None

    @define("peek-char")
    def peek_char(port: Value = DEFAULT) -> Value:
        if port is DEFAULT:
            port = current()
        try:
            text = (port.waiting or port.look_ahead())[-1]
            return text if text is EOF else port.origin[text]
        except AttributeError:
            raise _port_error("peek-char", port, TextInput) from None

    @define("char-ready?")
    def is_char_ready(port: Value = DEFAULT) -> Boolean:
        port = _open("char-ready?", current() if port is DEFAULT else port, TextInput)
        return boolean(port.is_ready())


def _bind_text(current: Callable[[], Value], define: Table) -> None:
    @define("read-line")
    def read_line(port: Value = DEFAULT) -> Value:
        line = port.next_line() if port.__class__ is TextInput else None
        if line is not None:
            made = bare_string()
            made.chars = line
            made.origin = port.origin
            made.frozen = False
            return made
        port = _open("read-line", current() if port is DEFAULT else port, TextInput)
        line = port.read_line()
        return EOF if line is None else String(line, port.origin)

    @define("read-string")
    def read_string(k: Value, port: Value = DEFAULT) -> Value:
        count = _count("read-string", k)
        port = _open("read-string", current() if port is DEFAULT else port, TextInput)
        text = port.read_text(count)
        _within_limit("read-string", len(text))
        return String(text, port.origin) if text or count == 0 else EOF

    @define("read")
    def read(port: Value = DEFAULT) -> Value:
        from nodwyn.interp.reader import read_datum

        port = _open("read", current() if port is DEFAULT else port, TextInput)
        port.settle()
        return read_datum(port)


def _bind_octets(current: Callable[[], Value], define: Table) -> None:
    @define("read-u8")
    def read_u8(port: Value = DEFAULT) -> Value:
        port = _open("read-u8", current() if port is DEFAULT else port, BinaryInput)
        octet = port.read_octet()
        return EOF if octet < 0 else octet

    @define("peek-u8")
    def peek_u8(port: Value = DEFAULT) -> Value:
        port = _open("peek-u8", current() if port is DEFAULT else port, BinaryInput)
        octet = port.peek_octet()
        return EOF if octet < 0 else octet

    @define("u8-ready?")
    def is_u8_ready(port: Value = DEFAULT) -> Boolean:
        port = _open("u8-ready?", current() if port is DEFAULT else port, BinaryInput)
        return TRUE if port.is_octet_ready() else FALSE


def _bind_bytevectors(current: Callable[[], Value], define: Table) -> None:
    @define("read-bytevector")
    def read_bytevector(k: Value, port: Value = DEFAULT) -> Value:
        count = _count("read-bytevector", k)
        port = _open("read-bytevector", current() if port is DEFAULT else port, BinaryInput)
        octets = port.read_octets(count)
        _within_limit("read-bytevector", len(octets))
        return Bytevector(bytearray(octets), port.origin) if octets or count == 0 else EOF

    @define("read-bytevector!")
    def read_bytevector_into(
        bytevector: Value, port: Value = DEFAULT, start: Value = DEFAULT, end: Value = DEFAULT
    ) -> Value:
        target = octets_of("read-bytevector!", "bytevector", bytevector)
        first, last = bounds("read-bytevector!", start, end, len(target))
        port = _open("read-bytevector!", current() if port is DEFAULT else port, BinaryInput)
        octets = port.read_octets(last - first)
        target[first : first + len(octets)] = octets
        bytevector.origin = union(bytevector.origin, port.origin)
        return len(octets) if octets or first == last else EOF
