"""``nodwyn replay``: what a model was sent, built again from the log alone and proved; or the session's transcript."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

from nodwyn.loop.ui import show
from nodwyn.loop.ui.cli import DONE
from nodwyn.loop.ui.options import parser
from nodwyn.loop.window.differences import differences
from nodwyn.loop.window.replay import rebuild, rebuild_all
from nodwyn.prims.counting import counted
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Reader, find_session

_UNSEEN = re.compile(
    "[\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\uffff\U000e0000-\U000e0fff]"
)
"""What a terminal may not show, or may obey. The list is our own: Python's changes with its version."""


def run(arguments: Sequence[str]) -> int:
    """Replay a session or requests of it; return the exit status."""
    line = parser(
        "replay",
        "Show a session, or what a model was sent in it: built again from the log and the recorded recipe alone, and"
        " proved by the recorded digest before a byte is printed.",
        "nodwyn replay 20261009 --window 57",
    )
    line.add_argument("session", help="its name, or the beginning of it that no other has")
    choice = line.add_mutually_exclusive_group()
    choice.add_argument("--window", type=int, metavar="SEQ", help="the request of that number, as JSON")
    choice.add_argument("--all", action="store_true", help="prove every request of the session")
    choice.add_argument(
        "--diff", type=int, nargs=2, metavar=("A", "B"), help="which events and rules made request B another than A"
    )
    given = line.parse_args(arguments)
    if given.window is None and not given.all and given.diff is None:
        return show.run([given.session])
    with Reader(find_session(given.session, kept_projects())) as log:
        if given.window is not None:
            _write(request_text(rebuild(log, given.window).request))
        elif given.all:
            _write(f"{_proved(log)}\n")
        else:
            _write("".join(f"{escape_unseen(text)}\n" for text in list(differences(log, *given.diff))))
    return DONE


def request_text(request: dict[str, Any]) -> str:
    """Return a request as JSON for people and programs: keys sorted, what is not seen as an escape."""
    text = json.dumps(request, ensure_ascii=False, sort_keys=True, indent=2)
    return f"{_UNSEEN.sub(_escaped, text)}\n"


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def _proved(log: Reader) -> str:
    """Prove every request; return in words how many there are.

    Raises: ReplayError at the first that fails.
    """
    counts: dict[str, int] = {}
    for each in rebuild_all(log):
        counts[each.agent] = counts.get(each.agent, 0) + 1
    total = sum(counts.values())
    if not total:
        return f"{log.path.stem} has no requests"
    contexts = f" in {len(counts)} contexts" if len(counts) > 1 else ""
    requests = counted(total, "request was", "requests were")
    return f"{requests} built again{contexts}, {'each ' if total > 1 else ''}with the recorded digest"


def _write(text: str) -> None:
    """Write text in UTF-8, whatever the terminal's locale is: the same bytes everywhere."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
