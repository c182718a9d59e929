"""recall: an event as it was recorded, in lines, under a heading."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.log.events import (
    Attachment,
    FileVersion,
    Narrow,
    Recipe,
    ToolCall,
    ToolResult,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.memory.recalled import recall_text, turn_of
from nodwyn.prims.memory.remembered import remember
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events
from tests.prims.memory.making import Maker, new_session


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return new_session(tmp_path)


def recalled(maker: Maker, seq: object, start: int = 0, count: int = 0, most: int | None = None) -> list[str]:
    """Return what recall says, in lines; without the time, which differs."""
    text = recall_text(maker.log, seq, start, count, most=most)
    return re.sub(r", \d{4}-\d\d-\d\dT[\d:.]+Z", "", text, count=1).split("\n")


def test_an_event_as_it_was_recorded_under_a_heading(maker: Maker) -> None:
    seq = maker.call("fs-read", {"path": "a.py"}, "one\ntwo\n")

    assert recalled(maker, seq) == [f'seq {seq}, the result of fs-read {{"path":"a.py"}}', "one", "two"]


def test_the_heading_says_what_failed_and_in_whose_context(maker: Maker) -> None:
    seq = maker.call("shell-exec", {"line": "make"}, "shell-exec: refused", ok=False, agent="explorer")

    heading, text = recalled(maker, seq)

    assert heading == f'seq {seq}, the result of shell-exec {{"line":"make"}}, which failed, in the context of explorer'
    assert text == "shell-exec: refused"


@pytest.mark.parametrize(
    ("start", "count", "lines"),
    [
        (2, 3, ["[lines 2-4 of 9]", "2", "3", "4"]),
        (8, 0, ["[lines 8-9 of 9]", "8", "9"]),
        (8, 50, ["[lines 8-9 of 9]", "8", "9"]),
        (1, 1, ["[lines 1-1 of 9]", "1"]),
        (0, 2, ["[lines 1-2 of 9]", "1", "2"]),
        (0, 0, [str(number) for number in range(1, 10)]),
    ],
)
def test_lines_of_it(maker: Maker, start: int, count: int, lines: list[str]) -> None:
    seq = maker.call("fs-read", {}, "".join(f"{number}\n" for number in range(1, 10)))

    assert recalled(maker, seq, start, count)[1:] == lines


def test_a_line_past_the_end_is_an_error_that_says_how_many_there_are(maker: Maker) -> None:
    seq = maker.call("fs-read", {}, "one\ntwo\n")
    with pytest.raises(PrimitiveError, match=rf"start is 3, and event {seq} has 2 lines"):
        recalled(maker, seq, 3)


def test_an_empty_result_says_so(maker: Maker) -> None:
    assert recalled(maker, maker.call("fs-write", {}, None))[1:] == ["(empty)"]


def test_an_attached_image_says_what_it_is(maker: Maker) -> None:
    seq = maker.add(Attachment(name="a.png", media="image/png", blob="0" * 64, size=3000))

    assert recalled(maker, seq) == [f"seq {seq}, the attached file a.png", "(image/png, 3,000 bytes: no text)"]


def test_a_shell_result_as_lines_whole_and_uncut(maker: Maker) -> None:
    output = "".join(f"line {number} größer\n" for number in range(1500))
    seq = maker.shell("make", output, exit=2, errors="bad\nworse")

    assert recalled(maker, seq)[1:] == ["exit 2", *output.split("\n")[:-1], "[stderr]", "bad", "worse"]


def test_other_json_is_indented(maker: Maker) -> None:
    assert recalled(maker, maker.call("index-grep", {}, {"matches": [{"line": 3}]}))[1:] == [
        "{",
        '  "matches": [',
        "    {",
        '      "line": 3',
        "    }",
        "  ]",
        "}",
    ]


def test_a_reply_names_the_results_of_its_calls(maker: Maker) -> None:
    calls = [("fs-read", {"path": "a"}), ("fs-read", {"path": "b"}), ("shell-exec", {"line": "ls"})]
    reply = maker.reply("Both, and a list.", *calls)
    seqs = [
        maker.add(ToolCall(name=name, arguments=arguments, by="model", reply=reply, id=f"call_{number}"))
        for number, (name, arguments) in enumerate(calls, 1)
    ]
    second = maker.add(ToolResult(call=seqs[1], ok=False, value="no"))
    first = maker.add(ToolResult(call=seqs[0], ok=True, value="a"))

    assert recalled(maker, reply)[1:] == [
        "Both, and a list.",
        f"→ fs-read  (its result: {first})",
        "  path: a",
        f"→ fs-read  (its result: {second}, failed)",
        "  path: b",
        "→ shell-exec  (never answered)",
        "  line: ls",
    ]


def test_the_first_message_of_a_turn_comes_with_its_card_and_events(maker: Maker) -> None:
    maker.turn("before", "yes")
    attached = maker.add(Attachment(name="a.txt", text="x", size=1))
    message = maker.ask("fix the pager\nplease")
    read = maker.call("fs-read", {"path": "a"}, "x")
    note = maker.add(Narrow(first=2, through=3, note="short"))
    answer = maker.reply("Done.")
    end = maker.end(milliseconds=2000)

    lines = recalled(maker, message)

    assert lines[:5] == [
        f"seq {message}, the person's message",
        "fix the pager",
        "please",
        "",
        f"[its turn, events {attached}-{end}]",
    ]
    assert "took 2.0 s, cost $0.00" in lines[6]
    assert "answer: Done." in lines
    assert lines[-1] == (
        f"events to recall: {attached} attachment, {message} message, {read - 2} reply, {read} fs-read, {note} narrow,"
        f" {answer} reply"
    )


def test_the_card_is_the_one_that_is_kept(maker: Maker) -> None:
    message = maker.turn("ask", "yes", ("fs-read", {"path": "a"}, "x"))
    event = maker.log.event(message)
    assert isinstance(event, UserMessage)

    found = turn_of(maker.log, event)

    assert found is not None
    with remember(maker.path) as known:
        assert known.cards() == [found[0]]


def test_a_message_within_a_turn_has_no_card(maker: Maker) -> None:
    maker.ask("first")
    for _ in range(100):
        maker.remind("so many events")
    within = maker.add(UserMessage(text="and also"))

    assert recalled(maker, within)[1:] == ["and also"]


def test_the_events_of_a_huge_turn_are_named_as_ranges(maker: Maker) -> None:
    message = maker.ask("go")
    first = maker.remind("one")
    for _ in range(700):
        last = maker.remind("more")

    assert recalled(maker, message)[-1] == f"events to recall: {message}, {first}-{last}"


@pytest.mark.parametrize("seq", [0, -3, 1000, "812", None, 2.5, True])
def test_what_is_no_event_is_an_error_that_names_the_range(maker: Maker, seq: object) -> None:
    maker.turn("ask", "yes")
    with pytest.raises(PrimitiveError, match=rf"there is no event .*: the events are 1 to {maker.log.last}$"):
        recalled(maker, seq)


def test_records_are_refused_with_what_they_are(maker: Maker) -> None:
    maker.ask("go")
    result = maker.call("fs-read", {}, "x")
    with pytest.raises(PrimitiveError, match=r"event 3 is a turn\.start, which is not shown\. There are messages"):
        recalled(maker, 3)
    with pytest.raises(PrimitiveError, match=rf"is a tool\.call, which is not shown; its result is event {result}\."):
        recalled(maker, result - 1)


def test_earlier_recalls_can_be_recalled_though_no_search_finds_them(maker: Maker) -> None:
    assert recalled(maker, maker.call("recall", {"seq": 2}, "old text"))[1:] == ["old text"]


def paged(maker: Maker, seq: int, most: int) -> tuple[str, int]:
    """Return the text of an event as its pages give it, and how many there were."""
    text, start, pages = "", 0, 0
    while True:
        page = recall_text(maker.log, seq, start, 0, most=most)
        pages += 1
        assert len(page) <= max(most, 1300)
        body = re.sub(r"\A\[lines \d+-\d+ of \d+\]\n", "", page.partition("\n")[2])
        cut = re.search(r"\n\[cut (here|within a line): \(recall \d+ (\d+)\) goes on\]$", body)
        if cut is None:
            return text + body, pages
        text += body[: cut.start()] + ("\n" if cut[1] == "here" else "")
        start = int(cut[2])


@pytest.mark.parametrize(
    "value",
    ["".join(f"line {number}\n" for number in range(60_000)), "x" * 200_000, f"a\n{'y' * 200_000}\nb"],
    ids=["many lines", "one line", "a long line between"],
)
def test_what_is_too_long_is_read_in_pages_that_join_to_the_whole(maker: Maker, value: str) -> None:
    seq = maker.call("fs-read", {}, value)

    text, pages = paged(maker, seq, 24_000)

    assert text == value.removesuffix("\n")
    assert pages < 60


@settings(max_examples=40)
@given(st.lists(st.text("ab ä", max_size=30) | st.just("z" * 2500), max_size=60), st.integers(1, 5000))
def test_pages_join_to_the_whole(tmp_path_factory: pytest.TempPathFactory, lines: list[str], most: int) -> None:
    maker = new_session(tmp_path_factory.mktemp("log"))
    value = "\n".join([*lines, "end"])
    seq = maker.call("fs-read", {}, value)

    assert paged(maker, seq, most)[0] == value


def test_a_page_that_was_asked_for_goes_on_with_what_is_left_of_it(maker: Maker) -> None:
    seq = maker.call("fs-read", {}, "".join(f"{number:08}\n" for number in range(1000)))

    lines = recalled(maker, seq, 101, 500, most=1000)

    shown = len(lines) - 3
    assert lines[1] == f"[lines 101-{100 + shown} of 1000]"
    assert lines[-1] == f"[cut here: (recall {seq} {101 + shown} {500 - shown}) goes on]"


# In a session


def tool(session: Session, **arguments: Any) -> dict[str, Any]:
    """Return the result of a model's call, as it is recorded."""
    return session.log.event(call_from_model(session, "recall", arguments)).as_json()


def test_a_session_recalls_what_it_recorded_and_asks_nothing(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("as it was\n")
    read = call_from_model(session, "fs-read", {"path": "a.txt"})
    (root / "a.txt").write_text("as it is\n")

    result = tool(session, seq=read)

    assert result["ok"]
    assert result["value"].split("\n")[1:] == ["as it was"]
    assert result["labels"] == ["external:log", "external:model"]
    assert events(session, "approval") == []


def test_what_was_recorded_stays_readable_when_the_file_is_denied(session: Session, root: Path) -> None:
    seq = session.log.append(ToolCall(name="fs-read", arguments={"path": ".env"}, by="person"))
    old = session.log.append(ToolResult(call=seq, ok=True, value="HOST=example"))
    (root / ".env").write_text("HOST=example")

    assert not session.log.event(call_from_model(session, "fs-read", {"path": ".env"})).as_json()["ok"]
    assert tool(session, seq=old)["value"].endswith("HOST=example")


def test_the_cap_is_that_of_the_agents_window(session: Session) -> None:
    policy = {"result": 2000}
    recipe = Recipe(version=1, system="", tools=[], policy=policy, provider="scripted", model="m")
    maker = Maker(session.log)
    session.log.append(recipe)
    long = maker.call("fs-read", {}, "word\n" * 10_000)

    assert 1000 < len(tool(session, seq=long)["value"]) <= 2000


def test_without_a_window_there_is_a_cap_too(session: Session) -> None:
    maker = Maker(session.log)
    call = session.log.append(ToolCall(name="fs-read", arguments={}, by="person"))
    long = session.log.append(ToolResult(call=call, ok=True, value="word\n" * 10_000))

    assert maker.log is session.log
    assert 20_000 < len(tool(session, seq=long)["value"]) <= 24_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seq": -1}, "recall: there is no event -1: the events are 1 to"),
        ({"seq": "x"}, "recall: there is no event 'x': the events are 1 to"),
        ({}, "recall: seq is missing"),
        ({"seq": 2, "start": -1}, "recall: start must be a number from 0, got -1"),
        ({"seq": 2, "count": -1}, "recall: count must be a number from 0, got -1"),
    ],
)
def test_mistakes_are_told(session: Session, arguments: dict[str, Any], said: str) -> None:
    session.log.append(UserMessage(text="hello"))
    result = tool(session, **arguments)

    assert not result["ok"]
    assert result["value"].startswith(said)


def test_in_scheme_it_is_positional(session: Session) -> None:
    message = session.log.append(UserMessage(text="one\ntwo\nthree"))
    session.log.append(TurnStart(message=message))

    assert "[lines 2-2 of 3]" in session.evaluate(f"(recall {message} 2 1)").text()
    assert "three" in session.evaluate(f'(recall {message} 0 0 "{session.name}")').text()
    with pytest.raises(SchemeError, match="there is no event 9999: the events are 1 to"):
        session.evaluate("(recall 9999)")


def test_a_command_built_from_it_asks(begin: Begin) -> None:
    person = Person(False)
    session = begin(ask=person)
    message = session.log.append(UserMessage(text="echo okapi"))

    with pytest.raises(SchemeError):
        session.evaluate(f'(shell-exec (string-append "echo " (recall {message} 1 1)))')

    (question,) = person.questions
    assert "an earlier record (external:log)" in " ".join(question.reasons)


def test_the_card_of_a_turn_fits_beside_its_message(maker: Maker) -> None:
    message = maker.ask("go " * 20_000)
    for number in range(60):
        maker.plan(*[("open", "step " * 100)] * 60)
        maker.add(FileVersion(path=f"{number}/{'x' * 500}"))
        maker.shell(f"make {number} " + "y" * 500, "", exit=1)
        maker.call("fs-read", {}, "no " * 500, ok=False)

    assert len(recall_text(maker.log, message, 0, 0, most=24_000)) <= 24_000
