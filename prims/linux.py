"""System calls of Linux that Python has no name for, by number."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Callable
from functools import cache

_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION = 0x2008_0522
_IS_LINUX = sys.platform == "linux"
_OPENAT2 = 437
_BENEATH, _NO_MAGIC_LINKS, _NO_LINKS = 0x08, 0x02, 0x04
_CAPABILITIES = 64


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call; return its result.

    arguments: numbers, structures as bytes that the kernel reads, None for no structure.

    Raises: OSError.
    """
    return _checked(_library().syscall(ctypes.c_long(number), *map(_as_argument, arguments)))


def point_beneath(directory: int, path: bytes) -> int:
    """Return a descriptor (O_PATH) of what a path leads to, never out of a directory, nor by a link of /proc.

    directory: a descriptor. path: relative to it.

    Raises: OSError; EXDEV when the path leads out, ENOSYS before Linux 5.6.
    """
    return _checked(_openat2()(_OPENAT2, directory, path, _POINT_BENEATH, _HOW_SIZE))


def open_beneath(directory: int, path: bytes) -> int:
    """Return a descriptor for reading of what is at a path, never through a link, and never out of a directory.

    Nothing blocks. directory: a descriptor. path: relative to it.

    Raises: OSError; ELOOP for a link, ENOSYS before Linux 5.6.
    """
    return _checked(_openat2()(_OPENAT2, directory, path, _OPEN_BENEATH, _HOW_SIZE))


def _how(flags: int, resolve: int) -> bytes:
    return struct.pack("=QQQ", flags | os.O_CLOEXEC, 0, resolve)


_HOW_SIZE = 24
_POINT_BENEATH = _how(os.O_PATH, _BENEATH | _NO_MAGIC_LINKS) if _IS_LINUX else b""
_OPEN_BENEATH = _how(os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY, _BENEATH | _NO_LINKS) if _IS_LINUX else b""


@cache
def _openat2() -> Callable[..., int]:
    """Return ``syscall`` with the types of ``openat2``: guessing them at every call takes as long as the call."""
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    function.restype = ctypes.c_long
    return function


@cache
def adopt_orphans() -> None:
    """Make this process the parent of each descendant that loses its own, from now on.

    Raises: OSError.
    """
    _control(_PR_SET_CHILD_SUBREAPER, 1)


def forbid_new_privileges() -> None:
    """Let neither this thread nor what it starts gain privileges through a program's file.

    Raises: OSError.
    """
    _control(_PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Take every capability from this thread and from what it starts: root is then a user like others.

    Raises: OSError.
    """
    for number in range(_CAPABILITIES):
        try:
            _control(_PR_CAPBSET_DROP, number)
        except OSError:
            break  # only root may, and only as many as the kernel knows
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    _checked(_library().capset(header, bytes(24)))


def filter_system_calls(program: bytes) -> None:
    """Have this thread's system calls, and those of what it starts, judged by a BPF program.

    program: its instructions of eight bytes each.

    Raises: OSError.
    """
    instructions = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    header = Program(len(program) // 8, ctypes.addressof(instructions))
    _control(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(header))


def _control(option: int, *arguments: int) -> None:
    padded = (*arguments, 0, 0, 0, 0)[:4]
    _checked(_library().prctl(ctypes.c_int(option), *map(_as_argument, padded)))


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _as_argument(argument: int | bytes | None) -> ctypes.c_ulong | bytes | None:
    return ctypes.c_ulong(argument) if isinstance(argument, int) else argument


def _checked(result: int) -> int:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
