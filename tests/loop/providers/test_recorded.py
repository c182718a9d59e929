"""A real model's task, as `make peers` recorded it over each wire: decoded, cut anywhere, and done again."""

from __future__ import annotations

import gc
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from nodwyn.loop.providers.base import ProviderError, Reply
from nodwyn.loop.ui.cli import main
from tests.loop.providers.conftest import StandInServer
from tests.loop.providers.test_decoders import decoded

RECORDED = Path(__file__).parent / "recorded"
WIRES = {"chat": "/v1", "anthropic": "", "responses": "/v1"}
STREAMS = sorted(RECORDED.glob("*.stream"))

SETTINGS = """\
[servers.here]
wire = "{wire}"
address = "{address}"

[servers.here.models.qwen]
context = 8192
output = 256
price = {{ input = 0, output = 0 }}
parameters = {{ temperature = 0 }}
"""


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Have connections closed here, and not while another test is under a limit."""
    yield
    gc.collect()


def recordings(wire: str) -> list[bytes]:
    return [path.read_bytes() for path in STREAMS if path.name.startswith(f"{wire}-")]


def test_there_is_a_recording_over_every_wire() -> None:
    assert all(len(recordings(wire)) >= 2 for wire in WIRES)


@pytest.mark.parametrize("wire", WIRES)
def test_the_model_called_a_tool_and_then_answered(wire: str) -> None:
    first, *_, last = [decoded(wire, octets) for octets in recordings(wire)]
    assert [block["name"] for block in first.content if block["type"] == "call"] == ["fs-edit"]
    assert first.stop == "calls"
    assert last.stop == "end"
    assert all(reply.usage and reply.usage["output"] > 0 for reply in (first, last))


@pytest.mark.parametrize("wire", WIRES)
def test_the_server_had_kept_the_beginning_of_the_second_request(wire: str) -> None:
    usage = decoded(wire, recordings(wire)[-1]).usage
    assert usage is not None
    assert usage["cache_read"] / (usage["cache_read"] + usage["input"]) > 0.9


@pytest.mark.parametrize("path", STREAMS, ids=[path.stem for path in STREAMS])
def test_a_recording_that_is_cut_is_broken_or_was_over(path: Path) -> None:
    wire, octets = path.name.partition("-")[0], path.read_bytes()
    whole = decoded(wire, octets)
    for place in range(0, len(octets), 7):
        try:
            cut: Reply | None = decoded(wire, octets[:place])
        except ProviderError as error:
            cut = None
            kind = error.kind
        assert (cut.content == whole.content) if cut else kind == "broken"


@pytest.mark.parametrize("wire", WIRES)
def test_the_task_is_done_again(
    wire: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root, settings = tmp_path / "project", tmp_path / "configuration"
    root.mkdir()
    settings.mkdir(mode=0o700)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "greeting.py").write_text('def greet(name):\n    return "Helo, " + name\n', encoding="utf-8")
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(settings))
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(root)
    with StandInServer() as server:
        address = f"{server.address}{WIRES[wire]}"
        (settings / "models.toml").write_text(SETTINGS.format(wire=wire, address=address), encoding="utf-8")
        for octets in recordings(wire):
            server.answers(200, {"content-type": "text/event-stream"}, octets)
        status = main(["run", "--model", "here/qwen", "--approve", "edits", "Mend the greeting."])
        assert status == 0, capsys.readouterr().err
        assert len(server.asked) == len(recordings(wire))
    assert (root / "greeting.py").read_text(encoding="utf-8") == 'def greet(name):\n    return "Hello, " + name\n'
