"""A card for each turn, from the log alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.log import read
from nodwyn.prims.log.events import (
    Attachment,
    Error,
    FileVersion,
    ImportLine,
    Interruption,
    ModelError,
    Note,
    SessionEnd,
    SessionResume,
    ToolCall,
    ToolResult,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.memory.cards import MOST_LISTED, Card, described, duration, one_line
from nodwyn.prims.memory.remembered import remember
from tests.prims.memory.making import How, Maker, new_session, reopened


def cards(path: Path) -> list[Card]:
    with remember(path) as known:
        return known.cards()


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return new_session(tmp_path)


def test_a_card_says_what_was_asked_and_done(maker: Maker) -> None:
    asked = maker.ask("fix the pager")
    maker.plan(("open", "find it"), ("open", "mend it"))
    maker.call("fs-read", {"path": "gone.py"}, "fs-read: gone.py: there is no such file", ok=False)
    maker.add(FileVersion(path="src/pager.py"))
    maker.add(FileVersion(path="src/pager.py"))
    maker.shell("make test", "failed", exit=2)
    maker.shell("make test", "fine")
    maker.add(ModelError(request=maker.add(TurnStart()), message="overloaded", cost=5))
    maker.plan(("done", "find it"), ("doing", "mend it"))
    maker.reply("I mended it.\nIt was the width.", cost=120_000)
    ended = maker.end(milliseconds=125_000)

    (card,) = cards(maker.path)

    assert card._replace(at="") == Card(
        first=asked,
        through=ended,
        at="",
        asked="fix the pager",
        how="done",
        reason="",
        milliseconds=125_000,
        cost=120_005,
        unpriced=False,
        plan=["[done] find it", "[doing] mend it"],
        files=["src/pager.py"],
        commands=["make test (exit 2)", "make test (exit 0)"],
        errors=["fs-read: gone.py: there is no such file", "the model: overloaded"],
        answer="I mended it.\nIt was the width.",
        left={},
    )
    assert one_line(card) == f"{asked}-{ended}, done, 2 min 5 s, $0.12; asked: fix the pager"
    for words in ("ended: done", "[doing] mend it", "src/pager.py", "make test (exit 2)", "overloaded", "the width."):
        assert words in described(card)


UNPRICED: dict[str, Any] = {"unpriced": True}


@pytest.mark.parametrize(
    ("priced", "said"),
    [
        ([], "$0.00"),
        ([{}], "$0.00"),
        ([UNPRICED], "$?"),
        ([{"cost": 120_000}, UNPRICED], "at least $0.12"),
        ([UNPRICED, {"cost": 120_000}, {"cost": 120_000}], "at least $0.24"),
    ],
)
@pytest.mark.parametrize("fails", [False, True])
def test_a_cost_that_is_not_known_is_no_cost_of_nothing(
    maker: Maker, priced: list[dict[str, Any]], said: str, fails: bool
) -> None:
    maker.ask("go")
    for given in priced:
        if fails:
            maker.add(ModelError(request=1, message="overloaded", **given))
        else:
            maker.reply("so", **given)
    maker.end()
    (card,) = cards(maker.path)
    assert f", {said}; asked: go" in one_line(card)
    assert f", cost {said}, began" in described(card)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("done", "done"),
        ("stopped", "stopped"),
        ("budget", "stopped by its budget"),
        ("error", "failed"),
        ("unanswered", "unanswered"),
    ],
)
def test_turns_of_every_ending(maker: Maker, how: How, said: str) -> None:
    maker.ask("go")
    maker.end(how, reason="so it was")

    (card,) = cards(maker.path)

    assert (card.how, card.reason) == (how, "so it was")
    assert f", {said}, 1.5 s," in one_line(card)


def test_a_turn_that_a_crash_ended_is_interrupted_once_the_log_is_opened_again(maker: Maker) -> None:
    maker.ask("go")
    reply = maker.reply("", ("shell-exec", {"line": "sleep 9"}))
    maker.add(ToolCall(name="shell-exec", arguments={"line": "sleep 9"}, by="model", reply=reply, id="call_1"))
    assert [card.how for card in cards(maker.path)] == [""]
    maker.log.close()
    again = reopened(maker.path)
    again.log.close()

    (card,) = cards(maker.path)

    assert card.how == "interrupted"
    assert card.commands == ["sleep 9 (interrupted)"]
    assert "whether it took effect is not known" in card.reason


def test_a_turn_that_lasts_has_a_card_too(maker: Maker) -> None:
    maker.turn("first", "yes")
    maker.ask("second")

    first, second = cards(maker.path)

    assert (first.asked, first.how) == ("first", "done")
    assert (second.asked, second.how) == ("second", "")
    assert "not over" in one_line(second)


def test_a_message_within_a_turn_begins_none(maker: Maker) -> None:
    maker.ask("first")
    maker.add(UserMessage(text="and this, while you are at it"))
    maker.end()

    assert [card.asked for card in cards(maker.path)] == ["first"]


def test_a_turn_begins_with_what_was_attached(maker: Maker) -> None:
    maker.turn("before", "yes")
    attached = maker.add(Attachment(name="a.txt", text="x", size=1))
    maker.ask("read it")
    maker.end()

    assert cards(maker.path)[1].first == attached


def test_a_turn_that_scheme_began_has_no_message(maker: Maker) -> None:
    start = maker.add(TurnStart())
    maker.add(Interruption(of=start, reason="stopped"))

    (card,) = cards(maker.path)

    assert (card.asked, card.how) == ("", "interrupted")
    assert "Scheme began it" in one_line(card)


def test_a_log_without_marks_of_turns_has_one_for_each_message(maker: Maker) -> None:
    first = maker.add(UserMessage(text="first", source="import"))
    maker.add(ImportLine(line=3, text="?"))
    call = maker.add(ToolCall(name="Bash", arguments={"command": "ls"}, by="model"))
    maker.add(ToolResult(call=call, ok=True, value="a"))
    call = maker.add(ToolCall(name="Write", arguments={"file_path": "b.py"}, by="model"))
    maker.add(ToolResult(call=call, ok=True, value="ok"))
    last = maker.reply("There is a.")
    maker.add(UserMessage(text="second", source="import"))
    maker.reply("", ("Bash", {"command": "rm b"}))
    maker.add(SessionEnd())

    one, two = cards(maker.path)

    assert (one.first, one.through, one.how, one.answer) == (first, last, "done", "There is a.")
    assert (one.commands, one.files) == (["ls (ok)"], ["b.py"])
    assert (two.asked, two.how) == ("second", "interrupted")


def test_what_does_not_fit_on_a_card_is_counted(maker: Maker) -> None:
    maker.ask("x" * 10_000)
    for number in range(MOST_LISTED + 7):
        maker.add(Error(message=f"error {number} " + "y" * 10_000))
    maker.end()

    (card,) = cards(maker.path)

    assert len(card.errors) == MOST_LISTED
    assert card.left == {"errors": 7}
    assert "and 7 more" in described(card)
    assert len(described(card)) < 10_000


def test_a_card_is_the_same_wherever_the_fold_began(maker: Maker) -> None:
    for number in range(6):
        maker.turn(f"turn {number}", "yes", ("fs-read", {"path": "a"}, "text"))
        maker.add(Note(text="between"))
        cards(maker.path)  # stores, and the next time goes on from there
    maker.add(SessionResume(program="nodwyn 0"))
    folded = cards(maker.path)
    maker.path.with_suffix(".mem").unlink()

    assert folded == cards(maker.path)
    assert [event.seq for event in read(maker.path) if event.kind == "user.msg"] == [card.first for card in folded]


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(0, "0.0 s"), (9_940, "9.9 s"), (59_000, "59 s"), (60_000, "1 min 0 s"), (3_661_000, "1 h 1 min")],
)
def test_durations_in_words(milliseconds: int, words: str) -> None:
    assert duration(milliseconds) == words
