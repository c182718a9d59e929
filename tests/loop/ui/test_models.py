"""``nodwyn models``: what is configured and who answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.loop.ui.cli import main
from nodwyn.prims.log import read
from nodwyn.prims.log.events import Egress
from tests.loop.providers.conftest import StandInServer
from tests.loop.ui.conftest import Place


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NODWYN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NODWYN_CONFIG_DIR", str(tmp_path / "configuration"))
    (tmp_path / "configuration").mkdir(mode=0o700)
    (tmp_path / "root").mkdir()
    monkeypatch.chdir(tmp_path / "root")
    return tmp_path / "configuration" / "models.toml"


def test_without_a_configuration_it_says_how_to_make_one(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--offline"]) == 0
    said = capsys.readouterr().out
    assert f'none; default = "SERVER/NAME" in {configured} sets one' in said
    assert "ANTHROPIC_API_KEY is not set" in said
    assert "Prices are of 20" in said


@pytest.mark.parametrize(
    ("default", "said"),
    [
        ("nowhere/x", "'nowhere/x' names no model"),
        ("ollama", "'ollama' names a server"),
        ("scripted:/nowhere.scm", "there is no file /nowhere.scm"),
        ("ollama/x", ""),
    ],
)
def test_a_default_that_is_no_model_is_said(
    configured: Path, capsys: pytest.CaptureFixture[str], default: str, said: str
) -> None:
    configured.write_text(f'default = "{default}"\n', encoding="utf-8")
    assert main(["models", "--offline"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"default: {default}"
    assert lines[1].strip().startswith(f"default in {configured}: {said}" if said else "")
    assert bool(lines[1]) is bool(said)


def test_names_are_what_the_option_takes_and_nobody_is_asked(
    configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configured.write_text(
        '[servers.here]\nwire = "chat"\naddress = "http://127.0.0.1:9/v1"\n'
        "[servers.here.models.mine]\ncontext = 8000\n",
        encoding="utf-8",
    )
    assert main(["models", "--names"]) == 0
    names = capsys.readouterr().out.splitlines()
    assert {"here/mine", "ollama/", "anthropic/claude-opus-5-5"} <= set(names)
    assert main(["models", "here", "--names"]) == 0
    assert capsys.readouterr().out == "here/mine\n"
    assert not list(configured.parent.parent.glob("data/projects/*/sessions/*"))


def test_one_servers_models_that_are_known_are_listed_when_nobody_is_asked(
    configured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "anthropic", "--names"]) == 0
    names = capsys.readouterr().out.split()
    assert main(["models", "anthropic", "--offline"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == names
    assert main(["models", "ollama", "--offline"]) == 0
    assert capsys.readouterr().out == "no models are known; without --offline the server is asked\n"


def test_a_server_that_answers_is_listed_with_its_models(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with StandInServer() as server:
        configured.write_text(
            f'[servers.here]\nwire = "chat"\naddress = "{server.address}"\n'
            f"[servers.here.models.mine]\ncontext = 8000\nprice = {{ input = 1, output = 2 }}\n",
            encoding="utf-8",
        )
        server.answers(200, {"content-type": "application/json"}, b'{"data": [{"id": "a\\u202eb"}, {"id": "mine"}]}')
        assert main(["models", "here"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["here/mine", "here/a⟨U+202E⟩b"]
    assert "8k tokens, $1 in, $2 out for a million tokens" in lines[0]


def test_what_is_asked_is_on_record(configured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with StandInServer() as server:
        configured.write_text(f'[servers.here]\nwire = "chat"\naddress = "{server.address}"\n', encoding="utf-8")
        server.answers(500, {}, b"oops")
        assert main(["models", "here"]) == 1
        assert "answered 500: oops" in capsys.readouterr().out
    (log,) = (tmp_path / "data").rglob("*.jsonl")
    (egress,) = [event for event in read(log) if isinstance(event, Egress)]
    assert (egress.method, egress.address) == ("GET", f"{server.address}/models")
    assert egress.decision


def test_a_server_that_there_is_not(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "nowhere"]) == 2
    assert "there is no server 'nowhere'; there are anthropic" in capsys.readouterr().err


def test_a_mistake_in_the_configuration_is_one_line(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configured.write_text("default = 7", encoding="utf-8")
    assert main(["models"]) == 1
    assert capsys.readouterr().err == f"nodwyn: {configured}: default must be a text\n"


@pytest.mark.parametrize("options", [["chat"], ["chat", "--offline"], [], ["--offline"], ["--names"]])
def test_an_address_of_the_environment_that_is_none_is_not_shown(
    options: list[str], place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place.configure("[servers.chat.models.m]\ncontext = 9\n")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:secret@a")
    assert main(["models", *options]) == (1 if "chat" in options else 0)
    shown = "".join(capsys.readouterr())
    assert "secret" not in shown
    assert ("OPENAI_BASE_URL, which the environment sets, must have no name" in shown) is (options != ["--names"])
