"""Reading a file's text."""

from __future__ import annotations

from typing import Annotated, Final

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.counting import counted
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.files import FileError
from nodwyn.prims.fs.text import NotText, text_of
from nodwyn.prims.parameters import Count, Line, Path

LARGEST_TEXT: Final = 1 << 20
"""Bytes of text that one call returns at most."""

LARGEST_FILE: Final = 64 << 20
"""Bytes of a file of which lines are returned."""


@primitive("fs-read", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def fs_read(
    context: Context,
    path: Annotated[Path, "the file, relative to the root"],
    start: Annotated[Line, "first line, from 1"] = 1,
    count: Annotated[Count | None, "how many lines; all that follow when not given"] = None,
) -> str:
    """Return a file's text as it is now: the whole file, up to 1 MiB, or COUNT lines from line START on.

    Lines of a part come behind a heading, [lines A-B of N]. A file that is not UTF-8 text is refused with what it is.
    """
    if start == 1 and count is None:
        return read_text(context, path, LARGEST_TEXT, "; read it in parts, with start and count")
    text = read_text(context, path, LARGEST_FILE)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if start > max(len(lines), 1):
        raise PrimitiveError(f"start is {start}, and {surrogates.escape(path)} has {counted(len(lines), 'line')}")
    end = len(lines) if count is None else min(len(lines), start - 1 + count)
    part = "\n".join(lines[start - 1 : end])
    if end < len(lines) or text.endswith("\n"):
        part += "\n"
    if len(part.encode()) > LARGEST_TEXT:
        raise FileError(path, f"lines {start} to {end} have more than {LARGEST_TEXT} bytes; ask for fewer")
    return f"[lines {start}-{end} of {len(lines)}]\n{part}"


def read_text(context: Context, path: str, largest: int, hint: str = "") -> str:
    """Return a file's text. hint: what to do with a larger file.

    Raises: FileError, Refused.
    """
    try:
        return text_of(context.files.read(path, largest=largest, hint=hint))
    except NotText as error:
        raise FileError(path, str(error)) from None
