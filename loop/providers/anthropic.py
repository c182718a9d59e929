"""The wire of Anthropic's Messages API, version 2023-06-01, which other servers speak too."""

from __future__ import annotations

from typing import Any

from nodwyn.loop.providers.collecting import Block, Decoder, arguments_text, counts
from nodwyn.loop.providers.failures import from_message
from nodwyn.loop.providers.frames import Events
from nodwyn.loop.providers.names import Names, wire_id
from nodwyn.loop.providers.wire import (
    SILENT,
    arguments_of,
    listed_under,
    object_schema,
    output_of,
    own_thinking,
    parameters,
    turns,
)
from nodwyn.prims.surrogates import unescape

JSON = Any

NAME = "anthropic"
USAGE = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_input_tokens": "cache_read",
    "cache_creation_input_tokens": "cache_write",
}
OUTPUT = 8192
"""Tokens of a reply where the request does not say; the wire must be told."""

CACHED = {"type": "ephemeral"}
MARKED_TURNS = 2
"""How many of the user's latest turns end in a mark up to which the provider keeps what it read. It allows four marks;
one is the system prompt's, behind the tools."""


class Anthropic:
    """See the module."""

    path = "/v1/messages"
    list_path = "/v1/models?limit=1000"

    def body(self, request: JSON, names: Names, context: int) -> JSON:
        messages = [{"role": role, "content": _blocks(blocks, names)} for role, blocks in turns(request["messages"])]
        _mark(messages)
        body: dict[str, JSON] = {
            "model": request["model"],
            "max_tokens": output_of(request) or OUTPUT,
            "stream": True,
            "messages": messages,
        }
        if request["system"].strip():
            body["system"] = [{"type": "text", "text": request["system"], "cache_control": CACHED}]
        tools = [_tool(tool, names) for tool in request["tools"]]
        if tools:
            body["tools"] = tools
        elif called := _called(messages):
            # The wire refuses calls in the conversation of tools that it was not told of.
            body["tools"] = [{"name": name, "input_schema": object_schema({})} for name in called]
            body["tool_choice"] = {"type": "none"}
        return {**body, **parameters(request)}

    def headers(self) -> dict[str, str]:
        return {"anthropic-version": "2023-06-01"}

    def key_header(self, key: str) -> tuple[str, str]:
        return "x-api-key", key

    def decoder(self, names: Names) -> Decoder:
        return AnthropicDecoder(Events(), names.scheme)

    def listed(self, answer: JSON) -> list[str]:
        return listed_under(answer, "data", "id")


def _tool(tool: JSON, names: Names) -> JSON:
    described = {"description": tool["description"]} if tool["description"].strip() else {}
    return {"name": names.wire(tool["name"]), **described, "input_schema": object_schema(tool["schema"])}


def _called(messages: list[JSON]) -> list[str]:
    blocks = (block for message in messages for block in message["content"])
    return sorted({block["name"] for block in blocks if block["type"] == "tool_use"})


def _blocks(blocks: list[JSON], names: Names) -> list[JSON]:
    return [block for each in blocks if (block := _block(each, names)) is not None] or [
        {"type": "text", "text": SILENT}
    ]


def _block(block: JSON, names: Names) -> JSON | None:
    """Return a block as the wire has it; None for what it does not take back."""
    kind = block["type"]
    if kind == "text":
        return {"type": "text", "text": block["text"]}
    if kind == "call":
        name = names.wire(block["name"])
        return {"type": "tool_use", "id": wire_id(block["id"]), "name": name, "input": arguments_of(block)}
    if kind == "result":
        result = {"type": "tool_result", "tool_use_id": wire_id(block["id"]), "content": block["text"]}
        return result if block["ok"] else {**result, "is_error": True}
    if not own_thinking(block, NAME):
        return None
    if "redacted" in block:
        return {"type": "redacted_thinking", "data": block["redacted"]}
    return {"type": "thinking", "thinking": unescape(block["text"]), "signature": block["signature"]}


def _mark(messages: list[JSON]) -> None:
    """Mark the ends of the latest user turns: up to there a prefix of the request is worth keeping."""
    for message in [each for each in messages if each["role"] == "user"][-MARKED_TURNS:]:
        message["content"][-1] = {**message["content"][-1], "cache_control": CACHED}


class AnthropicDecoder(Decoder):
    """Puts together what content blocks, by their index, and message events bring."""

    def message(self, message: JSON) -> None:
        kind = message.get("type") or ("error" if message.get("error") else "")
        if kind == "content_block_delta":
            self._delta(message["index"], message["delta"])
        elif kind == "content_block_start":
            self._start_block(message["index"], message["content_block"])
        elif kind == "message_start":
            begun = message["message"]
            self.model, self.id = str(begun.get("model") or ""), str(begun.get("id") or "")
            self.usage |= counts(begun.get("usage"), USAGE)
        elif kind == "message_delta":
            self.usage |= counts(message.get("usage"), USAGE)
            if reason := message["delta"].get("stop_reason"):
                self.ended(reason)
        elif kind == "message_stop":
            self.is_over = True
        elif kind == "error":
            raise self.with_partial(from_message(message.get("error")))

    def _start_block(self, index: JSON, block: JSON) -> None:
        kind = block["type"]
        if kind == "tool_use":
            call = self.open(index, Block("call", str(block["name"]), str(block.get("id") or "")))
            if block.get("input"):
                call.pieces.append(arguments_text(block["input"]))
                self.by_key["given", index] = call
        elif kind == "text":
            self.piece(index, "text", block.get("text") or "")
        elif kind == "thinking":
            self.piece(index, "thinking", block.get("thinking") or "")
            self._sign(index, block.get("signature"))
        elif kind == "redacted_thinking":
            self.piece(index, "thinking", "").extra = {"wire": NAME, "redacted": str(block["data"])}

    def _delta(self, index: JSON, delta: JSON) -> None:
        kind = delta["type"]
        if kind == "text_delta":
            self.piece(index, "text", delta["text"])
        elif kind == "input_json_delta":
            self._arguments(index, delta["partial_json"])
        elif kind == "thinking_delta":
            self.piece(index, "thinking", delta["thinking"])
        elif kind == "signature_delta":
            self._sign(index, delta["signature"])

    def _arguments(self, index: JSON, text: str) -> None:
        block = self.by_key.get(index)
        if block is not None and block.kind == "call":
            begins = text.strip() and self.by_key.pop(("given", index), None) is block
            if begins and text.lstrip().startswith("{") and block.is_whole_call():
                block.pieces.clear()  # the beginning of the block had them whole already
            self.piece(index, "call", text)

    def _sign(self, index: JSON, signature: JSON) -> None:
        if signature:
            block = self.piece(index, "thinking", "")
            block.extra = {"wire": NAME}
            block.add_extra("signature", signature)
