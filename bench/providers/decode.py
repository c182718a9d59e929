"""What our own part of a request costs: importing, building a body, decoding a stream, a round trip to nobody.

.venv/bin/python bench/providers/decode.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from nodwyn.loop.providers.http import HttpProvider, wire_of
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.servers import Server

PIECES = 2000
MESSAGES = 200
TURNS = 5

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = [{"name": f"tool-{number}?", "description": "x" * 200, "schema": SCHEMA} for number in range(17)]


def request() -> Any:
    """Return a long conversation: a call and its result of two thousand characters, again and again."""
    messages: list[Any] = [{"role": "user", "content": [{"type": "text", "text": "Mend it."}]}]
    for number in range(MESSAGES // 2):
        call = {"id": f"c{number}", "name": "tool-1?"}
        messages += [
            {"role": "assistant", "content": [{"type": "call", **call, "arguments": {"path": f"src/{number}.py"}}]},
            {"role": "tool", "content": [{"type": "result", **call, "ok": True, "text": "x = 1\n" * 333}]},
        ]
    return {"provider": "p", "model": "m", "system": "Be brief. " * 300, "tools": TOOLS, "parameters": {"output": 8000},
            "messages": messages}  # fmt: skip


def stream(wire: str) -> bytes:
    """Return a stream of many small pieces."""
    if wire == "anthropic":
        start = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        piece: Any = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " word"}}
        messages = [start, *[piece] * PIECES, {"type": "message_stop"}]
    elif wire == "responses":
        piece = {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": " word"}
        messages = [*[piece] * PIECES, {"type": "response.completed", "response": {"id": "r"}}]
    elif wire == "ollama":
        piece = {"model": "m", "message": {"role": "assistant", "content": " word"}, "done": False}
        messages = [*[piece] * PIECES, {**piece, "done": True}]
        return "".join(f"{json.dumps(message)}\n" for message in messages).encode()
    else:
        piece = {"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"content": " word"}}]}
        end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        messages = [*[piece] * PIECES, end]
    return "".join(f"data: {json.dumps(message)}\n\n" for message in messages).encode()


def best(work: Callable[[], object]) -> float:
    """Return the seconds of the quickest of some runs."""
    times = []
    for _ in range(TURNS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def imported(module: str) -> float:
    """Return the seconds that a fresh interpreter takes to import a module, less those of starting it."""
    run = lambda code: best(lambda: subprocess.run([sys.executable, "-c", code], check=True))  # noqa: E731
    return run(f"import {module}") - run("pass")


def main() -> None:
    for module in ("nodwyn.loop.providers.catalogue", "nodwyn.loop.providers.http", "httpx2"):
        print(f"import {module:<34} {imported(module) * 1000:8.1f} ms")
    long = request()
    for wire in ("anthropic", "chat", "responses", "ollama"):
        provider = HttpProvider(Server(wire, wire, "http://127.0.0.1:1"), 10**6)
        size = len(provider.outgoing(long).body)
        seconds = best(lambda: provider.outgoing(long))  # noqa: B023
        print(f"{wire:<10} body of {MESSAGES} messages, {size >> 10} KiB {seconds * 1000:12.2f} ms")
    for wire in ("anthropic", "chat", "responses", "ollama"):
        octets, speaks = stream(wire), wire_of(Server(wire, wire, "http://127.0.0.1:1"))
        names = Names({"tools": [], "messages": []})

        def decode() -> None:
            decoder = speaks.decoder(names)  # noqa: B023
            for place in range(0, len(octets), 4096):  # noqa: B023
                for _ in decoder.feed(octets[place : place + 4096]):  # noqa: B023
                    pass
            decoder.finish()

        print(f"{wire:<10} decoding, a piece {best(decode) / PIECES * 1e6:21.2f} µs")
    print(f"a request and its short reply over loopback {round_trip() * 1000:8.2f} ms")


def round_trip() -> float:
    """Return the seconds of a request to a server that answers at once, over a kept connection."""
    answer = (
        b'data: {"choices": [{"index": 0, "delta": {"content": "So"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
    )

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            pass

    serving = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving.daemon_threads = True
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    provider = HttpProvider(Server("here", "chat", f"http://127.0.0.1:{serving.server_port}"), 10**6)
    short = {**request(), "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}
    ask = lambda: provider.send(provider.outgoing(short), on_delta=lambda delta: None, is_cancelled=lambda: False)  # noqa: E731
    ask()
    seconds = best(ask)
    serving.shutdown()
    return seconds


if __name__ == "__main__":
    main()
