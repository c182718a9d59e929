"""``nodwyn summary``: summaries of a session that nobody has open."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from nodwyn.loop.ui.cli import DONE, USAGE, CommandError, complain
from nodwyn.loop.ui.options import parser
from nodwyn.loop.ui.words import brief
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.log import find_session
from nodwyn.prims.session import own_redactor, recording
from nodwyn.prims.summaries.editing import MAXIMUM_TEXT, add_summary, drop_summary, list_summaries, text_of
from nodwyn.prims.summaries.standing import Standing

LONGEST_BEGINNING = 72


def run(arguments: Sequence[str]) -> int:
    """List the summaries of a session, add one, or drop one; return the exit status."""
    line = parser(
        "summary",
        "List the summaries of a session; have a text stand for a span of it, or drop one that does. A span begins at"
        " a message of yours and ends at a reply that calls nothing; the latest two turns are never replaced.",
        "nodwyn summary --from 12 --through 41 --text summary.txt 20261009",
    )
    line.add_argument("session", help="its name, or the beginning of it that no other has")
    line.add_argument("--from", dest="first", type=int, metavar="SEQ", help="the message that the span begins with")
    line.add_argument("--through", type=int, metavar="SEQ", help="the reply that it ends with")
    line.add_argument("--text", metavar="FILE", help=f"the summary, UTF-8, at most {MAXIMUM_TEXT:,} bytes; - reads it")
    line.add_argument("--drop", type=int, metavar="SEQ", help="the summary that is revoked")
    given = line.parse_args(arguments)
    adding = [given.first, given.through, given.text]
    if any(option is not None for option in adding) and (None in adding or given.drop is not None):
        complain("a summary is made with --from, --through and --text together, and without --drop")
        return USAGE
    path = find_session(given.session, kept_projects())
    redact = recording(own_redactor())
    if given.drop is not None:
        drop_summary(path, given.drop, redact)
    elif given.text is not None:
        sys.stdout.write(f"{add_summary(path, given.first, given.through, _text_in(given.text), redact)}\n")
    else:
        for standing in list_summaries(path):
            sys.stdout.write(_row(standing))
    return DONE


def _text_in(file: str) -> str:
    """Return what a file or the standard input has, reading no more than a summary may have and a byte."""
    if file == "-":
        return text_of(sys.stdin.buffer.read(MAXIMUM_TEXT + 1))
    try:
        with open(file, "rb") as opened:
            return text_of(opened.read(MAXIMUM_TEXT + 1))
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}; --text names a file with the summary in it") from None


def _row(standing: Standing) -> str:
    beginning = brief(standing.text, LONGEST_BEGINNING)
    return f"{standing.seq:>6}  {standing.first}-{standing.through}  {standing.status:<10}  {beginning}\n"
