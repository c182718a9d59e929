"""Reading JSON (RFC 8259) for SRFI 180, as events or as whole values.

The grammar is one coroutine that asks for characters and answers with events, so that text may come
from a port, which is read here, or from a generator of the program, which only Scheme may call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import takewhile
from typing import Any, Final

from nodwyn.interp.builtins.arguments import char_text
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    DEFAULT,
    EOF,
    FALSE,
    TRUE,
    UNLABELLED,
    Boolean,
    Char,
    String,
    Symbol,
    Value,
    Vector,
    boolean,
    cons,
    intern,
    list_from,
    union,
)
from nodwyn.interp.datum import Datum
from nodwyn.interp.errors import Condition, SchemeError, wrong_type
from nodwyn.interp.numbers.parse import parse_number
from nodwyn.interp.ports import TextInput
from nodwyn.interp.sources import NotText

define = Table()

WANT: Final = Symbol("a character is wanted")
"""What a reader answers when it cannot go on without another character."""

WANT_TEXT: Final = Symbol("characters of a string are wanted")
"""The same inside a string, where all characters up to the next special one can be given at once."""

WANT_SIGNIFICANT: Final = Symbol("a character that is no white space is wanted")
"""The same between values, where white space can be left out."""

WANT_NUMBER: Final = Symbol("characters of a number are wanted")
"""The same inside a number, where all that may be part of one can be given at once."""

ARRAY_START: Final = intern("array-start")
ARRAY_END: Final = intern("array-end")
OBJECT_START: Final = intern("object-start")
OBJECT_END: Final = intern("object-end")
NULL: Final = intern("null")

_LITERALS: Final[dict[str, tuple[str, Value]]] = {"t": ("true", TRUE), "f": ("false", FALSE), "n": ("null", NULL)}
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DIGITS: Final = frozenset("0123456789")
_NUMERIC: Final = frozenset("0123456789+-.eE")
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_SPACE: Final = frozenset(" \t\n\r")
_AFTER_NUMBER: Final = _SPACE | frozenset('[]{},:"\x1e') | {""}

_WINDOW: Final = 4096

Step = Generator[Value, str, Any]


def json_error(message: str, *irritants: Value, procedure: str = "json-read", hint: str = "") -> SchemeError:
    """Return an error that satisfies ``json-error?``; ``message`` is what ``json-error-reason`` tells."""
    return SchemeError(Condition("json", message, irritants, procedure=procedure, hint=hint))


class JsonReader(Datum):
    """The state of reading one JSON text.

    depth, characters: the limits, as reals. taken: characters used so far. ahead: a character that ended a
    number and is no part of the text, or "". json_origin: of what was read.
    """

    __slots__ = ("ahead", "characters", "depth", "is_done", "json_origin", "steps", "taken")

    def __init__(self, depth: float, characters: float) -> None:
        self.depth = depth
        self.characters = characters
        self.taken = 0
        self.ahead = ""
        self.json_origin = UNLABELLED
        self.is_done = False
        self.steps = self._text()

    def resume(self, text: str | None) -> Value:
        """Go on with ``text``, "" for the end of input, None to begin or after an event; return the next step."""
        if self.is_done:
            return EOF
        if text:
            self.taken += len(text)
            if self.taken > self.characters:
                raise self._wrong(f"the text has more than {self.characters} characters")
        try:
            return self.steps.send(text)  # type: ignore[arg-type]
        except StopIteration:
            self.is_done = True
            return EOF

    def _wrong(self, message: str) -> SchemeError:
        self.is_done = True
        return json_error(f"{message} (character {self.taken} of the text)")

    def _unexpected(self, char: str, expected: str) -> SchemeError:
        found = f"got {char!r}" if char else "but the text ends"
        return self._wrong(f"expected {expected}, {found}")

    def _significant(self) -> Step:
        char = self.ahead or (yield WANT_SIGNIFICANT)
        self.ahead = ""
        while char and char[0] in _SPACE:
            char = yield WANT_SIGNIFICANT
        return char

    def _text(self) -> Step:
        """Yield the events of one value."""
        char = yield from self._significant()
        if char == "":
            return
        closers: list[str] = []
        while True:
            # Here `char` begins a value.
            if char == "[" or char == "{":
                if len(closers) >= self.depth:
                    raise self._wrong(f"the text is nested deeper than {self.depth}")
                yield ARRAY_START if char == "[" else OBJECT_START
                closers.append("]" if char == "[" else "}")
                char = yield from self._significant()
                is_empty = char == closers[-1]
            else:
                yield (yield from self._scalar(char))
                if not closers:
                    return
                char = yield from self._significant()
                is_empty = True
            if is_empty:
                char = yield from self._close(closers, char)
                if not closers:
                    return
            if closers[-1] == "}":
                char = yield from self._key(char)

    def _close(self, closers: list[str], char: str) -> Step:
        """Yield the ends of what ``char`` and its successors close; return the beginning of the next member."""
        while char == closers[-1]:
            yield ARRAY_END if closers.pop() == "]" else OBJECT_END
            if not closers:
                return ""
            char = yield from self._significant()
        if char != ",":
            raise self._unexpected(char, f"',' or '{closers[-1]}'")
        return (yield from self._significant())

    def _key(self, char: str) -> Step:
        """Yield the key that ``char`` begins; return the beginning of its value."""
        if char != '"':
            raise self._unexpected(char, "a key, which is a string")
        yield (yield from self._string())
        char = yield from self._significant()
        if char != ":":
            raise self._unexpected(char, "':' after a key")
        return (yield from self._significant())

    def _scalar(self, char: str) -> Step:
        if char == '"':
            return (yield from self._string())
        if char in _DIGITS or char == "-":
            return (yield from self._number(char))
        if char in _LITERALS:
            word, value = _LITERALS[char]
            for letter in word[1:]:
                char = yield WANT
                if char != letter:
                    raise self._unexpected(char, f"the word {word}")
            return value
        raise self._unexpected(char, "a value")

    def _string(self) -> Step:
        pieces: list[str] = []
        has_halves = False
        while True:
            text = yield WANT_TEXT
            if text == '"':
                break
            if text == "\\":
                text = yield from self._escape()
                has_halves = has_halves or "\ud800" <= text < "\ue000"
            elif text < " ":
                raise self._unexpected(text, "a character of a string or its closing '\"'")
            pieces.append(text)
        result = "".join(pieces)
        if has_halves:
            # Two escapes make one character beyond the first 65536; half of one alone is no character.
            result = result.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return String(result, self.json_origin)

    def _escape(self) -> Step:
        char = yield WANT
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char != "u":
            raise self._unexpected(char, "an escape such as \\n or \\u0041")
        code = 0
        for _ in range(4):
            char = yield WANT
            if char == "" or char not in _HEX_DIGITS:
                raise self._unexpected(char, "four hexadecimal digits after \\u")
            code = code * 16 + int(char, 16)
        return chr(code)

    def _number(self, char: str) -> Step:
        text = char
        while (piece := (yield WANT_NUMBER)) and piece[0] in _NUMERIC:
            text += piece
        self.ahead = piece
        rest = text.removeprefix("-")
        whole = self._digits(text, rest)
        if whole > 1 and rest[0] == "0":
            raise self._wrong(f"the number {text} begins with a zero")
        rest = rest[whole:]
        if rest.startswith("."):
            rest = rest[1 + self._digits(text, rest[1:]) :]
        if rest.startswith(("e", "E")):
            rest = rest[1:]
            rest = rest[1:] if rest.startswith(("+", "-")) else rest
            rest = rest[self._digits(text, rest) :]
        if rest or piece not in _AFTER_NUMBER:
            raise self._unexpected((rest or piece)[0], f"the end of the number {text}")
        return parse_number(text)

    def _digits(self, text: str, rest: str) -> int:
        """Return the number of digits that ``rest``, a part of the number ``text``, begins with: one or more."""
        count = len(rest) - len(rest.lstrip("0123456789"))
        if count == 0:
            raise self._wrong(f"{text} is no number: a digit is missing")
        return count


def _limit(value: Value) -> float:
    if value.__class__ is int or value.__class__ is float:
        return value
    raise wrong_type("json-generator", "limit", "a real number", value)


@define("%json-reader")
def json_reader(depth: Value, characters: Value) -> JsonReader:
    """Return a reader of one JSON text with these limits on its nesting and its length."""
    return JsonReader(_limit(depth), _limit(characters))


@define("%json-want")
def json_want() -> Symbol:
    """Return the object that ``%json-push`` answers when it wants another character."""
    return WANT


@define("%json-push")
def json_push(reader: Value, char: Value = DEFAULT) -> Value:
    """Go on reading with ``char``, a character or the end-of-file object, or with none after an event.

    Returns the next event, end of file after the last, or ``(%json-want)``.
    """
    if reader.__class__ is not JsonReader:
        raise wrong_type("%json-push", "reader", "a reader of JSON", reader)
    if char is DEFAULT:
        step = reader.resume(None)
    elif char is EOF:
        step = reader.resume("")
    elif char.__class__ is Char:
        reader.json_origin = union(reader.json_origin, char.origin)
        step = reader.resume(char.char)
    else:
        raise wrong_type("json-generator", "a character of the generator", "a character", char)
    if step is EOF and reader.ahead and reader.ahead not in _SPACE:
        # A generator cannot take back what it gave.
        raise json_error("a number that is a whole text must be followed by white space", procedure="json-generator")
    return WANT if step in _WANTS else step


def pull(reader: JsonReader, port: TextInput) -> Value:
    """Return the next event of the text in ``port``, or end of file after the last."""
    if not port.is_open:
        raise wrong_type("json-read", "port", "an open port", port)
    port.settle()
    reader.json_origin = port.origin
    step = reader.resume(None)
    while step.__class__ is Symbol and step in _WANTS:
        run = _RUNS.get(step)
        step = reader.resume((run(port) if run else "") or _next(port.read))
    if reader.ahead:
        # Only the end of a number shows where it ends; a port can take back what came after it.
        port.position -= 1
        reader.taken -= 1
        reader.ahead = ""
    return step


def _next(take: Callable[[], str]) -> str:
    try:
        return take()
    except NotText as fault:
        # JSON is UTF-8, so that such bytes are no JSON.
        raise json_error(fault.payload.message) from None


def _run_of_text(port: TextInput) -> str:
    """Take the plain characters of a string that stand next in the port's buffer; maybe none."""
    start = port.position
    # A window keeps the search for a far quotation mark from being repeated at every escape.
    end = min(start + _WINDOW, len(port.buffer))
    for mark in ('"', "\\"):
        found = port.buffer.find(mark, start, end)
        if found >= 0:
            end = found
    text = port.buffer[start:end]
    if not text.isprintable():
        text = "".join(takewhile(" ".__le__, text))
    port.position = start + len(text)
    return text


def _past_white_space(port: TextInput) -> str:
    """Take the white space, if any, that comes next in the port's buffer."""
    buffer, place = port.buffer, port.position
    while place < len(buffer) and buffer[place] in _SPACE:
        place += 1
    taken = buffer[port.position : place]
    port.position = place
    return taken


def _run_of_number(port: TextInput) -> str:
    """Take the characters next in the port's buffer that may be part of a number."""
    buffer, place = port.buffer, port.position
    while place < len(buffer) and buffer[place] in _NUMERIC:
        place += 1
    taken = buffer[port.position : place]
    port.position = place
    return taken


_WANTS: Final = frozenset((WANT, WANT_TEXT, WANT_SIGNIFICANT, WANT_NUMBER))
_RUNS: Final = {WANT_TEXT: _run_of_text, WANT_SIGNIFICANT: _past_white_space, WANT_NUMBER: _run_of_number}


@define("%json-take-until")
def take_until(port: Value, separator: Value) -> Value:
    """Return the text in a port up to a character, which is taken too, or to the end; end of file if there is none."""
    if port.__class__ is not TextInput or not port.is_open:
        raise wrong_type("%json-take-until", "port", "an open textual input port", port)
    mark = char_text("%json-take-until", "separator", separator)
    port.settle()
    pieces: list[str] = []
    while port.position < len(port.buffer) or _next(port.peek):
        start = port.position
        found = port.buffer.find(mark, start)
        port.position = len(port.buffer) if found < 0 else found + 1
        pieces.append(port.buffer[start : port.position if found < 0 else found])
        if found >= 0:
            break
    return String("".join(pieces), port.origin) if pieces else EOF


@define("%json-pull")
def json_pull(reader: Value, port: Value) -> Value:
    """Return the next event of the text in a port, or end of file after the last."""
    if reader.__class__ is not JsonReader:
        raise wrong_type("%json-pull", "reader", "a reader of JSON", reader)
    if port.__class__ is not TextInput:
        raise wrong_type("json-generator", "port-or-generator", "a textual input port or a generator", port)
    return pull(reader, port)


@define("%json-read")
def json_read(port: Value, depth: Value, characters: Value) -> Value:
    """Return the next value in a port, or end of file (SRFI 180)."""
    if port.__class__ is not TextInput:
        raise wrong_type("json-read", "port-or-generator", "a textual input port or a generator", port)
    reader = JsonReader(_limit(depth), _limit(characters))
    unfinished: list[list[Value]] = []
    result: Value = EOF
    while (event := pull(reader, port)) is not EOF:
        if event is ARRAY_START or event is OBJECT_START:
            unfinished.append([])
            continue
        if event is ARRAY_END:
            event = Vector(unfinished.pop())
        elif event is OBJECT_END:
            event = _association_list(unfinished.pop())
        if unfinished:
            unfinished[-1].append(event)
        else:
            result = event
    return result


def _association_list(members: list[Value]) -> Value:
    return list_from([cons(intern(key.text()), value) for key, value in zip(members[::2], members[1::2], strict=True)])


@define("%json-fail")
def json_fail(procedure: Value, reason: Value, *irritants: Value) -> Value:
    """Raise an error that satisfies ``json-error?``. procedure: a symbol. reason: a string."""
    raise json_error(reason.text(), *irritants, procedure=procedure.name)


@define("%json-error?")
def is_json_error(value: Value) -> Boolean:
    return boolean(value.__class__ is Condition and value.kind == "json")


@define("%json-error-reason")
def json_error_reason(error: Value) -> String:
    if not is_json_error(error):
        raise wrong_type("json-error-reason", "obj", "an error of reading or writing JSON", error)
    return String(error.message, UNLABELLED)
