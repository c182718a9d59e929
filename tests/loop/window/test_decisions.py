"""Folds and elisions: recorded decisions, applied as they were recorded."""

from __future__ import annotations

import pytest

from nodwyn.prims.log.events import Attachment, NarrowDrop, SummaryDrop
from tests.loop.window.conftest import Story, call, said, text


@pytest.fixture
def read(story: Story) -> tuple[Story, int]:
    """Return a story in which a file was read and the model replied, and the seq of the result."""
    story.say("go")
    result = story.read("src/a.py", "CONTENT\n" * 20)
    story.reply(text("I see."))
    story.say("on")
    return story, result


def test_a_fold_is_shown_in_place_of_the_result(read: tuple[Story, int]) -> None:
    story, result = read
    story.fold(result, "an outline")
    assert "CONTENT" not in said(story.build())
    assert "an outline" in said(story.build())
    story.fold(result, "a shorter one")
    assert "an outline" not in said(story.build())


def test_a_fold_is_not_cut_and_may_stand_for_a_blank_text(read: tuple[Story, int]) -> None:
    story, result = read
    story.use(policy={"result": 10, "result_tail": 5})
    story.fold(result, "long enough to be cut")
    assert "long enough to be cut" in said(story.build())
    story.fold(result, "")
    assert "(nothing)" in said(story.build())


def test_a_stub_says_what_it_was_and_how_to_recall_it(read: tuple[Story, int]) -> None:
    story, result = read
    story.elide(result)
    assert f'[elided seq={result} fs-read {{"path": "src/a.py"}}, 160 characters]' in said(story.build())
    assert "CONTENT" not in said(story.build())


def test_an_elided_result_stays_so_whatever_is_folded(read: tuple[Story, int]) -> None:
    story, result = read
    story.elide(result)
    story.fold(result, "an outline")
    assert "an outline" not in said(story.build())


def test_nothing_is_elided_to_which_the_model_has_not_replied(story: Story) -> None:
    story.say("go")
    result = story.read("x", "CONTENT")
    story.elide(result)
    assert "CONTENT" in said(story.build())
    story.reply(text("I see."))
    assert "CONTENT" in said(story.build())
    story.elide(result)
    assert "CONTENT" not in said(story.build())


def test_an_elided_reply_keeps_its_calls_with_long_arguments_cut(story: Story) -> None:
    story.use(policy={"argument": 10})
    story.say("go")
    thinking = {"type": "thinking", "thinking": "CANARY", "signature": "x"}
    arguments = {"path": "a.py", "content": "CANARY" * 9, "lines": ["short", {"deep": "CANARY" * 3, "n": 1}]}
    reply = story.reply(thinking, text("CANARY"), call("a", "fs-write", **arguments))
    story.end(story.begin(reply, "a", "fs-write"), "written")
    story.reply(text("Done."))
    story.elide(reply)
    assert story.build().request["messages"][1]["content"] == [
        text(f"[elided seq={reply} reply, 6 characters]"),
        call(
            "a",
            "fs-write",
            path="a.py",
            content=f"[elided seq={reply} argument, 54 characters]",
            lines=["short", {"deep": f"[elided seq={reply} argument, 18 characters]", "n": 1}],
        ),
    ]


def test_an_attached_file_may_be_elided_and_the_persons_words_not(story: Story) -> None:
    file = story.append(Attachment(name="notes.txt", text="CANARY", size=6))
    message = story.say("my words", [file])
    story.reply(text("I see."))
    story.elide(file, message)
    assert said(story.build()) == f"my words\n[elided seq={file} attached file notes.txt, 6 characters]\nI see."


@pytest.mark.parametrize("what", ["summary", "summary.drop", "context.drop"])
def test_an_edit_of_the_conversation_makes_what_was_elided_whole(read: tuple[Story, int], what: str) -> None:
    story, result = read
    note = story.narrow(2, 2)
    story.elide(result)
    assert "CONTENT" not in said(story.build())
    if what == "summary":
        story.summarise(2, 2)
    else:
        story.append(NarrowDrop(narrow=note) if what == "context.drop" else SummaryDrop(summary=note))
    assert "CONTENT" in said(story.build())
    story.elide(result)
    assert "CONTENT" not in said(story.build())


def test_a_note_leaves_what_was_elided_elided(read: tuple[Story, int]) -> None:
    story, result = read
    story.elide(result)
    story.narrow(2, 3)
    assert "CONTENT" not in said(story.build())


def test_decisions_on_what_is_not_there_change_nothing(read: tuple[Story, int]) -> None:
    story, _ = read
    before = story.build()
    story.fold(2, "x")
    story.fold(99_999, "x")
    story.elide(1, 2, 3, 99_999)
    assert story.build().request == before.request
