"""Calling a primitive for a subcommand, as the person: in a session that lists leave out, or in one that there is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodwyn.loop.ui.asking import asker
from nodwyn.loop.ui.cli import CommandError
from nodwyn.prims.calling import message_of, perform
from nodwyn.prims.declare import ArgumentError
from nodwyn.prims.session import Session

if TYPE_CHECKING:
    from nodwyn.prims.guard.approvals import Standing


def call_primitive(name: str, arguments: dict[str, Any], *, client: str, approve: Standing | None, failed: int) -> Any:
    """Call a primitive in a session of the current directory; return its value.

    arguments: as JSON has them. client: the subcommand. approve: the person's standing answer. failed: the exit status
    when it fails.

    Raises: CommandError.
    """
    with Session.start(Path.cwd(), client=client, ask=asker(approve), hidden=True) as session:
        return called(session, name, arguments, failed=failed)


def called(session: Session, name: str, arguments: dict[str, Any], *, failed: int) -> Any:
    """Call a primitive in a session, as the person; return its value. The arguments are those of call_primitive.

    Raises: CommandError.
    """
    primitive = session.primitives[name]
    try:
        bound = primitive.bind_json(arguments)
    except ArgumentError as error:
        raise CommandError(str(error), failed) from None
    outcome = perform(session, primitive, bound, "person")
    if outcome.error is not None:
        raise CommandError(message_of(outcome.error), failed)
    return outcome.value
