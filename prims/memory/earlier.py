"""The project's other tasks, and the person's leave to read them.

A task is a session of this project, whose worktrees share one directory of logs; no other project's log is ever looked
at. Sessions that lists leave out, such as those of ``nodwyn eval``, are none.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.directories import project_key
from nodwyn.prims.log import LogError, Reader
from nodwyn.prims.log.events import Import
from nodwyn.prims.log.listing import FEWEST
from nodwyn.prims.log.sessions import logs, sessions
from nodwyn.prims.memory.workspaces import WorkspacesError, settings, settle
from nodwyn.prims.private import NotPrivate

SETTING: Final = "earlier_tasks"

LEAVE: Final = ("leave", "the person lets earlier tasks of this project be read")
"""On what ground the guard allows it."""


class Forbidden(PrimitiveError):
    """The person has not allowed earlier tasks to be read; the message says who can, and where."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(
            f"searching and recalling earlier tasks is off for this project{reason}. Only the person can allow it, on"
            f" this computer: with `nodwyn earlier on` in the project's directory, or /earlier on in the conversation",
            kind="refused",
        )


def leave(key: str) -> bool:
    """Return whether the person lets models read the earlier tasks of a project: off unless it was turned on.

    key: the project's KEY. It is read now, each time.

    Raises: WorkspacesError when the settings cannot be read. NotPrivate, OSError.
    """
    return settings(key).get(SETTING) is True


def set_leave(root: Path, allowed: bool) -> None:
    """Give or take the leave, for the person's clients.

    root: a directory of the project. allowed: whether it is given.

    Raises: WorkspacesError, NotPrivate, OSError.
    """
    settle(project_key(root), SETTING, allowed, root=root)


def require_leave(log: Path) -> None:
    """Return if earlier tasks of a session's project may be read.

    log: the path of the session's log.

    Raises: Forbidden.
    """
    try:
        allowed = leave(log.parent.parent.name)
    except (WorkspacesError, NotPrivate, OSError) as error:
        raise Forbidden(f", because its settings cannot be read: {error}") from None
    if not allowed:
        raise Forbidden


def tasks(directory: Path, but: Path | None = None) -> list[Path]:
    """Return the logs of a project's tasks, the newest first. Hidden sessions may be among them where there are few.

    directory: of the project's logs. but: the log of a session that is left out.
    """
    paths = logs(directory)
    if len(paths) >= FEWEST:  # each hidden one would be opened at each search otherwise
        paths = [session.path for session in sessions(directory) if not session.overview.hidden]
    left_out = _replaced(paths) | ({but.stem} if but else set())
    return [path for path in reversed(paths) if path.stem not in left_out]


def _replaced(paths: Iterable[Path]) -> set[str]:
    """Return the names of the sessions that others of these were imported in place of.

    Two states of a file began in the same second, which their names begin with: no other log is opened.
    """
    begun: dict[str, list[Path]] = {}
    for path in paths:
        begun.setdefault(path.stem.partition("-")[0], []).append(path)
    together = [path for group in begun.values() if len(group) > 1 for path in group]
    return {name for path in together for name in _replaced_by(path)}


def _replaced_by(path: Path) -> list[str]:
    with suppress(LogError, OSError), Reader(path) as log:  # deleted since
        events = [log.event(seq) for seq in log.seqs("import")]
        return [event.replaces for event in events if isinstance(event, Import)]
    return []


def find_task(beginning: str, directory: Path) -> Path:
    """Return the log of the one task of a project whose name begins so.

    directory: of the project's logs.

    Raises: PrimitiveError when there is none or more than one.
    """
    found = [path for path in logs(directory) if beginning and path.stem.startswith(beginning)]
    if len(found) == 1:
        return found[0]
    raise (
        no_task(beginning)
        if not found
        else PrimitiveError(
            f"{len(found)} tasks of this project have names that begin with {beginning!r}; say more of the name"
        )
    )


def no_task(name: str) -> PrimitiveError:
    """Return the error of whoever names a task that the project does not have."""
    return PrimitiveError(f"no task of this project is named {name!r}; a search of earlier tasks gives their names")
