"""Output: section 6.13.3."""

from __future__ import annotations

from collections.abc import Callable

from nodwyn.interp import printer
from nodwyn.interp.builtins.arguments import char_text
from nodwyn.interp.builtins.bytevectors import octet, slice_of
from nodwyn.interp.builtins.strings import piece
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import DEFAULT, UNLABELLED, UNSPECIFIED, Char, Origin, String, Symbol, Value, union
from nodwyn.interp.errors import SchemeError, wrong_type
from nodwyn.interp.numbers.format import format_integer
from nodwyn.interp.ports import BinaryOutput, TextOutput
from nodwyn.interp.traversal import origin
from nodwyn.interp.written import DISPLAYED, WRITTEN, Atoms

Current = Callable[[], Value]


def _port_error(procedure: str, port: Value, kind: type[TextOutput] | type[BinaryOutput]) -> SchemeError:
    """Return the error for a port argument that cannot be written to."""
    if isinstance(port, kind):
        return wrong_type(procedure, "port", "an open port", port)
    expected = "a textual output port" if kind is TextOutput else "a binary output port"
    return wrong_type(procedure, "port", expected, port)


def _open(procedure: str, port: Value, kind: type[TextOutput] | type[BinaryOutput]) -> Value:
    if not isinstance(port, kind) or not port.is_open:
        raise _port_error(procedure, port, kind)
    return port


def bind_writing(current: Current, define: Table) -> None:
    """Declare the output procedures; ``current`` returns the current output port."""
    _bind_text(current, define)
    _bind_data(current, define)
    _bind_octets(current, define)


def _note(port: TextOutput, source: Origin) -> None:
    """Add the origin of what was written to that of the port."""
    if source is not UNLABELLED and source is not port.origin:
        port.origin = union(port.origin, source)


def _bind_text(current: Current, define: Table) -> None:
    @define("write-char")
    def write_char(char: Value, port: Value = DEFAULT) -> Value:
        if port is DEFAULT:
            port = current()
        try:
            port.write(char.char)
        except AttributeError:
            char_text("write-char", "char", char)
            raise _port_error("write-char", port, TextOutput) from None
        if char.origin is not UNLABELLED:
            _note(port, char.origin)
        return UNSPECIFIED

    @define("write-string")
    def write_string(string: Value, port: Value = DEFAULT, start: Value = DEFAULT, end: Value = DEFAULT) -> Value:
        if port is DEFAULT:
            port = current()
        if start is end is DEFAULT and string.__class__ is String and string.chars.__class__ is str:
            text = string.chars
        else:
            text = piece("write-string", string, start, end)
        try:
            port.write(text)
        except AttributeError:
            raise _port_error("write-string", port, TextOutput) from None
        if string.origin is not UNLABELLED:
            _note(port, string.origin)
        return UNSPECIFIED

    @define("newline")
    def newline(port: Value = DEFAULT) -> Value:
        if port is DEFAULT:
            port = current()
        try:
            port.write("\n")
        except AttributeError:
            raise _port_error("newline", port, TextOutput) from None
        return UNSPECIFIED


Form = Callable[[Value], tuple[str, Origin]]
"""From a value to what is written of it, and where that comes from."""


def displayed(value: Value) -> tuple[str, Origin]:
    """Return what ``display`` writes of a value, and where that comes from."""
    kind = value.__class__
    if kind is String:
        # It may get another origin when it goes back to text.
        text = value.text()
        return text, value.origin
    if kind is Char:
        return value.char, value.origin
    if kind is Symbol:
        return value.name, UNLABELLED
    if kind is int:
        return format_integer(value, 10), UNLABELLED
    return _text_and_origin(value, DISPLAYED, printer.display)


def _written(value: Value) -> tuple[str, Origin]:
    return _text_and_origin(value, WRITTEN, printer.write)


def _text_and_origin(value: Value, atoms: Atoms, form: Callable[[Value], str]) -> tuple[str, Origin]:
    text = printer.small(value, atoms)
    return (form(value), origin(value)) if text is None else (text, UNLABELLED)


def _bind_data(current: Current, define: Table) -> None:
    def writing(name: str, form: Form) -> None:
        @define(name)
        def write(value: Value, port: Value = DEFAULT) -> Value:
            if port is DEFAULT:
                port = current()
            text, source = form(value)
            try:
                port.write(text)
            except AttributeError:
                raise _port_error(name, port, TextOutput) from None
            if source is not UNLABELLED:
                _note(port, source)
            return UNSPECIFIED

    writing("display", displayed)
    writing("write", _written)
    writing("write-shared", lambda value: (printer.write_shared(value), origin(value)))
    writing("write-simple", lambda value: (printer.write_simple(value), origin(value)))


def _bind_octets(current: Current, define: Table) -> None:
    @define("write-u8")
    def write_u8(byte: Value, port: Value = DEFAULT) -> Value:
        code = octet("write-u8", byte)
        port = _open("write-u8", current() if port is DEFAULT else port, BinaryOutput)
        port.emit(bytes((code,)))
        return UNSPECIFIED

    @define("write-bytevector")
    def write_bytevector(
        bytevector: Value, port: Value = DEFAULT, start: Value = DEFAULT, end: Value = DEFAULT
    ) -> Value:
        octets = slice_of("write-bytevector", bytevector, start, end)
        port = _open("write-bytevector", current() if port is DEFAULT else port, BinaryOutput)
        port.emit(octets)
        port.origin = union(port.origin, bytevector.origin)
        return UNSPECIFIED

    @define("flush-output-port")
    def flush_output_port(port: Value = DEFAULT) -> Value:
        if port is DEFAULT:
            port = current()
        if not isinstance(port, (TextOutput, BinaryOutput)):
            raise wrong_type("flush-output-port", "port", "an output port", port)
        if not port.is_open:
            raise wrong_type("flush-output-port", "port", "an open port", port)
        port.flush()
        return UNSPECIFIED
