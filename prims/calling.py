"""Calling a primitive: its arguments are checked, the call is put on record, the guard stands before each effect, and
what came of it is put on record, however it ended.

This is the only way to a primitive's function.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from nodwyn.interp.data import String, Value, origin_of
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.prims.context import Context
from nodwyn.prims.declare import ArgumentError, Bound, Primitive, PrimitiveError
from nodwyn.prims.effects import Caller, Effect
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.proposal import Call
from nodwyn.prims.log import LogError
from nodwyn.prims.log.events import Interruption, ToolCall, ToolResult
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.mistyped import hint
from nodwyn.prims.private import NotPrivate
from nodwyn.prims.results import json_of, scheme_of

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

MODEL_LABELS = frozenset({"external:model"})


class Outcome(NamedTuple):
    """What a recorded call came to."""

    result: int
    """The seq of its tool.result; 0 for a call that is not on record."""
    value: Any
    labels: frozenset[str]
    error: Exception | None


def call_from_scheme(session: Session, primitive: Primitive, arguments: tuple[Value, ...]) -> Value:
    """Call a primitive with Scheme values; return its value for Scheme.

    Raises: SchemeError for whatever keeps it from having one.
    """
    by = session.scheme_caller
    try:
        if by not in primitive.callers:
            raise PrimitiveError(f"only {_one_of(primitive.callers)} may call it")
        bound = primitive.bind_scheme(arguments)
    except PrimitiveError as error:
        raise _condition(primitive, error) from None
    outcome = perform(session, primitive, bound, by, agent=session.agent)
    if outcome.error is not None:
        raise _condition(primitive, outcome.error, outcome.labels) from outcome.error
    return scheme_of(outcome.value, outcome.labels)


def call_from_model(
    session: Session,
    name: str,
    arguments: str | dict[str, Any],
    *,
    reply: int = 0,
    id: str = "",
    agent: str = MAIN,
    offered: Collection[str] | None = None,
) -> int:
    """Call a primitive as a model asks for it; return the seq of the tool.result, which says all that came of it.

    arguments: a JSON object, or its text. reply: the llm.resp that holds the call. id: the call's id in it. offered:
    the names of the tools that the model was offered; all that a model may call when not given. agent: the context
    that it happens in.

    Raises: LogError.
    """
    try:
        given = parsed(arguments)
        primitive = session.primitives.get(name)
        tools = offered_tools(session) if offered is None else offered
        if primitive is None or name not in tools:
            raise ArgumentError(f"there is no tool {name!r}{hint(name, sorted(tools), show=repr)}")
        bound = primitive.bind_json(given, MODEL_LABELS)
    except ArgumentError as error:
        call = record_call(session, name, arguments, "model", MODEL_LABELS, reply, id, agent)
        message = str(error) if name not in session.primitives else f"{name}: {error}"
        return session.log.append(ToolResult(call=call, ok=False, value=message, agent=agent))
    return perform(session, primitive, bound, "model", reply=reply, id=id, agent=agent).result


def parsed(arguments: str | dict[str, Any]) -> Any:
    """Return a model's arguments as JSON.

    Raises: ArgumentError when the text is none.
    """
    if not isinstance(arguments, str):
        return arguments
    from nodwyn.prims.json_text import parse

    try:
        return parse(arguments) if arguments.strip() else {}
    except ValueError as error:
        raise ArgumentError(f"the arguments are no JSON: {error}") from None


def perform(
    session: Session,
    primitive: Primitive,
    bound: Bound,
    by: Caller,
    *,
    reply: int = 0,
    id: str = "",
    agent: str = MAIN,
) -> Outcome:
    """Call a primitive with arguments that were checked, on record from its beginning to its end.

    What has no effect outside of the session is on record only when a model calls it.

    by: who calls. reply, id: of a model's call, the llm.resp that holds it and its id there. agent: the context that
    it happens in.

    Raises: LogError. What stops the program: the call is then recorded as interrupted.
    """
    labels = frozenset[str]().union(*bound.labels.values())
    is_recorded = primitive.is_recorded and (primitive.effect is not Effect.NONE or by == "model")
    seq = record_call(session, primitive.name, bound.recorded, by, labels, reply, id, agent) if is_recorded else 0
    context = Context(session, Call(seq, primitive.name, by, bound.labels, agent), primitive.effect)
    started, asked = time.monotonic(), session.guard.seconds_asked
    value, error = None, None
    try:
        value = primitive.function(context, **bound.values)
    except LogError:
        raise
    except Exception as failure:
        error = failure
    except BaseException as stop:
        if is_recorded:
            session.log.append(Interruption(of=seq, reason=_reason(stop), agent=agent))
        raise
    seconds = time.monotonic() - started - (session.guard.seconds_asked - asked)
    if is_recorded and error is None and primitive.effect is not Effect.NONE and not context.decisions:
        raise RuntimeError(f"{primitive.name} has a result that no decision allows")
    found = _provenance(primitive, context) | labels
    if not is_recorded:
        return Outcome(0, value, found, error)
    if isinstance(error, Refused):
        context.decisions.append(error.decision)
    result = session.log.append(
        ToolResult(
            call=seq,
            ok=error is None,
            value=json_of(value) if error is None else f"{primitive.name}: {message_of(error)}",
            labels=sorted(found),
            decisions=context.decisions,
            milliseconds=max(0, round(seconds * 1000)),
            agent=agent,
        )
    )
    return Outcome(result, value, found, error)


def _provenance(primitive: Primitive, context: Context) -> frozenset[str]:
    """Return the labels of a call's texts: those that the primitive declares, or as many of them as it said."""
    if context.provenance is None:
        return primitive.provenance
    if not context.provenance <= primitive.provenance:
        raise RuntimeError(f"{primitive.name} does not declare {', '.join(context.provenance - primitive.provenance)}")
    return context.provenance


def message_of(error: Exception) -> str:
    """Return what a caller is told of an error of a primitive."""
    if isinstance(error, (PrimitiveError, Refused, SchemeError, LogError, NotPrivate)):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        name = error.filename if isinstance(error.filename, str) else ""
        return f"{name}: {error.strerror}" if name else error.strerror
    return f"failed: {error!r}"


def binding(session: Session, primitive: Primitive) -> Callable[..., Value]:
    """Return the Scheme procedure that calls a primitive in a session."""

    def procedure(*arguments: Value) -> Value:
        try:
            return call_from_scheme(session, primitive, arguments)
        except SchemeError:
            raise
        except Exception as error:
            # The engine would take it for a mistake of the program's.
            raise SchemeError(Condition("control", message_of(error), procedure=primitive.name)) from error

    procedure.__name__ = primitive.name
    return procedure


def record_call(
    session: Session,
    name: str,
    arguments: Any,
    by: Caller,
    labels: frozenset[str],
    reply: int,
    id: str,
    agent: str,
) -> int:
    """Put a call on record, before anything of it happens; return its seq.

    arguments: as JSON, or the text that is none. labels: where their texts came from. The others are as for
    :func:`perform`.

    Raises: LogError.
    """
    given: dict[str, Any] = {"reply": reply} if reply else {}
    if id:
        given["id"] = id
    if labels:
        given["labels"] = sorted(labels)
    return session.log.append(ToolCall(name=name, arguments=arguments, by=by, agent=agent, **given))


def _condition(primitive: Primitive, error: Exception, labels: frozenset[str] = frozenset()) -> SchemeError:
    """Return what Scheme is told of an error; its message may quote what the primitive read."""
    if isinstance(error, SchemeError):
        return error
    kind = "refused" if isinstance(error, Refused) else "file" if isinstance(error, OSError) else "error"
    kind = error.kind if isinstance(error, PrimitiveError) else kind
    message = String(message_of(error), origin_of(labels)) if labels else message_of(error)
    return SchemeError(Condition(kind, message, procedure=primitive.name))


def _reason(stop: BaseException) -> str:
    condition = getattr(stop, "condition", None)
    return str(getattr(condition, "message", "")) or left_by(stop)


def left_by(stop: BaseException) -> str:
    """Return in words that the program was left, and by what."""
    return f"the program was left: {stop or type(stop).__name__}"


def _one_of(callers: tuple[Caller, ...]) -> str:
    return " or ".join({"person": "the person's Scheme", "loop": "the loop", "model": "a model"}[by] for by in callers)


def offered_tools(session: Session) -> list[str]:
    """Return the names of the primitives that a model may call."""
    return [each.name for each in session.primitives.values() if each.is_offered(session)]
