"""Replacing parts of a file's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from nodwyn.prims.context import Context
from nodwyn.prims.counting import plural
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.files import FileError
from nodwyn.prims.fs.edits import Edit, EditError, apply_edits
from nodwyn.prims.fs.read import LARGEST_FILE, read_text
from nodwyn.prims.fs.write import described_size, parted, shown_change
from nodwyn.prims.kinds import Flag, Parts, Several, Text
from nodwyn.prims.parameters import Path
from nodwyn.prims.redact import refuses

FURTHER = Several(
    Parts(
        Edit,
        "an edit",
        {
            "old": (Text(empty=False), "the text to replace"),
            "new": (Text(), "what stands there instead"),
            "all": (Flag(), "whether every occurrence is replaced; otherwise there must be exactly one"),
        },
        required=2,
    ),
    "a list of edits",
)


@primitive("fs-edit", effect=Effect.WRITE, provenance="external:file")
def fs_edit(
    context: Context,
    path: Annotated[Path, "the file, relative to the root"],
    old: Annotated[str, Text(empty=False), "the text to replace, exactly as the file has it, with its indentation"],
    new: Annotated[str, "what stands there instead"],
    all: Annotated[bool, "whether every occurrence is replaced; otherwise there must be exactly one"] = False,
    more: Annotated[Sequence[Edit], FURTHER, "further edits of the same file, made one after another"] = (),
) -> str:
    """Replace text in a file, exactly. Return what was changed.

    Several edits are made together: all, or none when one does not fit. Line ends, a byte order mark, the file's mode
    and a missing last line end stay as they are. When OLD is not there, the answer shows what is nearest to it; when
    it is there more than once, it says where.
    """
    text = read_text(context, path, LARGEST_FILE)
    before = context.files.before(path)
    if before.version is None or before.version.data != text.encode():
        raise FileError(path, "it was changed while it was read; read it again")
    edits = [Edit(old, new, all), *more]
    for edit in edits:
        if reason := refuses(edit.old, text) or refuses(edit.new, text):
            raise PrimitiveError(reason)
    try:
        changed, lines = apply_edits(text, edits)
    except EditError as error:
        raise FileError(path, f"{error} Nothing was changed.") from None
    context.files.write(before, changed.encode(), [shown_change(text, changed)])
    where = ", ".join(map(str, lines))
    return (
        f"edited {before.shown} at {plural(len(lines), 'line')} {where}: now {described_size(changed)}{parted(before)}"
    )
