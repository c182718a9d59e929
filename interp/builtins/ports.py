"""Ports: section 6.13.1. What ports there are, opening and closing them, and the current ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nodwyn.interp.builtins.arguments import char_text, string_text
from nodwyn.interp.builtins.bytevectors import slice_of
from nodwyn.interp.builtins.reading import bind_reading
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.builtins.writing import bind_writing, displayed
from nodwyn.interp.data import (
    DEFAULT,
    EOF,
    FALSE,
    TRUE,
    UNLABELLED,
    UNSPECIFIED,
    Boolean,
    Bytevector,
    Char,
    Origin,
    String,
    Value,
    bare_string,
    boolean,
    union,
)
from nodwyn.interp.errors import Condition, SchemeError, failure, wrong_type
from nodwyn.interp.ports import MANY_PIECES, BinaryInput, BinaryOutput, Port, TextInput, TextOutput, joined_pieces

if TYPE_CHECKING:
    from nodwyn.interp.runtime import Runtime

define = Table()


def _predicate(name: str, *classes: type[Port]) -> None:
    @define(name)
    def is_such_port(value: Value) -> Boolean:
        return boolean(isinstance(value, classes))


_predicate("port?", Port)
_predicate("input-port?", TextInput, BinaryInput)
_predicate("output-port?", TextOutput, BinaryOutput)
_predicate("textual-port?", TextInput, TextOutput)
_predicate("binary-port?", BinaryInput, BinaryOutput)


def _state(name: str, *classes: type[Port]) -> None:
    @define(name)
    def is_port_open(port: Value) -> Boolean:
        if not isinstance(port, Port):
            raise wrong_type(name, "port", "a port", port)
        return boolean(port.is_open and isinstance(port, classes))


_state("input-port-open?", TextInput, BinaryInput)
_state("output-port-open?", TextOutput, BinaryOutput)


def _closing(name: str, expected: str, *classes: type[Port]) -> None:
    @define(name)
    def close(port: Value) -> Value:
        if not isinstance(port, classes):
            raise wrong_type(name, "port", expected, port)
        port.close()
        return UNSPECIFIED


_closing("close-port", "a port", Port)
_closing("close-input-port", "an input port", TextInput, BinaryInput)
_closing("close-output-port", "an output port", TextOutput, BinaryOutput)


@define("open-input-string")
def open_input_string(string: Value) -> TextInput:
    return TextInput(string_text("open-input-string", "string", string), string.origin)


@define("open-output-string")
def open_output_string() -> TextOutput:
    return TextOutput()


@define("get-output-string")
def get_output_string(port: Value) -> String:
    made = bare_string()
    made.chars = output_text(port)
    made.origin = port.origin
    made.frozen = False
    return made


def output_text(port: Value) -> str:
    """Return the text of what was written to a string port."""
    if port.__class__ is not TextOutput or port.pieces is None:
        raise wrong_type("get-output-string", "port", "a port made by open-output-string", port)
    return joined_pieces(port.pieces)


def string_of_pieces(pieces: list[Any]) -> String:
    """Return what ``get-output-string`` does of a list that stands for a port: texts, and what has labels."""
    try:
        text = "".join(pieces)
        if len(pieces) > MANY_PIECES:
            pieces[:] = (text,)
        made = bare_string()
        made.chars = text
        made.origin = UNLABELLED
        made.frozen = False
        return made
    except TypeError:
        origin = UNLABELLED
        for piece in pieces:
            if piece.__class__ is not str:
                origin = union(origin, piece.origin)
        return String(text_of_pieces(pieces), origin)


def text_of_pieces(pieces: list[Any]) -> str:
    """Return the text of a list that stands for a port."""
    try:
        return joined_pieces(pieces)
    except TypeError:
        return "".join([_text_of_piece(piece) for piece in pieces])


def _text_of_piece(piece: str | String | Char) -> str:
    if isinstance(piece, Char):
        return piece.char
    return piece.text() if isinstance(piece, String) else piece


def _put_char(char: Value, pieces: list[Any]) -> None:
    char_text("write-char", "char", char)
    pieces.append(char)


def _put_string(string: Value, pieces: list[Any]) -> None:
    _put(string_text("write-string", "string", string), string.origin, pieces)


def _put_form(value: Value, pieces: list[Any]) -> None:
    _put(*displayed(value), pieces)


def _put(text: str, origin: Origin, pieces: list[Any]) -> None:
    pieces.append(text if origin is UNLABELLED else String(text, origin))


define.internal.update(
    {
        "%output-text": output_text,
        "%text-of-pieces": text_of_pieces,
        "%piece-get-output-string": string_of_pieces,
        "%piece-write-char": _put_char,
        "%piece-write-string": _put_string,
        "%piece-display": _put_form,
    }
)


@define("open-input-bytevector")
def open_input_bytevector(bytevector: Value) -> BinaryInput:
    octets = bytes(slice_of("open-input-bytevector", bytevector, DEFAULT, DEFAULT))
    return BinaryInput(octets, origin=bytevector.origin)


@define("open-output-bytevector")
def open_output_bytevector() -> BinaryOutput:
    return BinaryOutput()


@define("get-output-bytevector")
def get_output_bytevector(port: Value) -> Bytevector:
    if not isinstance(port, BinaryOutput) or port.collected is None:
        raise wrong_type("get-output-bytevector", "port", "a port made by open-output-bytevector", port)
    return Bytevector(bytearray(port.collected), port.origin)


@define("eof-object")
def eof_object() -> Value:
    return EOF


@define("eof-object?")
def is_eof_object(value: Value) -> Boolean:
    return TRUE if value is EOF else FALSE


def through_host(procedure: str, action: str, grant: Callable[[str], Any], path: Value) -> Any:
    """Return what a host's method gives for ``path``; its errors are conditions that name the path and the reason.

    action: what the method does to the file, such as "open".
    """
    name = string_text(procedure, "file name", path)
    try:
        return grant(name)
    except OSError as error:
        reason = error.strerror or str(error)
    except ValueError as error:
        # Python words it by its version and the system call.
        reason = "embedded null byte" if "\0" in name else str(error)
    except SchemeError as error:
        condition = error.payload
        if isinstance(condition, Condition) and condition.procedure is None:
            condition.procedure = procedure
        raise
    raise failure("file", procedure, f"cannot {action} {name!r}: {reason}", path)


def _bind_files(runtime: Runtime, define: Table) -> None:
    host = runtime.host

    def opening(name: str, grant: Callable[[str], Port]) -> None:
        @define(name)
        def open_file(path: Value) -> Value:
            return through_host(name, "open", grant, path)

    opening("open-input-file", host.open_text_input)
    opening("open-binary-input-file", host.open_binary_input)
    opening("open-output-file", host.open_text_output)
    opening("open-binary-output-file", host.open_binary_output)

    @define("file-exists?")
    def is_file(path: Value) -> Boolean:
        return boolean(through_host("file-exists?", "look for", host.file_exists, path))

    @define("delete-file")
    def delete_file(path: Value) -> Value:
        through_host("delete-file", "delete", host.delete_file, path)
        return UNSPECIFIED


def _only(parameter: str, expected: str, *classes: type[Port]) -> Callable[[Value], Value]:
    """Return the converter of a parameter object whose values must be ports of ``classes``."""

    def check(value: Value) -> Value:
        if not isinstance(value, classes):
            raise wrong_type(parameter, "value", expected, value)
        return value

    return check


def bind(runtime: Runtime, define: Table) -> None:
    """Declare the builtins that reach the current ports of an interpreter, and the files of its host."""
    host = runtime.host
    check_input = _only("current-input-port", "an input port", TextInput, BinaryInput)
    current_input = runtime.parameter(host.standard_input(), check_input)
    check_output = _only("current-output-port", "an output port", TextOutput, BinaryOutput)
    current_output = runtime.parameter(host.standard_output(), check_output)
    check_error = _only("current-error-port", "an output port", TextOutput, BinaryOutput)
    define("current-input-port")(current_input)
    define("current-output-port")(current_output)
    define("current-error-port")(runtime.parameter(host.standard_error(), check_error))
    _bind_files(runtime, define)
    bind_reading(current_input, define)
    bind_writing(current_output, define)
