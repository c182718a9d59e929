"""What makes one request differ from another, by events and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nodwyn.loop.window.build import MEMBERS, Built, Window
from nodwyn.loop.window.canonical import canonical
from nodwyn.loop.window.replay import rebuild
from nodwyn.loop.window.timeline import Change
from nodwyn.prims.counting import counted
from nodwyn.prims.log.events import ModelRequest
from nodwyn.prims.log.read import OpenLog


def differences(log: OpenLog, first: int, second: int) -> Iterator[str]:
    """Yield in lines which parts of two requests differ, and which events and rules made them so.

    first, second: the seqs of the requests.

    Raises: ReplayError when one of them cannot be built again. OSError.
    """
    one, other = rebuild(log, first), rebuild(log, second)
    requests = [log.event(seq) for seq in (first, second)]
    for name in MEMBERS:
        if one.request[name] != other.request[name]:
            recipes = [str(request.recipe) for request in requests if isinstance(request, ModelRequest)]
            yield f"{name} differs: the recipes are {' and '.join(recipes)}"
    agents = [request.agent for request in requests]
    if agents[0] != agents[1]:
        yield f"request {first} is of the context {agents[0]}, request {second} of {agents[1]}"
        changes = []
    else:
        changes = _changes(log, *sorted((first, second)))
    old, new = one.request["messages"], other.request["messages"]
    yield f"request {first} has {counted(len(old), 'message')}, request {second} has {len(new)}"
    yield from _messages(one, other, changes)


def _messages(one: Built, other: Built, changes: Sequence[Change]) -> Iterator[str]:
    from difflib import SequenceMatcher

    old, new = ([canonical(message) for message in built.request["messages"]] for built in (one, other))
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield f"  {_range(one, a, b)}: the same"
        if a < b and what != "equal":
            yield f"- {_range(one, a, b)}{_why(one, a, b, changes)}"
        if c < d and what != "equal":
            yield f"+ {_range(other, c, d)}"


def _changes(log: OpenLog, earlier: int, later: int) -> list[Change]:
    """Return what made the events that the earlier request could hold stand otherwise in the later one."""
    request = log.event(later)
    assert isinstance(request, ModelRequest)
    window = Window(log, request.agent)
    window.build(request.recipe, before=later)
    return [change for change in window.changes(earlier) if change.is_about(earlier)]


def _range(built: Built, start: int, end: int) -> str:
    """Return in words which messages these are, and which events they rest on."""
    seqs = [seq for sources in built.sources[start:end] for seq in sources]
    roles = built.request["messages"][start]["role"]
    which = f"message {start + 1}, {roles}" if end == start + 1 else f"messages {start + 1} to {end}"
    return f"{which}, seq {min(seqs)} to {max(seqs)}" if len(seqs) > 1 else f"{which}, seq {seqs[0]}"


def _why(built: Built, start: int, end: int, changes: Sequence[Change]) -> str:
    """Return what stands otherwise in messages, and why; what concerns no event alone may concern any."""
    seqs = {seq for sources in built.sources[start:end] for seq in sources}
    words = [change.words for change in changes if 0 in change.affects or seqs & set(change.affects)]
    return f": {'; '.join(words)}" if words else ""
