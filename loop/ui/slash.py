"""The commands of the line client that begin with a slash."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from nodwyn.interp.errors import SchemeError
from nodwyn.loop.ui.asking import OF_KIND
from nodwyn.loop.ui.cli import DONE, FAILED, USAGE, CommandError, Run
from nodwyn.loop.ui.colours import YELLOW
from nodwyn.loop.ui.statuses import status_of
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.guard.proposal import KINDS
from nodwyn.prims.mistyped import hint

if TYPE_CHECKING:
    from nodwyn.loop.ui.line import LineClient

MOST_DIGITS = 15
"""Digits of the number of an event that is looked up."""

Word = TypeVar("Word", bound=str)


class Slash(NamedTuple):
    """A command: how it is written, what it does, and what does it."""

    usage: str
    does: str
    run: Callable[[LineClient, Sequence[str]], None]
    most: int | None = 0
    """How many words it takes; None when it says so itself."""


def is_command(line: str) -> bool:
    """Return whether a line is meant to be a command, and not a message that begins with a path."""
    first, *_ = line.split(maxsplit=1) or [""]
    return first.startswith("/") and "/" not in first[1:]


def do(client: LineClient, line: str) -> None:
    """Do what a line that begins with a slash says.

    Raises: CommandError when it is not understood. What the command raises.
    """
    name, *given = line[1:].split() or [""]
    command = COMMANDS.get(name)
    if command is None:
        raise CommandError(
            f"there is no command /{name}{hint(name, COMMANDS, show='/{}'.format, otherwise='; /help lists them')}"
        )
    if command.most is not None and len(given) > command.most:
        raise CommandError(f"/{name} takes no {'more words' if command.most else 'words'}; usage: {command.usage}")
    command.run(client, given)


def _help(client: LineClient, given: Sequence[str]) -> None:
    width = max(len(command.usage) for command in COMMANDS.values())
    rows = [f"{command.usage:<{width}}  {command.does}" for command in COMMANDS.values()]
    client.printer.say("\n".join([f'{"( …":<{width}}  Scheme; (apropos "") lists the primitives', *rows]), "")


def _quit(client: LineClient, given: Sequence[str]) -> None:
    from nodwyn.loop.ui.line import Left

    raise Left


def _compact(client: LineClient, given: Sequence[str]) -> None:
    with client.interrupts.cancelling(client.cancel):
        end = client.conversation.compact()
    client.note_status(status_of(end))


def _model(client: LineClient, given: Sequence[str]) -> None:
    from nodwyn.loop.ui.opening import chosen_model, spec

    if given:
        client.conversation.model = chosen_model(Namespace(**{**vars(client.given), "model": given[0]}))
    model = client.conversation.model
    client.printer.say(spec(model.provider, model.name) if model else "there is no model; `nodwyn models` says more")


def _sessions(client: LineClient, given: Sequence[str]) -> None:
    from nodwyn.loop.ui.sessions import run

    _as_command(client, run, given)


def _approve(client: LineClient, given: Sequence[str]) -> None:
    kind = _one_of(given, "/approve", KINDS)
    _evaluate(client, f'(allow "{kind}")')
    client.printer.say(f"from now on, yes to {OF_KIND[kind]}; /forget takes it back")


def _forget(client: LineClient, given: Sequence[str]) -> None:
    _evaluate(client, "(forget)")
    client.printer.say("what was allowed is asked again")


def _undo(client: LineClient, given: Sequence[str]) -> None:
    from nodwyn.loop.ui.undo import conflicts, taken_back, unchanged

    event = "".join(given)
    if given and not (event.isascii() and event.isdecimal() and len(event) <= MOST_DIGITS and int(event)):
        raise CommandError(f"/undo takes the number of an event, from 1; usage: {COMMANDS['undo'].usage}")
    _evaluate(client, f"(undo {event})")
    log = client.conversation.session.log
    undone = log.event(max(log.seqs("tool.result"))).as_json()["value"]
    for path in undone["restored"]:
        client.printer.say(taken_back(path))
    for path in undone["unchanged"]:
        client.printer.say(unchanged(path))
    for told in conflicts(undone):
        client.printer.say(escape_unseen(told), YELLOW)
        client.note_status(FAILED)


def _earlier(client: LineClient, given: Sequence[str]) -> None:
    from nodwyn.loop.ui.earlier import STATES, settled

    state = _one_of(given or ["status"], "/earlier", STATES)
    client.printer.say(settled(Path(client.conversation.session.root), state))


def _index(client: LineClient, given: Sequence[str]) -> None:
    from nodwyn.loop.ui.index import run

    _as_command(client, run, given or ["status"])


def _as_command(client: LineClient, run: Run, given: Sequence[str]) -> None:
    """Run a subcommand of the command line; what it does not understand, it says itself."""
    try:
        client.note_status(run(given))
    except SystemExit as left:
        client.note_status(USAGE if left.code else DONE)
    sys.stdout.flush()


def _evaluate(client: LineClient, expression: str) -> None:
    """Call a primitive as the person.

    Raises: CommandError when it fails: where that was in an expression that nobody typed is of no use.
    """
    try:
        client.conversation.scheme(expression)
    except SchemeError as error:
        raise CommandError(str(error).partition(": ")[2]) from None


def _one_of(given: Sequence[str], command: str, words: Sequence[Word]) -> Word:
    """Return the word that a command was given.

    Raises: CommandError when it is none of those that it takes.
    """
    for word in words:
        if list(given) == [word]:
            return word
    near = hint(" ".join(given), words, otherwise="")
    raise CommandError(f"{command} takes one of {', '.join(words)}{near}")


COMMANDS = {
    "help": Slash("/help", "list these", _help),
    "model": Slash("/model [M]", "say which model answers, or take another", _model, 1),
    "compact": Slash("/compact", "go on from a handover note that the model writes", _compact),
    "undo": Slash("/undo [SEQ]", "take back the file changes of a turn or call; of the last that made some", _undo, 1),
    "approve": Slash("/approve KIND", "say yes to reads, edits or all for this session", _approve, None),
    "forget": Slash("/forget", "take back what was allowed in this session", _forget),
    "index": Slash("/index [forget]", "say what the repository's index holds, or remove it", _index, None),
    "earlier": Slash("/earlier [on|off]", "whether searches may look into earlier tasks", _earlier, None),
    "sessions": Slash("/sessions", "list the sessions of this project", _sessions, None),
    "quit": Slash("/quit", "leave; so does Ctrl-D", _quit),
}
