"""``nodwyn trust``: the scripts for the loop that a repository brings, shown whole, and the person's yes to them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from nodwyn.loop import trust
from nodwyn.loop.ui.asking import is_confirmed
from nodwyn.loop.ui.cli import DONE, FAILED, UNANSWERED, complain
from nodwyn.loop.ui.options import parser
from nodwyn.prims.guard.display import escape_in_one_line, escape_unseen
from nodwyn.prims.log.events import Grant
from nodwyn.prims.session import Session


def run(arguments: Sequence[str]) -> int:
    """Show the scripts and ask; return the exit status."""
    line = parser(
        "trust",
        "Show the scripts in .nodwyn/loop of this repository, and run them from now on if you say yes. The yes is to"
        " their content as it is: after a change you are asked again.",
        "nodwyn trust",
    )
    line.add_argument("--revoke", action="store_true", help="trust none of them any more")
    given = line.parse_args(arguments)
    with Session.start(Path.cwd(), client="trust", hidden=True) as session:
        if given.revoke:
            trust.trust(session.root, [])
            session.log.append(Grant(what="trust", subject=trust.FOLDER, given=False))
            sys.stdout.write("No script of this repository is run.\n")
            return DONE
        return _ask(session)


def _ask(session: Session) -> int:
    found, unread = trust.read_all(session)
    known = trust.trusted(session.root)
    for reason in unread:
        sys.stdout.write(f"cannot be run: {escape_in_one_line(reason)}\n")
    if not found:
        sys.stdout.write(f"This repository has no {'other ' if unread else ''}scripts in {trust.FOLDER}.\n")
        return DONE
    for script in found:
        state = "trusted" if known.get(script.name) == script.digest else "not trusted"
        sys.stdout.write(f"==> {escape_in_one_line(script.name)} ({state})\n{escape_unseen(script.text)}\n")
    if all(known.get(script.name) == script.digest for script in found):
        return DONE
    answer = is_confirmed(
        "These scripts would decide what is sent to the model and what is done. Run them here? [y/N] ", sys.stdout
    )
    if answer is None:
        sys.stdout.write("\n")
        complain("there was no answer: they are not run")
        return UNANSWERED
    if not answer:
        sys.stdout.write("They are not run.\n")
        return FAILED
    trust.trust(session.root, found)
    for script in found:
        session.log.append(Grant(what="trust", subject=f"{script.name} {script.digest}", given=True))
    sys.stdout.write("They are run from the next conversation on.\n")
    return DONE
