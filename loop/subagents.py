"""The work of a sub-agent: a context of its own in the same log, on record from its beginning to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nodwyn.interp.data import Pair, String, Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.limits import INTERRUPTED
from nodwyn.interp.printer import display
from nodwyn.loop.turn import How, ending_of
from nodwyn.prims.log import LogError
from nodwyn.prims.log.events import AgentEnd, AgentStart

if TYPE_CHECKING:
    from nodwyn.loop.conversation import Conversation


def work_as_agent(
    conversation: Conversation,
    name: str,
    task: str,
    tools: Sequence[str],
    limits: Mapping[str, int],
    work: Callable[[], Value],
) -> Value:
    """Do some work in a new context; return its answer.

    work: returns the answer, or a list of how it ended and the answer.

    Raises: SchemeError, LogError. What stops the program.
    """
    log = conversation.session.log
    caller = conversation.agent.name
    with conversation.as_agent(name, limits) as agent:
        given: dict[str, Any] = {"limits": dict(limits)} if limits else {}
        start = log.append(AgentStart(name=agent.name, task=task, tools=list(tools), agent=caller, **given))

        def end(how: How, answer: str) -> None:
            log.append(AgentEnd(start=start, how=how, answer=answer, agent=caller))

        try:
            value = work()
        except SchemeError as error:
            end("stopped" if str(error) == INTERRUPTED else "error", str(error))
            raise
        except LogError:
            raise
        except BaseException:
            end("stopped", "")
            raise
        ending = ending_of(value) if isinstance(value, Pair) else None
        if ending is not None:
            value = value.cdr.car if isinstance(value.cdr, Pair) else String("")
        end(ending.how if ending is not None else "done", display(value))
    return value
