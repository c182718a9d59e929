"""Which model a name means: its server, its wire, how much it takes and what it costs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from nodwyn.loop.providers.base import Provider
from nodwyn.loop.providers.servers import (
    Configuration,
    ConfigurationError,
    Price,
    Server,
    Settings,
    configuration,
    price_of,
)
from nodwyn.prims.directories import kept_config
from nodwyn.prims.mistyped import hint

FREE = Price(0, 0, 0, 0)
SCRIPTED = "scripted"

UNKNOWN_CONTEXT: Mapping[str, int] = {"anthropic": 200_000, "responses": 128_000, "chat": 32_768, "ollama": 16_384}
"""Tokens that a model of a wire is taken to hold when nothing else is known. Ollama keeps memory for all of them."""

MOST_OUTPUT = 8_192
"""Tokens of a reply that are asked for when nothing else is known, but never more than a quarter of the context."""


DATE = len("20260930")
"""Digits at the end of a model's name that say from when it is: it is the same model. Fewer say that it is another."""


class NoSuchModel(Exception):
    """There is no model of that name, or none is named; the message says what to do."""


class Model(NamedTuple):
    """A model that can be asked."""

    provider: str
    """The server's name, or ``scripted``."""
    name: str
    context: int
    """Tokens of a request and its reply together."""
    output: int
    """Tokens that a reply may have."""
    price: Price | None
    """None when it is not known."""
    adapter: Provider
    parameters: Mapping[str, Any] = {}
    """What the person wants sent with every request besides."""


def find_model(spec: str | None, *, directory: Path | None = None) -> Model:
    """Return the model that a name means: ``SERVER/NAME``, ``SERVER:NAME`` or ``scripted:FILE``.

    spec: None for the one that the configuration has as its default. directory: where ``models.toml`` is; the
    configuration directory when not given.

    Raises: NoSuchModel. ConfigurationError. NotPrivate, OSError.
    """
    if spec is not None and spec.startswith(f"{SCRIPTED}:"):
        return _scripted(spec.removeprefix(f"{SCRIPTED}:"))
    known = configuration(directory or kept_config())
    if spec is None:
        if not known.default:
            raise NoSuchModel(_none_named(known))
        try:
            return find_model(known.default, directory=directory)
        except NoSuchModel as error:
            raise NoSuchModel(f"default in {known.file}: {error}") from None
    server, name = _split(spec, known)
    return model_of(server, name)


def model_of(server: Server, name: str) -> Model:
    """Return a server's model. name: as the server has it; whether there is one shows when it is asked.

    Raises: ConfigurationError when the server has no address.
    """
    from nodwyn.loop.providers.http import HttpProvider

    if server.mistake:
        raise ConfigurationError(server.mistake)
    known, given = _known(server, name), server.models.get(name, Settings())
    context = given.context or known.get("context") or UNKNOWN_CONTEXT[server.wire]
    output = given.output or known.get("output") or MOST_OUTPUT
    return Model(
        server.name,
        name,
        context,
        min(output, max(context // 4, 1)) if given.output is None else output,
        given.price or known.get("price") or _price_at_home(server, name),
        HttpProvider(server, context),
        given.parameters,
    )


def cost_of(usage: Mapping[str, int], price: Price) -> int:
    """Return what a reply cost in millionths of a US dollar, rounded up. usage: tokens, as ``llm.resp`` has them."""
    from math import ceil

    return ceil(sum(usage.get(name, 0) * float(dollars) for name, dollars in price._asdict().items()))


def _scripted(file: str) -> Model:
    from nodwyn.loop.providers.scripted import ScriptedProvider

    path = os.path.abspath(os.path.expanduser(file))
    if not os.path.isfile(path):
        what = (
            f"{path} is no scripted model: it is no regular file"
            if os.path.lexists(path)
            else f"there is no file {path}"
        )
        raise NoSuchModel(f"{what}; a scripted model is a file that defines (reply request)")
    return Model(SCRIPTED, file, 200_000, 8_192, FREE, ScriptedProvider(path))


def _split(spec: str, known: Configuration) -> tuple[Server, str]:
    """Return the server and the model's name in a spec: what stands before its first slash or colon, and behind.

    Raises: NoSuchModel.
    """
    place = min((spec.find(mark) for mark in "/:" if mark in spec), default=len(spec))
    server, name = spec[:place], spec[place + 1 :]
    if server not in known.servers:
        raise NoSuchModel(
            f"{spec!r} names no model: SERVER/NAME does, where SERVER is one of {', '.join(known.servers)}, or one that"
            f" you add to {known.file}; `scripted:FILE` is a model in Scheme{hint(server, known.servers, otherwise='')}"
        )
    if not name:
        raise NoSuchModel(f"{spec!r} names a server; the model's name follows a slash, as in {server}/NAME")
    return known.servers[server], name


def _none_named(known: Configuration) -> str:
    return (
        f"no model is named. Name one with --model SERVER/NAME (servers: {', '.join(known.servers)}), or for good with"
        f' default = "SERVER/NAME" in {known.file}. Without any model: --model scripted:FILE, or `nodwyn demo`.'
    )


def _known(server: Server, name: str) -> Mapping[str, Any]:
    """Return what the price file says of a model: the entry of that name, or of the longest beginning of it."""
    maker = _makers().get(server.address)
    entries = _prices().get(maker, {}) if maker else {}
    fitting = [each for each in entries if name == each or (name.startswith(f"{each}-") and _is_version(name, each))]
    return entries[max(fitting, key=len)] if fitting else {}


def named_models(server: Server) -> list[str]:
    """Return the names of a server's models that can be known without asking it: those configured, and those with a
    price."""
    maker = _makers().get(server.address)
    return list(dict.fromkeys([*server.models, *(_prices().get(maker, {}) if maker else ())]))


def _is_version(name: str, known: str) -> bool:
    rest = name[len(known) + 1 :]
    return rest == "latest" or (rest.replace("-", "").isdigit() and len(rest.replace("-", "")) == DATE)


def _price_at_home(server: Server, name: str) -> Price | None:
    """Return the price where a model runs on this machine: nothing."""
    from nodwyn.loop.providers.addresses import is_loopback

    return FREE if server.wire == "ollama" and is_loopback(server.address) and "cloud" not in name else None


def _makers() -> Mapping[str, str]:
    """Return whose models answer at which address. Prices are those of that address: others may ask for more."""
    return {
        "https://api.anthropic.com": "anthropic",
        "https://api.openai.com/v1": "openai",
    }


@cache
def price_date() -> str:
    """Return the day as of which the prices are, as in 2026-11-30."""
    return str(_price_file()["date"])


@cache
def _prices() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    def entry(table: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**table, "price": price_of(table["price"], None)}

    makers = {maker: table for maker, table in _price_file().items() if isinstance(table, dict)}
    return {maker: {name: entry(table) for name, table in models.items()} for maker, models in makers.items()}


@cache
def _price_file() -> dict[str, Any]:
    import tomllib

    with open(os.path.join(os.path.dirname(__file__), "prices.toml"), "rb") as file:
        return tomllib.load(file)
