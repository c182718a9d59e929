"""Servers that are not ours: aimock, which imitates the providers, and llmock, which breaks things and judges clients.

`.ci/peers` installs both into .venv/peers. Without them these tests are left out, unless NODWYN_PEERS=required.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.providers import calling
from nodwyn.loop.providers.base import Delta, ProviderError, Reply
from nodwyn.loop.providers.calling import ModelFailed, call_model
from nodwyn.loop.providers.catalogue import Model
from nodwyn.loop.providers.http import HttpProvider
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.servers import Price, Server
from nodwyn.loop.providers.wire import texts
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.log.events import ModelResponse, ModelRetry
from nodwyn.prims.session import Session
from tests.loop.providers.conftest import REQUEST, StandIn

JSON = Any

PEERS = Path(__file__).parents[3] / ".venv" / "peers"
AIMOCK = PEERS / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
LLMOCK = PEERS / "bin" / "llmock"
KEY = "NODWYN_PEER_KEY"
WIRES = ("anthropic", "chat", "responses", "ollama")
TOOL = {
    "name": "weather?",
    "description": "Tells the weather.",
    "schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}

WIRE_NAME = Names({"tools": [TOOL], "messages": []}).wire("weather?")

pytestmark = pytest.mark.timeout(120)


def required(*found: object) -> None:
    if not all(found):
        if os.environ.get("NODWYN_PEERS") == "required":
            pytest.fail("the peers are not installed: .ci/peers does it")
        pytest.skip("the peers are not installed: .ci/peers does it, and needs npm")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def running(command: list[str], health: str) -> Iterator[None]:
    """Start a server, wait until it answers, and end it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(health, timeout=2).close()
                break
            except OSError:
                assert process.poll() is None, f"{command[0]} ended"
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "a-value-for-tests")


@pytest.fixture(scope="module")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    node = shutil.which("node")
    required(node, AIMOCK.exists())
    fixtures = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": FIXTURES}), encoding="utf-8")
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [str(node), str(AIMOCK), "-p", str(port), "-f", str(fixtures), "--strict", "--log-level", "silent"]
    for _ in running([*command, "-c", "7"], f"{address}/health"):
        yield address


@pytest.fixture(scope="module")
def llmock() -> Iterator[str]:
    required(LLMOCK.exists())
    address = f"http://127.0.0.1:{(port := free_port())}"
    for _ in running([str(LLMOCK), "serve", "--port", str(port), "--log-level", "critical"], f"{address}/health"):
        yield address


FIXTURES: list[JSON] = [
    {"match": {"userMessage": "greet me"}, "response": {"content": "Grüße, Welt 🌍. " * 20}},
    {
        "match": {"userMessage": "think first"},
        "response": {"content": "Yes.", "reasoning": "Hm, so it is."},
    },
    {
        "match": {"userMessage": "two cities", "hasToolResult": False},
        "response": {
            "content": "I look.",
            "toolCalls": [
                {"id": "c1", "name": WIRE_NAME, "arguments": {"city": "Köln"}},
                {"id": "c2", "name": WIRE_NAME, "arguments": {"city": "Bonn"}},
            ],
        },
    },
    {"match": {"userMessage": "two cities", "hasToolResult": True}, "response": {"content": "Rain in both."}},
    {
        "match": {"userMessage": "break off"},
        "response": {"content": "x" * 400},
        "truncateAfterChunks": 3,
        "latency": 50,
    },
    {
        "match": {"userMessage": "too busy"},
        "response": {"error": {"message": "Overloaded", "type": "overloaded_error"}, "status": 529},
    },
    {
        "match": {"userMessage": "wrong key"},
        "response": {"error": {"message": "bad key", "type": "authentication_error"}, "status": 401},
    },
    {
        "match": {"userMessage": "too long"},
        "response": {"error": {"message": "prompt is too long: 300000 tokens", "type": "invalid_request_error"},
                     "status": 400},
    },
]  # fmt: skip


def at_aimock(address: str, wire: str) -> HttpProvider:
    base = address if wire in ("anthropic", "ollama") else f"{address}/v1"
    return HttpProvider(Server("aimock", wire, base, "" if wire == "ollama" else KEY), 32_768)


def ask(provider: HttpProvider, *messages: JSON, tools: list[JSON] | None = None) -> Reply:
    request = {**REQUEST, "model": "gpt-5", "tools": tools or [], "messages": list(messages)}
    shown: list[Delta] = []
    reply = provider.send(provider.outgoing(request), on_delta=shown.append, is_cancelled=lambda: False)
    said = "".join(delta.text for delta in shown if delta.kind == "text")
    assert said == "".join(block["text"] for block in reply.content if block["type"] == "text")
    return reply


def user(text: str) -> JSON:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


@pytest.mark.parametrize("wire", WIRES)
def test_aimock_answers_and_is_understood(aimock: str, wire: str) -> None:
    reply = ask(at_aimock(aimock, wire), user("greet me"))
    assert texts(reply.content) == "Grüße, Welt 🌍. " * 20
    assert reply.stop == "end"
    assert reply.usage is not None


@pytest.mark.parametrize("wire", ["anthropic", "chat", "responses"])
def test_aimock_thinks_before_it_answers(aimock: str, wire: str) -> None:
    thinking, said = ask(at_aimock(aimock, wire), user("think first")).content
    assert (thinking["type"], thinking["text"]) == ("thinking", "Hm, so it is.")
    assert said["text"] == "Yes."


@pytest.mark.parametrize("wire", WIRES)
def test_aimock_calls_two_tools_and_takes_their_results(aimock: str, wire: str) -> None:
    provider = at_aimock(aimock, wire)
    reply = ask(provider, user("two cities"), tools=[TOOL])
    calls = [block for block in reply.content if block["type"] == "call"]
    assert reply.stop == "calls"
    assert [each["arguments"] for each in calls] == [{"city": "Köln"}, {"city": "Bonn"}]
    calls = [each for each in calling.unique(reply.content, 7) if each["type"] == "call"]
    results = [{"type": "result", "id": each["id"], "name": each["name"], "ok": True, "text": "rain"} for each in calls]
    answer = ask(
        provider,
        user("two cities"),
        {"role": "assistant", "content": calling.unique(reply.content, 7)},
        {"role": "tool", "content": results},
        tools=[TOOL],
    )
    assert texts(answer.content) == "Rain in both."


@pytest.mark.parametrize("wire", WIRES)
def test_aimock_breaks_off_within_a_reply(aimock: str, wire: str) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(at_aimock(aimock, wire), user("break off"))
    assert caught.value.kind == "broken"


@pytest.mark.parametrize(("said", "kind"), [("too busy", "busy"), ("wrong key", "key"), ("too long", "overflow")])
@pytest.mark.parametrize("wire", WIRES)
def test_aimock_refuses_for_a_reason_that_is_told_apart(aimock: str, wire: str, said: str, kind: str) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(at_aimock(aimock, wire), user(said))
    assert caught.value.kind == kind


# llmock


def control(address: str, path: str, body: JSON = None) -> JSON:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}/_llmock/{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read() or b"null")


def at_llmock(address: str, wire: str) -> Model:
    base = f"{address}/anthropic" if wire == "anthropic" else f"{address}/v1"
    server = Server("llmock", wire, base, KEY, idle=1.0)
    return Model("llmock", "gpt-4o", 32_768, 1000, Price(1, 1, 1, 1), HttpProvider(server, 32_768))


FAULTS: dict[str, tuple[list[JSON], str]] = {
    "429 with Retry-After": ([{"type": "fail", "status": 429, "retry_after": 1, "times": 1}], ""),
    "503": ([{"type": "fail", "status": 503, "times": 2}], ""),
    "529": ([{"type": "fail", "status": 529, "times": 1}], ""),
    "500 for ever": ([{"type": "fail", "status": 500, "times": 20}], "busy"),
    "400": ([{"type": "fail", "status": 400, "times": 1}], "bad-request"),
    "401": ([{"type": "fail", "status": 401, "times": 1}], "key"),
    "404": ([{"type": "fail", "status": 404, "times": 1}], "bad-request"),
    "disconnect": ([{"type": "stream_fault", "kind": "disconnect", "after_chunks": 3, "times": 1}], ""),
    "truncate": ([{"type": "stream_fault", "kind": "truncate", "after_chunks": 3, "times": 1}], ""),
    "malformed": ([{"type": "stream_fault", "kind": "malformed", "after_chunks": 3, "times": 1}], ""),
    "stall": ([{"type": "stream_fault", "kind": "stall", "after_chunks": 3, "stall_seconds": 30, "times": 1}], ""),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("wire", ["anthropic", "chat", "responses"])
def test_llmock_finds_nothing_to_say(
    llmock: str, session: Session, recipe: int, wire: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    behaviours, kind = FAULTS[fault]
    # It takes a while to see that a stream was given up, and calls an attempt before that another request.
    monkeypatch.setattr(calling, "FIRST_WAIT", 1.0 if behaviours[0]["type"] == "stream_fault" else 0.1)
    control(llmock, "reset", {})
    control(llmock, "scenario", {"behaviors": behaviours})
    model = at_llmock(llmock, wire)
    request = {**REQUEST, "model": "gpt-4o", "messages": [user(f"tell me about {fault}")]}

    def call() -> int:
        return call_model(
            session, model, StandIn(request), recipe, agent="main", budget=Budget(), on_delta=lambda delta: None,
            is_cancelled=lambda: False,
        )  # fmt: skip

    if kind:
        with pytest.raises(ModelFailed) as caught:
            call()
        assert caught.value.kind == kind
    else:
        assert isinstance(session.log.event(call()), ModelResponse)
        assert any(isinstance(event, ModelRetry) for event in session.log.events())
    verdict = control(llmock, "verdict")
    found = {finding["code"] for finding in verdict["findings"]}
    if verdict["calls"] == 2:
        # Where the machine is slow, the server saw too late that the first attempt had been given up.
        found -= {"malformed_chunk_ignored"}
    assert found <= ({"gave_up"} if kind == "busy" else set()), verdict


def test_llmock_says_so_itself(llmock: str, session: Session, recipe: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "FIRST_WAIT", 0.1)
    control(llmock, "reset", {})
    control(llmock, "scenario", {"behaviors": [{"type": "fail", "status": 503, "times": 2}]})
    call_model(
        session, at_llmock(llmock, "chat"), StandIn({**REQUEST, "model": "gpt-4o"}), recipe, agent="main",
        budget=Budget(), on_delta=lambda delta: None, is_cancelled=lambda: False,
    )  # fmt: skip
    judge = [str(LLMOCK), "report", "--strict", "--url", llmock]
    report = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert report.returncode == 0, report.stdout
