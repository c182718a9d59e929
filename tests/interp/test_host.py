"""What a program can reach: nothing by default, and with the system's host what the process can."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.host import ClosedHost, Host, SystemHost
from nodwyn.interp.ports import Port

GRANTS: list[tuple[str, Callable[[Host], object]]] = [
    ("file", lambda host: host.open_text_input("x")),
    ("file", lambda host: host.open_binary_input("x")),
    ("file", lambda host: host.open_text_output("x")),
    ("file", lambda host: host.open_binary_output("x")),
    ("file", lambda host: host.file_exists("x")),
    ("file", lambda host: host.delete_file("x")),
    ("file", lambda host: host.read_source("x")),
    ("control", lambda host: host.command_line()),
    ("control", lambda host: host.environment_variable("x")),
    ("control", lambda host: host.environment_variables()),
    ("control", lambda host: host.current_second()),
    ("control", lambda host: host.current_jiffy()),
    ("control", lambda host: host.jiffies_per_second()),
]


@pytest.mark.parametrize(("kind", "reach"), GRANTS)
def test_a_closed_host_refuses_everything(kind: str, reach: Callable[[Host], object]) -> None:
    with pytest.raises(SchemeError) as error:
        reach(ClosedHost())
    condition = error.value.payload
    assert isinstance(condition, Condition)
    assert condition.kind == kind
    assert condition.message.startswith("this program has no access to ")


def test_a_closed_host_has_an_empty_input_and_the_output_it_was_given() -> None:
    stream = io.StringIO()
    host = ClosedHost(stream)
    assert host.standard_input().read() == ""
    host.standard_output().write("a")
    host.standard_error().write("b")
    host.flush()
    assert stream.getvalue() == "ab"


def test_ports_stay_the_same() -> None:
    for host in (ClosedHost(), SystemHost([])):
        ports: list[Callable[[], Port]] = [host.standard_input, host.standard_output, host.standard_error]
        for port in ports:
            assert port() is port()


def test_source_is_found_beside_the_source_that_mentions_it(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "part.scm").write_bytes('\ufeff(display "λ")\n'.encode())
    host = SystemHost([])
    source = host.read_source("part.scm", str(tmp_path / "lib" / "main.scm"))
    assert source.name == str(tmp_path / "lib" / "part.scm")
    assert source.text == '(display "λ")\n'
    assert host.read_source(source.name, "elsewhere/main.scm").text == source.text


def test_source_that_is_no_utf8_is_named_with_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "bad.scm"
    path.write_bytes(b"(a)\xff")
    with pytest.raises(SchemeError) as error:
        SystemHost([]).read_source(str(path))
    condition = error.value.payload
    assert isinstance(condition, Condition)
    assert condition.message == f"{path} is not UTF-8 text: byte 3 (counted from 0) starts no character"


def run(program: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run Python code in a process of its own."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    setup = "from nodwyn.interp.host import SystemHost\nhost = SystemHost(['x'])\n"
    command = [sys.executable, "-c", setup + program]
    return subprocess.run(command, env=environment, capture_output=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def test_standard_streams_are_utf8_without_translation() -> None:
    program = "line = host.standard_input().read_line()\nhost.standard_output().write(line + 'λ\\r\\n')\nhost.flush()"
    assert run(program, input="é\r\n".encode()).stdout == "éλ\r\n".encode()


def test_a_prompt_is_seen_before_input_is_waited_for() -> None:
    program = """
import os, sys, threading
host.standard_output().write("name? ")
read, write = os.pipe()
os.dup2(read, 0)
threading.Timer(0.2, lambda: (os.write(2, b"|typed|"), os.write(write, b"me\\n"))).start()
line = host.standard_input().read_line()
os.write(2, b"after")
"""
    both = run("import os\nos.dup2(1, 2)\n" + program)
    assert both.stdout == b"name? |typed|after"


def test_a_reader_that_went_away_ends_quietly() -> None:
    program = """
import os, sys
from nodwyn.interp.ports import Disconnected
read, write = os.pipe()
os.dup2(write, 1)
os.close(read)
try:
    host.standard_output().write("a" * 100_000)
    host.flush()
except Disconnected:
    os.write(2, b"quiet")
    os._exit(0)
"""
    result = run(program)
    assert (result.returncode, result.stderr) == (0, b"quiet")
