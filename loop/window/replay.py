"""Building recorded requests again, from the log alone, each proved by its digest.

The digest proves that a request is built today as it was when it was sent. It is no seal: whoever can write the log can
write another digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nodwyn.loop.window.build import Built, Window
from nodwyn.loop.window.policy import UnknownRecipe
from nodwyn.prims.log import LogError
from nodwyn.prims.log.events import ModelRequest
from nodwyn.prims.log.read import OpenLog, Reader

NEAR = 3
"""How many requests are named on each side of a seq that is none."""


class ReplayError(LogError):
    """A request cannot be built again; the message says why."""


class Rebuilt(NamedTuple):
    """A request of the log, built again."""

    seq: int
    agent: str
    built: Built


def rebuild(log: OpenLog, seq: int) -> Built:
    """Return the request that the event ``seq`` records, built from the events before it and its recipe.

    Raises: ReplayError when there is no request, when it cannot be built, or is not the one that was sent. OSError.
    """
    request = _request(log, seq)
    return _verified(log, Window(log, request.agent), request)


def rebuild_all(log: OpenLog) -> Iterator[Rebuilt]:
    """Yield every request of the log, built again.

    Raises: ReplayError at the first that cannot be, or is not the one that was sent. OSError.
    """
    windows: dict[str, Window] = {}
    for seq in log.seqs("llm.req"):
        request = _request(log, seq)
        if request.agent not in windows:
            windows[request.agent] = Window(log, request.agent)
        yield Rebuilt(seq, request.agent, _verified(log, windows[request.agent], request))
    if isinstance(log, Reader) and log.damage is not None:
        raise ReplayError(f"what requests there are behind event {log.last} cannot be told: {log.damage}")


def _verified(log: OpenLog, window: Window, request: ModelRequest) -> Built:
    """Return what a window builds for a request on record.

    Raises: ReplayError.
    """
    try:
        built = window.build(request.recipe, before=request.seq)
    except UnknownRecipe as error:
        if next(log.seqs("recipe"), None) is None:
            raise ReplayError(
                f"{_name(log)} has no recipes, so none of its requests can be built again;"
                f" `nodwyn replay {_name(log)}` shows what was said and done"
            ) from None
        raise ReplayError(f"request {request.seq} cannot be built again: {error}") from None
    except LogError as error:
        raise ReplayError(f"request {request.seq} cannot be built again: {error}") from None
    if built.digest != request.digest:
        raise ReplayError(
            f"request {request.seq} is not built as it was sent: its digest is {built.digest}, recorded is"
            f" {request.digest}. The log was altered since, or another program made it."
        )
    return built


def _request(log: OpenLog, seq: int) -> ModelRequest:
    """Return the request with this seq.

    Raises: ReplayError when it is none.
    """
    event = log.event(seq) if 1 <= seq <= log.last else None
    if isinstance(event, ModelRequest):
        return event
    what = f"event {seq} is no request but {event.kind}" if event else f"there is no event {seq}"
    damage = f" ({log.damage})" if not event and isinstance(log, Reader) and log.damage else ""
    raise ReplayError(f"{what}{_near(log, seq)}{damage}")


def _near(log: OpenLog, seq: int) -> str:
    """Return in words which requests are near a seq."""
    requests = list(log.seqs("llm.req"))
    if not requests:
        return f"; {_name(log)} has no requests"
    place = sum(request < seq for request in requests)
    near = requests[max(0, place - NEAR) : place + NEAR]
    if len(requests) == len(near):
        return f"; the requests are {', '.join(map(str, near))}"
    return f"; requests near it are {', '.join(map(str, near))}"


def _name(log: OpenLog) -> str:
    return log.path.stem
