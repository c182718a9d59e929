"""Whole streams of each wire with the replies that they are, as servers send them: usual ones, and odd ones."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

JSON = Any


class Stream(NamedTuple):
    wire: str
    name: str
    octets: bytes
    content: list[JSON]
    stop: str
    usage: dict[str, int] | None = None


def events(*messages: JSON, end: str = "", named: bool = False) -> bytes:
    """Return server-sent events. named: whether each has a line with its type, too. end: what follows them."""
    lines = []
    for message in messages:
        name = f"event: {message['type']}\n" if named else ""
        lines.append(f"{name}data: {json.dumps(message)}\n\n")
    return "".join([*lines, end]).encode()


def lines(*messages: JSON) -> bytes:
    return "".join(f"{json.dumps(message)}\n" for message in messages).encode()


def text(said: str) -> JSON:
    return {"type": "text", "text": said}


def call(id: str, name: str, arguments: JSON) -> JSON:
    return {"type": "call", "id": id, "name": name, "arguments": arguments}


# Anthropic


def begin(**usage: int) -> JSON:
    return {
        "type": "message_start",
        "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": [],
                    "stop_reason": None, "usage": {"input_tokens": 25, "output_tokens": 1, **usage}},
    }  # fmt: skip


def block(index: int, **block: JSON) -> JSON:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **delta: JSON) -> JSON:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def stop(index: int) -> JSON:
    return {"type": "content_block_stop", "index": index}


def finish(reason: str, output: int = 12) -> list[JSON]:
    return [
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
         "usage": {"output_tokens": output}},
        {"type": "message_stop"},
    ]  # fmt: skip


PING = {"type": "ping"}

ANTHROPIC = [
    Stream(
        "anthropic",
        "words, with a ping between them and an event of an unknown kind",
        events(begin(cache_read_input_tokens=100, cache_creation_input_tokens=7), block(0, type="text", text=""), PING,
               delta(0, type="text_delta", text="Grüße, "), {"type": "of_the_future", "more": [1, {}]},
               delta(0, type="text_delta", text="Welt 🌍"), delta(0, type="delta_of_the_future", x=1), stop(0),
               *finish("end_turn"), named=True),
        [text("Grüße, Welt 🌍")],
        "end",
        {"input": 25, "output": 12, "cache_read": 100, "cache_write": 7},
    ),
    Stream(
        "anthropic",
        "two calls, one in pieces and one without arguments",
        events(begin(), block(0, type="text", text=""), delta(0, type="text_delta", text="I look."), stop(0),
               block(1, type="tool_use", id="toolu_1", name="fs-read", input={}),
               delta(1, type="input_json_delta", partial_json=""),
               delta(1, type="input_json_delta", partial_json='{"path": "a'),
               delta(1, type="input_json_delta", partial_json='.py"}'), stop(1),
               block(2, type="tool_use", id="toolu_2", name="git-status", input={}),
               delta(2, type="input_json_delta", partial_json=""), stop(2), *finish("tool_use"), named=True),
        [text("I look."), call("toolu_1", "fs-read", {"path": "a.py"}), call("toolu_2", "git-status", {})],
        "calls",
        {"input": 25, "output": 12},
    ),
    Stream(
        "anthropic",
        "thinking with its signature, and thinking that nobody may read",
        events(begin(), block(0, type="thinking", thinking="", signature=""),
               delta(0, type="thinking_delta", thinking="Hm, "), delta(0, type="thinking_delta", thinking="so."),
               delta(0, type="signature_delta", signature="c2ln"), delta(0, type="signature_delta", signature="bmVk"),
               stop(0), block(1, type="redacted_thinking", data="aGlkZGVu"), stop(1),
               block(2, type="text", text=""), delta(2, type="text_delta", text="Yes."), stop(2),
               *finish("end_turn"), named=True),
        [{"type": "thinking", "text": "Hm, so.", "wire": "anthropic", "signature": "c2lnbmVk"},
         {"type": "thinking", "text": "", "wire": "anthropic", "redacted": "aGlkZGVu"}, text("Yes.")],
        "end",
        {"input": 25, "output": 12},
    ),
    Stream(
        "anthropic",
        "a call that the limit cut off is not made",
        events(begin(), block(0, type="text", text="Now:"), stop(0),
               block(1, type="tool_use", id="toolu_1", name="fs-write", input={}),
               delta(1, type="input_json_delta", partial_json='{"path": "a.py", "text": "def'), stop(1),
               *finish("max_tokens")),
        [text("Now:")],
        "length",
        {"input": 25, "output": 12},
    ),
    Stream("anthropic", "a pause", events(begin(), block(0, type="text", text="…"), stop(0), *finish("pause_turn")),
           [text("…")], "pause", {"input": 25, "output": 12}),
    Stream("anthropic", "a refusal without a word", events(begin(), *finish("refusal")), [], "refusal",
           {"input": 25, "output": 12}),
    Stream(
        "anthropic",
        "arguments that are no JSON stay the text that they are",
        events(begin(), block(0, type="tool_use", id="t", name="fs-read", input={}),
               delta(0, type="input_json_delta", partial_json='{"path": a.py}'), stop(0), *finish("tool_use")),
        [call("t", "fs-read", '{"path": a.py}')],
        "calls",
        {"input": 25, "output": 12},
    ),
    Stream(
        "anthropic",
        "arguments whole at the beginning of the block",
        events(begin(), block(0, type="tool_use", id="t", name="fs-read", input={"path": "a.py"}), stop(0),
               *finish("tool_use")),
        [call("t", "fs-read", {"path": "a.py"})],
        "calls",
        {"input": 25, "output": 12},
    ),
]  # fmt: skip


# Chat Completions


def chunk(delta: JSON, finish: str | None = None, **more: JSON) -> JSON:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chat-1", "object": "chat.completion.chunk", "model": "m-1", "choices": [choice], **more}


def said(words: str) -> JSON:
    return chunk({"content": words})


def called(index: int | None, arguments: JSON, *, name: str = "", id: str = "") -> JSON:
    piece: JSON = {"function": {"arguments": arguments}}
    if index is not None:
        piece["index"] = index
    if name:
        piece["function"]["name"] = name
        piece["type"] = "function"
    if id:
        piece["id"] = id
    return chunk({"tool_calls": [piece]})


def numbers(given: int, written: int, cached: int = 0) -> JSON:
    usage: JSON = {"prompt_tokens": given, "completion_tokens": written, "total_tokens": given + written}
    if cached:
        usage["prompt_tokens_details"] = {"cached_tokens": cached}
    return {"id": "chat-1", "model": "m-1", "choices": [], "usage": usage}


DONE = "data: [DONE]\n\n"
READ = [call("c1", "fs-read", {"path": "a.py"}), call("c2", "fs-read", {"path": "b.py"})]

CHAT = [
    Stream(
        "chat",
        "words, usage in a chunk without choices, comments, and an unknown member",
        b": OPENROUTER PROCESSING\n\n" + events(chunk({"role": "assistant", "content": ""}, obfuscation="x"),
              said("Grü"), said("ße"), chunk({}, "stop"), numbers(30, 5, cached=20), end=DONE),
        [text("Grüße")],
        "end",
        {"input": 10, "output": 5, "cache_read": 20},
    ),
    Stream(
        "chat",
        "parallel calls in pieces that alternate",
        events(chunk({"role": "assistant", "content": None}), called(0, "", name="fs-read", id="c1"),
               called(0, '{"pa'), called(1, "", name="fs-read", id="c2"), called(1, '{"path": "b.'),
               called(0, 'th": "a.py"}'), called(1, 'py"}'), chunk({}, "tool_calls"), end=DONE),
        READ,
        "calls",
    ),
    Stream(
        "chat",
        "calls numbered from 1",
        events(called(1, '{"path": "a.py"}', name="fs-read", id="c1"),
               called(2, '{"path": "b.py"}', name="fs-read", id="c2"), chunk({}, "tool_calls"), end=DONE),
        READ,
        "calls",
    ),
    Stream(
        "chat",
        "calls that are all numbered 0",
        events(called(0, '{"path": "a.py"}', name="fs-read", id="c1"),
               called(0, '{"path": "b.py"}', name="fs-read", id="c2"), chunk({}, "tool_calls"), end=DONE),
        READ,
        "calls",
    ),
    Stream(
        "chat",
        "calls without a number, in pieces",
        events(called(None, '{"path": ', name="fs-read", id="c1"), called(None, '"a.py"}'),
               called(None, '{"path": "b.py"}', name="fs-read", id="c2"), chunk({}, "stop"), end=DONE),
        READ,
        "calls",
    ),
    Stream(
        "chat",
        "calls without ids, of the same tool",
        events(called(0, '{"path": "a.py"}', name="fs-read"), called(0, '{"path": "b.py"}', name="fs-read"),
               chunk({}, "tool_calls"), end=DONE),
        [call("", "fs-read", {"path": "a.py"}), call("", "fs-read", {"path": "b.py"})],
        "calls",
    ),
    Stream(
        "chat",
        "a call whose id and name come with every piece",
        events(called(0, '{"path": ', name="fs-read", id="c1"), called(0, '"a.py"}', name="fs-read", id="c1"),
               called(1, '{"path": "b.py"}', name="fs-read", id="c2"), chunk({}, "tool_calls"), end=DONE),
        READ,
        "calls",
    ),
    Stream(
        "chat",
        "arguments as an object, and arguments encoded twice",
        events(called(0, {"path": "a.py"}, name="fs-read", id="c1"),
               called(1, json.dumps(json.dumps({"path": "b.py"})), name="fs-read", id="c2"),
               chunk({}, "tool_calls"), end=DONE),
        READ,
        "calls",
    ),
    Stream(
        "chat",
        "a call with what must go back with it",
        events(chunk({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "fs-read", "arguments": "{}"},
                                      "extra_content": {"google": {"thought_signature": "c2ln"}}}]}),
               chunk({}, "tool_calls"), end=DONE),
        [{"type": "thinking", "text": "", "wire": "chat",
          "extra_content": {"google": {"thought_signature": "c2ln"}}}, call("c1", "fs-read", {})],
        "calls",
    ),
    Stream(
        "chat",
        "thinking under either name, and then words",
        events(chunk({"reasoning_content": "Hm, "}), chunk({"reasoning_content": "so."}), said("Yes."),
               chunk({}, "stop"), end=DONE),
        [{"type": "thinking", "text": "Hm, so.", "wire": "chat", "member": "reasoning_content"}, text("Yes.")],
        "end",
    ),
    Stream(
        "chat",
        "content as a list",
        events(chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]}),
               chunk({"content": [{"type": "text", "text": "Yes."}]}), chunk({}, "stop"), end=DONE),
        [{"type": "thinking", "text": "Hm."}, text("Yes.")],
        "end",
    ),
    Stream("chat", "no reason for the end", events(said("Yes."), end=DONE), [text("Yes.")], "end"),
    Stream("chat", "no mark of the end", events(said("Yes."), chunk({}, "stop")), [text("Yes.")], "end"),
    Stream("chat", "an end without an empty line", events(said("Yes."), end="data: [DONE]"), [text("Yes.")], "end"),
    Stream("chat", "lines that end in another way",
           events(said("Yes."), chunk({}, "stop"), end=DONE).replace(b"\n", b"\r\n"), [text("Yes.")], "end"),
    Stream("chat", "a call that the limit cut off is not made",
           events(said("Now:"), called(0, "", name="fs-write", id="c1"), chunk({}, "length"), end=DONE),
           [text("Now:")], "length"),
    Stream("chat", "a refusal", events(chunk({"refusal": "No."}), chunk({}, "stop"), end=DONE), [text("No.")],
           "refusal"),
    Stream("chat", "a character that is divided between two pieces",
           events(said("a\ud83c"), said("\udf0db"), chunk({}, "stop"), end=DONE), [text("a\U0001f30db")], "end"),
    Stream("chat", "half a character at the end", events(said("a\ud83c"), chunk({}, "stop"), end=DONE),
           [text("a\ufdd0d83c")], "end"),
    Stream("chat", "a lone surrogate", events(said("a\ud800b"), chunk({}, "stop"), end=DONE),
           [text("a\ufdd0d800b")], "end"),
]  # fmt: skip


# Responses


def item(kind: str, index: int, **item: JSON) -> JSON:
    return {"type": f"response.output_item.{kind}", "output_index": index, "item": item, "sequence_number": index}


def piece(kind: str, index: int, delta: str, **more: JSON) -> JSON:
    return {"type": f"response.{kind}.delta", "output_index": index, "delta": delta, **more}


def response(kind: str, **more: JSON) -> JSON:
    return {"type": f"response.{kind}", "response": {"id": "resp_1", "model": "m-1", "status": kind, **more}}


SPENT = {
    "input_tokens": 50,
    "input_tokens_details": {"cached_tokens": 40},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 3},
}
COUNTED = {"input": 10, "output": 9, "cache_read": 40}
REASONING = {"id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "ZW5j"}

RESPONSES = [
    Stream(
        "responses",
        "words, and events of unknown kinds",
        events(response("created"), response("in_progress"), item("added", 0, type="message", content=[]),
               {"type": "response.content_part.added", "output_index": 0, "part": {}},
               piece("output_text", 0, "Grü", content_index=0), piece("output_text", 0, "ße", content_index=0),
               {"type": "response.output_text.done", "text": "Grüße"}, {"type": "response.of_the.future"},
               item("done", 0, type="message", content=[{"type": "output_text", "text": "Grüße"}]),
               response("completed", usage=SPENT), named=True),
        [text("Grüße")],
        "end",
        COUNTED,
    ),
    Stream(
        "responses",
        "thinking, sealed, before two calls",
        events(response("created"), item("added", 0, type="reasoning", summary=[]),
               piece("reasoning_summary_text", 0, "Hm."), item("done", 0, type="reasoning", **REASONING),
               item("added", 1, type="function_call", id="fc_1", call_id="c1", name="fs-read", arguments=""),
               piece("function_call_arguments", 1, '{"path"'), piece("function_call_arguments", 1, ': "a.py"}'),
               item("done", 1, type="function_call", id="fc_1", call_id="c1", name="fs-read",
                    arguments='{"path": "a.py"}'),
               item("added", 2, type="function_call", id="fc_2", call_id="c2", name="fs-read", arguments=""),
               item("done", 2, type="function_call", id="fc_2", call_id="c2", name="fs-read",
                    arguments='{"path": "b.py"}'),
               response("completed", usage=SPENT)),
        [{"type": "thinking", "text": "Hm.", "wire": "responses", "item": {"type": "reasoning", **REASONING}}, *READ],
        "calls",
        COUNTED,
    ),
    Stream(
        "responses",
        "all of it in the last event",
        events(response("completed", output=[
            {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]},
            {"type": "function_call", "call_id": "c1", "name": "git-status", "arguments": "{}"}])),
        [text("Yes."), call("c1", "git-status", {})],
        "calls",
    ),
    Stream(
        "responses",
        "cut off by the limit",
        events(piece("output_text", 0, "Now:"), item("added", 1, type="function_call", call_id="c1", name="fs-write"),
               piece("function_call_arguments", 1, '{"pa'),
               response("incomplete", incomplete_details={"reason": "max_output_tokens"})),
        [text("Now:")],
        "length",
    ),
    Stream(
        "responses",
        "items that have names and no places",
        events(*({name: value for name, value in each.items() if name != "output_index"} for each in (
               item("added", 0, type="message", id="msg_1", content=[]),
               piece("output_text", 0, "So", item_id="msg_1"), piece("output_text", 0, ".", item_id="msg_1"),
               item("done", 0, type="message", id="msg_1", content=[{"type": "output_text", "text": "So."}]),
               item("added", 1, type="function_call", call_id="c1", name="fs-read", arguments=""),
               piece("function_call_arguments", 1, '{"path": "a.py"}', item_id="c1"),
               item("done", 1, type="function_call", call_id="c1", name="fs-read", arguments='{"path": "a.py"}'),
               item("added", 2, type="function_call", call_id="c2", name="fs-read", arguments=""),
               item("done", 2, type="function_call", call_id="c2", name="fs-read", arguments='{"path": "b.py"}'))),
               response("completed")),
        [text("So."), *READ],
        "calls",
    ),
    Stream("responses", "a refusal",
           events(piece("refusal", 0, "No.", content_index=0), response("completed")), [text("No.")], "refusal"),
]  # fmt: skip


# Ollama


def line(message: JSON, **more: JSON) -> JSON:
    return {"model": "m-1", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", **message},
            "done": False, **more}  # fmt: skip


OLLAMA_END = line({"content": ""}, done=True, done_reason="stop", prompt_eval_count=26, eval_count=5)
OLLAMA_COUNTED = {"input": 26, "output": 5}

OLLAMA = [
    Stream("ollama", "thinking and words",
           lines(line({"content": "", "thinking": "Hm."}), line({"content": "Grü"}), line({"content": "ße"}),
                 OLLAMA_END),
           [{"type": "thinking", "text": "Hm.", "wire": "ollama"}, text("Grüße")], "end", OLLAMA_COUNTED),
    Stream("ollama", "calls, whole and without ids",
           lines(line({"content": "", "tool_calls": [
                     {"function": {"name": "fs-read", "arguments": {"path": "a.py"}}},
                     {"function": {"name": "git-status", "arguments": {}}}]}),
                 OLLAMA_END),
           [call("", "fs-read", {"path": "a.py"}), call("", "git-status", {})], "calls", OLLAMA_COUNTED),
    Stream("ollama", "cut off by the limit",
           lines(line({"content": "Now:"}), {**OLLAMA_END, "done_reason": "length"}), [text("Now:")], "length",
           OLLAMA_COUNTED),
    Stream("ollama", "nothing at all", lines(OLLAMA_END), [], "end", OLLAMA_COUNTED),
]  # fmt: skip


def ending(wire: str, reason: str) -> bytes:
    """Return a stream of a wire that says something and begins a call, and ends for a reason in the wire's own word."""
    begun = '{"path": "a.py", "te'
    if wire == "anthropic":
        return events(
            begin(),
            block(0, type="text", text="Now:"),
            stop(0),
            block(1, type="tool_use", id="c1", name="fs-write", input={}),
            delta(1, type="input_json_delta", partial_json=begun),
            stop(1),
            *finish(reason),
        )
    if wire == "chat":
        return events(said("Now:"), called(0, begun, name="fs-write", id="c1"), chunk({}, reason), end=DONE)
    if wire == "responses":
        return events(
            piece("output_text", 0, "Now:"),
            item("added", 1, type="function_call", call_id="c1", name="fs-write"),
            piece("function_call_arguments", 1, begun),
            response("incomplete", incomplete_details={"reason": reason}),
        )
    return lines(line({"content": "Now:"}), {**OLLAMA_END, "done_reason": reason})


ALL = [*ANTHROPIC, *CHAT, *RESPONSES, *OLLAMA]
