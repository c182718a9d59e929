"""What the log's events are in a request."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.loop.window.build import Window
from nodwyn.loop.window.policy import UnknownRecipe
from nodwyn.prims.log import NoSuchEvent
from nodwyn.prims.log.events import (
    AgentStart,
    Attachment,
    LoopMessage,
    ModelError,
    ModelRequest,
    ModelResponse,
    Note,
    SchemeInput,
    ToolCall,
    ToolResult,
    TurnStart,
    UserMessage,
)
from tests.loop.window.conftest import Story, call, roles, said, text


def test_a_request_has_what_its_recipe_says(story: Story) -> None:
    tools = [{"name": "fs-read", "description": "Reads.", "schema": {"type": "object"}}]
    story.use("Be brief.", tools=tools, parameters={"temperature": 1.0, "output": 4096})
    seq = story.say("Hello")
    built = story.build()
    assert built.request == {
        "provider": "scripted",
        "model": "small",
        "system": "Be brief.",
        "tools": tools,
        "parameters": {"temperature": 1, "output": 4096},
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
    }
    assert built.sources == [[seq]]
    assert built.broken == ""
    assert built.tokens > 0


def test_what_a_user_says_after_a_user_is_one_message(story: Story) -> None:
    seqs = [story.say("one"), story.append(LoopMessage(text="two", purpose="reminder")), story.say("three")]
    built = story.build()
    assert [block["text"] for block in built.request["messages"][0]["content"]] == ["one", "two", "three"]
    assert built.sources == [seqs]


def test_an_attached_file_comes_after_the_message_that_names_it(story: Story) -> None:
    file = story.append(Attachment(name="notes.txt", text="remember\n", size=9))
    picture = story.append(Attachment(name="a.png", media="image/png", blob="0" * 64, size=70))
    story.append(Attachment(name="unused.txt", text="unused", size=6))
    story.say("look", [file, picture, 1])
    assert [block["text"] for block in story.build().request["messages"][0]["content"]] == [
        "look",
        f"[attached file seq={file}: notes.txt, text/plain, 9 bytes]\nremember\n",
        f"[attached file seq={picture}: a.png, image/png, 70 bytes]",
    ]


def test_results_stand_in_one_message_in_the_order_of_the_calls(story: Story) -> None:
    story.say("go")
    reply = story.reply(text("I look."), call("a", path="x"), call("b", path="y"), call("c", path="z"))
    calls = [story.begin(reply, id) for id in "abc"]
    for number in (2, 0, 1):
        story.end(calls[number], f"result {number}", ok=number != 1)
    message = story.build().request["messages"][2]
    assert message["role"] == "tool"
    assert message["content"] == [
        {"type": "result", "id": "a", "name": "fs-read", "ok": True, "text": "result 0"},
        {"type": "result", "id": "b", "name": "fs-read", "ok": False, "text": "result 1"},
        {"type": "result", "id": "c", "name": "fs-read", "ok": True, "text": "result 2"},
    ]


def test_a_call_that_never_came_to_a_result_has_one_that_says_so(story: Story) -> None:
    story.say("go")
    reply = story.reply(call("a"), call("b"), call("c"))
    story.interrupt(story.begin(reply, "a"))
    story.begin(reply, "b")
    assert [block["text"] for block in story.build().request["messages"][2]["content"]] == [
        "This call was interrupted and has no result: the person stopped it",
        "This call has no result: it has not ended.",
        "This call was not run.",
    ]


def test_an_interrupted_call_may_be_made_again(story: Story) -> None:
    story.say("go")
    reply = story.reply(call("a"), call("a"))
    story.interrupt(story.begin(reply, "a"))
    story.end(story.begin(reply, "a"), "second")
    assert "interrupted" in said(story.build())
    story.end(story.begin(reply, "a"), "first, made again")
    story.end(story.begin(reply, "a"), "nobody's")
    results = [block["text"] for block in story.build().request["messages"][2]["content"]]
    assert results == ["first, made again", "second"]


def test_what_the_person_says_meanwhile_comes_after_the_results(story: Story) -> None:
    story.say("go")
    reply = story.reply(call("a"))
    begun = story.begin(reply, "a")
    story.say("and then?")
    story.end(begun, "done")
    built = story.build()
    assert roles(built) == ["user", "assistant", "tool", "user"]
    assert said(built) == "go\n\ndone\nand then?"


def test_ids_that_a_server_repeats_are_made_unique(story: Story) -> None:
    story.say("go")
    results = [story.read("x", "one", id="call_0"), story.read("y", "two", id="call_0")]
    reply = story.reply(call("call_0", path="z"), call("call_0", path="w"))
    results += [story.end(story.begin(reply, "call_0", path=path), path) for path in "zw"]
    built = story.build()
    blocks = [block for message in built.request["messages"] for block in message["content"]]
    assert [block["text"] for block in blocks if block["type"] == "result"] == ["one", "two", "z", "w"]


@pytest.mark.parametrize(
    "content",
    [
        [],
        [text(" \n")],
        [{"type": "thinking", "thinking": "hm", "signature": "abc"}],
        "no list",
        [None, 7, {"text": "no type"}],
    ],
)
def test_a_reply_that_says_nothing_is_no_message(story: Story, content: Any) -> None:
    story.say("go")
    story.ask()
    story.append(ModelResponse(request=story.asked[-1].seq, content=content, stop="length"))
    story.say("well?")
    assert roles(story.build()) == ["user"]


def test_blank_texts_have_no_block_and_blank_results_say_so(story: Story) -> None:
    story.say("  ")
    story.say("go")
    reply = story.reply(text(""), call("a"), call("b"))
    story.end(story.begin(reply, "a"), "")
    story.end(story.begin(reply, "b"), " \n")
    built = story.build()
    assert said(built) == "go\n\n\n(nothing)\n(nothing but white space, 2 characters)"
    assert roles(built) == ["user", "assistant", "tool"]


def test_thinking_goes_back_as_it_came_to_the_model_whose_it_is(story: Story) -> None:
    thinking = {"type": "thinking", "thinking": "hm ", "signature": "abc==", "extra": {"b": 1, "a": [1.5]}}
    story.use(model="one")
    story.say("go")
    story.reply(thinking, text("Done."))
    story.say("more")
    assert story.build().request["messages"][1]["content"] == [thinking, text("Done.")]
    story.use(model="two")
    assert story.build().request["messages"][1]["content"] == [text("Done.")]
    story.use(model="one", system="other")
    assert story.build().request["messages"][1]["content"] == [thinking, text("Done.")]


def test_a_long_result_keeps_head_and_tail(story: Story) -> None:
    story.use(policy={"result": 100, "result_tail": 40})
    story.say("go")
    seq = story.read("x", "a" * 200)
    assert said(story.build()).endswith(
        f"{'a' * 60}\n[100 characters of seq {seq} left out here; (recall {seq} 1 1) reads them]\n{'a' * 40}"
    )


def test_a_result_that_is_an_object_is_shown_as_json(story: Story) -> None:
    story.say("go")
    story.read("x", {"exit": 0, "output": "größe\n"})
    assert said(story.build()).endswith('\n{"exit": 0, "output": "größe\\n"}')


def test_malformed_arguments_stay_as_the_model_wrote_them(story: Story) -> None:
    story.say("go")
    reply = story.reply({"type": "call", "id": "a", "name": "fs-read", "arguments": '{"path": '})
    story.end(story.begin(reply, "a"), "fs-read: the arguments are no JSON", ok=False)
    assert story.build().request["messages"][1]["content"][0]["arguments"] == '{"path": '


def test_what_no_utf_8_can_hold_is_escaped(story: Story) -> None:
    story.say("what is \udc80?")
    story.read("gr\udcf6\udcdf", "x\udc80")
    assert "\ufdd0dc80" in said(story.build())


def test_what_is_not_said_to_the_model_is_not_in_the_window(story: Story) -> None:
    story.say("go")
    story.append(Note(text="CANARY"))
    story.append(SchemeInput(text="CANARY"))
    for by in ("person", "loop"):
        own = story.append(ToolCall(name="fs-read", arguments={"path": "CANARY"}, by=by))
        story.append(ToolResult(call=own, ok=True, value="CANARY"))
    story.ask()
    story.append(ModelError(request=story.asked[-1].seq, message="CANARY", partial=[text("CANARY")]))
    assert said(story.build()) == "go"


def test_each_context_has_its_own_window(story: Story) -> None:
    story.say("for the main one")
    story.append(AgentStart(name="explorer", task="Look around."))
    explorer = Story(story.log, "explorer")
    explorer.read("x", "seen")
    story.append(AgentStart(name="other", task="Something else."))
    story.read("y", "read")
    assert said(explorer.build()) == "Look around.\n\nseen"
    assert said(story.build()) == "for the main one\n\nread"


def test_a_window_may_be_there_before_its_context_begins(story: Story) -> None:
    explorer = Story(story.log, "explorer")
    story.say("main")
    story.append(AgentStart(name="explorer", task="Look around."))
    assert said(explorer.build()) == "Look around."


def test_a_window_takes_up_what_a_log_gains(story: Story, begin: Callable[[], Story]) -> None:
    story.say("one")
    before = story.build()
    story.reply(text("two"))
    story.say("three")
    assert said(before) == "one"
    after = story.build()
    assert said(after) == "one\ntwo\nthree"
    assert after == Window(story.log).build(story.recipe)
    assert said(begin().build()) == ""


def test_another_thread_may_add_to_the_log_meanwhile(story: Story) -> None:
    story.say("go")
    story.use()
    is_over = threading.Event()

    def write() -> None:
        while not is_over.is_set():
            story.log.append(Note(text="x" * 5000))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(50):
            story.say(str(number))
            assert story.build().request["messages"][0]["content"][-1]["text"] == str(number)
    finally:
        is_over.set()
        writer.join()
    assert story.build() == Window(story.log).build(story.recipe)


def test_only_the_events_before_a_seq_may_be_taken_up(story: Story) -> None:
    story.use()
    story.say("one")
    seq = story.append(UserMessage(text="two"))
    assert said(Window(story.log).build(story.recipe, before=seq)) == "one"


@pytest.mark.parametrize("seq", [0, 1, 99])
def test_what_is_no_recipe_is_refused(story: Story, seq: int) -> None:
    with pytest.raises((UnknownRecipe, NoSuchEvent), match=f"event {seq}"):
        Window(story.log).build(seq)


def test_a_request_of_an_unknown_recipe_does_not_keep_the_next_from_being_built(story: Story) -> None:
    story.say("go")
    unknown = story.use(version=99)
    request = story.append(ModelRequest(recipe=unknown, digest="0" * 64))
    story.append(ModelResponse(request=request, content=[text("Done.")], stop="end"))
    story.use()
    built = story.build()
    assert said(built) == "go\nDone."
    assert built.broken.startswith(f"the request before, seq {request}, is not known: recipe {unknown} has version 99")


def test_entries_say_what_a_script_must_know(story: Story) -> None:
    message = story.say("go")
    result = story.read("x", "a" * 700, words="I look.")
    entries = {entry.kind: entry for entry in story.window.entries()}
    assert entries["user.msg"].seq == message
    assert entries["user.msg"].answered
    found = entries["tool.result"]
    assert (found.seq, found.name, found.call_arguments) == (result, "fs-read", {"path": "x"})
    assert (found.answered, found.elided, found.folded) == (False, False, False)
    assert found.tokens >= 200
    story.fold(result, "a's")
    story.reply(text("Done."))
    found = next(entry for entry in story.window.entries() if entry.seq == result)
    assert (found.answered, found.folded) == (True, True)
    assert found.tokens < 20
    story.elide(result)
    assert next(entry for entry in story.window.entries() if entry.seq == result).elided


def test_entries_have_the_number_of_their_turn(story: Story) -> None:
    for words in ("one", "two"):
        story.append(TurnStart(message=story.say(words)))
        story.reply(text("Done."))
    assert [entry.turn for entry in story.window.entries()] == [1, 1, 2, 2]


def test_entries_are_there_before_any_request(story: Story) -> None:
    assert story.window.entries() == []
    story.say("go")
    assert [entry.kind for entry in story.window.entries()] == ["user.msg"]
