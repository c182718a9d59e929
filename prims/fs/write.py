"""Writing a file whole."""

from __future__ import annotations

from typing import Annotated, Final

from nodwyn.prims.context import Context
from nodwyn.prims.counting import counted
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.files import Before
from nodwyn.prims.fs.text import NotText, text_of
from nodwyn.prims.parameters import Path
from nodwyn.prims.redact import refuses

CHANGE_CONTEXT: Final = 3
"""Lines around each change that a person is shown."""


@primitive("fs-write", effect=Effect.WRITE)
def fs_write(
    context: Context,
    path: Annotated[Path, "the file, relative to the root; directories that are missing are made"],
    content: Annotated[str, "all of its new text"],
) -> str:
    """Write a file whole: a new one, or all of what is there is replaced. Return what was done.

    fs-edit changes parts of a file. What is replaced is kept: undo brings it back.
    """
    before = context.files.before(path)
    old = text_before(before)
    if reason := refuses(content, old or ""):
        raise PrimitiveError(reason)
    context.files.write(before, content.encode(), [shown_change(old, content)])
    return f"{'created' if old is None else 'replaced'} {before.shown}: {described_size(content)}{parted(before)}"


def text_before(before: Before) -> str | None:
    """Return the text that a file has; None when there is no file. What is no text counts as an empty one."""
    if before.version is None:
        return None
    try:
        return text_of(before.version.data)
    except NotText:
        return ""


def shown_change(old: str | None, new: str, before: str = "before", after: str = "after") -> tuple[str, str]:
    """Return what a person is shown of a change, complete, as (name, value).

    before, after: what the two are called.
    """
    if not old:
        return "new file" if old is None else "new content", new
    from difflib import unified_diff

    lines = unified_diff(_lines(old), _lines(new), before, after, n=CHANGE_CONTEXT)
    return "change", "".join(lines)


def _lines(text: str) -> list[str]:
    """Return a text's lines, each with a line end; a last one without says so, as diff does."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([f"{last}\n\\ no line end at the end of the file\n"] if last else [])


def parted(before: Before) -> str:
    """Return what follows the words that a file was written, where it had other names: those have the old text."""
    others = before.version.names - 1 if before.version else 0
    still = f"{counted(others, 'other name')} of it (hard links) still {'has' if others == 1 else 'have'} the old text"
    return f"; {still}" if others else ""


def described_size(text: str) -> str:
    """Return how long a text is, in words."""
    lines = text.count("\n") + (not text.endswith("\n") and text != "")
    return f"{counted(lines, 'line')}, {counted(len(text.encode()), 'byte')}"
