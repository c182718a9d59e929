"""Which events and which rule made a request another than one before."""

from __future__ import annotations

import pytest

from nodwyn.loop.window.differences import differences
from nodwyn.loop.window.replay import ReplayError
from nodwyn.prims.log.events import AgentStart
from tests.loop.window.conftest import Story, text


def test_each_message_that_differs_has_its_rule(story: Story) -> None:
    message = story.say("go")
    result = story.read("x", "CONTENT")
    reply = story.reply(text("Done."))
    after = story.say("more")
    story.ask()
    fold = story.fold(result, "short")
    recipe = story.use("Be bad.")
    story.ask()
    first, second = (asked.seq for asked in story.asked[-2:])
    assert list(differences(story.log, first, second)) == [
        f"system differs: the recipes are 3 and {recipe}",
        f"request {first} has 5 messages, request {second} has 5",
        f"  messages 1 to 2, seq {message} to {result - 2}: the same",
        f"- message 3, tool, seq {result}: fold of seq {result} by seq {fold} (outline)",
        f"+ message 3, tool, seq {result} to {fold}",
        f"  messages 4 to 5, seq {reply} to {after}: the same",
    ]


def test_a_span_that_a_note_replaced_has_its_rule(story: Story) -> None:
    message = story.say("go")
    reply = story.reply(text("Done."))
    story.say("more")
    story.ask()
    note = story.narrow(message, reply)
    story.ask()
    first, second = (asked.seq for asked in story.asked[-2:])
    lines = list(differences(story.log, first, second))
    assert f": a note in place of seq {message} to {reply}, seq {note}" in lines[1]
    assert lines[2].startswith("+ message 1, user")


def test_what_is_new_is_listed(story: Story) -> None:
    story.say("go")
    reply = story.reply(text("Done."))
    after = story.say("more")
    story.ask()
    first, second = (asked.seq for asked in story.asked)
    assert list(differences(story.log, first, second))[1:] == [
        "  message 1, user, seq 2: the same",
        f"+ messages 2 to 3, seq {reply} to {after}",
    ]
    assert list(differences(story.log, second, first))[-1].startswith("- messages 2 to 3")


def test_two_contexts_have_nothing_to_do_with_each_other(story: Story) -> None:
    story.say("go")
    story.reply(text("Done."))
    story.append(AgentStart(name="explorer", task="Look around."))
    explorer = Story(story.log, "explorer")
    explorer.reply(text("I see."))
    lines = list(differences(story.log, story.asked[0].seq, explorer.asked[0].seq))
    assert lines[0].startswith(f"request {story.asked[0].seq} is of the context main")


def test_both_must_be_requests(story: Story) -> None:
    story.say("go")
    story.ask()
    with pytest.raises(ReplayError, match="event 2 is no request"):
        list(differences(story.log, story.asked[0].seq, 2))
