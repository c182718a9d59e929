"""Why a request does not begin with the one before: said in words, and only when it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.prims.log.events import ModelError, ModelRequest, NarrowDrop
from tests.loop.window.conftest import Story, begins_with, call, text


@pytest.fixture
def asked(story: Story) -> tuple[Story, int]:
    """Return a story whose last request holds a read file; and the seq of the result."""
    story.say("go")
    result = story.read("x", "CONTENT")
    story.reply(text("Done."))
    story.say("more")
    story.ask()
    return story, result


def test_new_messages_break_nothing(asked: tuple[Story, int]) -> None:
    story, _ = asked
    story.reply(text("Well."))
    story.read("y", "OTHER")
    assert [each.built.broken for each in story.asked] == [""] * len(story.asked)
    assert story.build().broken == ""


CHANGES: list[tuple[str, Callable[[Story, int], int], str]] = [
    ("fold", lambda story, result: story.fold(result, "short"), "fold of seq {result} by seq {seq} (outline)"),
    ("elide", lambda story, result: story.elide(result), "elision of seq {result} by seq {seq} (budget)"),
    ("narrow", lambda story, result: story.narrow(2, 2), "a note in place of seq 2 to 2, seq {seq}"),
    ("system", lambda story, result: story.use("Be bad."), "recipe {seq} has another system than recipe 3"),
    (
        "model",
        lambda story, result: story.use(model="big", provider="other"),
        "recipe {seq} has another provider and model than recipe 3",
    ),
    (
        "tools",
        lambda story, result: story.use(tools=[{"name": "a"}], parameters={"output": 1}),
        "recipe {seq} has another tools and parameters than recipe 3",
    ),
    (
        "policy",
        lambda story, result: story.use(policy={"result": 3, "result_tail": 1}),
        "recipe {seq} has another policy than recipe 3",
    ),
    ("message", lambda story, result: story.say("and"), "seq {seq} went into the last message, which got no reply"),
]


@pytest.mark.parametrize(("change", "words"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_each_break_has_its_reason(asked: tuple[Story, int], change: Callable[[Story, int], int], words: str) -> None:
    story, result = asked
    seq = change(story, result)
    assert story.build().broken.startswith(words.format(result=result, seq=seq))
    assert story.ask().broken
    assert story.build().broken == ""


def test_all_reasons_are_named(asked: tuple[Story, int]) -> None:
    story, result = asked
    story.elide(result)
    note = story.narrow(2, 2)
    story.append(NarrowDrop(narrow=note))
    broken = story.build().broken
    assert broken == ""
    story.fold(result, "short")
    story.elide(result)
    assert story.build().broken.count("; ") == 4


def test_a_decision_on_what_was_not_yet_sent_breaks_nothing(asked: tuple[Story, int]) -> None:
    story, _ = asked
    result = story.read("y", "OTHER")
    story.fold(result, "short")
    assert story.build().broken == ""


def test_a_recipe_that_says_the_same_breaks_nothing(asked: tuple[Story, int]) -> None:
    story, _ = asked
    story.use()
    assert story.build().broken == ""


def test_what_is_done_and_undone_between_two_requests_breaks_nothing(asked: tuple[Story, int]) -> None:
    story, _ = asked
    story.append(NarrowDrop(narrow=story.narrow(2, 5)))
    assert story.build().broken == ""


def test_a_request_that_failed_is_the_last_one_all_the_same(asked: tuple[Story, int]) -> None:
    story, _ = asked
    story.append(ModelError(request=story.asked[-1].seq, message="busy"))
    assert story.build().broken == ""
    seq = story.say("again")
    assert story.build().broken == f"seq {seq} went into the last message, which got no reply"


def test_a_result_that_comes_late_is_named(story: Story) -> None:
    story.say("go")
    reply = story.reply(call("a"))
    begun = story.begin(reply, "a")
    story.ask()
    result = story.end(begun, "CONTENT")
    assert story.build().broken == f"the call of seq {begun} ended with seq {result}, after a request that has it"
    story.ask()
    later = story.reply(call("b"))
    story.ask()
    begun = story.begin(later, "b")
    assert story.build().broken == f"the call of seq {begun} began after a request that has its reply"


def test_other_contexts_break_nothing(asked: tuple[Story, int]) -> None:
    story, result = asked
    other = Story(story.log, "explorer")
    other.recipe = story.recipe
    other.elide(result)
    other.append(ModelRequest(recipe=story.recipe, digest=other.build().digest))
    assert story.build().broken == ""
    assert begins_with(story.build(), story.asked[-1].built)
