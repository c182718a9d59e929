"""A model that is a Scheme procedure: for demonstrations, tests and work without a network.

The file defines ``(reply request)``. The request is the neutral one as an association list with symbols for keys::

    ((model . "FILE") (provider . "scripted") (system . "…") (parameters (output . 8192))
     (tools ((name . "fs-read") (description . "…") (schema (type . "object") …)) …)
     (messages
       ((role . "user") (content ((type . "text") (text . "…")) …))
       ((role . "assistant") (content ((type . "text") (text . "…"))
                                      ((type . "call") (id . "…") (name . "fs-read") (arguments (path . "a.py")))))
       ((role . "tool") (content ((type . "result") (id . "…") (name . "fs-read") (ok . #t) (text . "…")) …))))

Objects of JSON are association lists with symbols for keys, arrays are lists. The answer is a list: a string is text,
``(call NAME (KEY . VALUE) …)`` a call of a tool, in which an association list with symbols for keys is an object
again, ``(thinking TEXT)`` what the model thinks, and ``(stop REASON)`` why the reply ends, such as ``length``. The
procedure keeps what it defines from one request to the next.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodwyn.loop.providers.base import Delta, Outgoing, ProviderError, Reply
from nodwyn.prims.json_text import LONGEST_NUMBER, encode
from nodwyn.prims.small_files import Unreadable, written_text

if TYPE_CHECKING:
    from nodwyn.interp import Interpreter
    from nodwyn.interp.data import Value
    from nodwyn.interp.errors import SchemeError

JSON = Any

SECONDS = 30.0
"""How long a reply may take. In other threads than the main one nothing can stop it."""

MEMORY_MB = 2048
"""Of the whole process."""

DEPTH = 100_000
"""Nested calls."""

DEEPEST = 50
"""Levels of lists in an argument."""


class ScriptedProvider:
    """The model in one file, which is loaded at the first request."""

    name = "scripted"

    def __init__(self, path: str) -> None:
        self.path = path
        self._scheme: Interpreter | None = None
        self._turn = threading.Lock()

    def secrets(self) -> list[str]:
        """Return nothing: no key goes with a request."""
        return []

    def outgoing(self, request: JSON) -> Outgoing:
        """Return the request as JSON, so that its digest can be recorded. It goes nowhere."""
        return Outgoing("", f"scripted:{self.path}", {}, encode(request), "")

    def send(self, outgoing: Outgoing, *, on_delta: Callable[[Delta], None], is_cancelled: Callable[[], bool]) -> Reply:
        """Have the procedure answer.

        Raises: ProviderError when it fails, or answers with something else than a reply.
        """
        import json

        from nodwyn.interp import Exit, SchemeError
        from nodwyn.prims.results import scheme_of

        if is_cancelled():
            raise ProviderError("cancelled", "cancelled")
        request = scheme_of(json.loads(outgoing.body), frozenset({"external:log"}))
        with self._turn:
            procedure = self._procedure()
            place = self._place(procedure)
            try:
                answer = self._loaded().call(procedure, request)
            except SchemeError as error:
                raise self._failed(error, place) from None
            except Exit:
                raise _mistake(f"{place}: (reply request) called exit, and gave no reply") from None
        try:
            reply = _Answer().read(answer)
        except _NoReply as error:
            raise _mistake(f"{place}: (reply request) {error}") from None
        for block in reply.content:
            on_delta(Delta(block["type"], block["name"] if block["type"] == "call" else block["text"]))
        return reply

    def _procedure(self) -> Value:
        """Return the procedure that answers.

        Raises: ProviderError when the file has none.
        """
        from nodwyn.interp import Exit, SchemeError

        try:
            scheme = self._loaded()
        except SchemeError as error:
            raise self._failed(error, self.path) from None
        except Exit:
            raise _mistake(f"{self.path} called exit when it was loaded; it has to define (reply request)") from None
        except FileNotFoundError:
            raise _mistake(f"{self.path} cannot be read: there is no such file") from None
        except Unreadable as error:
            raise _mistake(str(error)) from None
        try:
            procedure = scheme.programs.lookup("reply")
        except SchemeError:
            raise _mistake(f"{self.path} does not define (reply request)") from None
        if not callable(procedure):
            raise _mistake(f"{self.path} defines reply as {_shown(procedure)}; it has to be a procedure of a request")
        return procedure

    def _place(self, procedure: Value) -> str:
        """Return where a procedure is written: the file, and the line if it is a procedure of that."""
        code = getattr(procedure, "__code__", None)
        if code is None or code.co_filename != self.path:
            return self.path
        return f"{self.path}:{code.co_firstlineno}"

    def _loaded(self) -> Interpreter:
        if self._scheme is None:
            from nodwyn.interp import Interpreter, Limits

            scheme = Interpreter(limits=Limits(SECONDS, MEMORY_MB, DEPTH))
            scheme.eval(written_text(Path(self.path)), self.path, keep=True)
            self._scheme = scheme
        return self._scheme

    def _failed(self, error: SchemeError, place: str) -> ProviderError:
        """Return the error of a script. place: where it is, unless the error says so itself."""
        from nodwyn.interp.report import report

        text = report(error)
        return _mistake(text if text.startswith(self.path) else f"{place}: {text}")


def _mistake(text: str) -> ProviderError:
    """Return an error of a script: it is the person's to mend, and no second request would go better."""
    return ProviderError(text, "bad-request")


class _NoReply(Exception):
    """What the procedure returned is no reply."""


class _Answer:
    """Reads the list that the procedure returned."""

    def __init__(self) -> None:
        self._content: list[JSON] = []
        self._stop = ""

    def read(self, answer: Any) -> Reply:
        """Return the reply.

        Raises: _NoReply.
        """
        from nodwyn.interp.data import String

        wanted = f"must return a list of strings and (call NAME (KEY . VALUE) …), and returned {_shown(answer)}"
        for item in [String(answer)] if isinstance(answer, str) else _list(answer, wanted):
            if isinstance(item, String):
                self._content.append({"type": "text", "text": item.text()})
            else:
                self._form(item)
        has_calls = any(block["type"] == "call" for block in self._content)
        return Reply(self._content, self._stop or ("calls" if has_calls else "end"), "scripted", usage=None)

    def _form(self, item: Any) -> None:
        from nodwyn.interp.data import Symbol

        parts = _list(item, f"returned {_shown(item)}, which is neither a string nor a call")
        head = parts[0].name if parts and isinstance(parts[0], Symbol) else ""
        if head == "call" and len(parts) > 1:
            self._call(_text(parts[1], "the name of a call"), parts[2:])
        elif head == "thinking" and len(parts) == 2:
            self._content.append({"type": "thinking", "text": _text(parts[1], "thinking")})
        elif head == "stop" and len(parts) == 2:
            self._stop = _text(parts[1], "the reason of a stop")
        else:
            raise _NoReply(
                f"returned {_shown(item)}, which is neither a string nor (call NAME (KEY . VALUE) …),"
                f" (thinking TEXT) or (stop REASON)"
            )

    def _call(self, name: str, pairs: list[Any]) -> None:
        from nodwyn.interp.data import Pair, Symbol

        arguments: dict[str, JSON] = {}
        for pair in pairs:
            if not (isinstance(pair, Pair) and isinstance(pair.car, Symbol)):
                raise _NoReply(f"calls {name} with {_shown(pair)}, where (KEY . VALUE) is wanted")
            arguments[pair.car.name] = _json(pair.cdr)
        self._content.append({"type": "call", "id": "", "name": name, "arguments": arguments})


def _json(value: Any, depth: int = 0) -> JSON:
    """Return a Scheme value as JSON: an association list with symbols for keys is an object."""
    from nodwyn.interp.data import NIL, UNSPECIFIED, Boolean, Pair, String, Symbol, Vector

    if depth > DEEPEST:
        raise _NoReply(f"has an argument that is nested deeper than {DEEPEST}")
    if isinstance(value, Boolean):
        return value.truth
    if isinstance(value, (String, Symbol)):
        return _text(value, "an argument")
    if value is UNSPECIFIED:
        return None
    if isinstance(value, int) and abs(value) >= 10**LONGEST_NUMBER:
        raise _NoReply(f"has an argument with a number of more than {LONGEST_NUMBER} digits")
    if isinstance(value, int) or (isinstance(value, float) and value - value == 0):
        return value
    if isinstance(value, Vector):
        return [_json(item, depth + 1) for item in value.items]
    if value is NIL or isinstance(value, Pair):
        items = _list(value, f"has the argument {_shown(value)}, which is no list")
        if items and all(isinstance(item, Pair) and isinstance(item.car, Symbol) for item in items):
            return {item.car.name: _json(item.cdr, depth + 1) for item in items}
        return [_json(item, depth + 1) for item in items]
    raise _NoReply(f"has the argument {_shown(value)}, which JSON cannot hold")


def _list(value: Any, otherwise: str) -> list[Any]:
    from nodwyn.interp.data import NIL, Pair

    items: list[Any] = []
    seen = set[int]()
    while isinstance(value, Pair) and id(value) not in seen:
        seen.add(id(value))
        items.append(value.car)
        value = value.cdr
    if value is not NIL:
        raise _NoReply(otherwise)
    return items


def _text(value: Any, what: str) -> str:
    from nodwyn.interp.data import String, Symbol

    if isinstance(value, String):
        return value.text()
    if isinstance(value, Symbol):
        return value.name
    raise _NoReply(f"returned {_shown(value)} as {what}, which must be a string or a symbol")


def _shown(value: Any) -> str:
    from nodwyn.interp.printer import abbreviated

    return abbreviated(value)
