"""``nodwyn resume``: going on with a session."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nodwyn.loop.ui import headless
from nodwyn.loop.ui.cli import USAGE, CommandError
from nodwyn.loop.ui.opening import again, last_model
from nodwyn.loop.ui.options import add_conversation, parser
from nodwyn.prims.directories import kept_projects, kept_sessions
from nodwyn.prims.log import find_session, sessions


def run(arguments: Sequence[str]) -> int:
    """Go on with a session, in the directory that it began in; return the exit status."""
    line = parser(
        "resume",
        "Go on with a session, in the directory that it began in, with the model that it asked last unless --model"
        " names another. What was allowed in it then is asked again.",
        'nodwyn resume 20261009 "now the tests"',
    )
    line.add_argument(
        "session", nargs="?", help="its name, or the beginning of it that no other has; the latest one here if left out"
    )
    line.add_argument("message", nargs="?", metavar="MESSAGE", help="what to do, as with run; without it, line by line")
    line.add_argument(
        "--json", action="store_true", help="as with run; without MESSAGE, messages come as lines of JSON"
    )
    line.add_argument("--plain", action="store_true", help="line by line, whatever a later version does by itself")
    add_conversation(line)
    given = line.parse_args(arguments)
    if given.message is not None and not given.message.strip():
        raise CommandError("the message is empty; without one, nodwyn resume SESSION goes on line by line", USAGE)
    name = given.session or _latest()
    if given.model is None:
        given.model = last_model(find_session(name, kept_projects()))
    if given.json:
        return headless.in_json(given.message, again(name, "run"), given)
    if given.message is not None:
        return headless.in_text(given.message, again(name, "run"), given)
    from nodwyn.loop.ui.line import converse

    return converse(again(name, "terminal"), given, at_once=True)


def _latest() -> str:
    """Return the name of the session of this project that was used last. An imported one has to be named.

    Raises: CommandError when there is none.
    """
    here = [
        session
        for session in sessions(kept_sessions(Path.cwd()))
        if not (session.overview.hidden or session.overview.archived or session.overview.client == "import")
    ]
    if not here:
        raise CommandError("there is no session here to go on with; `nodwyn` begins one")
    return max(here, key=lambda session: session.overview.last).name
