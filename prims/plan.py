"""The plan of the work at hand, as a model or the person sets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.kinds import Choice, Parts, Several, Text
from nodwyn.prims.log.events import Plan

MOST_STEPS: Final = 50
LONGEST_STEP: Final = 500
"""Bytes of a step in UTF-8."""

MARKS: Final = ("open", "doing", "done", "dropped")


def _step(text: str, mark: str = "open") -> dict[str, str]:
    return {"text": text, "mark": mark}


STEPS: Final = Several(
    Parts(
        _step,
        "a step",
        {
            "text": (Text("a text", longest=LONGEST_STEP, empty=False), "what is to be done"),
            "mark": (Choice(*MARKS), "where it stands; open when left out"),
        },
        required=1,
    ),
    "a list of steps",
    most=MOST_STEPS,
)


@primitive("plan-set", effect=Effect.NONE)
def plan_set(
    context: Context,
    steps: Annotated[Sequence[dict[str, Any]], STEPS, "all steps, in order; none takes the plan away"],
) -> str:
    """Set the plan of the work, which the person sees. Return it as lines.

    A plan helps with work of several steps. Give it whole each time, with the mark of every step: open, doing, done,
    or dropped when it turned out not to be needed.
    """
    context.session.log.append(Plan(items=list(steps), agent=context.call.agent))
    return "\n".join(f"[{step['mark']}] {step['text']}" for step in steps) or "there is no plan now"


PRIMITIVES = (plan_set,)
