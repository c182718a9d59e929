"""What in a repository makes git run programs: where it lies, and whether a command changed it.

A sandbox keeps what exists from being written. What a command makes anew, such as a repository within the root or
``.git/commondir``, which lets git take its configuration from elsewhere, is found by comparing.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from typing import NamedTuple

from nodwyn.prims.environment import is_within
from nodwyn.prims.small_files import read_small

FILES = ("config", "config.worktree", "commondir", "gitdir", "info/attributes")
"""Files that decide what git runs, in the directory of git, of a submodule and of a worktree."""

_BARE = frozenset(("head", "objects", "refs"))
"""What a directory has, in lower case, that git takes for a repository."""

LARGEST_FILE = 1 << 20
"""Of a larger file only its size and time are compared."""

# `hooksPath = DIRECTORY`, and `path = FILE` of a section [include].
_LEADS = re.compile(rb"^\s*(hooksPath|path)\s*=\s*\"?([^\"\n]+?)\"?\s*$", re.I | re.M)

Snapshot = dict[str, str]
"""What stands at each path: a digest, or what kind of thing it is. A path at which nothing stands is missing."""


class Change(NamedTuple):
    """Something that makes git run programs and that is not as it was."""

    path: str
    what: str
    """``made``, ``changed`` or ``removed``."""


def looks_like_repository(names: Iterable[str]) -> bool:
    """Return whether a directory with these names in it is one that git would take for a repository."""
    return {"HEAD", "objects", "refs"} <= set(names)


def takes_part_in_bare(path: str, root: str) -> bool:
    """Return whether a written path would complete a repository without a working tree, or decide what git runs in one.

    Whoever enters the directory of such a repository, a prompt that shows a branch included, has git take its
    configuration. Each part of one is harmless alone, so that the last one to be written counts.

    path, root: absolute and real; directories above the root are not looked at.
    """
    folder, parts = path, list[str]()
    while folder != root and (above := os.path.dirname(folder)) != folder:
        parts.insert(0, os.path.basename(folder).lower())
        folder = above
        completes = parts[0] in _BARE
        if completes or parts[0] == "hooks" or "/".join(parts) in FILES:
            try:
                names = {name.lower() for name in os.listdir(folder)}
            except OSError:
                continue
            if (names >= _BARE) != completes and names | {parts[0]} >= _BARE:
                return True
    return False


def decisive_parts(repository: str, root: str) -> list[str]:
    """Return the paths in and around a directory of git that decide what git runs, existing or not.

    root: only beneath it are directories of hooks and included files that the configuration names looked for.
    """
    folders = [repository]
    for inner in ("modules", "worktrees"):
        folders += _inner_folders(os.path.join(repository, inner))
    parts: dict[str, None] = {}
    for folder in folders:
        parts.update(dict.fromkeys(os.path.join(folder, name) for name in FILES))
        parts[os.path.join(folder, "hooks")] = None
        parts.update(dict.fromkeys(_named_in(os.path.join(folder, "config"), repository, root)))
    return list(parts)


def take(repositories: Iterable[str], root: str) -> Snapshot:
    """Return what the decisive parts of repositories hold now."""
    found: Snapshot = {}
    for repository in repositories:
        for part in decisive_parts(repository, root):
            _look(part, found)
    return found


def compare(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return what differs between two snapshots, by path."""
    changes = []
    for path in sorted(before.keys() | after.keys()):
        if path not in before:
            changes.append(Change(path, "made"))
        elif path not in after:
            changes.append(Change(path, "removed"))
        elif before[path] != after[path]:
            changes.append(Change(path, "changed"))
    return changes


def _inner_folders(folder: str) -> list[str]:
    """Return the directories of submodules and worktrees, which may lie in one another."""
    found: list[str] = []
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                folders = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        for path in folders:
            if os.path.lexists(os.path.join(path, "HEAD")):
                found.append(path)
                pending.append(os.path.join(path, "modules"))
            else:
                pending.append(path)
    return found


def _named_in(config: str, repository: str, root: str) -> list[str]:
    """Return the paths beneath ``root`` that a configuration names for hooks or includes."""
    text = read_small(config, LARGEST_FILE) or b""
    worktree = os.path.dirname(repository)
    found = []
    for setting, value in _LEADS.findall(text):
        base = worktree if setting.lower() == b"hookspath" else repository
        path = os.path.normpath(os.path.join(base, os.path.expanduser(os.fsdecode(value))))
        if is_within(path, root) and path != root:
            found.append(path)
    return found


def _look(path: str, found: Snapshot) -> None:
    try:
        status = os.lstat(path)
        if stat.S_ISDIR(status.st_mode):
            found[path] = "a directory"
            for name in os.listdir(path):
                if not name.endswith(".sample"):
                    _look(os.path.join(path, name), found)
        elif stat.S_ISLNK(status.st_mode):
            found[path] = f"a link to {os.readlink(path)}"
        elif not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
            found[path] = f"{status.st_mode} {status.st_size} {status.st_mtime_ns}"
        else:
            with open(path, "rb") as file:
                found[path] = f"{status.st_mode & 0o111:o} {hashlib.sha256(file.read()).hexdigest()}"
    except OSError:
        return
