"""The work of a sub-agent: a context of its own in the same log, on record from its beginning to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import display
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
    """Do some work in a new context; return what it returns.

    Raises: SchemeError, LogError. What stops the program.
    """
    log = conversation.session.log
    caller = conversation.agent.name
    with conversation.as_agent(name, limits) as agent:
        given: dict[str, Any] = {"limits": dict(limits)} if limits else {}
        start = log.append(AgentStart(name=agent.name, task=task, tools=list(tools), agent=caller, **given))

        def end(how: str, answer: str) -> None:
            log.append(AgentEnd(start=start, how=how, answer=answer, agent=caller))

        try:
            value = work()
        except SchemeError as error:
            end("error", str(error))
            raise
        except LogError:
            raise
        except BaseException:
            end("stopped", "")
            raise
        end("done", display(value))
    return value
