"""``nodwyn eval``: the person's Scheme, in a session of the current directory."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from nodwyn.interp.commands import show_value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.interp.report import report
from nodwyn.loop.protocol import Bystander
from nodwyn.loop.ui.asking import asker
from nodwyn.loop.ui.cli import DONE, FAILED, INTERRUPTED
from nodwyn.loop.ui.interrupting import Interrupts
from nodwyn.loop.ui.opening import loaded, opened
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import Note
from nodwyn.prims.session import Session


class _Notes(Bystander):
    """A client that shows the words that the program, or Scheme by `note`, has for the person: on standard error."""

    def event(self, event: Event) -> None:
        """Show a note, as long as somebody reads."""
        if isinstance(event, Note):
            with suppress(OSError):
                sys.stderr.write(f"{escape_unseen(event.text)}\n")


def run(arguments: Sequence[str]) -> int:
    """Evaluate expressions and write the values; return the exit status."""
    line = parser(
        "eval",
        "Evaluate Scheme with every primitive in a session of the current directory, and write the value.",
        """nodwyn eval '(fs-find "." "*.py")'""",
    )
    line.add_argument("expression", nargs="+", help='Scheme; (apropos "") lists the primitives')
    line.add_argument("--no-init", action="store_true", help="without your own scripts")
    add_approve(line)
    given = line.parse_args(arguments)
    start = partial(Session.start, Path.cwd(), client="eval", hidden=True)
    with opened(start, Interrupts()) as session:
        loaded(session, None, _Notes(asker(given.approve)), init=not given.no_init)
        try:
            for expression in given.expression:
                show_value(session.evaluate(expression), session.scheme.runtime.host.standard_output().write)
        except Exit as left:
            return left.status
        except SchemeError as error:
            with suppress(SchemeError):  # what cannot be written is told when the command ends
                session.scheme.runtime.host.flush()
            sys.stderr.write(f"{escape_unseen(report(error))}\n")
            return INTERRUPTED if str(error) == "interrupted" else FAILED
    return DONE
