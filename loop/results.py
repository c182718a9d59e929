"""What the scripts see of a reply and of the results of its calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from nodwyn.loop.tools import ReplyCall
from nodwyn.prims.log.events import Approval, GuardDecision, ModelResponse, ToolCall, ToolResult

if TYPE_CHECKING:
    from nodwyn.prims.log import Log

JSON = Any


class Replied(NamedTuple):
    """A reply, or why there is none."""

    seq: int
    """Of the llm.resp, or of the llm.error."""
    stop: str
    """Why it ended: end, calls, length, refusal …; ``failed`` when there is none."""
    text: str
    """What it says, without thinking and calls; of a failure, what went wrong."""
    calls: Sequence[ReplyCall]
    failed: str = ""
    """What kind of failure: overflow, budget, key, busy …; nothing when there is a reply."""


class Came(NamedTuple):
    """What a call came to."""

    id: str
    name: str
    seq: int
    """Of the tool.result."""
    ok: bool
    value: JSON
    refused: bool
    """Whether the guard, or the person, said no."""
    unanswered: bool
    """Whether it needed the person's yes, and there was nobody to ask."""


def replied(event: ModelResponse) -> Replied:
    """Return what scripts see of a reply."""
    texts = [block["text"] for block in event.content if block["type"] == "text"]
    return Replied(event.seq, event.stop, "\n\n".join(texts), calls_of(event))


def calls_of(event: ModelResponse) -> list[ReplyCall]:
    """Return the calls in a reply."""
    return [
        ReplyCall(block["id"], block["name"], block["arguments"]) for block in event.content if block["type"] == "call"
    ]


def came(log: Log, seq: int) -> Came:
    """Return what scripts see of the result with this seq."""
    result = log.event(seq)
    assert isinstance(result, ToolResult)
    call = log.event(result.call)
    assert isinstance(call, ToolCall)
    verdict, actor = ("", "") if result.ok or not result.decisions else _verdict(log, result.decisions[-1])
    unanswered = verdict == "no" and actor.startswith("not asked")
    return Came(call.id, call.name, seq, result.ok, result.value, verdict in ("deny", "no"), unanswered)


def _verdict(log: Log, decision: int) -> tuple[str, str]:
    """Return what came of a decision: allow, deny, or to a question yes or no; and who answered that."""
    decided = log.event(decision)
    assert isinstance(decided, GuardDecision)
    if decided.decision == "confirm":
        for seq in log.seqs("approval", start=decision):
            event = log.event(seq)
            if isinstance(event, Approval) and event.decision == decision:
                return event.answer, event.actor
    return decided.decision, ""
