"""How summaries stand: a pure function of the events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from nodwyn.prims.log import Event
from nodwyn.prims.log.events import Elide, ModelRequest, ModelResponse, Summary, SummaryDrop, UserMessage
from nodwyn.prims.log.record import restore
from nodwyn.prims.summaries.standing import SOURCE, source_digest, span, standings

DIGEST = "0" * 64


def recorded(*events: Event) -> list[Event]:
    """Return events as a log would give them back."""
    return [
        restore({"seq": seq, "at": "2026-10-09T03:48:03.123Z", "kind": event.kind, "agent": "main"} | event.as_json())
        for seq, event in enumerate(events, 1)
    ]


def turns(count: int) -> list[Event]:
    """Return turns of three events each: the message 3n+1, the request 3n+2, the reply 3n+3."""
    events: list[Event] = []
    for number in range(count):
        events.append(UserMessage(text=f"question {number}"))
        events.append(ModelRequest(recipe=1, digest=DIGEST))
        reply = [{"type": "text", "text": f"answer {number}"}]
        events.append(ModelResponse(request=3 * number + 2, content=reply, stop="end"))
    return events


def summarised(events: Sequence[Event], first: int, through: int) -> Summary:
    """Return a summary of a span, as it is made when these events are there."""
    source = [event for event in recorded(*events) if event.kind in SOURCE]
    return Summary(first=first, through=through, text="short", digest=source_digest(span(source, first, through)))


def statuses(events: Iterable[Event]) -> list[str]:
    return [each.status for each in standings(recorded(*events))]


def test_a_log_without_summaries_has_none() -> None:
    assert standings(recorded(*turns(3))) == []


@pytest.mark.parametrize(
    ("first", "through", "status"),
    [(1, 3, "active"), (1, 6, "active"), (4, 6, "active"), (7, 9, "recent"), (10, 12, "recent"), (4, 9, "recent")],
)
def test_a_summary_that_reaches_the_latest_two_turns_waits(first: int, through: int, status: str) -> None:
    events = turns(4)
    assert statuses([*events, summarised(events, first, through)]) == [status]


def test_a_waiting_summary_becomes_active_when_two_turns_have_followed() -> None:
    events = turns(2)
    later = [*events, summarised(events, 4, 6)]
    seen = []
    for question in ("one", "two"):
        seen += statuses(later)
        later = [*later, UserMessage(text=question)]
    assert [*seen, *statuses(later)] == ["recent", "recent", "active"]


def test_with_fewer_than_two_turns_every_summary_waits() -> None:
    events = turns(1)
    assert statuses([*events, summarised(events, 1, 3)]) == ["recent"]


def test_a_dropped_summary_is_dropped_whatever_else_it_is() -> None:
    events = turns(4)
    one = summarised(events, 1, 3)
    assert statuses([*events, one, SummaryDrop(summary=13)]) == ["dropped"]
    assert statuses([*events, one, one, SummaryDrop(summary=13)]) == ["dropped", "active"]


def test_a_changed_source_makes_a_summary_stale() -> None:
    events = turns(4)
    summary = summarised(events, 1, 3)
    events[2] = ModelResponse(request=2, content=[{"type": "text", "text": "another answer"}], stop="end")
    assert statuses([*events, summary]) == ["stale"]


def test_a_missing_source_makes_a_summary_stale() -> None:
    events = recorded(*turns(4), summarised(turns(4), 1, 6))
    assert [each.status for each in standings(event for event in events if event.seq != 4)] == ["stale"]


@pytest.mark.parametrize(("first", "through"), [(1, 99), (2, 3), (1, 2)])
def test_a_span_without_the_ends_of_one_is_stale(first: int, through: int) -> None:
    events = turns(4)
    assert statuses([*events, summarised(events, first, through)]) == ["stale"]


def test_what_is_no_part_of_the_conversation_makes_no_summary_stale() -> None:
    events = turns(4)
    summary = summarised(events, 1, 3)
    events[1] = Elide(events=[1])
    assert statuses([*events, summary]) == ["active"]


def test_events_of_sub_agents_do_not_count() -> None:
    events = turns(4)
    summary = summarised(events, 1, 3)
    aside = UserMessage(text="aside", agent="explorer")
    assert statuses([*events, summary, aside, aside]) == ["active"]


@pytest.mark.parametrize(("first", "through", "older"), [(4, 9, "superseded"), (1, 3, "superseded"), (7, 9, "active")])
def test_a_newer_summary_that_overlaps_supersedes(first: int, through: int, older: str) -> None:
    events = turns(5)
    two = [*events, summarised(events, 1, 6), summarised(events, first, through)]
    assert statuses(two) == [older, "active"]


def test_dropping_the_newer_does_not_revive_the_older() -> None:
    events = turns(5)
    both = [*events, summarised(events, 1, 6), summarised(events, 4, 9)]
    assert statuses([*both, SummaryDrop(summary=17)]) == ["superseded", "dropped"]


def test_invalidating_the_newer_does_not_revive_the_older() -> None:
    events = turns(5)
    older, newer = summarised(events, 1, 3), summarised(events, 1, 6)
    events[4 - 1] = UserMessage(text="another question")
    assert statuses([*events, older, newer]) == ["superseded", "stale"]


def test_an_older_one_is_superseded_by_one_that_waits() -> None:
    events = turns(4)
    assert statuses([*events, summarised(events, 1, 6), summarised(events, 4, 9)]) == ["superseded", "recent"]
