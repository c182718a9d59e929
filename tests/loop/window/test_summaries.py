"""The person's summaries: in place of a whole span, revocable, and never of the latest two turns."""

from __future__ import annotations

import pytest

from nodwyn.prims.log.events import LoopMessage, Summary, SummaryDrop
from tests.loop.window.conftest import Story, begins_with, roles, said, text


def turn(story: Story, words: str) -> tuple[int, int]:
    """Record a turn; return the seqs of its message and its reply."""
    first = story.say(words)
    story.read("x", f"result of {words}")
    return first, story.reply(text(f"done {words}"))


@pytest.fixture
def turns(story: Story) -> tuple[Story, list[tuple[int, int]]]:
    """Return a story of four turns, the first of which has a phrase that is nowhere else."""
    return story, [turn(story, words) for words in ("CANARY", "two", "three", "four")]


def test_a_summary_is_one_assistant_message_that_says_what_it_is(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    seq = story.summarise(*spans[0])
    built = story.build()
    assert built.request["messages"][0] == {
        "role": "assistant",
        "content": [
            text(
                f"[revocable summary seq={seq}, written by the person in place of the conversation from seq"
                f" {spans[0][0]} to {spans[0][1]}]\nTHE SUMMARY"
            )
        ],
    }
    assert built.sources[0] == [seq]
    assert roles(built)[1] == "user"
    assert "CANARY" not in said(built)
    assert built.request["system"] == "Be good."


def test_a_drop_brings_the_span_back(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    before = story.build()
    seq = story.summarise(*spans[0])
    story.append(SummaryDrop(summary=seq))
    assert story.build().request == before.request


def test_the_latest_two_turns_stay_word_for_word(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    seq = story.summarise(*spans[2])
    waiting = story.build()
    assert "result of three" in said(waiting)
    turn(story, "five")
    built = story.build()
    assert "result of three" not in said(built)
    assert f"the summary of seq {spans[2][0]} to {spans[2][1]}, seq {seq}, holds now" in story.asked[-2].built.broken


def test_what_was_elided_is_whole_again_after_an_edit(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    before = story.build()
    result = spans[1][1] - 2
    story.elide(result)
    assert "result of two" not in said(story.build())
    story.append(SummaryDrop(summary=story.summarise(*spans[0])))
    assert story.build().request == before.request


def test_caps_and_elision_go_on_beside_summaries(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    story.summarise(*spans[0])
    story.use(policy={"result": 6, "result_tail": 2})
    story.elide(spans[1][1] - 2)
    shown = said(story.build())
    assert "[elided seq=" in shown
    assert "characters of seq" in shown
    assert "THE SUMMARY" in shown


def test_a_newer_summary_supersedes_and_a_stale_one_does_not_hold(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    story.append(Summary(first=spans[0][0], through=spans[0][1], text="STALE", digest="0" * 64))
    assert "CANARY" in said(story.build())
    story.summarise(*spans[0], "THE OLDER")
    newer = story.summarise(spans[0][0], spans[1][1], "THE NEWER")
    shown = said(story.build())
    assert "THE OLDER" not in shown
    assert "THE NEWER" in shown
    story.append(SummaryDrop(summary=newer))
    assert "THE" not in said(story.build())


def test_a_note_carries_a_summary_and_not_what_that_stands_for(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    story.summarise(*spans[0])
    story.narrow(spans[0][0], spans[3][1])
    shown = said(story.build())
    assert roles(story.build()) == ["user"]
    assert "THE SUMMARY" in shown
    assert "THE NOTE" in shown
    assert "CANARY" not in shown
    assert "\ntwo\n" in shown


def test_a_note_is_void_while_a_newer_summary_covers_a_part_of_it(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    story, spans = turns
    story.narrow(spans[0][0], spans[1][1], "the note tells of CANARY")
    seq = story.summarise(*spans[0])
    shown = said(story.build())
    assert "CANARY" not in shown
    assert "result of two" in shown
    story.append(SummaryDrop(summary=seq))
    assert "the note tells of CANARY" in said(story.build())


def test_a_summary_may_be_followed_by_a_reply(story: Story) -> None:
    span = turn(story, "one")
    story.reply(text("And more."))
    for words in ("two", "three"):
        turn(story, words)
    story.append(LoopMessage(text="go on"))
    story.summarise(*span)
    assert roles(story.build())[:3] == ["assistant", "assistant", "user"]


def test_a_request_before_a_summary_is_what_it_was(turns: tuple[Story, list[tuple[int, int]]]) -> None:
    from nodwyn.loop.window.replay import rebuild

    story, spans = turns
    story.summarise(*spans[0])
    for asked in story.asked:
        assert rebuild(story.log, asked.seq) == asked.built
        assert begins_with(asked.built, rebuild(story.log, asked.seq))
