"""The wire of Ollama's own ``/api/chat``.

Its imitation of Chat Completions is not used: that one cannot say how much the model is to hold, and the default cuts
off the beginning of a conversation without a word.
"""

from __future__ import annotations

from typing import Any

from nodwyn.loop.providers.base import ProviderError
from nodwyn.loop.providers.collecting import Block, Decoder, arguments_text, counts
from nodwyn.loop.providers.failures import from_message
from nodwyn.loop.providers.frames import Lines
from nodwyn.loop.providers.names import Names
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

NAME = "ollama"
USAGE = {"prompt_eval_count": "input", "eval_count": "output"}
TOP = ("think", "keep_alive", "format")
"""Parameters that are no options of the model itself."""

BYTES_A_TOKEN = 4
"""More than text has on average: a request that is too long by this measure is too long."""


class Ollama:
    """See the module."""

    path = "/api/chat"
    list_path = "/api/tags"

    def body(self, request: JSON, names: Names, context: int) -> JSON:
        messages: list[JSON] = []
        if request["system"].strip():
            messages.append({"role": "system", "content": request["system"]})
        for role, blocks in turns(request["messages"]):
            messages += _assistant(blocks, names) if role == "assistant" else _user(blocks, names)
        options: dict[str, JSON] = {"num_ctx": context}
        output = output_of(request)
        if output is not None:
            options["num_predict"] = output
        given = parameters(request)
        options |= {name: value for name, value in given.items() if name not in TOP}
        body: dict[str, JSON] = {
            "model": request["model"],
            "stream": True,
            "options": options,
            "messages": messages,
            **{name: given[name] for name in TOP if name in given},
        }
        if request["tools"]:
            body["tools"] = [{"type": "function", "function": function_of(tool, names)} for tool in request["tools"]]
        if len(encode([messages, body.get("tools")])) > context * BYTES_A_TOKEN:
            raise ProviderError(
                f"the request is longer than the {context} tokens that {request['model']} was to hold, and the server"
                f" would cut it without a word; context for this model in models.toml sets more",
                "overflow",
            )
        return body

    def headers(self) -> dict[str, str]:
        return {}

    def key_header(self, key: str) -> tuple[str, str]:
        return bearer(key)

    def decoder(self, names: Names) -> Decoder:
        return OllamaDecoder(Lines(), names.scheme)

    def listed(self, answer: JSON) -> list[str]:
        return listed_under(answer, "models", "name")


def _user(blocks: list[JSON], names: Names) -> list[JSON]:
    results = [
        {"role": "tool", "tool_name": names.wire(block["name"]), "content": block["text"]}
        for block in blocks
        if block["type"] == "result"
    ]
    text = texts(blocks)
    return [*results, {"role": "user", "content": text}] if text else results


def _assistant(blocks: list[JSON], names: Names) -> list[JSON]:
    message: dict[str, JSON] = {"role": "assistant", "content": texts(blocks)}
    calls = [
        {"function": {"name": names.wire(block["name"]), "arguments": arguments_of(block)}}
        for block in blocks
        if block["type"] == "call"
    ]
    if calls:
        message["tool_calls"] = calls
        thoughts = [block["text"] for block in blocks if own_thinking(block, NAME)]
        if thoughts:
            message["thinking"] = "".join(thoughts)
    elif not message["content"]:
        message["content"] = SILENT
    return [message]


class OllamaDecoder(Decoder):
    """Puts together lines of JSON: each has a piece of the message, or whole calls; the last says that it is done."""

    def message(self, message: JSON) -> None:
        if message.get("error"):
            raise self.with_partial(from_message(message["error"]))
        self.model = self.model or str(message.get("model") or "")
        part = message.get("message") or {}
        if part.get("thinking"):
            self.adjoining("thinking", part["thinking"]).extra = {"wire": NAME}
        if part.get("content"):
            self.adjoining("text", part["content"])
        for call in part.get("tool_calls") or ():
            function = call["function"]
            key = ("call", len(self.blocks))
            self.open(key, Block("call", str(function["name"]), str(call.get("id") or "")))
            self.piece(key, "call", arguments_text(function.get("arguments")))
        if message.get("done"):
            self.usage |= counts(message, USAGE)
            self.ended(message.get("done_reason") or "stop")
            self.is_over = True
