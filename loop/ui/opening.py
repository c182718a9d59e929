"""Beginning or resuming a session for a conversation, and closing it whatever happens."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nodwyn.loop.ui.cli import USAGE, CommandError
from nodwyn.loop.ui.options import limits_of
from nodwyn.prims.log import LogError, delete_session
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.session import Session

if TYPE_CHECKING:
    from nodwyn.loop.conversation import Conversation
    from nodwyn.loop.protocol import Client
    from nodwyn.loop.providers.catalogue import Model
    from nodwyn.loop.ui.interrupting import Interrupts

Open = Callable[[], Session]
"""Begins or resumes a session. What the conversation's client answers is asked through the conversation."""


BEGINNING = ("session.start", "guard.decision", "note")
"""The kinds of what is recorded before anything happens. What a call does has a call on record too."""


class NoneNamed(CommandError):
    """No model is named, and the configuration has no default."""


def begin(client: str) -> Open:
    """Return what begins a session in the current directory. client: what begins it."""
    return lambda: Session.start(Path.cwd(), client=client)


def again(name: str, client: str) -> Open:
    """Return what resumes the session whose name begins so."""
    return lambda: Session.resume(name, client=client)


def chosen_model(given: argparse.Namespace) -> Model:
    """Return the model that the options or the configuration name.

    Raises: NoneNamed when they name none. CommandError when there is no such model, or a cost is limited and its price
        is not known.
    """
    from nodwyn.loop.providers.catalogue import NoSuchModel, find_model
    from nodwyn.loop.providers.servers import ConfigurationError

    try:
        model = find_model(given.model)
    except NoSuchModel as error:
        raise (NoneNamed if given.model is None else CommandError)(str(error), USAGE) from None
    except ConfigurationError as error:
        raise CommandError(str(error)) from None
    if "cost" in limits_of(given) and model.price is None:
        raise CommandError(
            f"the price of {model.provider}/{model.name} is not known, so --max-cost cannot be kept:"
            " set its price in models.toml, or leave --max-cost out",
            USAGE,
        )
    return model


def spec(provider: str, name: str) -> str:
    """Return how a model is named that a provider has by this name: what ``--model`` takes."""
    from nodwyn.loop.providers.catalogue import SCRIPTED

    return f"{SCRIPTED}:{name}" if provider == SCRIPTED else f"{provider}/{name}"


def last_model(path: Path) -> str | None:
    """Return how the model is named that a session asked last; None when it asked none, or that one is no more.

    path: of the session's log.
    """
    from nodwyn.loop.providers.catalogue import NoSuchModel, find_model
    from nodwyn.loop.providers.servers import ConfigurationError
    from nodwyn.prims.log import Reader
    from nodwyn.prims.log.events import Recipe

    with Reader(path) as log:
        recipes = (log.event(seq) for seq in sorted(log.seqs("recipe"), reverse=True))
        last = next((each for each in recipes if isinstance(each, Recipe) and each.agent == MAIN), None)
    if last is None:
        return None
    named = spec(last.provider, last.model)
    try:
        find_model(named)
    except (NoSuchModel, ConfigurationError):
        return None
    return named


def conversation_in(session: Session, model: Model | None, client: Client, given: argparse.Namespace) -> Conversation:
    """Return a conversation in a session, with the limits that the options set.

    Raises: CommandError when a script of the person's fails.
    """
    return loaded(session, model, client, limits=limits_of(given), init=not given.no_init)


def loaded(
    session: Session, model: Model | None, client: Client, *, init: bool, limits: Mapping[str, int] | None = None
) -> Conversation:
    """Return a conversation in a session.

    init: whether the person's own scripts are run. limits: those of each turn.

    Raises: CommandError when a script of the person's fails. KeyboardInterrupt.
    """
    from nodwyn.interp.commands import is_interrupt
    from nodwyn.interp.errors import SchemeError
    from nodwyn.interp.report import report
    from nodwyn.loop.conversation import Conversation

    try:
        return Conversation(session, model, client=client, limits=limits, init=init)
    except SchemeError as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from None
        raise CommandError(f"{report(error)}\nMend that, or start without your own scripts: --no-init") from None


@contextmanager
def opened(open_session: Open, interrupts: Interrupts) -> Iterator[Session]:
    """Have a session open meanwhile. While it is closed, no signal disturbs. One in which nothing happened goes again.

    Raises: what opening it raises.
    """
    session = open_session()
    try:
        yield session
    finally:
        interrupts.close()
        is_empty = not has_happened(session)
        session.close(interrupts.reason)
        if is_empty:
            with suppress(LogError, OSError):  # it is then listed, with no turn
                delete_session(session.log.path)


def has_happened(session: Session) -> bool:
    """Return whether a session has anything on record but how it was begun, and what is said at every beginning."""
    return len(list(session.log.seqs(*BEGINNING))) < session.log.last
