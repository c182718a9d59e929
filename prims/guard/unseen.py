"""Telling a command which programs it could not start because they lie where commands do not see them.

A repository chooses what its links and scripts name. So of what lies outside of the root nothing is opened or looked
at for them: the path is told that they have in their own words, whatever is there. Bare names are looked for in the
directories of the person's PATH alone, as any shell does.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.readable import POINT, link_text
from nodwyn.prims.guard.resolve import MOST_LINKS

NOT_FOUND = 127
"""The status by which a shell says that there is no such program."""

MOST_LOOKED_AT = 8192
"""Characters of a command's errors, from the end, in which unseen programs are looked for."""

MOST_TOLD = 3
UNSEEN = "which commands in the sandbox do not see"

Shows = Callable[[str], bool]
"""Whether commands see an absolute path, as far as its name tells."""

_AROUND_WORDS = str.maketrans(dict.fromkeys("'\"`‘’“”:,;()[]", " "))

_EXECUTE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


def unseen(
    errors: str, status: int, *, cwd: str, root: str, path: Sequence[str], shows: Shows
) -> Iterator[tuple[str, str]]:
    """Yield which programs a line named in its errors that lie where commands do not see: in words, and the path.

    errors, status: what the line said and how it ended. cwd: where it ran. root: absolute and real. path: the person's
        PATH. shows: whether commands see an absolute path.
    """
    for word in dict.fromkeys(errors[-MOST_LOOKED_AT:].translate(_AROUND_WORDS).split()):
        if "/" in word:
            hidden = _behind(_normal(os.path.join(cwd, word)), root, shows)
            if hidden is not None:
                yield f"{word} needs {hidden}, {UNSEEN}", hidden
        elif status == NOT_FOUND and (hidden := _of_path(word, path, shows)):
            yield f"{word} is in {hidden}, {UNSEEN}", hidden


def _normal(path: str) -> str:
    """Return an absolute path by its words alone; Python would keep two slashes at its beginning."""
    return "/" + os.path.normpath(path).lstrip("/")


def _of_path(name: str, path: Sequence[str], shows: Shows) -> str | None:
    """Return the directory of PATH that has a program of this name and is not seen, or what a link there says."""
    for folder in path:
        file = os.path.join(folder, name)
        try:
            mode = os.lstat(file).st_mode
        except (OSError, ValueError):
            continue
        if stat.S_ISLNK(mode) or (stat.S_ISREG(mode) and mode & _EXECUTE):
            if not shows(_normal(folder)):
                return folder
            target = _normal(os.path.join(folder, os.readlink(file))) if stat.S_ISLNK(mode) else file
            return None if shows(target) else target
    return None


def _behind(file: str, root: str, shows: Shows) -> str | None:
    """Return what commands do not see and a file of the root that they see leads to, or None.

    It is led to by the words of links and of what runs a script; of those, only what lies in the root is looked at.
    """
    if not is_within(file, root) or not shows(file):
        return None
    for _ in range(MOST_LINKS):
        target = _next(file, root)
        if target is None or not shows(target):
            return target
        if not is_within(target, root):
            return None
        file = target
    return None


def _next(file: str, root: str) -> str | None:
    """Return where the first link on a path in the root leads, or the program that runs the script there, or None."""
    names = file[len(root) :].strip("/").split("/")
    try:
        descriptor = os.open(root, POINT)
    except OSError:
        return None
    try:
        place = root
        for number, name in enumerate(names):
            if (text := link_text(descriptor, name)) is not None:
                return _normal(os.path.join(place, text, *names[number + 1 :]))
            if number == len(names) - 1:
                return _interpreter(descriptor, name)
            inner = os.open(name, POINT | os.O_DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor, place = inner, os.path.join(place, name)
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)
    return None


def _interpreter(directory: int, name: str) -> str | None:
    """Return the absolute path of the program that a script in an open directory names in its first line, or None.

    A file of several names may be another's, and is not read.

    Raises: OSError.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=directory)
    try:
        status = os.fstat(descriptor)
        if not (stat.S_ISREG(status.st_mode) and status.st_mode & _EXECUTE and status.st_nlink == 1):
            return None
        first = os.read(descriptor, MOST_LOOKED_AT).partition(b"\n")[0]
    finally:
        os.close(descriptor)
    words = os.fsdecode(first.removeprefix(b"#!")).split() if first.startswith(b"#!") else []
    return _normal(words[0]) if words and os.path.isabs(words[0]) else None
