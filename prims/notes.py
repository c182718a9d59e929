"""The project's notes: one text for a repository, kept outside of it and carried from session to session.

They lie in the project's directory beside its sessions, where no file primitive reaches and no clone brings any.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.directories import project_directory
from nodwyn.prims.effects import Effect
from nodwyn.prims.guard.proposal import Finding, Proposal
from nodwyn.prims.kinds import Text
from nodwyn.prims.log.events import ProjectNotes
from nodwyn.prims.private import open_private, replace_file

LONGEST: Final = 8 * 1024
"""Bytes of the notes in UTF-8: every request of every later session carries them."""

SUBJECT: Final = "the project's notes"


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


@primitive("project-notes", effect=Effect.NONE, provenance="external:model")
def project_notes(context: Context) -> str:
    """Return the project's notes: what earlier sessions kept for later ones. It is empty when there are none."""
    return context.session.redactor.redact(read_notes(context.session.root))


@primitive("project-notes-save", effect=Effect.WRITE)
def project_notes_save(
    context: Context,
    text: Annotated[str, Text("a string", longest=LONGEST), "all of the notes, in place of those before"],
) -> str:
    """Save the project's notes, which every later session in this repository is shown. Return what was saved.

    Keep what is true of the project and costs time to find out again: how it is built and tested, its rules and traps.
    Take what still holds from the notes before; what TEXT leaves out is gone. At most 8 KiB; no secrets.
    """
    session = context.session
    redacted = session.redactor.redact(text).strip()
    data = f"{redacted}\n".encode(errors="replace") if redacted else b""
    if len(data) > LONGEST:
        raise PrimitiveError(f"the notes would have {len(data):,} bytes; they may have {LONGEST:,}")
    _decide(context, redacted)
    path = notes_path(session.root)
    if data:
        replace_file(path, data, durable=True)
    else:
        path.unlink(missing_ok=True)
    session.log.append(ProjectNotes(text=redacted, agent=context.call.agent))
    return f"saved {len(data):,} bytes" if data else "the project has no notes now"


def _decide(context: Context, text: str) -> None:
    """Have the guard decide: what is saved speaks to the model in sessions to come."""
    from nodwyn.prims.fs.write import shown_change

    before = read_notes(context.session.root)
    finding = Finding("confirm", "approval", "later sessions of this project would be shown it", "edits")
    context.decide(
        Proposal(
            "write",
            SUBJECT,
            () if context.call.is_persons else (finding,),
            ("approval", "the person's own Scheme saves the project's notes"),
            lambda: [("what", SUBJECT), shown_change(before, f"{text}\n", "the notes", "what they would be")],
            details={"content": text},
        )
    )


PRIMITIVES = (project_notes, project_notes_save)
