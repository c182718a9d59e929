"""The tools of a conversation: what a model is offered, and how its calls are run."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.loop.loading import NO_EXIT
from nodwyn.prims.calling import MODEL_LABELS, call_from_model, message_of, parsed, record_call
from nodwyn.prims.declare import Parameter, PrimitiveError, bind_json
from nodwyn.prims.kinds import labels_of
from nodwyn.prims.log.events import Interruption, ToolResult
from nodwyn.prims.results import scheme_of
from nodwyn.prims.schema import definition, tool_definition

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

JSON = Any

MOST_SIDE_BY_SIDE = 8
"""Calls that are under way at the same time, at most."""


class ReplyCall(NamedTuple):
    """A call in a model's reply."""

    id: str
    name: str
    arguments: JSON


class SchemeTool(NamedTuple):
    """A Scheme procedure that a model is offered: it takes its arguments as an association list."""

    definition: JSON
    parameters: Sequence[Parameter]
    procedure: Value


class Tools:
    """What a session's models can be offered: primitives, and procedures of the scripts."""

    def __init__(self, session: Session, waiting: Callable[[], AbstractContextManager[None]]) -> None:
        """waiting: what surrounds calls that look by themselves at whether they are cancelled."""
        self._session = session
        self._waiting = waiting
        self._own: dict[str, SchemeTool] = {}

    def offer(self, name: str, description: str, parameters: Sequence[Parameter], procedure: Value) -> None:
        """Make a tool of a Scheme procedure.

        Raises: PrimitiveError when a primitive has that name.
        """
        if name in self._session.primitives:
            raise PrimitiveError(f"{name} is a primitive; give the tool another name")
        self._own[name] = SchemeTool(definition(name, description, parameters), parameters, procedure)

    def definitions(self, names: Iterable[str]) -> list[JSON]:
        """Return the definitions of tools by name, each once: providers refuse a request that has one twice.

        Raises: PrimitiveError for a name that is none's.
        """
        return [self._definition(name) for name in dict.fromkeys(names)]

    def has(self, name: str) -> bool:
        """Return whether a name is that of a tool."""
        primitive = self._session.primitives.get(name)
        return name in self._own or (primitive is not None and primitive.is_offered(self._session))

    def _definition(self, name: str) -> JSON:
        if not self.has(name):
            raise PrimitiveError(f"{name} cannot be offered to a model: it is no tool")
        own = self._own.get(name)
        return own.definition if own is not None else tool_definition(self._session.primitives[name])

    def run(self, calls: Sequence[ReplyCall], reply: int, agent: str, offered: Collection[str]) -> list[int]:
        """Run calls of a reply; return the seqs of their results, in the order of the calls.

        Those that only read go side by side, unless a checker, which is Scheme, has to see them.

        Raises: LogError. What stops the program.
        """

        def run_one(call: ReplyCall) -> int:
            if call.name in self._own and call.name in offered:
                return self._run_own(self._own[call.name], call, reply, agent)
            with self._waiting():
                return run_primitive(call)

        def run_primitive(call: ReplyCall) -> int:
            return call_from_model(
                self._session, call.name, call.arguments, reply=reply, id=call.id, agent=agent, offered=offered
            )

        if len(calls) > 1 and not self._session.guard.checkers and all(map(self._is_concurrent, calls)):
            with self._waiting():
                return _side_by_side(run_primitive, calls)
        return [run_one(call) for call in calls]

    def _is_concurrent(self, call: ReplyCall) -> bool:
        primitive = self._session.primitives.get(call.name)
        return primitive is not None and primitive.is_concurrent

    def _run_own(self, tool: SchemeTool, call: ReplyCall, reply: int, agent: str) -> int:
        log = self._session.log
        seq = record_call(self._session, call.name, call.arguments, "model", MODEL_LABELS, reply, call.id, agent)
        started = time.monotonic()
        labels = MODEL_LABELS
        try:
            given = bind_json(tool.parameters, parsed(call.arguments)).values
            value = self._session.apply(tool.procedure, scheme_of(given, MODEL_LABELS))
            labels |= labels_of(value)
            ok, said = True, _plain(value)
        except (SchemeError, PrimitiveError) as error:
            ok, said = False, f"{call.name}: {message_of(error)}"
        except Exit:
            ok, said = False, f"{call.name}: it called exit: {NO_EXIT}"
        except BaseException:
            log.append(Interruption(of=seq, reason="the call was stopped", agent=agent))
            raise
        return log.append(
            ToolResult(
                call=seq,
                ok=ok,
                value=said,
                labels=sorted(labels),
                milliseconds=round((time.monotonic() - started) * 1000),
                agent=agent,
            )
        )


def _side_by_side(run_one: Callable[[ReplyCall], int], calls: Sequence[ReplyCall]) -> list[int]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(len(calls), MOST_SIDE_BY_SIDE)) as threads:
        return list(threads.map(run_one, calls))


def _plain(value: Value) -> JSON:
    """Return a Scheme value as JSON: texts, and numbers that a log can hold, as they are, all else as it is written."""
    from nodwyn.interp.data import UNSPECIFIED, String
    from nodwyn.interp.printer import write
    from nodwyn.prims.log.record import can_be_recorded

    if value.__class__ is String:
        return value.text()
    if value is UNSPECIFIED:
        return None
    return value if isinstance(value, (int, float)) and can_be_recorded(value) else write(value)
