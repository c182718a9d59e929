"""What each wire sends for a neutral request, and that nothing in a request makes a provider refuse it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.loop.providers.anthropic import CACHED, Anthropic
from nodwyn.loop.providers.base import ProviderError
from nodwyn.loop.providers.chat import Chat
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.ollama import Ollama
from nodwyn.loop.providers.responses import Responses
from nodwyn.loop.providers.wire import BEGIN, EMPTY, GO_ON, SILENT, Wire, object_schema

JSON = Any

WIRES: dict[str, Wire] = {
    "anthropic": Anthropic(),
    "chat": Chat(),
    "responses": Responses(),
    "ollama": Ollama(),
}


def text(said: str) -> JSON:
    return {"type": "text", "text": said}


def user(*said: str) -> JSON:
    return {"role": "user", "content": [text(each) for each in said]}


def reply(*blocks: JSON) -> JSON:
    return {"role": "assistant", "content": list(blocks)}


def call(id: str, name: str = "fs-read", arguments: JSON = None) -> JSON:
    return {"type": "call", "id": id, "name": name, "arguments": {"path": "a.py"} if arguments is None else arguments}


def result(id: str, said: str, *, ok: bool = True, name: str = "fs-read") -> JSON:
    return {"type": "result", "id": id, "name": name, "ok": ok, "text": said}


def results(*blocks: JSON) -> JSON:
    return {"role": "tool", "content": list(blocks)}


TOOL = {"name": "fs-read", "description": "Reads a file.", "schema": {"type": "object", "properties": {"path": {}}}}
SEALED = {"type": "thinking", "text": "Hm.", "wire": "anthropic", "signature": "c2ln"}
HIDDEN = {"type": "thinking", "text": "", "wire": "anthropic", "redacted": "ZGF0YQ=="}
ITEM = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZW5j"}
REASONED = {"type": "thinking", "text": "Hm.", "wire": "responses", "item": ITEM}
TOLD = {"type": "thinking", "text": "Hm.", "wire": "chat", "member": "reasoning_content"}
THOUGHT = {"type": "thinking", "text": "Hm.", "wire": "ollama"}
THOUGHTS: list[JSON] = [SEALED, REASONED, TOLD, THOUGHT]


def body(wire: str, *messages: JSON, **more: JSON) -> JSON:
    request = {
        "provider": "p",
        "model": "m-1",
        "system": "Be brief.",
        "tools": [],
        "parameters": {"output": 1000},
        "messages": list(messages),
        **more,
    }
    before = copy.deepcopy(request)
    sent = WIRES[wire].body(request, Names(request), 32_768)
    assert request == before, "a request is shared and must not be changed"
    return json.loads(json.dumps(sent))


CONVERSATION = (
    user("Look.", "At a.py."),
    reply(SEALED, text("I look."), call("c1"), call("c2", "ready?", {})),
    results(result("c1", "x = 1"), result("c2", "no such file", ok=False, name="ready?")),
)


def test_anthropic_sends_a_whole_conversation() -> None:
    sent = body("anthropic", *CONVERSATION, tools=[TOOL])
    ready = Names({"tools": [], "messages": CONVERSATION}).wire("ready?")
    assert sent == {
        "model": "m-1",
        "max_tokens": 1000,
        "stream": True,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": CACHED}],
        "tools": [{"name": "fs-read", "description": "Reads a file.", "input_schema": TOOL["schema"]}],
        "messages": [
            {"role": "user", "content": [text("Look."), {**text("At a.py."), "cache_control": CACHED}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
                    text("I look."),
                    {"type": "tool_use", "id": "c1", "name": "fs-read", "input": {"path": "a.py"}},
                    {"type": "tool_use", "id": "c2", "name": ready, "input": {}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "x = 1"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "c2",
                        "content": "no such file",
                        "is_error": True,
                        "cache_control": CACHED,
                    },
                ],
            },
        ],
    }


def test_chat_sends_a_whole_conversation() -> None:
    sent = body("chat", *CONVERSATION, tools=[TOOL])
    ready = Names({"tools": [], "messages": CONVERSATION}).wire("ready?")
    assert sent == {
        "model": "m-1",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 1000,
        "tools": [
            {
                "type": "function",
                "function": {"name": "fs-read", "description": "Reads a file.", "parameters": TOOL["schema"]},
            }
        ],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Look.\n\nAt a.py."},
            {
                "role": "assistant",
                "content": "I look.",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "fs-read", "arguments": '{"path":"a.py"}'},
                    },
                    {"id": "c2", "type": "function", "function": {"name": ready, "arguments": "{}"}},
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "x = 1"},
            {"role": "tool", "tool_call_id": "c2", "content": "no such file"},
        ],
    }


def test_responses_sends_a_whole_conversation_and_has_nothing_stored() -> None:
    sent = body("responses", user("Look."), reply(REASONED, text("I look."), call("c1")), results(result("c1", "x")),
                tools=[TOOL])  # fmt: skip
    assert sent == {
        "model": "m-1",
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "instructions": "Be brief.",
        "max_output_tokens": 1000,
        "tools": [
            {
                "type": "function",
                "name": "fs-read",
                "description": "Reads a file.",
                "parameters": TOOL["schema"],
                "strict": False,
            }
        ],
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Look."}]},
            ITEM,
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
            {"type": "function_call", "call_id": "c1", "name": "fs-read", "arguments": '{"path":"a.py"}'},
            {"type": "function_call_output", "call_id": "c1", "output": "x"},
        ],
    }


def test_ollama_sends_a_whole_conversation_and_how_much_the_model_is_to_hold() -> None:
    sent = body("ollama", user("Look."), reply(THOUGHT, call("c1")), results(result("c1", "x")), tools=[TOOL])
    assert sent["options"] == {"num_ctx": 32_768, "num_predict": 1000}
    assert sent["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": "",
            "thinking": "Hm.",
            "tool_calls": [{"function": {"name": "fs-read", "arguments": {"path": "a.py"}}}],
        },
        {"role": "tool", "tool_name": "fs-read", "content": "x"},
    ]


def test_ollama_would_cut_what_is_too_long_so_it_is_not_sent() -> None:
    with pytest.raises(ProviderError) as caught:
        body("ollama", user("x" * 200_000))
    assert caught.value.kind == "overflow"


@pytest.mark.parametrize(
    ("wire", "sealed"),
    [
        ("anthropic", {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}),
        ("anthropic", {"type": "redacted_thinking", "data": "ZGF0YQ=="}),
        ("responses", ITEM),
    ],
)
def test_thinking_goes_back_byte_for_byte_over_its_own_wire(wire: str, sealed: JSON) -> None:
    sent = json.dumps(body(wire, user("a"), reply(SEALED, HIDDEN, REASONED, TOLD, THOUGHT, call("c")),
                           results(result("c", "x"))))  # fmt: skip
    assert json.dumps(sealed) in sent


def test_thinking_goes_back_before_calls_in_the_member_that_it_came_in() -> None:
    sent = body("chat", user("a"), reply(TOLD, call("c")), results(result("c", "x")))
    assert sent["messages"][2]["reasoning_content"] == "Hm."


def test_what_came_with_a_call_goes_back_with_it() -> None:
    seal = {"google": {"thought_signature": "c2ln"}}
    sealed = {"type": "thinking", "text": "", "wire": "chat", "extra_content": seal}
    sent = body("chat", user("a"), reply(sealed, call("c1"), call("c2")), results(result("c1", "x"), result("c2", "x")))
    assert [each.get("extra_content") for each in sent["messages"][2]["tool_calls"]] == [seal, None]


@pytest.mark.parametrize("wire", sorted(WIRES))
def test_thinking_of_another_wire_is_not_sent(wire: str) -> None:
    others = [each for each in THOUGHTS if each["wire"] != wire]
    sent = json.dumps(body(wire, user("a"), reply(*others, call("c")), results(result("c", "x"))))
    assert "Hm." not in sent


@pytest.mark.parametrize(
    ("messages", "sent"),
    [
        ([], [("user", EMPTY)]),
        ([user("  \n")], [("user", EMPTY)]),
        ([user("a"), user("b")], [("user", "a\n\nb")]),
        ([reply(text("a")), user("b")], [("user", BEGIN), ("assistant", "a"), ("user", "b")]),
        ([user("a"), reply(text("b \n"))], [("user", "a"), ("assistant", "b"), ("user", GO_ON)]),
        ([user("a"), reply(text(" ")), user("b")], [("user", "a\n\nb")]),
        ([user("a"), reply(text("b")), reply(text("c")), user("d")],
         [("user", "a"), ("assistant", "b\n\nc"), ("user", "d")]),
        ([user("a"), reply(SEALED), user("b")], [("user", "a"), ("assistant", SILENT), ("user", "b")]),
    ],
)  # fmt: skip
def test_turns_alternate_and_have_something_to_see(messages: list[JSON], sent: list[tuple[str, str]]) -> None:
    for wire in ("chat", "ollama"):
        said = body(wire, *messages, system="")["messages"]
        assert [(each["role"], each["content"]) for each in said] == sent


BLANK = ["", " ", "\n", "\u00a0", "a", "a ", "\ud800"]
blocks_of_users = st.lists(st.builds(text, st.sampled_from(BLANK)), max_size=3)
blocks_of_replies = st.lists(
    st.builds(text, st.sampled_from(BLANK)) | st.sampled_from(THOUGHTS)
    | st.builds(call, st.sampled_from(["", "c1", "c/2", "x" * 90]), st.sampled_from(["", "fs-read", "ready?"]),
                st.sampled_from([{}, {"a": 1}, "{oops"])),
    max_size=3,
)  # fmt: skip


@st.composite
def conversations(draw: st.DrawFn) -> list[JSON]:
    messages: list[JSON] = []
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            messages.append({"role": "user", "content": draw(blocks_of_users)})
            continue
        content = draw(blocks_of_replies)
        messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "call"]
        if calls:
            said = st.sampled_from(BLANK)
            messages.append(results(*(result(each["id"], draw(said), name=each["name"]) for each in calls)))
    return messages


@given(conversations())
def test_anthropic_has_no_reason_to_refuse(messages: list[JSON]) -> None:
    sent = body("anthropic", *messages)
    roles = [message["role"] for message in sent["messages"]]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    for message in sent["messages"]:
        assert message["content"]
        kinds = [block["type"] for block in message["content"]]
        assert kinds == sorted(kinds, key=lambda kind: kind != "tool_result") or message["role"] == "assistant"
        for block in message["content"]:
            shown = block.get("text", block.get("content", "x"))
            assert shown.strip()
            assert isinstance(block.get("input", {}), dict)
        if message["role"] == "assistant" and kinds[-1] == "text":
            assert not message["content"][-1]["text"][-1:].isspace()
    marks = json.dumps(sent).count("cache_control")
    assert marks <= 4
    assert bool(sent.get("tools")) == any("tool_use" in json.dumps(message) for message in sent["messages"])


@given(conversations())
def test_chat_has_no_reason_to_refuse(messages: list[JSON]) -> None:
    sent = body("chat", *messages)["messages"]
    assert sent[0]["role"] == "system"
    assert sent[1]["role"] == "user"
    assert sent[-1]["role"] in ("user", "tool")
    for message, following in zip(sent, [*sent[1:], {"role": "end"}]):
        assert message.get("content") or message.get("tool_calls")
        assert message["role"] == "tool" or message["role"] != following["role"]
        for each in message.get("tool_calls", ()):
            assert isinstance(json.loads(each["function"]["arguments"]), dict)


@given(conversations())
def test_every_wire_can_carry_every_conversation(messages: list[JSON]) -> None:
    for wire in WIRES:
        body(wire, *messages)


def test_calls_of_tools_that_are_not_offered_are_declared_where_the_wire_insists() -> None:
    sent = body("anthropic", user("a"), reply(call("c")), results(result("c", "x")))
    assert [tool["name"] for tool in sent["tools"]] == ["fs-read"]
    assert sent["tool_choice"] == {"type": "none"}


def test_parameters_of_the_person_are_passed_on() -> None:
    given_parameters = {"output": 10, "temperature": 0, "think": True}
    assert body("chat", user("a"), parameters=given_parameters)["temperature"] == 0
    ollama = body("ollama", user("a"), parameters=given_parameters)
    assert (ollama["options"]["temperature"], ollama["think"]) == (0, True)


def test_models_that_do_not_reason_are_not_asked_for_it() -> None:
    assert "include" not in body("responses", user("a"), model="gpt-4.1-mini")


def test_openai_itself_has_another_name_for_the_limit() -> None:
    request = {"model": "m", "system": "", "tools": [], "parameters": {"output": 5}, "messages": [user("a")]}
    assert Chat(is_openai=True).body(request, Names(request), 0)["max_completion_tokens"] == 5


@pytest.mark.parametrize(
    ("schema", "fixed"),
    [
        ({}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"type": "object", "properties": {"a": {"type": "array"}}},
         {"type": "object", "properties": {"a": {"type": "array", "items": {}}}}),
        ({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}},
         {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {}}}}}),
        ({"type": "object", "properties": {"type": {"anyOf": [{"type": ["array", "null"]}, {"type": "string"}]}}},
         {"type": "object",
          "properties": {"type": {"anyOf": [{"type": ["array", "null"], "items": {}}, {"type": "string"}]}}}),
    ],
)  # fmt: skip
def test_schemas_have_what_the_strictest_wire_wants(schema: JSON, fixed: JSON) -> None:
    assert object_schema(schema) == fixed
