"""``nodwyn`` by itself: a conversation line by line.

``(`` begins Scheme, ``/`` a command, and everything else is a message to the agent.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from nodwyn.interp.commands import show_value
from nodwyn.interp.data import UNSPECIFIED
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.interp.limits import INTERRUPTED as STOPPED
from nodwyn.interp.repl import is_complete
from nodwyn.interp.report import report
from nodwyn.loop.conversation import NoModel
from nodwyn.loop.ui import slash
from nodwyn.loop.ui.asking import through
from nodwyn.loop.ui.cli import DONE, FAILED, INTERRUPTED, USAGE, CommandError
from nodwyn.loop.ui.colours import RED, YELLOW, Paint, wanted
from nodwyn.loop.ui.interrupting import Interrupts
from nodwyn.loop.ui.lines import CONTINUES, Lines
from nodwyn.loop.ui.mended import mended
from nodwyn.loop.ui.opening import (
    NoneNamed,
    Open,
    begin,
    chosen_model,
    conversation_in,
    has_happened,
    opened,
    spec,
)
from nodwyn.loop.ui.options import add_conversation, parser
from nodwyn.loop.ui.printing import Printer
from nodwyn.loop.ui.statuses import status_of
from nodwyn.loop.ui.words import brief
from nodwyn.prims.guard.approvals import Asker, nobody, standing
from nodwyn.prims.guard.display import escape_in_one_line, escape_unseen
from nodwyn.prims.version import PROGRAM

if TYPE_CHECKING:
    from nodwyn.loop.conversation import Conversation
    from nodwyn.loop.providers.catalogue import Model
    from nodwyn.prims.session import Session

PROMPT, MORE = "> ", "  "

LEAVE = ("exit", "quit")
"""What leaves when a person types it alone: it would ask nothing of a model."""


class Left(Exception):
    """The person wants to leave. status: the exit status; None when they name none."""

    def __init__(self, status: int | None = None) -> None:
        super().__init__()
        self.status = status


def run(arguments: Sequence[str]) -> int:
    """Hold a conversation in the current directory; return the exit status."""
    line = parser(
        "",
        "A conversation in the current directory. ( begins Scheme, / a command, anything else is a message to the"
        " agent. nodwyn --help lists the other commands.",
        "nodwyn --model anthropic/claude-sonnet-4-5",
    )
    line.add_argument("--plain", action="store_true", help="line by line, whatever a later version does by itself")
    add_conversation(line)
    given = line.parse_args(arguments)
    return converse(begin("terminal"), given)


def converse(open_session: Open, given: argparse.Namespace, *, at_once: bool = False) -> int:
    """Hold a conversation; return the exit status.

    given: the options of a conversation. at_once: open the session before anything is typed; otherwise the first line
    does, so that somebody who leaves at once leaves no empty session.

    Raises: CommandError, LogError. OSError when what was to be said could not be written.
    """
    client = LineClient(given)
    with client.interrupts.handled():
        try:
            client.greet()
            first = "" if at_once else client.next_line()
            if first is None:
                return DONE
            with opened(open_session, client.interrupts) as session:
                client.take_up(session)
                try:
                    client.hold(first)
                finally:
                    client.end()
        except Left as left:
            return client.interrupts.status or (client.status if left.status is None else left.status)
        except OSError:
            if not client.interrupts.status:
                raise
    if client.printer.failure and not client.interrupts.status:
        raise client.printer.failure
    return client.interrupts.status or client.status


class LineClient:
    """A conversation through standard input and output."""

    conversation: Conversation

    def __init__(self, given: argparse.Namespace) -> None:
        """Make ready for one. given: its options.

        Raises: CommandError when there is no such model, or its price is not known and must be.
        """
        self.interrupts = Interrupts()
        self.lines = Lines(self._offered)
        self._names: Callable[[], Iterable[str]] = _primitives
        self._is_scheme = False
        """Whether Scheme goes on on the line that is read."""
        self.status = DONE
        """Of the last line that did not end well; of none where a person at a terminal has seen it."""
        self.given = given
        ask = self.interrupts.asking(self._asker())
        self.printer = Printer(sys.stdout, ask, Paint(wanted(sys.stdout)), streams=True)
        self._is_warned = False
        self._why_no_model = ""
        self._model = self._find_model()

    def greet(self) -> None:
        """Say at a terminal what can be typed."""
        if self.lines.is_terminal:
            self.printer.say(f"{PROGRAM}: a message to the agent, ( for Scheme, / for commands such as /help")

    def take_up(self, session: Session) -> None:
        """Begin the conversation in a session, and say what was found there.

        Raises: CommandError.
        """
        self.conversation = conversation_in(session, self._model, self.printer, self.given)
        self._names = session.scheme.names
        if self.lines.is_terminal:
            self._watch_output()
        last = max(session.log.seqs("user.msg"), default=0)
        if last:
            said = session.log.event(last).as_json()["text"]
            root = escape_in_one_line(session.root)
            self.printer.say(f"session {session.name} in {root}; the last message was: {brief(said)}")
            if self._model is not None:
                self.printer.say(escape_in_one_line(f"{spec(self._model.provider, self._model.name)} answers"))
        for line in mended(session.log):
            self.printer.say(line)

    def hold(self, line: str | None) -> None:
        """Take this line, and line after line, until there are no more.

        Raises: Left, Leaving.
        """
        while line is not None and not self.printer.failure:
            try:
                self._take(line)
            except KeyboardInterrupt:
                if self.interrupts.status:
                    raise
                self.printer.say("interrupted", YELLOW)
                self.note_status(INTERRUPTED)
            except CommandError as error:
                self.mistake(str(error), error.status)
            except NoModel as error:
                self.mistake(self._why_no_model or str(error), USAGE)
            line = None if self.interrupts.status else self.next_line()

    def next_line(self) -> str | None:
        """Return what the person enters next, whole: Scheme up to its last parenthesis.

        Raises: Leaving at the second Ctrl-C.
        """
        while True:
            try:
                self._is_scheme = False
                self.printer.end_line()
                line = self.lines.read(PROMPT)
                if line is not None:
                    line = self._whole(line)
                    self._is_warned = False
                return line
            except KeyboardInterrupt:
                self.printer.echo()
                if self.interrupts.status:
                    raise
                if self._is_warned:
                    self.interrupts.leave()
                self._is_warned = True
                self.printer.say("Ctrl-C again leaves; so do Ctrl-D and /quit")

    def scheme(self, text: str) -> None:
        """Evaluate the person's Scheme and write its values.

        Raises: Left when it calls ``exit``.
        """
        host = self.conversation.session.scheme.runtime.host
        try:
            value = self.conversation.scheme(text)
            if value is not UNSPECIFIED and self.lines.is_terminal:
                self.printer.end_line()
            show_value(value, host.standard_output().write)
        except Exit as left:
            raise Left(left.status) from None
        except SchemeError as error:
            _hand_on()
            is_stopped = str(error) == STOPPED
            if is_stopped:
                self.printer.echo()
            self.mistake(report(error), INTERRUPTED if is_stopped else FAILED)
        _hand_on()

    def note_status(self, status: int) -> None:
        """Take note of the exit status that a line would have had as a command of its own."""
        if status != DONE and not self.lines.is_terminal:
            self.status = status

    def mistake(self, text: str, status: int = FAILED) -> None:
        """Say on standard error what was wrong. status: of the line."""
        self.note_status(status)
        self.printer.end_line()
        sys.stderr.write(f"{Paint(wanted(sys.stderr))(RED, escape_unseen(text))}\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Say how to go on with the session, if it is kept."""
        if self.lines.is_terminal and has_happened(self.conversation.session):
            name = self.conversation.session.name
            self.printer.say(f"nodwyn resume {name} goes on with this session")

    def _take(self, line: str) -> None:
        text = line.strip()
        if text.startswith("("):
            self.scheme(text)
        elif slash.is_command(text):
            slash.do(self, text)
        elif text in LEAVE and self.lines.is_terminal:
            raise Left
        elif text:
            with self.interrupts.cancelling(self.cancel):
                end = self.conversation.say(text)
            self.note_status(status_of(end))
            _hand_on()

    def cancel(self) -> None:
        """Stop what is under way, as Ctrl-C wants it.

        Raises: KeyboardInterrupt, where that stops it.
        """
        self.printer.echo()
        self.conversation.cancel()

    def _whole(self, line: str) -> str:
        """Return a line with those that belong to it."""
        self._is_scheme = line.lstrip().startswith("(")
        while self._goes_on(line):
            more = self.lines.read(MORE)
            if more is None:
                break
            line = f"{line.removesuffix(CONTINUES)}\n{more}"
        return line

    def _offered(self, line: str, start: int) -> Iterable[str] | None:
        """Return what a word of a line may be: a command, or a name of Scheme; None in a message."""
        if self._is_scheme or line.lstrip().startswith("("):
            return self._names()
        if line.startswith("/") and start == 0:
            return [f"/{name} " for name in slash.COMMANDS]
        return None

    def _watch_output(self) -> None:
        """Have what Scheme writes end its line before the next prompt."""
        port = self.conversation.session.scheme.runtime.host.standard_output()
        write = port.write

        def watched(text: str) -> None:
            write(text)
            self.printer.note(text)

        port.write = watched

    def _goes_on(self, line: str) -> bool:
        return not is_complete(line) if line.lstrip().startswith("(") else line.endswith(CONTINUES)

    def _find_model(self) -> Model | None:
        """Return the model that answers; None when none is named: Scheme works without.

        Raises: CommandError for one that there is not.
        """
        try:
            return chosen_model(self.given)
        except NoneNamed as error:
            self._why_no_model = str(error)
            return None

    def _asker(self) -> Asker:
        """Return what answers questions: nobody when lines come from a pipe, unless they are said to be answers."""
        approve = self.given.approve
        is_heard = self.lines.is_terminal or approve == "ask"
        return standing(approve or "ask", through(self.lines.answer, sys.stdout) if is_heard else nobody)


def _hand_on() -> None:
    """Hand on what Scheme wrote, which its own ports hold back.

    Raises: OSError: that the person's output cannot be written is no mistake in their Scheme.
    """
    sys.stdout.flush()
    sys.stderr.flush()


def _primitives() -> list[str]:
    """Return the names of the primitives: a session, which knows all the others, begins with the first line."""
    from nodwyn.prims.families import ALL

    return sorted(each.name for each in ALL)
