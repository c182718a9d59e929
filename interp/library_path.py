"""Where library files are: ``(srfi 1)`` is ``srfi/1.sld`` in one of a list of directories."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.syntax import Source

MOST_DIRECTORIES = 1000
"""How many are looked through below one directory for names of libraries: it may be a person's home."""


def standard_library() -> str:
    """Return the directory of the standard libraries."""
    package = os.path.dirname(os.path.realpath(__file__))
    return os.path.join(os.path.dirname(package), "stdlib")


class LibraryPath:
    """Finds the files of libraries, and those that they include.

    directories: searched in order; what is in them may be read whatever the host says. What a file includes is looked
    for beside it, then in them (section 4.1.7). read_source: the host's way to read any other file, by its name and
    that of the file that mentions it.
    """

    __slots__ = ("directories", "read_source")

    def __init__(self, directories: Sequence[str], read_source: Callable[[str, str | None], Source]) -> None:
        self.directories = [os.path.realpath(directory) for directory in directories]
        self.read_source = read_source

    def find(self, name: str) -> Source | None:
        """Return the text of the library with a printed name such as "(srfi 1)", None if there is no file for it.

        Raises SchemeError of kind "file" when the file cannot be read.
        """
        parts = name[1:-1].split(" ")
        if not all(_is_plain(part) for part in parts):
            return None
        for directory in self.directories:
            path = os.path.join(directory, *parts) + ".sld"
            if os.path.isfile(path):
                try:
                    return _read(path)
                except (OSError, ValueError) as error:
                    raise _unreadable(path, error) from None
        return None

    def include(self, name: str, base: str | None) -> Source:
        """Return the text of a file that ``include`` names in the file ``base``.

        Raises SchemeError of kind "file" when it cannot be read.
        """
        try:
            return self._beside(name, base)
        except (OSError, ValueError) as error:
            if base is not None and isinstance(error, FileNotFoundError):
                for path in (os.path.realpath(os.path.join(directory, name)) for directory in self.directories):
                    if self._is_inside(path) and os.path.isfile(path):
                        return _read(path)
            raise _unreadable(name, error) from None

    def _beside(self, name: str, base: str | None) -> Source:
        if base is not None and self._is_inside(base):
            path = os.path.realpath(os.path.join(os.path.dirname(base), name))
            if self._is_inside(path):
                return _read(path)
        return self.read_source(name, base)

    def names(self) -> Iterator[str]:
        """Yield the printed names of the libraries there are files for, as far as they are found soon."""
        for directory in self.directories:
            for parent, _, files in islice(os.walk(directory), MOST_DIRECTORIES):
                relative = os.path.relpath(parent, directory)
                parts = [] if relative == os.curdir else relative.split(os.sep)
                for file in files:
                    if file.endswith(".sld"):
                        yield f"({' '.join([*parts, file[:-4]])})"

    def _is_inside(self, path: str) -> bool:
        return any(path.startswith(directory + os.sep) for directory in self.directories)


def _read(path: str) -> Source:
    with open(path, encoding="utf-8") as file:
        return Source(path, file.read())


def _unreadable(name: str, error: Exception) -> SchemeError:
    reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
    return SchemeError(Condition("file", f"cannot read {name}: {reason}"))


def _is_plain(part: str) -> bool:
    """Return whether a part of a library name can be the name of a file, and of nothing outside of the directory."""
    return part not in ("", os.curdir, os.pardir) and not any(letter in '/\\|:<>"?*' or letter < " " for letter in part)
