"""The keeping of a project's notes: beside its sessions, where no file primitive reaches and no clone brings any."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.directories import project_directory
from nodwyn.prims.fs.write import shown_change
from nodwyn.prims.guard.proposal import Finding, Proposal
from nodwyn.prims.log.events import ProjectNotes
from nodwyn.prims.private import open_private, replace_file

if TYPE_CHECKING:
    from nodwyn.prims.context import Context

LONGEST: Final = 8 * 1024
"""Bytes of the notes in UTF-8: every request of every later session carries them."""

SUBJECT: Final = "the project's notes"


class KeptNotes:
    """The notes of a session's project, as a call may read and save them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._root = context.session.root

    def read(self) -> str:
        """Return the notes as they are shown, nothing when there are none.

        Raises: NotPrivate, OSError.
        """
        return self._context.session.redactor.redact(read_notes(self._root))

    def save(self, text: str) -> int:
        """Put a text in place of the notes; return how many bytes were saved, 0 when there are none now.

        Raises: PrimitiveError, Refused, NotPrivate, OSError.
        """
        session = self._context.session
        redacted = session.redactor.redact(text).strip()
        data = f"{redacted}\n".encode(errors="replace") if redacted else b""
        if len(data) > LONGEST:
            raise PrimitiveError(
                f"the notes would have {len(data):,} bytes; they may have {LONGEST:,}. Leave something out"
            )
        self._decide(redacted)
        path = notes_path(self._root)
        if data:
            replace_file(path, data, durable=True)
        else:
            path.unlink(missing_ok=True)
        session.log.append(ProjectNotes(text=redacted, agent=self._context.call.agent))
        return len(data)

    def _decide(self, text: str) -> None:
        """Have the guard decide: what is saved speaks to the model in sessions to come."""
        before = read_notes(self._root)
        finding = Finding("confirm", "approval", "later sessions of this project would be shown it")
        self._context.decide(
            Proposal(
                "write",
                SUBJECT,
                () if self._context.call.is_persons else (finding,),
                ("approval", "the person's own Scheme saves the project's notes"),
                lambda: [("what", SUBJECT), shown_change(before, f"{text}\n", "the notes", "what they would be")],
                details={"content": text},
            )
        )


def notes_path(root: str) -> Path:
    """Return the path of the notes of the project that ``root`` belongs to.

    Raises: NotPrivate, OSError.
    """
    return project_directory(Path(root)) / "notes.md"


def read_notes(root: str) -> str:
    """Return the notes of a project, nothing when it has none.

    Raises: NotPrivate, OSError.
    """
    try:
        with open(open_private(notes_path(root), os.O_RDONLY), "rb") as file:
            data = file.read(LONGEST + 1)
    except FileNotFoundError:
        return ""
    return data[:LONGEST].decode(errors="replace")
