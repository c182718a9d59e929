"""What a directory has."""

from __future__ import annotations

from typing import Annotated, Final

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.files import FileError
from nodwyn.prims.parameters import Path

MOST_ENTRIES: Final = 10_000


@primitive("fs-list", effect=Effect.READ, provenance="external:file", is_concurrent=True)
def fs_list(context: Context, path: Annotated[Path, "the directory, relative to the root"] = ".") -> list[str]:
    """Return the names in a directory, sorted, hidden ones too. Names of directories end in a slash.

    Links are listed and not followed. fs-find finds files by their names in whole trees.
    """
    entries = context.files.list(path)
    if len(entries) > MOST_ENTRIES:
        raise FileError(
            path, f"it has {len(entries)} entries, more than {MOST_ENTRIES}; fs-find narrows them by a glob"
        )
    return [surrogates.escape(entry.name) + ("/" if entry.is_directory else "") for entry in entries]
