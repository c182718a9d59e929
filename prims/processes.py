"""Running a program to its end: its output as it comes, within limits, and nothing of it left running.

A program runs in a process group of its own, which is killed as a whole when the program ends. When its time is over or
it is cancelled, it is asked to end first, and has a short time for that. What left the group (``setsid``) and lost its
parent becomes a child of this process, on Linux, and is killed too.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from signal import Signals
from typing import IO, Literal, NamedTuple

from nodwyn.prims.capture import Capture, Captured
from nodwyn.prims.ending import GRACE_SECONDS, ask_to_end, children

POLL_SECONDS = 0.02
"""How often it is looked whether a program ended or is cancelled while it prints nothing."""

DRAIN_SECONDS = 1.0
"""How long the last output is waited for once a program was killed."""

KILL_SECONDS = 10.0
"""How long a program is waited for that was killed: one that became another user cannot be, and may go on for ever."""

READ_SIZE = 65_536

Ending = Literal["exited", "killed", "timed out", "late", "cancelled"]


class Limits(NamedTuple):
    """What a run may take."""

    seconds: float = 120.0
    head: int = 65_536
    """How many characters of the start of each output are kept."""
    tail: int = 262_144
    """How many characters of its end are kept."""
    grace: float = GRACE_SECONDS
    """Seconds that it has to end when it was asked to, until it is killed."""


DEFAULT_LIMITS = Limits()


class Finished(NamedTuple):
    """How a run ended and what it printed."""

    ending: Ending
    """``killed`` by a signal that was not ours; ``late`` when the time of what it is a part of was over."""
    status: int | None
    """The exit status, when it exited."""
    signal: int | None
    """The signal, when one ended it."""
    output: Captured
    errors: Captured
    seconds: float
    asked_by: Signals | None = None
    """The signal by which it was asked to end; None also when it was killed at once."""
    had_to_be_killed: bool = False
    """Whether it did not end when it was asked to, or was not asked."""


class CannotRun(Exception):
    """A program could not be started; the message says which and why."""


OnChunk = Callable[[str, str], None]
"""Given the stream (``output`` or ``errors``) and what came on it."""


def run(
    arguments: Sequence[str],
    *,
    cwd: str,
    environment: Mapping[str, str],
    limits: Limits = DEFAULT_LIMITS,
    stdin: bytes = b"",
    on_chunk: OnChunk | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    is_late: Callable[[], bool] = lambda: False,
    pass_fds: Sequence[int] = (),
    confine: Callable[[], None] | None = None,
    is_wrapped: bool = False,
) -> Finished:
    """Run a program and return how it ended.

    arguments: the program's file and what it is given. cwd: the directory it runs in. environment: all of its
        variables. limits: its seconds, and how much of its output is kept.
    stdin: what it can read; then its input ends. on_chunk: called with output as it comes.
    is_cancelled: asked several times a second; True ends the program, as Ctrl-C would. When its seconds are over, it is
        sent SIGTERM. Either way it is killed when it has not ended within its grace, or at once at a second Ctrl-C.
    is_late: asked when it is cancelled; True when the time of what it is a part of is over, and so SIGTERM is sent.
    pass_fds: open descriptors that it inherits. confine: restricts the thread that calls it, and so the program that
        is started from that thread; it is called in a thread that ends at once.
    is_wrapped: whether the program is a sandbox's own, around another.

    Text that is not UTF-8 has its bytes kept as lone surrogates, one for each.

    Raises: CannotRun. What ``on_chunk`` and ``is_cancelled`` raise, once the program was killed; a KeyboardInterrupt
    once it had its grace.
    """
    _adopt_orphans()
    started = time.monotonic()
    process = _begin(lambda: _start(arguments, cwd, environment, pass_fds, confine))
    follower = _Follower(process, limits, on_chunk, is_cancelled, is_late, started + limits.seconds)
    try:
        cause = follower.follow_to_end(stdin, limits.grace, is_wrapped)
    finally:
        _end(process)
        follower.close()
    status: int | None = process.returncode
    ending: Ending = cause or ("killed" if status is None or status < 0 else "exited")
    return Finished(
        ending,
        status if status is not None and status >= 0 else None,
        -status if status is not None and status < 0 else None,
        follower.captures["output"].finish(),
        follower.captures["errors"].finish(),
        time.monotonic() - started,
        follower.asked_by,
        follower.had_to_be_killed,
    )


def _begin(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Start a program; return its process."""
    begun = object()
    with _running_lock:
        if not _running and not _begun:
            _known.clear()
            _known.update(children(os.getpid()))
        _begun.add(begun)
    try:
        process = start()
        with _running_lock:
            _running.add(process)
    finally:
        with _running_lock:
            _begun.discard(begun)
    return process


def signal_name(number: int | None) -> str:
    """Return what a signal is called: ``SIGTERM``, or its number where it has no name."""
    try:
        return Signals(number or 0).name
    except ValueError:
        return f"signal {number}"


def end_all() -> None:
    """Kill every program that runs, for the end of a session; each ``run`` then returns."""
    with _running_lock:
        running = list(_running)
    for process in running:
        _kill_group(process.pid)


_running: set[subprocess.Popen[bytes]] = set()
_begun: set[object] = set()
"""One for each run whose program may have been started already, and is not yet among those that run."""
_known: set[int] = set()
"""This process's children when the first of the runs that are under way began."""
_running_lock = threading.Lock()


def _start(
    arguments: Sequence[str],
    cwd: str,
    environment: Mapping[str, str],
    pass_fds: Sequence[int],
    confine: Callable[[], None] | None,
) -> subprocess.Popen[bytes]:
    """Start a program, from a thread of its own when it is to be confined.

    Raises: CannotRun.
    """
    outcome: list[subprocess.Popen[bytes] | BaseException] = []

    def start() -> None:
        try:
            if confine:
                confine()
            outcome.append(
                subprocess.Popen(
                    list(arguments),
                    cwd=cwd,
                    env=dict(environment),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                    pass_fds=tuple(pass_fds),
                )
            )
        except BaseException as error:
            outcome.append(error)

    if confine:
        thread = threading.Thread(target=start)
        thread.start()
        thread.join()
    else:
        start()
    if isinstance(outcome[0], (OSError, ValueError)):
        raise CannotRun(f"{arguments[0]} could not be started in {cwd}: {outcome[0]}") from outcome[0]
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


class _Follower:
    """Gives a program its input and takes its output until it ends or must."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        on_chunk: OnChunk | None,
        is_cancelled: Callable[[], bool],
        is_late: Callable[[], bool],
        deadline: float,
    ) -> None:
        self._process = process
        self._on_chunk = on_chunk
        self._is_cancelled = is_cancelled
        self._is_late = is_late
        self._deadline = deadline
        self.captures = {name: Capture(limits.head, limits.tail) for name in ("output", "errors")}
        self._selector = selectors.DefaultSelector()
        self.asked_by: Signals | None = None
        self.had_to_be_killed = False
        self._input = memoryview(b"")

    def follow_to_end(self, stdin: bytes, grace: float, is_wrapped: bool) -> Ending | None:
        """Follow the program; when it must end, ask it to. Return why it must, or None when it ended by itself."""
        try:
            cause = self._follow(stdin)
        except KeyboardInterrupt:
            self._ask_to_end(Signals.SIGINT, grace, is_wrapped)
            raise
        if cause:
            self._ask_to_end(Signals.SIGINT if cause == "cancelled" else Signals.SIGTERM, grace, is_wrapped)
        return cause

    def _follow(self, stdin: bytes) -> Ending | None:
        """Follow the program; return why it must end, or None when it ended by itself."""
        process = self._process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._input = memoryview(stdin)
        for name, stream in (("output", process.stdout), ("errors", process.stderr)):
            self._register(stream, selectors.EVENT_READ, name)
        if stdin:
            self._register(process.stdin, selectors.EVENT_WRITE, "input")
        else:
            process.stdin.close()
        while process.poll() is None:
            if self._is_cancelled():
                return "late" if self._is_late() else "cancelled"
            left = self._deadline - time.monotonic()
            if left <= 0:
                return "timed out"
            self._wait(min(left, POLL_SECONDS))
        return None

    def _ask_to_end(self, number: Signals, grace: float, is_wrapped: bool) -> None:
        """Ask the program and what it started to end, and read what it prints meanwhile."""

        def wait(seconds: float) -> bool:
            self._wait(seconds)
            return self._process.poll() is not None

        has_ended = ask_to_end(self._process.pid, number, grace, wait, is_wrapped=is_wrapped)
        self.asked_by = None if has_ended is None else number
        self.had_to_be_killed = not has_ended

    def close(self) -> None:
        """Take what output is left, then close the streams."""
        until = time.monotonic() + DRAIN_SECONDS
        while self._selector.get_map() and time.monotonic() < until:
            if not self._pump(POLL_SECONDS):
                break
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()

    def _wait(self, seconds: float) -> None:
        if self._selector.get_map():
            self._pump(seconds)
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def _register(self, stream: IO[bytes], event: int, name: str) -> None:
        os.set_blocking(stream.fileno(), False)
        self._selector.register(stream, event, name)

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved within a time; return whether anything was ready."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.data == "input":
                self._feed(key.fd)
            else:
                self._take(key.fd, key.data)
        return bool(ready)

    def _feed(self, descriptor: int) -> None:
        try:
            self._input = self._input[os.write(descriptor, self._input[:READ_SIZE]) :]
        except BlockingIOError:
            return
        except OSError:
            self._input = memoryview(b"")  # the program takes no more
        if not self._input:
            self._selector.unregister(descriptor)
            assert self._process.stdin
            self._process.stdin.close()

    def _take(self, descriptor: int, name: str) -> None:
        try:
            data = os.read(descriptor, READ_SIZE)
        except BlockingIOError:
            return
        text = self.captures[name].add(data)
        if text and self._on_chunk:
            self._on_chunk(name, text)
        if not data:
            self._selector.unregister(descriptor)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a run, and wait for the program itself."""
    _kill_group(process.pid)
    with suppress(subprocess.TimeoutExpired):
        process.wait(KILL_SECONDS)
    with _running_lock:
        _running.discard(process)
        # While another run goes on, an orphan may be of either; the last to end finds it. None begins meanwhile.
        if not _running and not _begun:
            _kill_orphans(_known)


def _kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # what became another user may not be signalled, nor on macOS a group of zombies


def _adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own; Linux alone has this."""
    if sys.platform == "linux":
        from nodwyn.prims import linux

        linux.adopt_orphans()


def _kill_orphans(known: set[int]) -> None:
    """Kill the children that were not there before and that are nobody's run, and theirs that come to us then."""
    until = time.monotonic() + DRAIN_SECONDS
    while (orphans := set(children(os.getpid())) - known) and time.monotonic() < until:
        for orphan in orphans:
            try:
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)
            except (ProcessLookupError, ChildProcessError, PermissionError):
                known = known | {orphan}
