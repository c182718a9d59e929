"""The loss audit: what a span held that nothing of what takes its place mentions."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.log import Event
from nodwyn.prims.log.events import ModelResponse, ToolCall, ToolResult, UserMessage
from nodwyn.prims.log.record import restore
from nodwyn.prims.memory.loss import LONGEST, MOST, Lost, loss


def recorded(*events: Event) -> list[Event]:
    """Return events as a log would give them back."""
    return [
        restore({"seq": seq, "at": "2026-10-09T03:48:03.123Z", "kind": event.kind, "agent": "main"} | event.as_json())
        for seq, event in enumerate(events, 1)
    ]


def said(text: str) -> ModelResponse:
    return ModelResponse(request=1, content=[{"type": "text", "text": text}], stop="end")


def called(**arguments: Any) -> ToolCall:
    return ToolCall(name="fs-read", arguments=arguments, by="model")


def result(value: Any, ok: bool = True) -> ToolResult:
    return ToolResult(call=1, ok=ok, value=value)


def found(*events: Event, note: str = "", cards: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(entry.what, entry.text) for entry in loss(recorded(*events), note, cards)]


@pytest.mark.parametrize(
    ("event", "entry"),
    [
        (UserMessage(text="We use tabs here. Never touch the schema."), ("request", "Never touch the schema.")),
        (UserMessage(text="Hello!\nRun the tests before you commit"), ("request", "Run the tests before you commit")),
        (UserMessage(text="It is slow. Bitte nicht neu schreiben."), ("request", "Bitte nicht neu schreiben.")),
        (called(path="src/parse/tree.py"), ("path", "src/parse/tree.py")),
        (called(line="pytest -q tests/test_tree.py"), ("path", "tests/test_tree.py")),
        (said("The fault is in parse.c and nowhere else"), ("path", "parse.c")),
        (said("see docs/adr/template and ./run"), ("path", "docs/adr/template")),
        (called(path="src/lib"), ("path", "src/lib")),
        (said("It takes 3.75 seconds now"), ("number", "3.75 seconds")),
        (said("All 812 tests pass"), ("number", "812 tests")),
        (UserMessage(text="the port is 8080"), ("number", "8080")),
        (result({"exit": 1, "output": "E   KeyError: 'x'\nok", "errors": ""}), ("error", "E KeyError: 'x'")),
        (result("tree.c:4: error: expected ';'"), ("error", "tree.c:4: error: expected ';'")),
        (result("  ValueError: bad thing at 77"), ("error", "ValueError: bad thing at 77")),
        (result("java.lang.NullPointerException"), ("error", "java.lang.NullPointerException")),
        (result("no such thing", ok=False), ("error", "no such thing")),
    ],
)
def test_what_is_not_mentioned_is_lost(event: Event, entry: tuple[str, str]) -> None:
    assert entry in found(event)


@pytest.mark.parametrize(
    ("event", "note"),
    [
        (UserMessage(text="Never touch the schema."), "The person wants: never touch the schema."),
        (UserMessage(text="Never touch the schema of the database"), "the schema of the database: never touch"),
        (called(path="src/parse/tree.py"), "Worked on src/parse/tree.py."),
        (called(path="src/parse/tree.py"), "Worked on tree.py."),
        (said("It takes 3.75 seconds now"), "It took 3.75 s."),
        (result("tree.c:4: error: expected ';'"), "gcc: tree.c:4: error: expected ';'"),
    ],
)
def test_what_the_note_mentions_is_not(event: Event, note: str) -> None:
    assert found(event, note=note) == []


def test_what_a_card_mentions_is_not_lost_either() -> None:
    assert found(called(path="a/b.py"), said("75 done"), cards=("files written:\n  a/b.py", "75 done")) == []


@pytest.mark.parametrize(
    "event",
    [
        UserMessage(text="What should I use?"),
        UserMessage(text="Thank you"),
        said("Step 1 of 3, and/or the client/server part, 1/2 of it"),
        said("e.g. self.path of an object at https://example.org/a"),
        called(content="x = 1\nimport os.path\n" * 200),
        result("src/one.py\nsrc/two.py\n"),
        result("def error(): pass\nraise errors"),
        result(
            "def perror(message):\n    except ValueError: n = 1\n    raise SSLError(\nfrom socket import TimeoutError\n"
        ),
        result("last_error = None\nclass OddError(Exception):\n    self.error: str"),
        result({"exit": 0, "output": "17 passed", "errors": ""}),
    ],
)
def test_what_only_looks_so_is_not_listed(event: Event) -> None:
    assert found(event) == []


def test_a_part_of_another_number_or_path_is_no_mention() -> None:
    assert found(said("we have 81 of them"), note="8100 or 181") == [("number", "81 of")]
    assert found(called(path="src/a"), note="as far as I see") == [("path", "src/a")]


def test_a_message_that_is_carried_loses_nothing() -> None:
    events = recorded(UserMessage(text="Never touch src/schema.sql"))
    assert loss(events, "", carried=lambda message: True) == []
    assert len(loss(events, "", carried=lambda message: False)) == 2


def test_each_thing_is_listed_once_with_the_event_that_held_it_last() -> None:
    events = recorded(said("in src/a.py"), called(path="src/a.py"), said("done"))
    assert loss(events, "") == [Lost("path", "src/a.py", 2)]


def test_of_many_the_latest_are_listed_and_the_rest_counted() -> None:
    events = recorded(*(called(path=f"src/file{number}.py") for number in range(MOST + 2)))
    listed = loss(events, "")
    assert len(listed) == MOST + 1
    assert (listed[0].what, listed[0].text) == ("more", "2 earlier paths")
    assert listed[-1].text == f"src/file{MOST + 1}.py"


def test_long_lines_are_cut_and_endless_ones_passed_over() -> None:
    listed = loss(recorded(result("error: " + "x " * 400), result("error: " + "y" * 3000)), "")
    assert [len(entry.text) for entry in listed] == [LONGEST]


@given(st.lists(st.text("ab/.+@~-1, \n:eErorE"), max_size=5), st.text("ab/.1 "))
def test_it_always_comes_out_the_same_and_a_note_of_everything_loses_nothing(texts: list[str], note: str) -> None:
    events = recorded(*map(said, texts))
    assert loss(events, note) == loss(events, note)
    assert [entry for entry in loss(events, "\n".join(texts)) if entry.what == "path"] == []


@pytest.mark.parametrize(
    "text", ["a+" * 50_000, "a/" * 50_000, "1," * 50_000, "a" * 100_000, "-" * 100_000, "~" * 100_000]
)
def test_time_is_in_proportion_to_the_text(text: str) -> None:
    def seconds(size: int) -> float:
        events = recorded(said(text[:size]), UserMessage(text=text[:size]), result(text[:size]))
        times = []
        for _ in range(3):
            begun = time.process_time()
            loss(events, "")
            times.append(time.process_time() - begun)
        return min(times)

    assert seconds(len(text)) < 3 * 8 * max(seconds(len(text) // 8), 0.002)


def test_of_a_message_without_an_end_of_a_sentence_it_lists_where_it_tells_something() -> None:
    text = (
        "lorem ipsum " * 300
        + "never delete the folder quux "
        + "dolor sit " * 300
        + "always sign the tag "
        + "amet " * 100
    )
    listed = [entry.text for entry in loss(recorded(UserMessage(text=text)), "a note")]
    assert [entry.split(" ")[0] for entry in listed] == ["never", "always"]
    assert listed[0].startswith("never delete the folder quux ")
    assert max(map(len, listed)) <= LONGEST
