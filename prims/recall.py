"""Bringing back an event of the conversation that its window no longer shows, or one of an earlier task."""

from __future__ import annotations

from typing import Annotated, Any, Final

from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.kinds import Whole
from nodwyn.prims.log import Reader
from nodwyn.prims.log.events import ModelRequest, Recipe
from nodwyn.prims.log.read import OpenLog
from nodwyn.prims.memory.backwards import latest
from nodwyn.prims.memory.earlier import LEAVE, find_task, no_task, require_leave
from nodwyn.prims.memory.recalled import recall_text
from nodwyn.prims.parameters import Name

MOST: Final = 24_000
"""Characters that are returned where no recipe says how much of a result is shown."""


class _Seq(Whole):
    """The seq of an event. What is none is refused by the call, which can say which there are."""

    def check(self, value: Any) -> Any:
        return int(value) if isinstance(value, float) and value.is_integer() else value


_FROM_0: Final = Whole("a number", 0)


@primitive("recall", effect=Effect.READ, provenance="external:log")
def recall(
    context: Context,
    seq: Annotated[int, _Seq("an event's number", 1), "the event, such as N of [elided seq=N …]"],
    start: Annotated[int, _FROM_0, "first line, from 1; 0 for the beginning"] = 0,
    count: Annotated[int, _FROM_0, "how many lines; 0 for all that follow"] = 0,
    task: Annotated[
        Name | None, "an earlier task, as a search of them names it; this conversation if not given"
    ] = None,
) -> str:
    """Return an event of this conversation as it was recorded: a message, reply, result, attached file, plan or note.

    It says what was then; for a file as it is now use fs-read. What is too long stops at a whole line, and says how to
    go on. A reply names the results of its calls, and a turn's first message comes with what the turn did and its
    events. With a task, an event of that earlier task, if the person allows it: (recall 8 0 0 "TASK").
    """
    log = context.session.log
    most = _most(log, context.call.agent)
    if task is None or task == log.path.stem:
        context.look(f"recall {seq}", ("session", "it is what this session recorded"))
        return recall_text(log, seq, start, count, most=most)
    require_leave(log.path)
    path = find_task(task, log.path.parent)
    context.look(f"recall {seq} of {path.stem}", LEAVE)
    with Reader(path) as other:
        if other.overview.hidden:
            raise no_task(task)
        return recall_text(other, seq, start, count, most=most, task=path.stem)


def _most(log: OpenLog, agent: str) -> int:
    """Return how many characters of a result the window of an agent shows."""
    for seq in latest(log, "llm.req", agent=agent):
        request = log.event(seq)
        recipe = log.event(request.recipe) if isinstance(request, ModelRequest) else None
        most = recipe.policy.get("result") if isinstance(recipe, Recipe) and isinstance(recipe.policy, dict) else None
        return most if type(most) is int and most > 0 else MOST
    return MOST


PRIMITIVES = (recall,)
