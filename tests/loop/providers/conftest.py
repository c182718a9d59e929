"""A session, a window that stands for the real one, and a server that answers as it is told."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import pytest

from nodwyn.loop.window.canonical import digest
from nodwyn.prims.log.events import Recipe
from nodwyn.prims.session import Session

JSON = Any


REQUEST: JSON = {
    "provider": "here",
    "model": "m",
    "system": "Be brief.",
    "tools": [],
    "parameters": {},
    "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
}


class Built(NamedTuple):
    request: JSON
    digest: str
    tokens: int
    broken: str


class StandIn:
    """Builds the same request every time."""

    def __init__(self, request: JSON, tokens: int = 100) -> None:
        self.request = request
        self.tokens = tokens

    def build(self, recipe_seq: int) -> Built:
        return Built(self.request, digest(self.request), self.tokens, "")


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "configuration"))
    root = tmp_path / "root"
    root.mkdir()
    with Session.start(root, client="eval", primitives=[]) as started:
        yield started


@pytest.fixture
def recipe(session: Session) -> int:
    return session.log.append(
        Recipe(version=1, system="Be brief.", tools=[], policy={}, provider="scripted", model="m")
    )


class Asked(NamedTuple):
    """A request that a stand-in was sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    """What it answers with, chunk by chunk."""

    status: int
    headers: dict[str, str]
    pieces: tuple[bytes, ...]
    delay: float
    pause: float
    then: Literal["end", "cut", "hang"]


class StandInServer:
    """A server on loopback that gives the answers that it was told, one for each request."""

    def __init__(self, certificate: Path | None = None) -> None:
        """certificate: a file with that and its key, for encrypted connections."""
        self.asked: list[Asked] = []
        self.connections = 0
        self.gone = threading.Event()
        """Set when whoever asked went away before the end of an answer."""
        self._answers: list[Answer] = []
        self._serving = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._serving.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._serving.server_port}"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._serving.socket = context.wrap_socket(self._serving.socket, server_side=True)
            self.address = self.address.replace("http:", "https:")

    def answers(
        self,
        status: int,
        headers: dict[str, str],
        *pieces: bytes,
        delay: float = 0,
        pause: float = 0,
        then: Literal["end", "cut", "hang"] = "end",
    ) -> None:
        """Answer one more request. delay: seconds before anything is sent. pause: between two pieces."""
        self._answers.append(Answer(status, headers, pieces, delay, pause, then))

    def __enter__(self) -> Self:
        threading.Thread(target=self._serving.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._serving.shutdown()
        self._serving.server_close()

    def _handler(serving) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                serving.connections += 1

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                serving.asked.append(Asked(self.command, self.path, headers, body))
                try:
                    self.answer(serving._answers.pop(0))
                except OSError:
                    serving.gone.set()
                    self.close_connection = True

            do_GET = do_POST

            def answer(self, answer: Answer) -> None:
                self.wait(answer.delay)
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for piece in filter(None, answer.pieces):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wait(answer.pause)
                if answer.then == "hang":
                    self.wait(30)
                if answer.then == "cut":
                    self.close_connection = True
                else:
                    self.wfile.write(b"0\r\n\r\n")

            def wait(self, seconds: float) -> None:
                """Wait, unless the other end goes away."""
                end = time.monotonic() + seconds
                self.connection.settimeout(0.02)
                while time.monotonic() < end:
                    try:
                        if self.connection.recv(1) == b"":
                            raise ConnectionResetError
                    except TimeoutError:
                        pass
                self.connection.settimeout(None)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
