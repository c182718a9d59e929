"""``nodwyn earlier``: whether models may search and recall this project's earlier tasks. The person settles that."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nodwyn.loop.ui.cli import DONE, CommandError
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import project_key
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.memory.earlier import leave, set_leave
from nodwyn.prims.memory.workspaces import WorkspacesError, path

STATES: Final = ("on", "off", "status")


def run(arguments: Sequence[str]) -> int:
    """Allow it, forbid it, or say which holds; return the exit status."""
    line = parser(
        "earlier",
        "Say whether a model may search and recall the earlier tasks of this project, on this computer. It is off until"
        " you turn it on, and counts from the next call on.",
        "nodwyn earlier on",
    )
    line.add_argument("state", nargs="?", choices=STATES, default="status", help="status when not given")
    given = line.parse_args(arguments)
    sys.stdout.write(f"{settled(Path.cwd(), given.state)}\n")
    return DONE


def settled(root: Path, state: str) -> str:
    """Settle it for the project of a directory, unless the state is ``status``; return what holds, in words.

    Raises: CommandError. NotPrivate, OSError.
    """
    try:
        if state != "status":
            set_leave(root, state == "on")
        holds = "on" if leave(project_key(root)) else "off"
        return f"Earlier tasks of this project are {holds} for models ({escape_unseen(str(path()))})."
    except WorkspacesError as error:
        raise CommandError(str(error)) from None
