"""Which model a name means, what it costs, and what models.toml may say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.providers import catalogue
from nodwyn.loop.providers.addresses import host_of, is_loopback
from nodwyn.loop.providers.catalogue import FREE, NoSuchModel, cost_of, find_model, price_date
from nodwyn.loop.providers.http import HttpProvider
from nodwyn.loop.providers.servers import ConfigurationError, Price, configuration


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def write(directory: Path, text: str) -> Path:
    (directory / "models.toml").write_text(text, encoding="utf-8")
    return directory


def server_of(spec: str, directory: Path) -> Any:
    adapter = find_model(spec, directory=directory).adapter
    assert isinstance(adapter, HttpProvider)
    return adapter.server


@pytest.mark.parametrize(
    ("spec", "provider", "name", "wire", "address"),
    [
        ("anthropic/claude-x", "anthropic", "claude-x", "anthropic", "https://api.anthropic.com"),
        ("openai/gpt-x", "openai", "gpt-x", "responses", "https://api.openai.com/v1"),
        ("openai:gpt-x", "openai", "gpt-x", "responses", "https://api.openai.com/v1"),
        ("ollama/qwen2.5-coder:7b", "ollama", "qwen2.5-coder:7b", "ollama", "http://127.0.0.1:11434"),
        ("ollama:hf.co/a/b:Q4", "ollama", "hf.co/a/b:Q4", "ollama", "http://127.0.0.1:11434"),
        ("chat:org/model", "chat", "org/model", "chat", "https://api.openai.com/v1"),
        ("mine/m", "mine", "m", "chat", "http://127.0.0.1:8080/v1"),
    ],
)
def test_a_name_says_server_and_model(
    tmp_path: Path, spec: str, provider: str, name: str, wire: str, address: str
) -> None:
    write(tmp_path, '[servers.mine]\nwire = "chat"\naddress = "http://127.0.0.1:8080/v1/"\n')
    model = find_model(spec, directory=tmp_path)
    assert (model.provider, model.name) == (provider, name)
    server = server_of(spec, tmp_path)
    assert (server.wire, server.address) == (wire, address)


def test_chat_asks_the_server_that_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1/")
    server = server_of("chat:m", tmp_path)
    assert (server.address, server.key_optional) == ("http://127.0.0.1:9/v1", True)


def test_without_a_name_the_default_is_meant(tmp_path: Path) -> None:
    assert find_model(None, directory=write(tmp_path, 'default = "ollama/m"\n')).name == "m"


def test_without_a_default_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoSuchModel) as caught:
        find_model(None, directory=tmp_path)
    for hint in ("--model", str(tmp_path / "models.toml"), 'default = "', "scripted:FILE", "nodwyn demo"):
        assert hint in str(caught.value)


@pytest.mark.parametrize("base", ["ftp://x", "http://a:99999", "http://a b", "http://me:secret@a", "nonsense"])
@pytest.mark.parametrize("more", ["", "[servers.chat.models.m]\ncontext = 9\n"])
def test_an_address_of_the_environment_that_is_none_is_said_where_it_is_wanted(
    base: str, more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", base)
    write(tmp_path, more)
    assert find_model("anthropic/m", directory=tmp_path).name == "m"
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL, which the environment sets, must ") as caught:
        find_model("chat/m", directory=tmp_path)
    assert "secret" not in str(caught.value)
    write(tmp_path, "[servers.chat]\naddress = 'http://a'\n")
    assert find_model("chat/m", directory=tmp_path).name == "m"


@pytest.mark.parametrize("address", ["http://a", "https://a.b:65535/v1/", "http://[::1]:80/v1", "http://127.0.0.1:1"])
def test_what_is_an_address(tmp_path: Path, address: str) -> None:
    write(tmp_path, f"[servers.a]\nwire = 'chat'\naddress = '{address}'\n")
    assert server_of("a/m", tmp_path).address == address.rstrip("/")


def test_a_default_that_names_no_model_is_said_with_its_file(tmp_path: Path) -> None:
    with pytest.raises(NoSuchModel, match=f"default in {tmp_path}/models.toml: 'nonsense' names no model"):
        find_model(None, directory=write(tmp_path, 'default = "nonsense"\n'))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gpt-x", "SERVER/NAME"),
        ("nowhere/m", "anthropic, openai, ollama, chat"),
        ("anthropic/", "anthropic/NAME"),
        ("anthropic", "anthropic/NAME"),
        ("scripted:/nowhere.scm", "there is no file /nowhere.scm"),
        ("", "SERVER/NAME"),
    ],
)
def test_what_names_no_model(tmp_path: Path, spec: str, said: str) -> None:
    with pytest.raises(NoSuchModel, match=said):
        find_model(spec, directory=tmp_path)


SETTINGS = """
[servers.anthropic.models."claude-x"]
context = 50_000
output = 1_000
price = { input = 1, output = 2 }
parameters = { temperature = 0 }
"""


def test_the_person_says_what_a_model_takes_and_costs(tmp_path: Path) -> None:
    model = find_model("anthropic/claude-x", directory=write(tmp_path, SETTINGS))
    assert (model.context, model.output, model.price) == (50_000, 1_000, Price(1, 2, 1, 1))
    assert model.parameters == {"temperature": 0}
    assert server_of("anthropic/claude-x", tmp_path).key == "ANTHROPIC_API_KEY"


MISTAKES = [
    ("default = 7", "default must be a text"),
    ("defualt = 'a'", "there is no setting defualt; did you mean default?"),
    ("= 7", "models.toml is no TOML: "),
    ("[servers.a]\nwire = 'smoke'\naddress = 'http://a'", "[servers.a]: wire must be one of anthropic, chat"),
    ("[servers.a]\nwire = 'chat'", "[servers.a]: address must begin with http"),
    ("[servers.a]\nwire = 'chat'\naddress = 'https://me:secret@a'", "[servers.a]: address must have no name"),
    ("[servers.a]\nwire = 'chat'\naddress = 'https://a?key=secret'", "[servers.a]: address must have no name"),
    ("[servers.a]\nwire = 'chat'\naddress = 'ftp://a'", "[servers.a]: address must begin with http"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a'\nkey = 7", "[servers.a]: key must be a text"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = true", "idle must be a number of seconds"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a'\nplain = 1", "plain must be true or false"),
    ("[servers]\na = 7", "servers.a must be a table"),
    ("[servers.chat.models.m]\ncontext = 0", "[servers.chat.models.m]: context must be a whole number of tokens"),
    ("[servers.chat.models.m]\nprice = { input = 1 }", "input and output are needed"),
    ("[servers.chat.models.m]\nprice = { input = -1, output = 1 }", "input must be dollars"),
    ("[servers.chat.models.m]\nprice = { in = 1 }", "there is no in; there are input, output"),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = -5",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = 0",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = 0.5",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = inf",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = nan",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = -inf",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = 1e9",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = 86401",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = 10000000000000000000000",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a:99999'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a:0'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a:-1'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://a:x'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://[::1'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://[::1]x'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://[::1]:'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://[a'", "[servers.a]: address must name a machine"),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'https://a:65536/v1'",
        "[servers.a]: address must have a port from 1 to 65535",
    ),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://::1:80'", "[servers.a]: address must have a port from 1 to 65535"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://'", "[servers.a]: address must name a machine"),
    ("[servers.a]\nwire = 'chat'\naddress = 'https:///v1'", "[servers.a]: address must name a machine"),
    ("[servers.a]\nwire = 'chat'\naddress = 'http://:80'", "[servers.a]: address must name a machine"),
    ("[servers.a]\nwire = 'chat'\naddress = \"http://a b/v1\"", "[servers.a]: address must have no space or control"),
    ("[servers.a]\nwire = 'chat'\naddress = \"http://a\\n\"", "[servers.a]: address must have no space or control"),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nkey = 'sk-abc'",
        "[servers.a]: key must be the name of an environment variable",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nkey = 'a b'",
        "[servers.a]: key must be the name of an environment variable",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nkey = '1A'",
        "[servers.a]: key must be the name of an environment variable",
    ),
    (
        "[servers.a]\nwire = 'chat'\naddress = 'http://a'\nkey = 'Ä'",
        "[servers.a]: key must be the name of an environment variable",
    ),
    ('[servers."a/b"]\nwire = "chat"\naddress = "http://a"', "a server's name has no slash, colon or space in it"),
    ('[servers."a:b"]\nwire = "chat"\naddress = "http://a"', "a server's name has no slash, colon or space in it"),
    ('[servers.""]\nwire = "chat"\naddress = "http://a"', "a server's name has no slash, colon or space in it"),
    ('[servers.scripted]\nwire = "chat"\naddress = "http://a"', "a server's name has no slash, colon or space in it"),
    ('[servers."a b"]\nwire = "chat"\naddress = "http://a"', "a server's name has no slash, colon or space in it"),
    (
        "[servers.chat.models.m]\ncontext = -1",
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\noutput = -1",
        "[servers.chat.models.m]: output must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\ncontext = 1.5",
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\noutput = 1.5",
        "[servers.chat.models.m]: output must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\ncontext = true",
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\noutput = true",
        "[servers.chat.models.m]: output must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        '[servers.chat.models.m]\ncontext = "8k"',
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        '[servers.chat.models.m]\noutput = "8k"',
        "[servers.chat.models.m]: output must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\ncontext = 2_000_000_000",
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\noutput = 2_000_000_000",
        "[servers.chat.models.m]: output must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\ncontext = inf",
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        "[servers.chat.models.m]\noutput = inf",
        "[servers.chat.models.m]: output must be a whole number of tokens, from 1 to 1,000",
    ),
    ("[servers.chat.models.m]\ncontext = 10\noutput = 10", "output must be less than context"),
    (
        "[servers.chat.models.m]\nprice = { input = nan, output = 1 }",
        "input must be dollars for a million tokens, from 0 to 1,000,000",
    ),
    (
        "[servers.chat.models.m]\nprice = { input = inf, output = 1 }",
        "input must be dollars for a million tokens, from 0 to 1,000,000",
    ),
    (
        "[servers.chat.models.m]\nprice = { input = true, output = 1 }",
        "input must be dollars for a million tokens, from 0 to 1,000,000",
    ),
    (
        "[servers.chat.models.m]\nprice = { input = '1', output = 1 }",
        "input must be dollars for a million tokens, from 0 to 1,000,000",
    ),
    (
        "[servers.chat.models.m]\nprice = { input = 1e7, output = 1 }",
        "input must be dollars for a million tokens, from 0 to 1,000,000",
    ),
    ("[servers.chat.models.m]\nparameters.x = 2026-01-01", "[servers.chat.models.m.parameters]: x cannot be sent"),
    ("[servers.chat.models.m]\nparameters.x = nan", "[servers.chat.models.m.parameters]: x cannot be sent"),
    ("[servers.chat.models.m]\nparameters.x = [1, [inf]]", "[servers.chat.models.m.parameters]: x cannot be sent"),
    ("[servers.chat.models.m]\nparameters.x = {a = 10:00:00}", "[servers.chat.models.m.parameters]: x cannot be sent"),
    (f"[servers.chat.models.m]\nparameters.x = 1{'0' * 2000}", "[servers.chat.models.m.parameters]: x cannot be sent"),
    (
        f"[servers.chat.models.m]\nparameters.x = {'[' * 200}{']' * 200}",
        "[servers.chat.models.m.parameters]: x cannot be sent",
    ),
    (f"[servers.chat.models.m]\nparameters.x = 1{'0' * 5000}", "a number in it is too long"),
    (f"[servers.chat.models.m]\nparameters.x = {'[' * 5000}{']' * 5000}", "or lists or tables nest too deep"),
    (
        f"[servers.a]\nwire = 'chat'\naddress = 'http://a'\nidle = 1{'0' * 400}",
        "[servers.a]: idle must be a number of seconds from 1 to 86,400, and is ",
    ),
    (
        f"[servers.chat.models.m]\ncontext = 1{'0' * 400}",
        "[servers.chat.models.m]: context must be a whole number of tokens, from 1 to 1,000",
    ),
    (
        f"[servers.chat.models.m]\nprice = {{ input = 1{'0' * 400}, output = 1 }}",
        "input must be dollars for a million tokens, from 0 to 1,000,000",
    ),
    ("[servers.chat.models.m]\nparameters.output = 5", "output cannot be set: output beside it"),
    ("[servers.chat.models.m]\nparameters.messages = []", "messages cannot be set: nodwyn sends its own"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES)
def test_a_mistake_in_the_file_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        configuration(write(tmp_path, text), {})
    assert said in str(caught.value)
    assert str(tmp_path / "models.toml") in str(caught.value)
    assert "sk-abc" not in str(caught.value)


def test_a_file_that_is_no_utf8_is_said(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        configuration(tmp_path, {})


def test_naming_a_model_imports_no_network_library() -> None:
    program = (
        "import sys, nodwyn.loop.providers.catalogue as c, nodwyn.loop.providers.calling;"
        "c.find_model('anthropic/claude-x'); c.find_model('ollama/m'); print('httpx2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_prices_have_a_date_and_are_all_sound() -> None:
    assert len(price_date().split("-")) == 3
    for models in catalogue._prices().values():
        for entry in models.values():
            assert entry["price"].output > entry["price"].input >= entry["price"].cache_read
            assert 0 < entry["output"] < entry["context"]


def test_a_dated_name_has_the_price_of_its_model(tmp_path: Path) -> None:
    for dated in ("anthropic/claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5-latest"):
        assert find_model(dated, directory=tmp_path).price == Price(3, 15, 0.3, 3.75)
    assert find_model("openai/gpt-4.1-2025-04-14", directory=tmp_path).price == Price(2, 8, 0.5, 2)


@pytest.mark.parametrize(
    "spec",
    [
        "anthropic/claude-of-the-future",
        "openai/gpt-99",
        "anthropic/claude-opus-5-9",
        "openai/gpt-5.4-of-mine",
        "chat:x",
    ],
)
def test_the_price_of_other_models_is_not_known(tmp_path: Path, spec: str) -> None:
    assert find_model(spec, directory=tmp_path).price is None


def test_the_makers_price_is_not_that_of_another_server(tmp_path: Path) -> None:
    write(tmp_path, '[servers.anthropic]\naddress = "https://elsewhere.example"\n')
    assert find_model("anthropic/claude-sonnet-4-5", directory=tmp_path).price is None


def test_a_model_on_this_machine_costs_nothing(tmp_path: Path) -> None:
    assert find_model("ollama/m", directory=tmp_path).price == FREE
    assert find_model("ollama/m:cloud", directory=tmp_path).price is None


def test_a_cost_is_rounded_up() -> None:
    price = Price(3, 15, 0.3, 3.75)
    assert cost_of({"input": 10, "output": 2, "cache_read": 5, "cache_write": 1}, price) == 66
    assert cost_of({}, price) == 0


@pytest.mark.parametrize(
    ("address", "host", "is_here"),
    [
        ("http://127.0.0.1:11434", "127.0.0.1", True),
        ("http://127.9.9.9/v1", "127.9.9.9", True),
        ("http://localhost:8080", "localhost", True),
        ("http://[::1]:8080/v1", "[::1]", True),
        ("http://localhost.example", "localhost.example", False),
        ("http://127.0.0.1.example", "127.0.0.1.example", False),
        ("http://127.0.0.1@example.com/", "example.com", False),
        ("http://10.0.0.1", "10.0.0.1", False),
        ("https://API.example?x=127.0.0.1", "api.example", False),
    ],
)
def test_what_is_this_machine(address: str, host: str, is_here: bool) -> None:
    assert host_of(address) == host
    assert is_loopback(address) is is_here
