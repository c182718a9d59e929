"""Files and directories that a person or model had indexed whatever git ignores: a setting, kept beside the index.

The index can be deleted and is made again; what was added stays added until it is forgotten.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from nodwyn.prims import surrogates
from nodwyn.prims.json_text import parse
from nodwyn.prims.private import replace_file
from nodwyn.prims.retrieval.tree import top_of
from nodwyn.prims.small_files import read_small

MOST_ADDED: Final = 100

LARGEST: Final = 1 << 20
"""Bytes of the setting; a path has at most 4,096."""


class Added:
    """The paths that were added to the index of a project, relative to the top of a working tree."""

    def __init__(self, directory: Path) -> None:
        """directory: that of the project."""
        self._file = directory / "index-paths.json"

    def paths(self) -> list[str]:
        """Return the paths, sorted; none when there is no such setting, or none that can be read."""
        try:
            found = parse(read_small(self._file, LARGEST) or b"")
        except (OSError, ValueError):
            return []
        return sorted(path for path in found if isinstance(path, str)) if isinstance(found, list) else []

    def below(self, root: str) -> list[str]:
        """Return those at or below a directory of the tree, relative to it, as the system has them."""
        base = os.path.relpath(root, top_of(root) or root)
        found = []
        for path in self.paths():
            relative = os.path.relpath(surrogates.unescape(path), base)
            if relative != ".." and not relative.startswith("../"):
                found.append(relative)
        return found

    def add(self, root: str, path: str) -> None:
        """Add a path that is relative to a directory of the tree.

        Raises: OSError.
        """
        relative = os.path.relpath(os.path.join(root, path), top_of(root) or root)
        self._write({*self.paths(), surrogates.escape(relative)})

    def forget(self) -> None:
        """Forget all paths.

        Raises: OSError.
        """
        self._file.unlink(missing_ok=True)

    def _write(self, paths: Iterable[str]) -> None:
        replace_file(self._file, json.dumps(sorted(paths)).encode(), durable=True)
