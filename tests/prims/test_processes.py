"""Running programs: output as it comes, limits, and nothing left running."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from signal import Signals

import pytest

from nodwyn.prims import ending, processes
from nodwyn.prims.processes import CannotRun, Finished, Limits, run

ENVIRONMENT = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}

orphans_are_found = pytest.mark.skipif(
    sys.platform != "linux", reason="what leaves its process group is found on Linux alone (PR_SET_CHILD_SUBREAPER)"
)


def shell(line: str, **options: object) -> Finished:
    return run(["/bin/sh", "-c", line], cwd="/", environment=ENVIRONMENT, **options)  # type: ignore[arg-type]


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 5
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


@pytest.mark.parametrize(
    ("line", "ending", "status", "signal"),
    [("exit 0", "exited", 0, None), ("exit 7", "exited", 7, None), ("kill -9 $$", "killed", None, 9)],
)
def test_the_end_of_a_program_is_told(line: str, ending: str, status: int | None, signal: int | None) -> None:
    finished = shell(line)
    assert (finished.ending, finished.status, finished.signal) == (ending, status, signal)


def test_output_and_errors_are_kept_apart() -> None:
    finished = shell("echo out; echo err >&2")
    assert (finished.output.text(), finished.errors.text()) == ("out\n", "err\n")


def test_a_program_has_the_environment_and_directory_that_it_was_given(tmp_path: Path) -> None:
    finished = run(["/usr/bin/env"], cwd=str(tmp_path), environment={"A": "1"})
    assert finished.output.text() == "A=1\n"
    assert run(["/bin/pwd", "-P"], cwd=str(tmp_path), environment={}).output.text() == f"{tmp_path.resolve()}\n"


def test_a_program_reads_what_it_is_given_and_then_the_end() -> None:
    assert shell("cat", stdin=b"x" * 300_000).output.text() == "x" * 300_000
    assert shell("cat").output.text() == ""


def test_a_program_may_leave_its_input_unread() -> None:
    assert shell("exit 3", stdin=b"x" * 300_000).status == 3


def test_output_comes_in_pieces_while_the_program_runs() -> None:
    pieces: list[tuple[str, str, float]] = []
    shell(
        "echo one; sleep 0.3; echo two >&2",
        on_chunk=lambda stream, text: pieces.append((stream, text, time.monotonic())),
    )
    assert [(stream, text) for stream, text, _ in pieces] == [("output", "one\n"), ("errors", "two\n")]
    assert pieces[1][2] - pieces[0][2] > 0.2


def test_bytes_that_are_no_utf8_become_lone_surrogates() -> None:
    assert shell(r"printf 'a\377b\303'").output.text() == "a\udcffb\udcc3"


def test_long_output_keeps_its_ends() -> None:
    finished = shell("echo start; yes | head -c 1000000; echo end", limits=Limits(30, head=1000, tail=1000))
    assert finished.output.head.startswith("start\n")
    assert finished.output.tail.endswith("end\n")
    assert finished.output.cut > 900_000


def test_a_program_is_stopped_when_its_time_is_over() -> None:
    finished = shell("echo before; sleep 60", limits=Limits(0.3))
    assert (finished.ending, finished.output.text()) == ("timed out", "before\n")
    assert finished.seconds < 5


def test_a_program_is_stopped_when_it_is_cancelled() -> None:
    begun = time.monotonic()
    finished = shell("trap '' TERM INT; sleep 60", is_cancelled=lambda: time.monotonic() - begun > 0.2)
    assert finished.ending == "cancelled"
    assert finished.seconds < 5


@pytest.mark.parametrize(
    ("line", "status", "signal", "output", "killed"),
    [
        ("trap 'echo bye; exit 5' TERM; sleep 60", 5, None, "bye\n", False),
        ("sleep 60; echo next", None, 15, "", False),
        ("trap '' TERM; sleep 60", None, 9, "", True),
        ("bash -c \"trap 'sleep 0.3; echo inner' TERM; sleep 60\"; echo next", None, 15, "inner\n", False),
        ("bash -c \"trap 'sleep 0.3; echo inner' TERM; sleep 60\" & wait; echo next", None, 15, "inner\n", False),
        ("(trap '' INT TERM; sleep 60) & sleep 60", None, 15, "", True),
        ("yes", None, 15, None, False),
    ],
)
def test_a_program_whose_time_is_over_is_asked_to_end_first(
    line: str, status: int | None, signal: int | None, output: str | None, killed: bool
) -> None:
    begun = time.monotonic()
    finished = shell(line, limits=Limits(0.5, grace=1.5))
    assert (finished.ending, finished.status, finished.signal) == ("timed out", status, signal)
    assert finished.asked_by == 15
    assert output is None or finished.output.text() == output
    assert time.monotonic() - begun < 5
    if "'' INT" not in line:
        assert finished.had_to_be_killed is killed


@orphans_are_found
@pytest.mark.parametrize(
    "line",
    [
        pytest.param(f"for i in {' '.join('123456789' * 4)}; do sleep 60 & done; echo $!; wait", id="many"),
        pytest.param(
            "b() { if [ $1 = 0 ]; then exec sleep 60; fi; b $(($1-1)) & b $(($1-1)) & wait; }; b 5 & echo $!; wait",
            id="a tree",
        ),
        pytest.param("c() { c & }; c & c & c & echo $$; exec sleep 60", id="each begins another one and ends"),
    ],
)
def test_a_crowd_is_killed_at_once(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """It may grow faster than it is counted, so that its end would never come."""
    monkeypatch.setattr(ending, "MOST_ASKED", 2 if "$$" in line else 20)
    finished = shell(line, limits=Limits(0.5, grace=30))
    assert finished.seconds < 5
    assert (finished.ending, finished.asked_by, finished.had_to_be_killed) == ("timed out", None, True)
    assert eventually(lambda: not is_alive(int(finished.output.text())))


@orphans_are_found
def test_a_crowd_that_grows_while_it_is_counted_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "children", lambda process: [process + 1])
    monkeypatch.setattr(ending, "_signal", lambda process, number, **given: None)
    begun = time.monotonic()
    assert ending.ask_to_end(1 << 22, Signals.SIGTERM, 30, lambda seconds: False, is_wrapped=False) is None
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("trap 'echo bye; exit 5' INT; sleep 60", "bye\n"),
        ("(trap 'echo bye' TERM; sleep 60 & wait) & wait", "bye\n"),
        ("sleep 60; echo next", ""),
    ],
)
def test_a_cancelled_program_is_asked_as_by_ctrl_c(line: str, output: str) -> None:
    begun = time.monotonic()
    finished = shell(f'bash -c "{line}"', is_cancelled=lambda: time.monotonic() - begun > 0.4)
    assert (finished.ending, finished.asked_by, finished.had_to_be_killed) == ("cancelled", 2, False)
    assert finished.output.text() == output


@pytest.mark.parametrize(("times", "cleaned"), [(1, True), (2, False)])
def test_a_second_ctrl_c_kills_at_once(tmp_path: Path, times: int, cleaned: bool) -> None:
    line = f"trap 'sleep 0.7; echo > {tmp_path}/cleaned; exit' INT; echo > {tmp_path}/begun; sleep 60"
    looks = 0

    def press() -> bool:
        nonlocal looks
        if (tmp_path / "begun").exists():
            looks += 1
            if looks == 1 and times == 2:
                threading.Timer(0.2, os.kill, (os.getpid(), 2)).start()
            if looks == 1:
                raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        shell(f'exec bash -c "{line}"', is_cancelled=press)
    assert (tmp_path / "cleaned").exists() is cleaned


def test_an_error_in_a_callback_stops_the_program(tmp_path: Path) -> None:
    def fails(stream: str, text: str) -> None:
        (tmp_path / "pid").write_text(text)
        raise LookupError("no listener")

    with pytest.raises(LookupError, match="no listener"):
        shell("echo $$; sleep 60", on_chunk=fails)
    assert not is_alive(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("sleep 60 & echo $!", id="in the background"),
        pytest.param("sleep 60 > /dev/null 2>&1 & echo $!", id="with its output elsewhere"),
        pytest.param("trap '' TERM HUP; nohup sleep 60 > /dev/null 2>&1 & echo $!", id="deaf to signals"),
        pytest.param("(sleep 60 & echo $!)", id="of a process that has ended"),
        pytest.param(
            "setsid sh -c 'echo $$; exec sleep 60' & sleep 0.2", id="out of the group", marks=orphans_are_found
        ),
        pytest.param(
            "setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 60\" & sleep 60' & sleep 0.3",
            id="out of a group out of the group",
            marks=orphans_are_found,
        ),
    ],
)
def test_nothing_that_a_program_started_outlives_it(line: str) -> None:
    finished = shell(line)
    started = int(finished.output.text())
    assert finished.seconds < 5
    assert eventually(lambda: not is_alive(started))


def test_the_whole_group_is_stopped_when_the_time_is_over() -> None:
    finished = shell("sleep 60 & echo $!; wait", limits=Limits(0.3))
    assert eventually(lambda: not is_alive(int(finished.output.text())))


def test_the_end_of_a_session_ends_what_runs() -> None:
    outcome: list[Finished] = []
    thread = threading.Thread(target=lambda: outcome.append(shell("sleep 60")))
    thread.start()
    assert eventually(lambda: bool(processes._running))
    processes.end_all()
    thread.join(5)
    assert outcome[0].ending == "killed"


def test_runs_side_by_side_leave_each_other_alone() -> None:
    outcomes: list[Finished] = []
    threads = [threading.Thread(target=lambda: outcomes.append(shell("sleep 0.3; echo done"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert shell("true").status == 0
    for thread in threads:
        thread.join()
    assert [finished.output.text() for finished in outcomes] == ["done\n"] * 4


@orphans_are_found
def test_what_a_run_leaves_is_killed_though_another_began_after_it_was_left_and_ended_last(tmp_path: Path) -> None:
    left = tmp_path / "left"
    line = f"(setsid sh -c 'echo $$ > {left}; exec sleep 60' > /dev/null 2>&1 &); sleep 0.5"
    first = threading.Thread(target=lambda: shell(line))
    first.start()
    assert eventually(lambda: left.exists() and bool(left.read_text()))
    shell("sleep 1")
    first.join()
    assert eventually(lambda: not is_alive(int(left.read_text())))


@pytest.fixture
def another_users(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have no process be signalled, as those of another user; end them when the test is over."""
    left: set[int] = set()
    kill, killpg = os.kill, os.killpg

    def refuse(process: int, number: int) -> None:
        kill(process, 0)
        left.add(process)
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "kill", refuse)
    monkeypatch.setattr(os, "killpg", refuse)
    monkeypatch.setattr(processes, "KILL_SECONDS", 0.2)
    yield
    for process in left:
        with suppress(ProcessLookupError, ChildProcessError):
            killpg(process, Signals.SIGKILL)
        with suppress(ProcessLookupError, ChildProcessError):
            os.waitpid(process, 0)


@pytest.mark.timeout(30)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Python says that one still runs
@pytest.mark.usefixtures("another_users")
@pytest.mark.parametrize(
    ("line", "ending", "status"),
    [("exec sleep 60", "timed out", None), ("sleep 60", "timed out", None), ("setsid sleep 60 & exit 3", "exited", 3)],
)
def test_what_may_not_be_signalled_is_not_waited_for(line: str, ending: str, status: int | None) -> None:
    finished = shell(line, limits=Limits(0.3, grace=0.2))
    assert (finished.ending, finished.status, finished.had_to_be_killed) == (ending, status, status is None)


def test_a_process_that_was_there_before_is_left_alone() -> None:
    import subprocess

    with subprocess.Popen(["sleep", "60"]) as other:
        shell("true")
        assert other.poll() is None
        other.kill()


@pytest.mark.parametrize(
    ("arguments", "cwd", "message"),
    [
        (["/proc/nonexistent/program"], "/", "/proc/nonexistent/program could not be started in /: .*No such file"),
        (["/bin/sh"], "/proc/nonexistent", "/bin/sh could not be started in /proc/nonexistent: .*No such file"),
        (["/bin/sh", "a\0b"], "/", "embedded null byte"),
        (["/bin/sh", "-c", "x" * 3_000_000], "/", "Argument list too long"),
    ],
)
def test_what_cannot_be_started_says_so(arguments: list[str], cwd: str, message: str) -> None:
    with pytest.raises(CannotRun, match=message):
        run(arguments, cwd=cwd, environment=ENVIRONMENT)


def test_a_program_inherits_no_descriptor_but_those_that_it_is_given() -> None:
    extra, other = os.pipe()
    try:
        os.set_inheritable(other, True)
        finished = run(["/bin/ls", "/dev/fd/"], cwd="/", environment=ENVIRONMENT, pass_fds=(extra,))
    finally:
        os.close(extra)
        os.close(other)
    listed = set(map(int, finished.output.text().split()))
    assert extra in listed
    assert other not in listed
