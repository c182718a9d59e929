"""The servers that models are asked for from: those that are built in, and those of the person's ``models.toml``.

A server's address and the name of its key come from the person alone: from the configuration directory or the
environment that nodwyn was started with, never from a repository.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nodwyn.prims.mistyped import hint
from nodwyn.prims.small_files import NotToml, Unreadable, toml_of, written_text

FILE = "models.toml"
WIRES = ("anthropic", "chat", "responses", "ollama")
IDLE = 300.0
"""Seconds without a byte after which a reply counts as broken off; a large prompt on a small machine takes long."""

LONGEST_IDLE = 86_400
"""Seconds."""

MOST_TOKENS = 1_000_000_000
"""That a model may be said to take."""

MOST_PORTS = 65_535
MOST_DIGITS = 5
"""Of the number of a port."""

DEAREST = 1_000_000
"""Dollars for a million tokens."""

OWN_PARAMETERS: Mapping[str, str] = {
    "output": "output beside it says what a reply may have",
    **dict.fromkeys(("input", "messages", "model", "stream", "system", "tools"), "nodwyn sends its own"),
}
"""What cannot be among the parameters that the person wants sent, and why."""


class ConfigurationError(Exception):
    """The person's ``models.toml`` cannot be used; the message says where and why."""


class Price(NamedTuple):
    """US dollars for a million tokens, which is millionths of a dollar for one."""

    input: float
    output: float
    cache_read: float
    cache_write: float


class Settings(NamedTuple):
    """What the configuration says of one model; None where it does not."""

    context: int | None = None
    output: int | None = None
    price: Price | None = None
    parameters: Mapping[str, Any] = {}


class Server(NamedTuple):
    """Where models answer."""

    name: str
    wire: str
    """One of :data:`WIRES`."""
    address: str
    """Beginning of the address of every request, without a slash at its end."""
    key: str = ""
    """The environment variable, or entry of the keyring, with the key; nothing when none is sent."""
    key_optional: bool = False
    """Whether it is asked without a key when there is none."""
    plain: bool = False
    """Whether the key may go to another machine without encryption."""
    idle: float = IDLE
    models: Mapping[str, Settings] = {}
    mistake: str = ""
    """Why it cannot be asked: what the environment says of its address is wrong. The address is then empty."""


class Configuration(NamedTuple):
    """What there is to choose from."""

    file: Path
    default: str
    """The model that is used when none is named; nothing when none is set."""
    servers: Mapping[str, Server]


def built_in(environment: Mapping[str, str]) -> dict[str, Server]:
    """Return the servers that are known without any configuration."""
    base, mistake = environment.get("OPENAI_BASE_URL", ""), ""
    if base and (what := mistake_in(base)) is not None:
        mistake = f"OPENAI_BASE_URL, which the environment sets, {what}"
    address = "" if mistake else base.rstrip("/") or "https://api.openai.com/v1"
    servers = (
        Server("anthropic", "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"),
        Server("openai", "responses", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        Server("ollama", "ollama", "http://127.0.0.1:11434"),
        Server("chat", "chat", address, "OPENAI_API_KEY", key_optional=bool(base), mistake=mistake),
    )
    return {server.name: server for server in servers}


def configuration(directory: Path, environment: Mapping[str, str] = os.environ) -> Configuration:
    """Return the built-in servers and what ``models.toml`` in a directory adds to them or changes.

    environment: the person's variables, of which one names another address.

    Raises: ConfigurationError.
    """
    file = directory / FILE
    servers = built_in(environment)
    try:
        text = written_text(file)
    except FileNotFoundError:
        return Configuration(file, "", servers)
    except Unreadable as error:
        raise ConfigurationError(str(error)) from None
    try:
        table = toml_of(text)
    except NotToml as error:
        raise ConfigurationError(f"{file} is no TOML: {error}") from None
    reading = _Reading(file)
    reading.known(table, ("default", "servers"), "")
    for name, given in reading.tables(table, "servers", "").items():
        servers[name] = reading.server(name, given, servers.get(name))
    return Configuration(file, reading.text(table, "default", "", ""), servers)


class _Reading:
    """Looks through the tables of a file; every mistake is said with its place."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def server(self, name: str, given: Mapping[str, Any], before: Server | None) -> Server:
        """Return a server. before: the built-in one of that name."""
        where = f"servers.{name}"
        if not name or name == "scripted" or any(mark in name for mark in "/: "):
            self.fail(where, "a server's name has no slash, colon or space in it, is not empty, and not scripted")
        self.known(given, ("wire", "address", "key", "plain", "idle", "models"), where)
        wire = self.text(given, "wire", where, before.wire if before else "")
        if wire not in WIRES:
            self.fail(where, f"wire must be one of {', '.join(WIRES)}")
        address = self.text(given, "address", where, before.address if before else "")
        unusable = before.mistake if before and "address" not in given else ""
        if not unusable and (mistake := mistake_in(address)) is not None:
            self.fail(where, f"address {mistake}")
        models = {
            model: self.settings(f"{where}.models.{model}", settings)
            for model, settings in self.tables(given, "models", where).items()
        }
        return Server(
            name,
            wire,
            address.rstrip("/"),
            self.key(given, where, before.key if before else ""),
            before.key_optional if before and "key" not in given else False,
            self.typed(given, "plain", where, bool, False, "true or false"),
            self.number(given, "idle", where, IDLE, "a number of seconds", 1, LONGEST_IDLE),
            models,
            unusable,
        )

    def key(self, given: Mapping[str, Any], where: str, default: str) -> str:
        """Return the name of a key. What cannot be one may be a key itself: no message shows it."""
        name = self.text(given, "key", where, default)
        if name and not (name.isascii() and name.isidentifier()):
            self.fail(
                where,
                "key must be the name of an environment variable or of an entry of the keyring, of letters, digits and"
                " underscores; the key itself does not belong here",
            )
        return name

    def settings(self, where: str, given: Mapping[str, Any]) -> Settings:
        self.known(given, ("context", "output", "price", "parameters"), where)
        context, output = self.tokens(given, "context", where), self.tokens(given, "output", where)
        if context is not None and output is not None and output >= context:
            self.fail(where, f"output must be less than context: a reply is part of the {context} tokens")
        return Settings(context, output, self.price(given, where), self.parameters(given, where))

    def price(self, given: Mapping[str, Any], where: str) -> Price | None:
        if "price" not in given:
            return None
        return price_of(self.tables_of_any(given, "price", where), lambda what: self.fail(f"{where}.price", what))

    def parameters(self, given: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Return what is sent with every request as it is: what JSON can hold, and nothing that nodwyn says itself."""
        from nodwyn.prims.log.record import can_be_recorded

        parameters = self.tables_of_any(given, "parameters", where)
        for name, value in parameters.items():
            if name in OWN_PARAMETERS:
                self.fail(f"{where}.parameters", f"{name} cannot be set: {OWN_PARAMETERS[name]}")
            if not can_be_recorded({name: value}):  # in a recipe: what is sent is on record
                self.fail(
                    f"{where}.parameters",
                    f"{name} cannot be sent: JSON has no dates, and no inf or nan; nor are very long numbers and very"
                    " deep lists or tables",
                )
        return parameters

    def tokens(self, given: Mapping[str, Any], name: str, where: str) -> int | None:
        value = given.get(name)
        if value is not None and (type(value) is not int or not 1 <= value <= MOST_TOKENS):
            self.fail(where, f"{name} must be a whole number of tokens, from 1 to {MOST_TOKENS:,}")
        return value

    def number(
        self, given: Mapping[str, Any], name: str, where: str, default: float, wanted: str, least: int, most: int
    ) -> float:
        value = self.typed(given, name, where, (int, float), default, wanted)
        if not least <= value <= most:
            self.fail(where, f"{name} must be {wanted} from {least} to {most:,}, and is {given[name]}")
        return float(value)

    def text(self, given: Mapping[str, Any], name: str, where: str, default: str) -> str:
        return str(self.typed(given, name, where, str, default, "a text"))

    def typed(self, given: Mapping[str, Any], name: str, where: str, kind: Any, default: Any, wanted: str) -> Any:
        value = given.get(name, default)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fail(where, f"{name} must be {wanted}")
        return value

    def tables(self, given: Mapping[str, Any], name: str, where: str) -> Mapping[str, Mapping[str, Any]]:
        tables = self.tables_of_any(given, name, where)
        for each, table in tables.items():
            if not isinstance(table, dict):
                self.fail(where, f"{name}.{each} must be a table")
        return tables

    def tables_of_any(self, given: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.typed(given, name, where, dict, {}, "a table")
        return table

    def known(self, given: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
        for name in given:
            if name not in names:
                self.fail(where, f"there is no setting {name}{hint(name, names)}")

    def fail(self, where: str, what: str) -> None:
        raise ConfigurationError(f"{self._file}: {f'[{where}]: ' if where else ''}{what}")


def mistake_in(address: str) -> str | None:
    """Return what is wrong with the address of a server, in words that follow its name; None when nothing is."""
    if not address.startswith(("http://", "https://")):
        return "must begin with http:// or https://"
    if any(mark in address for mark in "@?#"):
        return "must have no name, password or question in it; a key is named by key"
    if not address.isprintable() or " " in address:
        return "must have no space or control character in it"
    machine, colon, port = _machine_and_port(address.partition("://")[2].partition("/")[0])
    if colon and not (
        port.isascii() and port.isdecimal() and len(port) <= MOST_DIGITS and 1 <= int(port) <= MOST_PORTS
    ):
        return f"must have a port from 1 to {MOST_PORTS} behind its colon, and an IPv6 address in brackets"
    if not machine or ("[" in machine and not (machine.startswith("[") and machine.endswith("]"))):
        return "must name a machine, as in http://127.0.0.1:8080/v1 or http://[::1]:8080/v1"
    return None


def _machine_and_port(place: str) -> tuple[str, str, str]:
    """Return the machine that an address names, a colon if one follows, and what follows that."""
    if place.startswith("[") and "]" in place:
        machine, bracket, rest = place.partition("]")
        return machine + bracket, rest[:1], rest[1:] if rest.startswith(":") else rest
    return place.partition(":")


def price_of(table: Mapping[str, Any], fail: Any) -> Price:
    """Return the price that a table gives, in dollars for a million tokens.

    What is read from a cache, or kept in one, costs as much as other input unless the table says otherwise.
    """
    for name, value in table.items():
        if name not in Price._fields:
            fail(f"there is no {name}{hint(name, Price._fields)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= DEAREST:
            fail(f"{name} must be dollars for a million tokens, from 0 to {DEAREST:,}")
    if "input" not in table or "output" not in table:
        fail("input and output are needed")
    given = float(table["input"])
    return Price(
        given, float(table["output"]), float(table.get("cache_read", given)), float(table.get("cache_write", given))
    )
