"""What a process left incomplete that was killed, and what opening its log made of that, in words.

Whatever opens such a log puts it right, `nodwyn undo` and `nodwyn title` too: they say so, and so does the next
conversation in the session, which may be long after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from nodwyn.loop.ui import words
from nodwyn.loop.ui.cli import complain
from nodwyn.prims.counting import counted
from nodwyn.prims.log.append import ENDED_BEFORE, NEVER_ALLOWED
from nodwyn.prims.log.events import Interruption, Recovery, SessionResume

if TYPE_CHECKING:
    from nodwyn.prims.log import Event, Log

UNDO = "undo"
"""What opens a session without going on with it, as its session.resume names it."""


def tell_mended(log: Log) -> None:
    """Say on standard error what was put right when this process opened a log."""
    ends = (log.event(seq) for seq in log.seqs("interruption"))
    ended = [event for event in ends if isinstance(event, Interruption) and event.of in log.interrupted]
    for line in _told(log, log.recovery, ended):
        complain(f"session {log.path.stem}: {line}")


def mended(log: Log) -> list[str]:
    """Return in words what was put right since a conversation was last held in a session, this opening included."""
    events = mending(log)
    torn = next((event for event in events if isinstance(event, Recovery)), None)
    return list(_told(log, torn, [event for event in events if isinstance(event, Interruption)]))


def mending(log: Log) -> list[Event]:
    """Return the events that say what was put right since a conversation was last held in a session."""
    resumed = [event for seq in log.seqs("session.resume") if isinstance(event := log.event(seq), SessionResume)]
    if not resumed:
        return []
    since = max((event.seq for event in resumed[:-1] if event.client != UNDO), default=1)
    events = (log.event(seq) for seq in log.seqs("recovery", "interruption", start=since))
    return [event for event in events if isinstance(event, Recovery) or _is_mending(event)]


def _is_mending(event: Event) -> bool:
    return isinstance(event, Interruption) and event.reason in _BECAME


def _told(log: Log, recovery: Recovery | None, ended: Iterable[Interruption]) -> Iterator[str]:
    """Yield what was put right: a torn end, and what had begun, the first first."""
    if recovery is not None:
        yield _torn(recovery)
    for event in sorted(ended, key=lambda event: event.of):
        yield _ended(log.event(event.of).as_json(), _BECAME[event.reason])


def _torn(event: Recovery) -> str:
    size = counted(event.size, "byte was", "bytes were")
    return f"the last line of the log was not whole: its {size} put aside, in {event.kept} beside it"


def _ended(members: Mapping[str, Any], became: str) -> str:
    seq = members["seq"]
    if members["kind"] == "tool.call":
        what = words.before(members["name"], members.get("arguments"))
        return f"event {seq}, {what}: it was interrupted{became}"
    return f"event {seq}, {_BEGUN.get(members['kind'], members['kind'])}: it was interrupted"


_BECAME = {
    ENDED_BEFORE: "; whether it took effect is not known",
    NEVER_ALLOWED: " before it was allowed; nothing of it was done",
}
_BEGUN = {"turn.start": "a turn", "llm.req": "a request to the model", "agent.start": "a sub-agent"}
