"""The wire of OpenAI's Chat Completions, as OpenAI and the many servers that imitate it speak it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nodwyn.loop.providers.collecting import Block, Decoder, arguments_text, counts, is_count
from nodwyn.loop.providers.failures import from_message
from nodwyn.loop.providers.frames import Events
from nodwyn.loop.providers.names import Names, wire_id
from nodwyn.loop.providers.wire import (
    SILENT,
    arguments_of,
    bearer,
    function_of,
    listed_under,
    output_of,
    own_thinking,
    parameters,
    texts,
    turns,
)
from nodwyn.prims.json_text import encode

JSON = Any

NAME = "chat"
END = b"[DONE]"
SEAL = "extra_content"
"""The member of a call that some servers want back with it: what the model thought before it, sealed."""

REASONING = ("reasoning_content", "reasoning")
"""The members in which servers send what a model thinks."""


class Chat:
    """See the module. is_openai: whether the server is OpenAI's own, which has renamed a parameter."""

    path = "/chat/completions"
    list_path = "/models"

    def __init__(self, *, is_openai: bool = False) -> None:
        self._output = "max_completion_tokens" if is_openai else "max_tokens"

    def body(self, request: JSON, names: Names, context: int) -> JSON:
        messages: list[JSON] = []
        if request["system"].strip():
            messages.append({"role": "system", "content": request["system"]})
        for role, blocks in turns(request["messages"]):
            messages += _assistant(blocks, names) if role == "assistant" else _user(blocks)
        body: dict[str, JSON] = {
            "model": request["model"],
            "stream": True,
            "stream_options": {"include_usage": True},
            "messages": messages,
        }
        output = output_of(request)
        if output is not None:
            body[self._output] = output
        if request["tools"]:
            body["tools"] = [{"type": "function", "function": function_of(tool, names)} for tool in request["tools"]]
        return {**body, **parameters(request)}

    def headers(self) -> dict[str, str]:
        return {}

    def key_header(self, key: str) -> tuple[str, str]:
        return bearer(key)

    def decoder(self, names: Names) -> Decoder:
        return ChatDecoder(Events(), names.scheme)

    def listed(self, answer: JSON) -> list[str]:
        return listed_under(answer, "data", "id")


def _user(blocks: list[JSON]) -> list[JSON]:
    results = [
        {"role": "tool", "tool_call_id": wire_id(block["id"]), "content": block["text"]}
        for block in blocks
        if block["type"] == "result"
    ]
    text = texts(blocks)
    return [*results, {"role": "user", "content": text}] if text else results


def _assistant(blocks: list[JSON], names: Names) -> list[JSON]:
    calls = list(_calls(blocks, names))
    text = texts(blocks)
    if not (calls or text):
        return [{"role": "assistant", "content": SILENT}]
    message: dict[str, JSON] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = calls
        # A model that thinks between calls wants to see what it thought before them; after a plain answer it does not.
        for block in blocks:
            if own_thinking(block, NAME) and "member" in block:
                message[block["member"]] = message.get(block["member"], "") + block["text"]
    return [message]


def _calls(blocks: list[JSON], names: Names) -> Iterator[JSON]:
    """Yield the calls among blocks, each with the seal that came with it."""
    seal: dict[str, JSON] = {}
    for block in blocks:
        if own_thinking(block, NAME) and SEAL in block:
            seal = {SEAL: block[SEAL]}
        elif block["type"] == "call":
            function = {"name": names.wire(block["name"]), "arguments": encode(arguments_of(block)).decode()}
            yield {"id": wire_id(block["id"]), "type": "function", "function": function, **seal}
            seal = {}


class ChatDecoder(Decoder):
    """Puts together the deltas of the first choice. Whoever left out what is usual is forgiven, but for the end."""

    def is_end_mark(self, data: bytes) -> bool:
        if data.strip() != END:
            return False
        if self.blocks or self.stop:
            self.is_over = True
        return True

    def message(self, message: JSON) -> None:
        if message.get("error"):
            raise self.with_partial(from_message(message["error"]))
        self.model = self.model or str(message.get("model") or "")
        self.id = self.id or str(message.get("id") or "")
        if message.get("usage"):
            self.usage |= usage_of(message["usage"], "prompt_tokens", "completion_tokens", "prompt_tokens_details")
        for choice in message.get("choices") or ():
            if choice.get("index") in (0, None):
                self._choice(choice)

    def _choice(self, choice: JSON) -> None:
        self._delta(choice.get("delta") or choice.get("message") or {})
        reason = choice.get("finish_reason")
        if reason:
            self.ended(reason)
            self.is_over = True

    def _delta(self, delta: JSON) -> None:
        for member in REASONING:
            text = delta.get(member)
            if isinstance(text, str) and text:
                self.adjoining("thinking", text).extra = {"wire": NAME, "member": member}
                break
        self._content(delta.get("content"))
        if delta.get("refusal"):
            self.adjoining("text", delta["refusal"])
            self.stop = "refusal"
        for call in delta.get("tool_calls") or ():
            self._call(call)
        if delta.get("function_call"):
            self._call({"index": "function_call", "function": delta["function_call"]})

    def _content(self, content: JSON) -> None:
        if isinstance(content, str):
            if content:
                self.adjoining("text", content)
            return
        for part in content or ():
            if part.get("type") == "text":
                self.adjoining("text", part["text"])
            elif part.get("type") == "thinking":
                thought = part["thinking"]
                for piece in [{"text": thought}] if isinstance(thought, str) else thought:
                    self.adjoining("thinking", piece.get("text") or "")

    def _call(self, call: JSON) -> None:
        function = call.get("function") or {}
        name, id = function.get("name") or "", call.get("id") or ""
        index = call.get("index")
        block = self.by_key.get(("call", index)) if index is not None else self._unnumbered(id)
        if block is None or self._is_another(block, name, id):
            if isinstance(call.get(SEAL), dict):
                self.open(("seal", len(self.blocks)), Block("thinking")).extra = {"wire": NAME, SEAL: call[SEAL]}
            block = self.open(("call", index), Block("call", str(name), str(id)))
            self.by_key["last call"] = block
        else:
            block.id = block.id or str(id)
            block.name = block.name or str(name)
        if block.id:
            self.by_key.setdefault(("id", block.id), block)
        self._add(block, arguments_text(function.get("arguments")))

    def _unnumbered(self, id: str) -> Block | None:
        """Return the call that a piece without an index goes on with: that of its id, else the last one."""
        return self.by_key.get(("id", str(id))) or self.by_key.get("last call")

    def _is_another(self, block: Block, name: str, id: str) -> bool:
        """Return whether a piece with the place of a call begins another one: some servers number all calls 0."""
        if not name:
            return False
        if id and block.id:
            return id != block.id
        return name != block.name or block.is_whole_call()


def usage_of(usage: JSON, given: str, written: str, details: str) -> dict[str, int]:
    """Return OpenAI's numbers under our names: input is what was not read from the cache."""
    numbers = counts(usage, {given: "input", written: "output"})
    detail = usage.get(details)
    cached = detail.get("cached_tokens") if isinstance(detail, dict) else usage.get("prompt_cache_hit_tokens")
    if cached and is_count(cached) and cached <= numbers.get("input", 0):
        numbers["input"] -= cached
        numbers["cache_read"] = cached
    return numbers
