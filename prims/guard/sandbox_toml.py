"""``sandbox.toml`` in the configuration directory: which directories of homes the person lets commands read.

    readable = ["~/miniconda3", "~/venvs"]

It is the person's alone: no primitive reaches that directory, and a file that a link has put into the root is refused,
for what works there could write it.
"""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import Any, Final, NamedTuple

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.confinement import TEMPORARY, PathCheck, covered
from nodwyn.prims.guard.readable import LinkOnPath, hold
from nodwyn.prims.mistyped import hint
from nodwyn.prims.small_files import NotToml, Unreadable, toml_of, written_text

FILE: Final = "sandbox.toml"
SETTING: Final = "readable"

MOST_NAMED = 100
"""Directories that may be named: each is looked through before a command."""

FOLDERS_OF_HOMES = ("/home", "/Users")


class SettingError(Exception):
    """The person's ``sandbox.toml`` cannot be used; the message says where, why and what to do."""


class Named(NamedTuple):
    """A directory that the person names."""

    written: str
    """As the file has it."""
    path: str
    """Absolute; ``~`` stands for the real path of the home."""


def named(file: Path, root: str) -> list[Named]:
    """Return the directories that a file names, in its order; none when there is no such file.

    root: the session's, absolute and real: the file may not lie in it.

    Raises: SettingError.
    """
    try:
        text = written_text(file)
    except FileNotFoundError:
        return []
    except Unreadable as error:
        raise SettingError(str(error)) from None
    if is_within(os.path.realpath(file), root):
        raise SettingError(
            f"{file} leads into {root}, where a command could change it: put a file that is no link in its place"
        )
    return [_named(file, written) for written in _listed(file, text)]


def readable(file: Path, root: str, is_denied: PathCheck) -> tuple[str, ...]:
    """Return the directories that commands may read, as absolute paths; those are left out that are not there.

    root: the session's, in which other rules hold. is_denied: why a path may not be read.

    Raises: SettingError when the file names one that may not be.
    """
    found: list[str] = []
    for each in named(file, root):
        reason = refusal(each.path, is_denied)
        if reason is not None:
            raise SettingError(f"{file}: {SETTING} has {each.written}, but {reason}")
        if os.path.isdir(each.path) and not covered(each.path, (root, *found)):
            found = [path for path in found if not is_within(path, each.path)] + [each.path]
    return tuple(found)


def refusal(path: str, is_denied: PathCheck) -> str | None:
    """Return why commands may not read a directory though the person names it, with what to do; None when they may.

    path: absolute and normal. Whether it is there makes no difference. is_denied: why a path may not be read.
    """
    if any(is_within(home, path) for home in _homes()) or os.path.dirname(path) in map(
        os.path.realpath, FOLDERS_OF_HOMES
    ):
        return "that is a home, or homes lie in it, with all their credentials; name a directory in one"
    if any(is_within(private, path) for private in TEMPORARY) or is_within(path, "/run"):
        return "temporary files and sockets lie there, of which a command has its own; name another directory"
    if reason := is_denied(path):
        return f"{reason}; take it out"
    try:
        descriptor = hold(path)
    except LinkOnPath as link:
        return f"{link.path} is a link; name the directory that it leads to by its own path: the link says {link.text}"
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"it cannot be opened: {error.strerror}; make it readable or take it out"
    os.close(descriptor)
    return None if os.path.isdir(path) else "it is no directory; name the one that it lies in"


def _listed(file: Path, text: str) -> list[Any]:
    try:
        table = toml_of(text)
    except NotToml as error:
        raise SettingError(f"{file} is no TOML: {error}") from None
    for name in table:
        if name != SETTING:
            raise SettingError(f"{file}: there is no setting {name}{hint(name, (SETTING,))}")
    listed = table.get(SETTING, [])
    if not isinstance(listed, list) or len(listed) > MOST_NAMED:
        raise SettingError(
            f'{file}: {SETTING} must be a list of at most {MOST_NAMED} directories, as in {SETTING} = ["~/miniconda3"]'
        )
    return listed


def _named(file: Path, written: Any) -> Named:
    if not isinstance(written, str) or not written.isprintable():
        raise SettingError(f"{file}: {SETTING} must have texts in it, each the path of a directory, not {written!r}")
    home = os.path.realpath(os.path.expanduser("~"))
    path = home + written[1:] if written == "~" or written.startswith("~/") else written
    if not os.path.isabs(path):
        raise SettingError(f"{file}: {SETTING} has {written!r}, but each path in it must begin with / or ~/")
    return Named(written, "/" + os.path.normpath(path).lstrip("/"))


def _homes() -> list[str]:
    """Return the homes of the person and of root, and the directories that have others', as real paths."""
    homes = [os.path.expanduser("~"), "/root", *FOLDERS_OF_HOMES]
    try:
        homes.append(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        pass
    return [os.path.realpath(home) for home in homes]
