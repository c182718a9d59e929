"""Commands in namespaces of their own, by the program bwrap: the strongest sandbox of Linux without a daemon."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import cache

from nodwyn.prims import processes
from nodwyn.prims.environment import FALLBACK_PATH
from nodwyn.prims.guard.confinement import TEMPORARY, Confinement, covered, homes, sockets
from nodwyn.prims.processes import CannotRun, Finished, Limits

ISOLATION = ("--unshare-all", "--new-session", "--die-with-parent", "--cap-drop", "ALL")
"""No namespace is shared, no terminal can be typed into, nothing outlives us, and root inside is root of nothing."""

IGNORED = "/dev/nodwyn-ignored"
"""A file with the names that git is to ignore, within the sandbox: /dev is there on every machine."""

HELP_SECONDS = 10.0

SYSTEM = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")

# Where NixOS keeps every program; it is no place for sockets.
_PROGRAMS_IN_RUN = ("/run/current-system", "/run/opengl-driver")


def run_in(
    program: str,
    command: list[str],
    confinement: Confinement,
    environment: dict[str, str],
    ignored: str,
    run: Callable[..., Finished],
) -> Finished:
    """Run a command in namespaces of its own.

    program: the file of bwrap. ignored: what git is to ignore. run: as ``processes.run``, with its limits.

    Raises: CannotRun. What ``run`` raises.
    """
    by_descriptor = _binds_descriptors(program)
    with tempfile.NamedTemporaryFile(prefix="nodwyn-empty-") as empty:
        names = _in_memory(os.fsencode(ignored))
        arguments = [
            *isolation(confinement),
            *mounts(confinement, empty.name, by_descriptor=by_descriptor),
            *("--ro-bind-data", str(names), IGNORED),
        ]
        # Through a descriptor: there may be more of them than a command line takes.
        descriptor = _in_memory(b"".join(os.fsencode(argument) + b"\0" for argument in arguments))
        try:
            finished = run(
                [program, "--args", str(descriptor), "--", *command],
                environment=environment,
                pass_fds=(descriptor, names, *(held.descriptor for held in confinement.readable if by_descriptor)),
                is_wrapped=True,
            )
        finally:
            os.close(descriptor)
            os.close(names)
    if finished.status == 1 and not finished.output.head and finished.errors.head.startswith("bwrap: "):
        raise CannotRun(f"the sandbox could not be set up: {finished.errors.head.strip()}")
    return finished


def mounts(confinement: Confinement, empty: str, *, by_descriptor: bool) -> list[str]:
    """Return bwrap's arguments for what a command may reach; the later ones lie over the earlier ones.

    empty: an empty file, which stands for every hidden one. by_descriptor: whether what is readable is bound as what
        was opened; else it is looked up by its path once more.
    """
    private = [folder for folder in (*TEMPORARY, *homes()) if os.path.isdir(folder) and not os.path.islink(folder)]
    arguments = list(SYSTEM)
    for folder in private:
        arguments += ["--tmpfs", folder]
    for shown in filter(os.path.isdir, _PROGRAMS_IN_RUN):
        arguments += ["--ro-bind", shown, shown]
    for held in confinement.readable:
        bound = ("--ro-bind-fd", str(held.descriptor)) if by_descriptor else ("--ro-bind", held.path)
        arguments += [*bound, held.path]
    arguments += ["--bind" if confinement.writes else "--ro-bind", confinement.root, confinement.root]
    for repository in confinement.repositories:
        # A mount point cannot be moved away and made anew without its frozen parts.
        writes = confinement.writes and confinement.writes_git
        arguments += ["--bind" if writes else "--ro-bind", repository, repository]
    for path in confinement.frozen:
        if os.path.exists(path):
            arguments += ["--ro-bind", path, path]
    reachable = [confinement.root, *(held.path for held in confinement.readable)]
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


@cache
def _binds_descriptors(program: str) -> bool:
    """Return whether a bwrap can bind what was opened; from 0.10 on all can, and many before."""
    environment = {"PATH": ":".join(FALLBACK_PATH)}
    said = processes.run([program, "--help"], cwd="/", environment=environment, limits=Limits(HELP_SECONDS))
    return "--ro-bind-fd" in said.output.text()


def _in_memory(data: bytes) -> int:
    """Return a descriptor from which data can be read once."""
    descriptor = os.memfd_create("bwrap")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
