"""The wire of OpenAI's Responses API. Nothing is stored there: what must go back is in our log, encrypted by them."""

from __future__ import annotations

from typing import Any

from nodwyn.loop.providers.chat import usage_of
from nodwyn.loop.providers.collecting import Block, Decoder, arguments_text
from nodwyn.loop.providers.failures import from_message
from nodwyn.loop.providers.frames import Events
from nodwyn.loop.providers.names import Names, wire_id
from nodwyn.loop.providers.wire import (
    arguments_of,
    bearer,
    function_of,
    listed_under,
    output_of,
    own_thinking,
    parameters,
    turns,
)
from nodwyn.prims.json_text import encode

JSON = Any

NAME = "responses"
WITHOUT_REASONING = ("gpt-3", "gpt-4", "chatgpt-4")
"""Beginnings of the names of models that do not reason and refuse to be asked for it."""


class Responses:
    """See the module."""

    path = "/responses"
    list_path = "/models"

    def body(self, request: JSON, names: Names, context: int) -> JSON:
        body: dict[str, JSON] = {
            "model": request["model"],
            "stream": True,
            "store": False,
            "input": [
                item
                for role, blocks in turns(request["messages"])
                for block in blocks
                if (item := _item(block, role, names)) is not None
            ],
        }
        if not request["model"].startswith(WITHOUT_REASONING):
            body["include"] = ["reasoning.encrypted_content"]
        if request["system"].strip():
            body["instructions"] = request["system"]
        output = output_of(request)
        if output is not None:
            body["max_output_tokens"] = output
        if request["tools"]:
            body["tools"] = [
                {"type": "function", **function_of(tool, names), "strict": False} for tool in request["tools"]
            ]
        return {**body, **parameters(request)}

    def headers(self) -> dict[str, str]:
        return {}

    def key_header(self, key: str) -> tuple[str, str]:
        return bearer(key)

    def decoder(self, names: Names) -> Decoder:
        return ResponsesDecoder(Events(), names.scheme)

    def listed(self, answer: JSON) -> list[str]:
        return listed_under(answer, "data", "id")


def _item(block: JSON, role: str, names: Names) -> JSON | None:
    kind = block["type"]
    if kind == "text":
        part = "output_text" if role == "assistant" else "input_text"
        return {"type": "message", "role": role, "content": [{"type": part, "text": block["text"]}]}
    if kind == "call":
        return {
            "type": "function_call",
            "call_id": wire_id(block["id"]),
            "name": names.wire(block["name"]),
            "arguments": encode(arguments_of(block)).decode(),
        }
    if kind == "result":
        return {"type": "function_call_output", "call_id": wire_id(block["id"]), "output": block["text"]}
    return block["item"] if own_thinking(block, NAME) else None


def _place(message: JSON) -> JSON:
    """Return what says to which item a message belongs: its place, or where a server leaves that out, its name."""
    if "output_index" in message:
        return message["output_index"]
    item = message.get("item") or {}
    return message.get("item_id") or item.get("id") or item.get("call_id")


class ResponsesDecoder(Decoder):
    """Puts together output items by their place; what an item says when it is done holds."""

    def message(self, message: JSON) -> None:
        kind = message.get("type") or ("error" if message.get("error") else "")
        if kind.endswith((".delta", ".done")):
            self._piece(kind, message)
        elif kind == "response.output_item.added":
            self._added(message)
        elif kind in ("response.completed", "response.incomplete"):
            self._end(message["response"])
        elif kind in ("response.created", "response.in_progress"):
            self._begin(message["response"])
        elif kind == "response.failed":
            self._begin(message["response"])
            raise self.with_partial(from_message(message["response"].get("error")))
        elif kind == "error":
            raise self.with_partial(from_message(message.get("error") or message))

    def _piece(self, kind: str, message: JSON) -> None:
        index = _place(message)
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            self.piece((index, "text", message.get("content_index", 0)), "text", message["delta"])
            if kind == "response.refusal.delta":
                self.stop = "refusal"
        elif kind == "response.function_call_arguments.delta":
            if (index, "call") in self.by_key:
                self.piece((index, "call"), "call", message["delta"])
        elif kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            self.piece((index, "thinking"), "thinking", message["delta"])
        elif kind == "response.output_item.done":
            self._done(index, message["item"])

    def _added(self, message: JSON) -> None:
        index, item = _place(message), message["item"]
        if item["type"] == "function_call":
            id = item.get("call_id") or item.get("id") or ""
            self.open((index, "call"), Block("call", str(item["name"]), str(id)))

    def _done(self, index: JSON, item: JSON) -> None:
        """Take an item as it is when it is done: whole, also where no piece of it came."""
        if item["type"] == "function_call":
            self._called(index, item)
        elif item["type"] == "message":
            for place, part in enumerate(item.get("content") or ()):
                if (index, "text", place) not in self.by_key:
                    self.piece((index, "text", place), "text", part.get("text") or part.get("refusal") or "")
        elif item["type"] == "reasoning":
            block = self.piece((index, "thinking"), "thinking", "")
            if not block.pieces:
                block.pieces += [str(part["text"]) for part in item.get("summary") or () if part.get("text")]
            kept = {name: item[name] for name in ("id", "summary", "content", "encrypted_content") if name in item}
            if kept.get("encrypted_content"):
                block.extra = {"wire": NAME, "item": {"type": "reasoning", **kept}}

    def _called(self, index: JSON, item: JSON) -> None:
        block = self.by_key.get((index, "call"))
        if block is None:
            block = self.open((index, "call"), Block("call", str(item["name"])))
        block.id = str(item.get("call_id") or block.id)
        arguments = arguments_text(item.get("arguments"))
        if arguments:
            block.pieces[:] = [arguments]

    def _begin(self, response: JSON) -> None:
        self.model = str(response.get("model") or self.model)
        self.id = str(response.get("id") or self.id)
        if isinstance(response.get("usage"), dict):
            self.usage |= usage_of(response["usage"], "input_tokens", "output_tokens", "input_tokens_details")

    def _end(self, response: JSON) -> None:
        self._begin(response)
        if not self.blocks:
            for index, item in enumerate(response.get("output") or ()):
                self._done(index, item)
        reason = (response.get("incomplete_details") or {}).get("reason")
        if response.get("status") == "failed":
            self.ended("failed")
        if response.get("status") == "incomplete" or reason:
            self.ended(reason or "length")
        self.is_over = True
