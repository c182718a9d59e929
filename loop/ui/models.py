"""``nodwyn models``: the servers and models that are configured, and which of them answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from nodwyn.loop.providers.catalogue import Model, NoSuchModel, find_model, model_of, named_models, price_date
from nodwyn.loop.providers.keys import Key, origin_of
from nodwyn.loop.providers.servers import Configuration, ConfigurationError, Server, configuration
from nodwyn.loop.ui.cli import DONE, FAILED, USAGE, CommandError
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import kept_config
from nodwyn.prims.mistyped import hint

SHOWN = 3
"""Models of each server that an overview names."""


def run(arguments: Sequence[str]) -> int:
    """List servers, or one server's models; return the exit status: failure when a server that is named is silent."""
    parsing = parser("models", "List the servers of models, and which of them answer.", "nodwyn models ollama")
    parsing.add_argument("server", nargs="?", help="list all models of this server, with context and price")
    parsing.add_argument("--offline", action="store_true", help="ask no server; say what is configured")
    parsing.add_argument("--names", action="store_true", help="only what --model takes, as far as no server is asked")
    given = parsing.parse_args(arguments)
    try:
        known = configuration(kept_config())
    except ConfigurationError as error:
        raise CommandError(str(error)) from None
    if given.server is not None and given.server not in known.servers:
        raise CommandError(f"there is no server {given.server!r}{hint(given.server, known.servers)}", USAGE)
    servers = [known.servers[given.server]] if given.server else list(known.servers.values())
    if given.names:
        sys.stdout.writelines(f"{_shown(name)}\n" for server in servers for name in _names(server))
        return DONE
    models, problems = ({}, {}) if given.offline else _asked(servers)
    if given.server is None:
        lines = list(_overview(known, models, problems))
    else:
        lines = list(_models(servers[0], models, problems))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return FAILED if given.server and (problems or servers[0].mistake) else DONE


def _names(server: Server) -> Iterator[str]:
    """Yield what ``--model`` takes of a server; where no model of it is known, what its models' names begin with."""
    for name in named_models(server) or [""]:
        yield f"{server.name}/{name}"


def _asked(servers: Sequence[Server]) -> tuple[dict[str, Sequence[str]], dict[str, str]]:
    """Return the models of the servers that answer, and why the others do not."""
    from nodwyn.loop.providers.listing import ask_servers
    from nodwyn.prims.session import Session

    models: dict[str, Sequence[str]] = {}
    problems: dict[str, str] = {}
    with Session.start(Path.cwd(), client="models", primitives=[], hidden=True) as session:
        for answer in ask_servers(session, [server for server in servers if not server.mistake]):
            if answer.problem:
                problems[answer.server.name] = session.redactor.redact(answer.problem)
            else:
                models[answer.server.name] = answer.models
    return models, problems


def _overview(known: Configuration, models: dict[str, Sequence[str]], problems: dict[str, str]) -> Iterator[str]:
    default = known.default or f'none; default = "SERVER/NAME" in {known.file} sets one'
    yield f"default: {_shown(default)}"
    if known.default:
        try:
            find_model(None)
        except (NoSuchModel, ConfigurationError) as error:
            yield f"         {_shown(str(error))}"
    yield ""
    width = max(map(len, known.servers))
    for name, server in known.servers.items():
        yield f"{_shown(name):<{width}}  {server.wire:<9}  {_shown(server.address)}{_key(server)}"
        if server.mistake or name in problems:
            yield f"{'':<{width}}  {_shown(server.mistake or problems[name])}"
        elif name in models:
            yield f"{'':<{width}}  answers: {_some(models[name])}"
        if server.models:
            yield f"{'':<{width}}  configured: {', '.join(map(_shown, server.models))}"
    yield ""
    yield f"Choose with --model SERVER/NAME. Servers and prices of your own: {_shown(str(known.file))}."
    yield f"Prices are of {price_date()}."


def _some(names: Sequence[str]) -> str:
    if not names:
        return "it has no models"
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(map(_shown, names[:SHOWN]))}{more}"


def _key(server: Server) -> str:
    if not server.key:
        return ""
    has_key = bool(Key(server.key, origin_of(server.address)).value())
    return f"  ({server.key} is {'set' if has_key else 'not set'})"


def _models(server: Server, models: dict[str, Sequence[str]], problems: dict[str, str]) -> Iterator[str]:
    if server.mistake:
        yield _shown(server.mistake)
        return
    names = dict.fromkeys([*server.models, *(models.get(server.name) or named_models(server))])
    width = max(map(len, names), default=0)
    for name in names:
        model = model_of(server, name)
        yield f"{_shown(f'{server.name}/{name}'):<{width + len(server.name) + 1}}  {_facts(model)}"
    if server.name in problems:
        yield _shown(problems[server.name])
    elif not names:
        yield "no models are known; without --offline the server is asked"


def _facts(model: Model) -> str:
    price = model.price
    if price is None:
        cost = "price not known"
    elif not (price.input or price.output):
        cost = "costs nothing"
    else:
        cost = f"${price.input:g} in, ${price.output:g} out for a million tokens"
    return f"{model.context // 1000:>5}k tokens, {cost}"


def _shown(text: str) -> str:
    from nodwyn.prims.guard.display import escape_unseen

    return escape_unseen(text)
