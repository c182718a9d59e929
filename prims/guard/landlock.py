"""Commands restricted by Landlock and a filter of system calls: for machines where bwrap cannot run.

It allows directories as wholes. So nothing in a writable root can be kept from being written or read, and a command
asks.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.confinement import TEMPORARY, Confinement, Held, homes

LEAST_VERSION = 3
"""Before it, a file that may not be written can still be cut off."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _DEVICE_CONTROL = 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_ALL_OF_VERSION_3 = (1 << 15) - 1

_POINT = getattr(os, "O_PATH", 0) | os.O_CLOEXEC | os.O_NOFOLLOW

_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts")

# By instruction set: the kernel's number for it, of `socket` and of `io_uring_setup`, which can make sockets too.
_SYSTEM_CALLS = {"x86_64": (0xC000_003E, 41, 425), "aarch64": (0xC000_00B7, 198, 425)}
_FIRST_X32_CALL = 0x4000_0000

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000 | errno.EPERM


def missing() -> str | None:
    """Return why commands cannot be restricted so on this machine, or None when they can."""
    if sys.platform != "linux":
        return "Landlock is a part of Linux"
    if os.uname().machine not in _SYSTEM_CALLS:
        return f"the network is not taken away on {os.uname().machine}"
    version = _version()
    if version is None:
        return "the kernel has no Landlock, or it is not turned on"
    if version < LEAST_VERSION:
        return f"the kernel's Landlock is of version {version}, and {LEAST_VERSION} is needed"
    return None


def restrict(confinement: Confinement, temporary: str) -> None:
    """Restrict this thread, and what is started from it, for ever.

    temporary: a directory that may be written besides the root.

    Raises: OSError.
    """
    from nodwyn.prims import linux

    version = _version() or 0
    attributes = [_ALL_OF_VERSION_3 | (_DEVICE_CONTROL if version >= 5 else 0)]
    if version >= 4:
        attributes.append(0 if confinement.network else _TCP)
    if version >= 6:
        attributes.append(_ABSTRACT_SOCKETS_AND_SIGNALS)
    layout = struct.pack(f"={len(attributes)}Q", *attributes)
    linux.forbid_new_privileges()
    linux.drop_capabilities()  # with them, root reads the memory of processes outside all the same
    ruleset = linux.system_call(_CREATE_RULESET, layout, len(layout), 0)
    try:
        for path, rights in _rules(confinement, temporary):
            _allow(ruleset, path, rights)
        for held in confinement.readable:
            _allow_held(ruleset, held, [path for path in confinement.hidden if is_within(path, held.path)])
        linux.system_call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    if not confinement.network:
        linux.filter_system_calls(_without_sockets())


def _version() -> int | None:
    from nodwyn.prims import linux

    try:
        return linux.system_call(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return None


def _rules(confinement: Confinement, temporary: str) -> list[tuple[str, int]]:
    """Return what may be done beneath which paths."""
    closed = {*TEMPORARY, *homes(), "/dev", *confinement.hidden}
    rules = [
        (path, _READ) for path in _without("/", {path for path in closed if not is_within(path, confinement.root)})
    ]
    rules += [(device, _READ | _WRITE_FILE) for device in _DEVICES]
    rules.append((confinement.root, _ALL_OF_VERSION_3 if confinement.writes else _READ))
    rules.append((temporary, _ALL_OF_VERSION_3))
    if confinement.writes and confinement.writes_git:
        rules += [(repository, _ALL_OF_VERSION_3) for repository in confinement.repositories]
    return rules


def _without(folder: str, closed: set[str]) -> list[str]:
    """Return what to allow so that all in ``folder`` is, but for the closed paths."""
    allowed: list[str] = []
    pending = [folder]
    while pending:
        path = pending.pop()
        if path in closed:
            continue
        if any(is_within(other, path) for other in closed) and os.path.isdir(path):
            try:
                pending += [os.path.join(path, name) for name in os.listdir(path)]
            except OSError:
                continue
        elif not os.path.islink(path):
            allowed.append(path)
    return allowed


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, _POINT)
    except OSError:
        return  # what is not there, or gone meanwhile, stays closed
    try:
        _allow_opened(ruleset, descriptor, rights)
    finally:
        os.close(descriptor)


def _allow_opened(ruleset: int, descriptor: int, rights: int) -> None:
    from nodwyn.prims import linux

    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        rights &= _ON_FILES
    linux.system_call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)


def _allow_held(ruleset: int, held: Held, closed: list[str]) -> None:
    """Let what is held open be read, but for the closed paths in it, of which the names alone are seen.

    Programs look for others by listing directories: that is allowed as a whole, for it cannot be for one of them.
    """
    if not closed:
        _allow_opened(ruleset, held.descriptor, _READ)
        return
    if held.path in closed:
        return
    _allow_opened(ruleset, held.descriptor, _READ_DIR)
    try:
        listing = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=held.descriptor)
    except OSError:
        return
    try:
        for name in os.listdir(listing):
            _allow_inner(ruleset, f"{held.path}/{name}", listing, closed)
    finally:
        os.close(listing)


def _allow_inner(ruleset: int, path: str, directory: int, closed: list[str]) -> None:
    """Let what an open directory has be read, but for the closed paths in it."""
    try:
        inner = os.open(os.path.basename(path), _POINT, dir_fd=directory)
    except OSError:
        return
    try:
        if not stat.S_ISLNK(os.fstat(inner).st_mode):
            _allow_held(ruleset, Held(path, inner), [other for other in closed if is_within(other, path)])
    finally:
        os.close(inner)


def _without_sockets() -> bytes:
    """Return a BPF program that refuses to make sockets; pairs of connected ones can be made."""
    architecture, *refused = _SYSTEM_CALLS[os.uname().machine]
    program = [
        (_LOAD, 0, 0, 4),  # the instruction set
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_AT_LEAST, len(refused) + 1, 0, _FIRST_X32_CALL),
        *((_EQUAL, len(refused) - place, 0, number) for place, number in enumerate(refused)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
