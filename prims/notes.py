"""The project's notes: one text for a repository, kept outside of it and carried from session to session."""

from __future__ import annotations

from typing import Annotated

from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.kept_notes import LONGEST
from nodwyn.prims.kinds import Text


@primitive("project-notes", effect=Effect.NONE, provenance="external:model")
def project_notes(context: Context) -> str:
    """Return the project's notes: what earlier sessions kept for later ones. It is empty when there are none."""
    return context.notes.read()


@primitive("project-notes-save", effect=Effect.WRITE)
def project_notes_save(
    context: Context,
    text: Annotated[str, Text("a string", longest=LONGEST), "all of the notes, in place of those before"],
) -> str:
    """Save the project's notes, which every later session in this repository is shown. Return what was saved.

    Keep what is true of the project and costs time to find out again: how it is built and tested, its rules and traps.
    Take what still holds from the notes before; what TEXT leaves out is gone. At most 8 KiB; no secrets.
    """
    saved = context.notes.save(text)
    return f"saved {saved:,} bytes" if saved else "the project has no notes now"


PRIMITIVES = (project_notes, project_notes_save)
