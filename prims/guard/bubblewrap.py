"""Commands in namespaces of their own, by the program bwrap: the strongest sandbox of Linux without a daemon."""

from __future__ import annotations

import os

from nodwyn.prims.guard.confinement import TEMPORARY, Confinement, covered, homes, sockets

ISOLATION = ("--unshare-all", "--new-session", "--die-with-parent", "--cap-drop", "ALL")
"""No namespace is shared, no terminal can be typed into, nothing outlives us, and root inside is root of nothing."""

IGNORED = "/dev/nodwyn-ignored"
"""A file with the names that git is to ignore, within the sandbox: /dev is there on every machine."""

SYSTEM = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")

# Where NixOS keeps every program; it is no place for sockets.
_PROGRAMS_IN_RUN = ("/run/current-system", "/run/opengl-driver")


def mounts(confinement: Confinement, empty: str) -> list[str]:
    """Return bwrap's arguments for what a command may reach; the later ones lie over the earlier ones.

    empty: an empty file, which stands for every hidden one.
    """
    private = [folder for folder in (*TEMPORARY, *homes()) if os.path.isdir(folder) and not os.path.islink(folder)]
    arguments = list(SYSTEM)
    for folder in private:
        arguments += ["--tmpfs", folder]
    for shown in (*_PROGRAMS_IN_RUN, *confinement.caches):
        if os.path.isdir(shown):
            arguments += ["--ro-bind", shown, shown]
    arguments += ["--bind" if confinement.writes else "--ro-bind", confinement.root, confinement.root]
    for repository in confinement.repositories:
        # A mount point cannot be moved away and made anew without its frozen parts.
        writes = confinement.writes and confinement.writes_git
        arguments += ["--bind" if writes else "--ro-bind", repository, repository]
    for path in confinement.frozen:
        if os.path.exists(path):
            arguments += ["--ro-bind", path, path]
    reachable = [confinement.root, *confinement.caches]
    outside = [path for path in sockets() if not covered(path, private) or covered(path, reachable)]
    for path in (*confinement.hidden, *outside):
        if os.path.isdir(path):
            arguments += ["--tmpfs", path, "--remount-ro", path]
        elif os.path.lexists(path):
            arguments += ["--ro-bind", empty, path]
    return arguments


def isolation(confinement: Confinement) -> list[str]:
    """Return bwrap's arguments for what a command shares with the rest of the machine."""
    shared = ["--share-net"] if confinement.network else []
    return [*ISOLATION, *shared, "--chdir", confinement.cwd]
