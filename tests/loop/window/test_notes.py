"""Notes: the conversation goes on from one, the person's words are carried, and a drop brings it all back."""

from __future__ import annotations

import pytest

from nodwyn.loop.window.build import Built
from nodwyn.prims.log.events import AgentStart, Attachment, LoopMessage, NarrowDrop, Pin
from tests.loop.window.conftest import Story, call, roles, said, text


@pytest.fixture
def worked(story: Story) -> tuple[Story, int, int]:
    """Return a story with two turns, the seq of its first message and of its last reply."""
    first = story.say("Mend the tests, please.")
    story.append(LoopMessage(text="CHATTER", purpose="reminder"))
    story.read("src/a.py", "CONTENT", words="CHATTER")
    story.reply(text("CHATTER"))
    story.say("And the documentation.")
    last = story.reply(text("CHATTER"))
    return story, first, last


def blocks(built: Built, message: int = 0) -> list[str]:
    return [block["text"] for block in built.request["messages"][message]["content"]]


def test_a_note_stands_in_place_of_its_span(worked: tuple[Story, int, int]) -> None:
    story, first, last = worked
    note = story.narrow(first, last)
    story.say("Go on.")
    built = story.build()
    assert roles(built) == ["user"]
    heading, *carried, words, after = blocks(built)
    assert heading.startswith(f"[context note seq={note}: the conversation from seq {first} to {last}")
    assert carried == ["Mend the tests, please.", "And the documentation."]
    assert words == f"[the note of seq={note}, written by the model and not by the person]\nTHE NOTE"
    assert after == "Go on."


def test_what_comes_after_a_note_follows_it(worked: tuple[Story, int, int]) -> None:
    story, first, last = worked
    story.narrow(first, last)
    story.read("src/b.py", "NEW", words="I go on.")
    assert roles(story.build()) == ["user", "assistant", "tool"]


def test_a_drop_brings_the_conversation_back(worked: tuple[Story, int, int]) -> None:
    story, first, last = worked
    before = story.build().request
    note = story.narrow(first, last)
    story.append(NarrowDrop(narrow=note))
    assert story.build().request == before


def test_the_projects_rules_are_carried(story: Story) -> None:
    first = story.say("go")
    story.append(LoopMessage(text="Never push.", purpose="rules"))
    story.narrow(first, story.reply(text("Yes.")))
    assert blocks(story.build())[1:3] == ["go", "Never push."]


@pytest.mark.parametrize(("size", "is_whole"), [(4096, True), (4097, False)])
def test_a_message_over_4_kib_is_carried_as_head_and_tail(story: Story, size: int, is_whole: bool) -> None:
    words = "a" * (size - 1) + "z"
    first = story.say(words)
    story.narrow(first, story.reply(text("Yes.")))
    carried = blocks(story.build())[1]
    assert (carried == words) is is_whole
    assert carried.endswith("az")
    assert is_whole or f"(recall {first}) reads it whole" in carried


def test_an_attached_file_is_carried_by_its_name(story: Story) -> None:
    file = story.append(Attachment(name="notes.txt", text="CHATTER", size=7))
    first = story.say("look", [file])
    story.narrow(first, story.reply(text("Yes.")))
    assert blocks(story.build())[1:3] == ["look", f"[attached file seq={file}: notes.txt, text/plain, 7 bytes]"]


def test_a_sub_agents_task_is_carried(story: Story) -> None:
    first = story.append(AgentStart(name="explorer", task="Look around."))
    explorer = Story(story.log, "explorer")
    explorer.narrow(first, explorer.reply(text("CHATTER")))
    assert blocks(explorer.build())[1] == "Look around."


def test_a_note_in_the_middle_leaves_both_ends(story: Story) -> None:
    story.say("one")
    story.reply(text("two"))
    first = story.say("three")
    last = story.reply(text("CHATTER"))
    story.say("five")
    story.reply(text("six"))
    story.narrow(first, last)
    built = story.build()
    assert roles(built) == ["user", "assistant", "user", "assistant"]
    assert blocks(built, 2)[1] == "three"
    assert blocks(built, 2)[-1] == "five"


def test_results_go_where_their_reply_goes(story: Story) -> None:
    first = story.say("go")
    reply = story.reply(call("a"), call("b"))
    begun = [story.begin(reply, "a"), story.begin(reply, "b")]
    story.end(begun[0], "CONTENT")
    story.narrow(first, reply)
    story.end(begun[1], "CONTENT")
    assert "CONTENT" not in said(story.build())


@pytest.mark.parametrize("by", ["position", "seq"])
def test_a_newer_note_takes_the_place_of_an_older_one(worked: tuple[Story, int, int], by: str) -> None:
    """By position, its span begins where the older one's did; by seq, with the older note itself."""
    story, first, last = worked
    older = story.narrow(first, last, "THE OLDER")
    story.say("Go on.")
    reply = story.reply(text("CHATTER"))
    newer = story.narrow(first if by == "position" else older, reply, "THE NEWER")
    built = story.build()
    assert f"the conversation from seq {first} to {reply} was replaced" in said(built)
    assert blocks(built)[1:4] == ["Mend the tests, please.", "And the documentation.", "Go on."]
    assert "THE OLDER" not in said(built)
    assert "THE NEWER" in said(built)
    story.append(NarrowDrop(narrow=newer))
    assert "THE OLDER" in said(story.build())


def test_what_entries_name_first_is_where_a_span_may_begin(worked: tuple[Story, int, int]) -> None:
    story, first, last = worked
    story.narrow(first, last, "THE OLDER")
    assert story.window.entries()[0].seq == first


def test_what_the_person_keeps_is_shown_with_the_note(worked: tuple[Story, int, int]) -> None:
    story, first, last = worked
    note = story.narrow(first, last)
    story.append(Pin(narrow=note, event=first + 3, text="src/a.py:12 fails"))
    assert blocks(story.build())[-1] == f"[kept by the person from seq={first + 3}]\nsrc/a.py:12 fails"
    newer = story.narrow(first, story.reply(text("CHATTER")), "THE NEWER")
    assert "src/a.py:12 fails" in said(story.build())
    for seq in (newer, note):
        story.append(NarrowDrop(narrow=seq))
    assert "src/a.py:12 fails" not in said(story.build())


def test_a_note_can_cover_no_more_than_there_was(story: Story) -> None:
    first = story.say("one")
    story.narrow(first, 1000)
    story.reply(text("two"))
    story.say("three")
    assert said(story.build()).endswith("THE NOTE\ntwo\nthree")


def test_a_note_over_nothing_is_not_shown(story: Story) -> None:
    story.say("one")
    story.narrow(1, 1)
    story.narrow(9, 4)
    assert said(story.build()) == "one"
