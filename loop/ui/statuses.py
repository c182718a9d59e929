"""The exit status that says how a turn ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.loop.ui.cli import BUDGET, DONE, FAILED, IDLE, INTERRUPTED, UNANSWERED

if TYPE_CHECKING:
    from nodwyn.prims.log.events import TurnEnd

_STATUSES = {"done": DONE, "budget": BUDGET, "unanswered": UNANSWERED, "idle": IDLE}


def status_of(end: TurnEnd) -> int:
    """Return the exit status for how a turn ended."""
    from nodwyn.loop.turn import STOPPED

    if end.how == "stopped" and end.reason == STOPPED:
        return INTERRUPTED
    return _STATUSES.get(end.how, FAILED)
