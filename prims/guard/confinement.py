"""What a command may reach, said once for every kind of sandbox."""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

from nodwyn.prims.environment import is_within

TEMPORARY = ("/tmp", "/var/tmp", "/run", "/dev/shm")
"""Directories of which a command gets its own, empty; in /run lie the sockets of what could run commands for it."""

PathCheck = Callable[[str], str | None]
"""Given an absolute path: why it may not be reached, or None when it may."""


class Held(NamedTuple):
    """Something in a home that a command may read."""

    path: str
    """Absolute, without a link on it when it was opened."""
    descriptor: int
    """Of what was there then, whatever is at the path later."""


class Confinement(NamedTuple):
    """What a command may reach. Paths are absolute and real."""

    root: str
    cwd: str
    writes: bool = True
    """Whether it may write in the root."""
    writes_git: bool = False
    """Whether it may write what git keeps, but for hooks and configuration."""
    network: bool = False
    repositories: tuple[str, ...] = ()
    """The directories of git in the root, and the one that the root's working tree belongs to."""
    frozen: tuple[str, ...] = ()
    """What it may read and not write: hooks and configuration among them."""
    hidden: tuple[str, ...] = ()
    """What it may neither read nor write."""
    readable: tuple[Held, ...] = ()
    """What in the homes it may read, but for what is hidden in it."""


def homes() -> list[str]:
    """Return the directories that hold homes, and this user's, as far as they exist."""
    named = ["/home", "/root", "/Users", os.path.expanduser("~")]
    try:
        named.append(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        pass
    real = dict.fromkeys(os.path.realpath(home) for home in named if os.path.isdir(home))
    return [home for home in real if home != "/" and not any(is_within(home, other) for other in real if other != home)]


def sockets() -> list[str]:
    """Return the files through which programs outside of a sandbox can be spoken to, as far as the system tells."""
    if sys.platform != "linux":
        return []
    try:
        with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as file:
            named = {line.rstrip("\n").split(maxsplit=7)[-1] for line in file}
    except OSError:
        return []
    return sorted(path for path in named if path.startswith("/") and os.path.exists(path))


def covered(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of the folders or in one."""
    return any(is_within(path, folder) for folder in folders)
