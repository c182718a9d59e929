"""A conversation without a terminal: one task, or the messages that another process sends."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from nodwyn.loop.ui.asking import asker
from nodwyn.loop.ui.cli import DONE, USAGE, Leaving
from nodwyn.loop.ui.colours import Paint, wanted
from nodwyn.loop.ui.interrupting import Interrupts
from nodwyn.loop.ui.jsonlines import JsonLines
from nodwyn.loop.ui.mended import mended, mending
from nodwyn.loop.ui.opening import Open, chosen_model, conversation_in, opened
from nodwyn.loop.ui.printing import Printer
from nodwyn.loop.ui.signs import Signs
from nodwyn.loop.ui.statuses import status_of
from nodwyn.prims import surrogates
from nodwyn.prims.counting import counted
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log.events import FileVersion, ToolResult
from nodwyn.prims.session import own_redactor

if TYPE_CHECKING:
    from nodwyn.loop.conversation import Conversation
    from nodwyn.prims.log import Log
    from nodwyn.prims.session import Session


def in_text(task: str, open_session: Open, given: argparse.Namespace) -> int:
    """Do a task: progress on standard error, the answer on standard output. Return the exit status.

    given: the options of a conversation.
    """
    model = chosen_model(given)
    interrupts = Interrupts()
    ask = interrupts.asking(asker(given.approve))
    printer = Printer(sys.stderr, ask, Paint(wanted(sys.stderr)), streams=False)
    with interrupts.handled(), opened(open_session, interrupts) as session:
        signs = Signs(printer)
        conversation = conversation_in(session, model, signs, given)
        printer.say(f"session {session.name}")
        for line in mended(session.log):
            printer.say(line)
        begun = session.log.last
        with interrupts.cancelling(conversation.cancel), signs.given():
            end = conversation.say(task)
        changed = _changed(session.log, begun)
        if changed:
            files = counted(len(changed), "file was", "files were")
            printer.say(f"{files} changed; nodwyn undo {session.name} takes that back")
    try:
        _write_answer(printer.answer)
    except OSError:
        if not interrupts.status:
            raise
    return interrupts.status or status_of(end)


def _changed(log: Log, begun: int) -> set[str]:
    """Return the files that were changed since an event. A change is on record before it is made, and that may fail."""
    results = map(log.event, log.seqs("tool.result", start=begun))
    failed = {result.call for result in results if isinstance(result, ToolResult) and not result.ok}
    versions = map(log.event, log.seqs("file.version", start=begun))
    return {each.path for each in versions if isinstance(each, FileVersion) and each.call not in failed}


def in_json(task: str | None, open_session: Open, given: argparse.Namespace) -> int:
    """Do a task, or what messages on standard input say until its end; everything as JSON on standard output.

    Return the exit status: for how the last turn ended; that of wrong usage when there were lines and none of them a
    message.
    """
    model = chosen_model(given)
    interrupts = Interrupts()
    listens = task is None or given.approve == "ask"
    client = JsonLines(sys.stdout, given.approve, listens=listens, redactor=own_redactor())
    status = DONE
    with interrupts.handled(), opened(open_session, interrupts) as session:
        first = _first_of_opening(session)
        for event in [event for event in mending(session.log) if event.seq < first] + list(session.log.events(first)):
            client.event(event)
        conversation = conversation_in(session, model, client, given)
        client.cancel = conversation.cancel
        if task is not None:
            client.say(task)
        if listens:
            client.listen(sys.stdin.fileno())
        message = client.next_message()
        if message is None and client.has_refused:
            status = USAGE
        while message is not None and not interrupts.status and not client.is_gone:
            with interrupts.cancelling(client.stop):
                status = _status_of_saying(conversation, message, client)
            message = client.next_message() if task is None else None
    if client.is_gone:
        raise BrokenPipeError
    return interrupts.status or status


def _status_of_saying(conversation: Conversation, message: str, client: JsonLines) -> int:
    """Have a turn; return the exit status for how it ended.

    Raises: BrokenPipeError when it was stopped because whoever read the lines has gone. KeyboardInterrupt.
    """
    try:
        return status_of(conversation.say(message, is_stopped=client.is_stopped))
    except Leaving:
        raise
    except KeyboardInterrupt:
        if client.is_gone:
            raise BrokenPipeError from None
        raise


def _first_of_opening(session: Session) -> int:
    """Return the seq of the first event that opening the session recorded."""
    log = session.log
    resumed = max(log.seqs("session.resume"), default=1)
    return resumed - len(log.interrupted) - (log.recovery is not None)


def _write_answer(text: str) -> None:
    if text:
        shown = escape_unseen(text) if sys.stdout.isatty() else surrogates.escape(text)
        sys.stdout.write(f"{shown}\n")
