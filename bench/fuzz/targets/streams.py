"""The decoders of the providers' streams: any bytes are a reply or an error of ours, in whatever pieces they come.

Case: bytes of a stream, behind a line with the name of its wire.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from target import ROOT, Case, Target, changed, changed_value, holds

from nodwyn.loop.providers.anthropic import Anthropic
from nodwyn.loop.providers.base import ProviderError, Reply
from nodwyn.loop.providers.chat import Chat
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.ollama import Ollama
from nodwyn.loop.providers.responses import Responses
from nodwyn.prims.log.events import ModelResponse
from nodwyn.prims.log.line import seal
from nodwyn.prims.log.record import recorded_members

WIRES = {"anthropic": Anthropic(), "chat": Chat(), "responses": Responses(), "ollama": Ollama()}
ENDS = {
    "anthropic": (b"message_stop",),
    "chat": (b"[DONE]", b"finish_reason"),
    "responses": (b"response.completed", b"response.incomplete"),
    "ollama": (b'"done"',),
}
"""Without one of these in it nothing is a whole reply."""

TOKENS = [
    b"data: ",
    b"\n\n",
    b"\r\n\r\n",
    b"\r",
    b"data:",
    b"event: x\n",
    b": comment\n",
    b"[DONE]",
    b"\\ud83c",
    b"\xff",
    b"{}",
    b"[]",
    b"null",
    b'""',
    b"1e999",
]
MOST = 8000


class Streams(Target):
    """See the module."""

    anew = 0.0

    def seeds(self) -> Iterator[Case]:
        from tests.loop.providers.streams import ALL

        for stream in ALL:
            yield f"{stream.wire}\n".encode() + stream.octets
        for file in sorted(ROOT.glob("tests/loop/providers/recorded/*.stream")):
            yield file.name.partition("-")[0].encode() + b"\n" + file.read_bytes()[:MOST]

    def create(self, chance: random.Random) -> Case:
        wire = chance.choice(list(WIRES))
        return f"{wire}\n".encode() + b"".join(chance.choices(TOKENS, k=chance.randint(1, 12)))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        wire, _, octets = case.partition(b"\n")
        if chance.random() < 0.02:
            wire = other.partition(b"\n")[0]
        if chance.random() < 0.6:
            octets = _changed_messages(chance, octets, other.partition(b"\n")[2])
        else:
            place = chance.randint(0, max(0, len(octets) - 3000))
            octets = (
                octets[:place] + changed(chance, octets[place : place + 3000], other, TOKENS) + octets[place + 3000 :]
            )
        return wire + b"\n" + octets[:MOST]

    def check(self, case: Case) -> object:
        wire, _, octets = case.partition(b"\n")
        name = wire.decode("latin-1")
        if name not in WIRES:
            return None
        chance = random.Random(octets)
        whole = outcome(name, [octets])
        cuts = sorted(chance.randint(0, len(octets)) for _ in range(8))
        pieces = [octets[start:end] for start, end in zip([0, *cuts], [*cuts, len(octets)])]
        in_pieces = outcome(name, pieces)
        holds(_alike(in_pieces) == _alike(whole), "in pieces a stream is what it is as a whole")
        if len(octets) < 1500:
            single = outcome(name, [octets[place : place + 1] for place in range(len(octets))])
            holds(_alike(single) == _alike(whole), "byte by byte a stream is what it is as a whole")
        for place in (*cuts, len(octets) - 1):
            cut = octets[: max(place, 0)]
            if isinstance(outcome(name, [cut]), Reply):
                holds(any(end in cut for end in ENDS[name]) or b"\\u" in cut, "a stream without its end is no reply")
        return _checked(whole)


def outcome(wire: str, pieces: list[bytes]) -> Reply | ProviderError:
    """Return what a stream in these pieces comes to."""
    decoder = WIRES[wire].decoder(Names({"tools": [], "messages": []}))
    try:
        for piece in pieces:
            for delta in decoder.feed(piece):
                delta.text.encode()  # a client may print it
        return decoder.finish()
    except ProviderError as error:
        return error


def _alike(outcome: Reply | ProviderError) -> Any:
    if isinstance(outcome, Reply):
        return repr(outcome._replace(first=0))
    return outcome.kind, repr(outcome.partial), repr(outcome.usage)


def _checked(outcome: Reply | ProviderError) -> object:
    """What is a reply can be recorded, sent and read again; what is none says so, and names no call to be run."""
    if isinstance(outcome, ProviderError):
        holds(str(outcome) != "", "an error says something")
        _recordable(outcome.partial, outcome.usage, "", "", "error")
        holds(
            all(block["type"] != "call" or isinstance(block["arguments"], str) for block in outcome.partial),
            "calls of a reply that is not whole have no arguments but text",
        )
        return outcome.kind, str(outcome)[:30], len(outcome.partial)
    _recordable(outcome.content, outcome.usage, outcome.model, outcome.id, outcome.stop)
    for block in outcome.content:
        holds(block["type"] in ("text", "thinking", "call"), "blocks are of three types")
        if block["type"] == "call":
            holds(isinstance(block["arguments"], (dict, str)), "arguments are an object or the text that they are")
            holds(isinstance(block["name"], str) and isinstance(block["id"], str), "names and ids are texts")
        else:
            holds(isinstance(block["text"], str), "a text is a text")
    kinds = tuple(block["type"] for block in outcome.content)[:4]
    return outcome.stop[:20], kinds, tuple(sorted(outcome.usage or ())), bool(outcome.id)


def _recordable(content: Any, usage: Any, model: str, id: str, stop: str) -> None:
    event = ModelResponse(content=content, usage=usage or {}, model=model, id=id, stop=stop)
    seal({"kind": "llm.resp", **dict(recorded_members(event, str))}, b"0" * 32)


def _changed_messages(chance: random.Random, octets: bytes, other: bytes) -> bytes:
    """Return a stream with the JSON of one of its lines changed, or lines left out, moved or taken from another."""
    lines = octets.split(b"\n")
    place = chance.randrange(len(lines))
    head, brace, body = lines[place].partition(b"{")
    way = chance.randrange(8)
    if way == 0:
        del lines[place]
    elif way == 1:
        lines.insert(chance.randrange(len(lines) + 1), lines[place])
    elif way == 2:
        lines.insert(place, chance.choice(other.split(b"\n")))
    elif brace:
        try:
            value = changed_value(chance, json.loads(brace + body), json.loads(brace + body))
            lines[place] = head + json.dumps(value).encode()
        except ValueError:
            pass
    return b"\n".join(lines)


def make(workspace: Path) -> Target:
    """Return the target."""
    return Streams()
