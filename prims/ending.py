"""Asking a program and all that it started to end, so that each can clean up, before what is left is killed.

A shell that waits for a program ends at the signal and leaves the program behind, and a sandbox ends with its shell and
takes everything with it. So the first program, most often a shell, is held while the others are asked, and asked itself
when they are gone: a test runner or git has the time to put things in order, and the shell runs no further command.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence

GRACE_SECONDS = 2.0
"""How long a program that was asked to end has until it is killed."""

MOST_ASKED = 1000
"""Processes that are looked at to be asked to end. More do no work that they could put in order, such as what does
nothing but begin more of itself; while they were counted, more would come."""

_FOR_OTHERS = 0.75
"""The part of that which those have that the first program started; it has the rest."""

Wait = Callable[[float], bool]
"""Waits for a number of seconds; returns whether the program that was started has ended."""


class _Crowd(Exception):
    """There are more processes than are asked."""


def ask_to_end(leader: int, number: signal.Signals, grace: float, wait: Wait, *, is_wrapped: bool) -> bool | None:
    """Ask a program and what it started to end, and wait for that; return whether it did.

    None: it is to be killed at once, since there is nothing to be asked yet, or there are too many.

    leader: the process that was started, which leads a group. number: the signal; what ignores Ctrl-C, as what a shell
        runs in the background does, is sent SIGTERM.
    grace: seconds that all of it may take. wait: lets output be read meanwhile, for a short time.
    is_wrapped: whether the leader is a sandbox's own program, with the other one within.

    Raises: what ``wait`` raises.
    """
    until = time.monotonic() + grace
    if sys.platform != "linux":
        _signal(leader, number, of_group=True)
        return _wait_until(until, wait, lambda: False)
    chain = _chain(leader) if is_wrapped else [leader]
    first = chain[-1]
    if is_wrapped and _name(first) == _name(leader):
        return None  # the sandbox is still being set up: nothing of the program runs yet
    _signal(first, signal.SIGSTOP)
    try:
        for process in _others(chain):
            _signal(process, _heeded(process, number))
        _wait_until(time.monotonic() + grace * _FOR_OTHERS, wait, lambda: not _others(chain))
    except _Crowd:
        return None
    _signal(first, _heeded(first, number))
    _signal(first, signal.SIGCONT)
    return _wait_until(until, wait, lambda: False)


def _wait_until(until: float, wait: Wait, is_over: Callable[[], bool]) -> bool:
    """Wait; return whether the program that was started has ended."""
    while not (ended := wait(0.02)) and not is_over() and time.monotonic() < until:
        pass
    return ended


def _chain(leader: int) -> list[int]:
    """Return the processes of a sandbox, from the one that was started, and the first one within."""
    chain = [leader]
    name = _name(leader)
    while _name(chain[-1]) == name and (inner := children(chain[-1])):
        chain.append(inner[0])
    return chain


def _others(chain: Sequence[int]) -> list[int]:
    """Return what runs of a program but the processes of a chain: their descendants, and those of lost parents.

    Raises: _Crowd.
    """
    leader = chain[0]
    pending = [leader, *(child for child in children(os.getpid()) if child != leader and _group(child) == leader)]
    found: list[int] = []
    looked = 0
    while pending:
        looked += 1
        if looked > MOST_ASKED:
            raise _Crowd
        process = pending.pop()
        pending += children(process)
        if process not in chain and _state(process) not in ("", "Z", "X"):
            found.append(process)
    return found


def _group(process: int) -> int:
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return 0


def _name(process: int) -> str:
    """Return what a process runs."""
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def children(process: int) -> list[int]:
    """Return the processes whose parent a process is, the oldest first; none where the system does not tell."""
    try:
        tasks = os.listdir(f"/proc/{process}/task")
    except OSError:
        return []
    found: list[int] = []
    for task in tasks:
        try:
            with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
        except OSError:
            continue  # that thread ended meanwhile
    return found


def _state(process: int) -> str:
    """Return the letter for what a process does; nothing when there is none."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return chr(file.read().rpartition(b")")[2].split()[0][0])
    except OSError:
        return ""


def _heeded(process: int, number: signal.Signals) -> signal.Signals:
    """Return the signal that a process is asked by: SIGTERM when it ignores the one that is meant."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
            ignored = next((int(line.split()[1], 16) for line in file if line.startswith("SigIgn:")), 0)
    except OSError:
        return number
    return signal.SIGTERM if ignored >> (number - 1) & 1 else number


def _signal(process: int, number: signal.Signals, *, of_group: bool = False) -> None:
    try:
        (os.killpg if of_group else os.kill)(process, number)
    except (ProcessLookupError, PermissionError):
        pass  # what became another user may not be signalled, nor on macOS a group of zombies
