"""What the wires have in common: how a neutral request is made fit for a provider that is particular."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from nodwyn.loop.providers.collecting import Decoder
from nodwyn.loop.providers.names import Names

JSON = Any

EMPTY = "(empty)"
"""In place of a text without anything to see, which several wires refuse."""

SILENT = "(thinking)"
"""In place of a reply of which nothing can be sent back."""

BEGIN = "(The conversation goes on from here.)"
GO_ON = "(Go on.)"
"""What the user says at the beginning and the end of a conversation that has a reply there."""


class Wire(Protocol):
    """How requests and replies look to a provider."""

    path: str
    """What follows a server's address."""
    list_path: str
    """Where it lists its models."""

    def body(self, request: JSON, names: Names, context: int) -> JSON:
        """Return the body of a request. context: tokens that the model takes.

        Raises: ProviderError when the wire cannot carry it.
        """
        ...

    def headers(self) -> dict[str, str]:
        """Return what goes with every request besides the key."""
        ...

    def key_header(self, key: str) -> tuple[str, str]:
        """Return the header that has the key."""
        ...

    def decoder(self, names: Names) -> Decoder:
        """Return what puts a reply together."""
        ...

    def listed(self, answer: JSON) -> list[str]:
        """Return the names of the models in an answer to a question for them."""
        ...


def turns(messages: list[JSON]) -> Iterator[tuple[str, list[JSON]]]:
    """Yield the turns of a conversation: user and assistant in alternation, the user's first and last.

    Results are the user's, and stand before what the user says then. Texts without anything to see are left out, and
    the blank ends of a reply's texts.
    """
    before = ""
    pending: list[JSON] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = list(_visible(message["content"], role))
        if not blocks:
            continue
        if role == before:
            pending += blocks
            continue
        if before:
            yield before, _results_first(pending)
        elif role == "assistant":
            yield "user", [{"type": "text", "text": BEGIN}]
        before, pending = role, blocks
    if before:
        yield before, _results_first(pending)
    if before != "user":
        yield "user", [{"type": "text", "text": GO_ON if before else EMPTY}]


def _visible(content: list[JSON], role: str) -> Iterator[JSON]:
    for block in content:
        if block["type"] == "result":
            yield block if block["text"].strip() else {**block, "text": EMPTY}
        elif block["type"] != "text":
            yield block
        elif block["text"].strip():
            yield block if role == "user" else {**block, "text": block["text"].rstrip()}
    if role == "user" and content and all(block["type"] == "text" and not block["text"].strip() for block in content):
        yield {"type": "text", "text": EMPTY}


def _results_first(blocks: list[JSON]) -> list[JSON]:
    return sorted(blocks, key=lambda block: block["type"] != "result")


def arguments_of(block: JSON) -> JSON:
    """Return a call's arguments as an object; malformed ones as an object that says so."""
    arguments = block["arguments"]
    return arguments if isinstance(arguments, dict) else {"malformed": arguments}


def own_thinking(block: JSON, wire: str) -> bool:
    """Return whether a block is thinking that came over this wire and has what must go back with it."""
    return bool(block["type"] == "thinking" and block.get("wire") == wire)


def texts(blocks: list[JSON]) -> str:
    """Return the texts among blocks as one."""
    return "\n\n".join(block["text"] for block in blocks if block["type"] == "text")


def parameters(request: JSON) -> dict[str, JSON]:
    """Return what the request wants sent besides; ``output`` is each wire's own affair."""
    return {name: value for name, value in (request.get("parameters") or {}).items() if name != "output"}


def output_of(request: JSON) -> int | None:
    """Return how many tokens a reply may have."""
    value: int | None = (request.get("parameters") or {}).get("output")
    return value


def function_of(tool: JSON, names: Names) -> JSON:
    """Return a tool as the wires that speak of functions describe one."""
    return {
        "name": names.wire(tool["name"]),
        "description": tool["description"],
        "parameters": object_schema(tool["schema"]),
    }


def object_schema(schema: JSON) -> JSON:
    """Return a tool's schema with all that the strictest wire insists on: objects have properties, arrays items."""
    fixed = _schema(schema if isinstance(schema, dict) else {})
    fixed.setdefault("type", "object")
    fixed.setdefault("properties", {})
    return fixed


def _schema(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    fixed: dict[str, JSON] = {}
    for name, value in schema.items():
        if name in ("properties", "$defs", "definitions") and isinstance(value, dict):
            fixed[name] = {each: _part(part) for each, part in value.items()}
        elif name in ("anyOf", "oneOf", "allOf") and isinstance(value, list):
            fixed[name] = [_part(part) for part in value]
        elif name in ("items", "additionalProperties"):
            fixed[name] = _part(value)
        else:
            fixed[name] = value
    kinds = fixed.get("type")
    if kinds == "object":
        fixed.setdefault("properties", {})
    if kinds == "array" or (isinstance(kinds, list) and "array" in kinds):
        fixed.setdefault("items", {})
    return fixed


def _part(part: JSON) -> JSON:
    return _schema(part) if isinstance(part, dict) else part


def bearer(key: str) -> tuple[str, str]:
    """Return the header by which most servers want the key."""
    return "authorization", f"Bearer {key}"


def listed_under(answer: JSON, list_name: str, name: str) -> list[str]:
    """Return the names of models in an answer that has a list of objects."""
    items = answer.get(list_name) if isinstance(answer, dict) else None
    if not isinstance(items, list):
        return []
    return [item[name] for item in items if isinstance(item, dict) and isinstance(item.get(name), str)]
