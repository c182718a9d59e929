"""A session as a person reads it."""

from __future__ import annotations

from typing import Any

import pytest

from nodwyn.loop.ui.colours import Paint
from nodwyn.loop.ui.transcript import FIRST_LINES, LAST_LINES, entry, transcript
from nodwyn.prims.log import Event
from nodwyn.prims.log.record import restore


def happened(seq: int, kind: str, **members: Any) -> Event:
    return restore({"seq": seq, "at": "2026-01-02T03:04:05.678Z", "kind": kind, **members})


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (happened(2, "user.msg", text="mend\nit"), "     2  user.msg\n        mend\n        it\n"),
        (
            happened(9, "llm.req", recipe=3, digest="ab" * 32, tokens=900),
            f"     9  llm.req: 900 tokens by our estimate, recipe 3, digest {'ab' * 32}\n",
        ),
        (
            happened(10, "llm.resp", request=9, stop="calls", usage={"input": 900, "output": 20}, cost=12_000, content=[
                {"type": "text", "text": "I look."}, {"type": "call", "id": "c", "name": "fs-list", "arguments": {}},
            ]),
            "    10  llm.resp: to 9, ended by calls, tokens input 900, output 20, $0.0120\n"
            "        I look.\n        → fs-list {}\n",
        ),
        (
            happened(3, "recipe", version=1, system="You are.", provider="p", model="m", policy={},
                     tools=[{"name": "fs-read", "description": "x", "schema": {}}]),
            "     3  recipe: version 1, p/m, 1 tools\n        You are.\n        tools: fs-read\n        \n",
        ),
        (happened(8, "turn.end", turn=2, how="done", milliseconds=2000), "     8  turn.end: of 2, done (2.0 s)\n"),
        (
            happened(4, "tool.call", agent="explorer", name="fs-list", by="model", arguments={}),
            "     4  tool.call (explorer): fs-list, by the model\n",
        ),
        (happened(5, "note", text="\x1b[2J"), "     5  note\n        ⟨U+001B⟩[2J\n"),
        (
            happened(9, "summary", first=2, through=7, text="short\x1b", digest="ab" * 32),
            "     9  summary: in place of 2 to 7\n        short⟨U+001B⟩\n",
        ),
        (happened(9, "summary.drop", summary=8), "     9  summary.drop: of 8\n"),
        (
            happened(9, "context.narrow", first=2, through=7, note="so far", lost=[
                {"what": "path", "text": "src/a.py", "seq": 5}, {"what": "number", "text": "812 tests", "seq": 6},
            ]),
            "     9  context.narrow: a note in place of 2 to 7\n        so far\n        left out:\n"
            "        1. path (in 5): src/a.py\n        2. number (in 6): 812 tests\n",
        ),
        (happened(9, "context.drop", narrow=8), "     9  context.drop: of 8\n"),
        (happened(9, "session.end", reason=""), "     9  session.end\n"),
        (
            happened(3, "scripts", scripts={"a.scm": "ab" * 32, "b.scm": "cd" * 32}, advice=None),
            f"     3  scripts\n        scripts:\n          a.scm: {'ab' * 32}\n          b.scm: {'cd' * 32}\n",
        ),
        (
            happened(9, "plan", items=[{"text": "read", "mark": "done"}, {"text": "mend", "mark": "open"}]),
            "     9  plan\n        [done] read\n        [open] mend\n",
        ),
        (happened(9, "plan", items=[]), "     9  plan: none\n"),
        (
            happened(9, "import.line", line=3, text="{broken", when="2026-03-04T05:00:00.000Z"),
            "     9  import.line: line 3\n        {broken\n",
        ),
    ],
)  # fmt: skip
def test_an_entry_has_the_number_the_kind_and_the_texts(event: Event, shown: str) -> None:
    assert entry(event) == shown


def test_a_long_text_is_shown_by_its_ends_unless_all_is_wanted() -> None:
    event = happened(5, "note", text="\n".join(map(str, range(100))))
    (short,) = transcript([event])
    (whole,) = transcript([event], full=True)
    assert f"… {100 - FIRST_LINES - LAST_LINES} more lines; --full shows them" in short
    assert short.count("\n") == FIRST_LINES + LAST_LINES + 2
    assert whole.count("\n") == 101


def test_many_decisions_that_let_something_be_read_are_counted() -> None:
    def allowed(seq: int) -> Event:
        given = {"effect": "read", "subject": f"{seq}.py", "decision": "allow", "layer": "pin", "reason": "x"}
        return happened(seq, "guard.decision", **given)

    denied = happened(30, "guard.decision", effect="read", subject="k", decision="deny", layer="denylist", reason="x")
    build = happened(31, "index.update", files=9, read=8, refused=["k"])
    shown = list(transcript([*map(allowed, range(10, 20)), denied, allowed(21), build]))
    assert shown[0] == "    10  guard.decision: allow read of 10.py: x (pin)\n"
    assert shown[1] == "        … 9 more like this, to event 19; --full shows them\n"
    assert [text.split()[0] for text in shown[2:]] == ["30", "21", "31"]
    assert shown[4] == "    31  index.update: 9 files, 8 read, 1 refused\n"
    assert len(list(transcript(map(allowed, range(10, 20)), full=True))) == 10


def test_what_belongs_to_one_of_several_calls_stands_below_it() -> None:
    events = [
        happened(4, "llm.resp", request=3, content=[], stop="calls"),
        happened(5, "tool.call", name="fs-read", arguments={"path": "a"}, by="model", reply=4),
        happened(6, "tool.call", name="fs-read", arguments={"path": "b"}, by="model", reply=4),
        happened(7, "guard.decision", effect="read", subject="b", decision="confirm", layer="x", reason="x", call=6),
        happened(8, "guard.decision", effect="read", subject="a", decision="allow", layer="x", reason="x", call=5),
        happened(9, "approval", decision=7, digest="", question="q", answer="yes", actor="person"),
        happened(10, "tool.result", call=6, ok=True, value="b"),
        happened(11, "interruption", of=5, reason="stopped"),
        happened(12, "llm.req", recipe=1, digest=""),
    ]
    order = [int(text.split()[0]) for text in transcript(events)]
    assert order == [4, 5, 8, 11, 6, 7, 9, 10, 12]


def test_a_sub_agents_events_stay_below_the_call_that_began_it() -> None:
    events = [
        happened(5, "tool.call", name="explore", arguments={}, by="model", reply=4),
        happened(6, "agent.start", name="explorer", task="look"),
        happened(7, "tool.call", agent="explorer", name="fs-list", by="model", reply=6),
        happened(8, "tool.result", agent="explorer", call=7, ok=True, value=[]),
        happened(9, "tool.result", call=5, ok=True, value="found"),
    ]
    assert [int(text.split()[0]) for text in transcript(events)] == [5, 6, 7, 8, 9]


def test_a_call_without_an_end_is_shown_too() -> None:
    assert len(list(transcript([happened(5, "tool.call", name="fs-list", arguments={}, by="model")]))) == 1


def test_colours_are_for_those_who_want_them() -> None:
    event = happened(4, "tool.result", call=3, ok=False, value="no")
    assert "\x1b[" not in entry(event)
    assert entry(event, paint=Paint(True)).startswith("     4  \x1b[31mtool.result\x1b[0m: of 3, failed\n")
