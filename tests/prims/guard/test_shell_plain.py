"""Reading shell lines: what is called plain is what Bash itself makes of the line."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from nodwyn.prims.guard.shell_plain import Plain, read_plain
from nodwyn.prims.guard.shell_reading import read_line

# Pieces of lines; those that mean something to the shell stand beside those that only look so.
PIECES = [
    *("a", "b", "ab", "é", "1", "2", "=", "~", "!", "#", ",", "-", "%", "@", ":"),
    *("'x y'", '"q r"', "\\ ", "'", '"', "\\", "\\\n", "\t", "\n", "$", "`", "{", "}", "(", ")", "*", "?", "["),
    *(";", "|", "|&", "&&", "||", "&", ">", ">>", ">|", "&>", "<", "<<", "2>&1", ">&", "2>g", ">f", "<f", ">/dev/null"),
    *("if ", "then ", "fi", "done", "time ", "$'", '$"', "[[ "),
]

# Bash calls this function for every command that it does not find, and here it finds none.
PROGRAM = 'command_not_found_handle() { printf "%%s\\0" "$@" "\\1" >&9; return %d; }\nPATH=/nonexistent\n'


@pytest.mark.parametrize(
    ("line", "commands", "redirections"),
    [
        ("ls -l", [["ls", "-l"]], []),
        ("a;b\nc && d || e | f |& g", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]], []),
        ('a \'b c\'"d\\"e"\\ f', [["a", 'b cd"e f']], []),
        ("a > f b 2>&1 x < g", [["a", "b", "x"]], [(">", "f"), (">&", "1"), ("<", "g")]),
        ("a # b\nc#d '#'", [["a"], ["c#d", "#"]], []),
        ("a \\\n b\\\nc", [["a", "bc"]], []),
        ("a &&\n\nb", [["a"], ["b"]], []),
        ("\n a \n", [["a"]], []),
        ("echo a~b x=y", [["echo", "a~b", "x=y"]], []),
    ],
)
def test_a_plain_line_is_read(line: str, commands: list[list[str]], redirections: list[tuple[str, str]]) -> None:
    assert read_plain(line) == Plain(commands, redirections)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "a &",
            "a; ; b",
            "&& a",
            "a |",
            "a $b",
            "a `b`",
            'a "$b"',
            "a {b,c}",
            "a *",
            "~/a",
            "a b=~/c",
            "x=1",
            "x=1 a",
        ),
        *("! a", "(a)", "a() b", "if a", "a << b", "a <<< b", "a <(b)", "a > ", "a >& f", "a '", 'a "', "a\\"),
        *("a >2>f", "a <> f", "a > #b"),
    ],
)
def test_everything_else_is_not_plain(line: str) -> None:
    assert read_plain(line) is None


def agreed_on(line: str) -> Plain | None:
    """Return what both readings find, or None when they differ or one has a doubt."""
    plain = read_plain(line)
    reading = read_line(line, "/home/x")
    doubts = reading.doubts or [word.doubt for command in reading.commands for word in command.words if word.doubt]
    if plain is None or doubts:
        return None
    words = [[word.text for word in command.words] for command in reading.commands]
    return plain if words == plain.commands else None


def run_by_bash(line: str, folder: Path, status: int) -> tuple[list[list[str]], set[str]]:
    """Return the commands that Bash finds in a line, in the order in which they run, and the files that it makes."""
    inside = folder / "inside"
    inside.mkdir()
    record = os.open(folder / "record", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", f"exec 9>>'{folder}/record'\n" + PROGRAM % status + line],
            cwd=inside,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
        words = os.read(record, 1 << 20).decode().split("\0")[:-1]
    finally:
        os.close(record)
    commands: list[list[str]] = [[]]
    for word in words:
        if word == "\\1":
            commands.append([])
        else:
            commands[-1].append(word)
    files = {file.name for file in inside.iterdir()}
    shutil.rmtree(folder)
    return commands[:-1], files


def compare_with_bash(folder: Path, seed: int, lines: int) -> None:
    """Make lines up; where both readings agree, Bash must find no other command, and make no other file."""
    chance = random.Random(seed)
    compared = seen = 0
    while compared < lines:
        line = "".join(chance.choices(PIECES, k=chance.randint(1, 12)))
        plain = agreed_on(line)
        if not plain or not plain.commands or any(set(words[0]) & set("/:%-.[") for words in plain.commands):
            continue  # Bash's own commands, jobs and files are not looked for as programs
        compared += 1
        sub = folder / str(compared)
        sub.mkdir()
        commands, files = run_by_bash(line, sub, chance.randint(0, 1))
        seen += len(commands)
        assert all(command in plain.commands for command in commands), (line, plain, commands)
        assert files <= {target for _, target in plain.redirections}, (line, plain, files)
    assert seen > lines / 2  # the others are lines that Bash refuses, or whose first command decides against the rest


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_makes_of_plain_lines_what_was_read(tmp_path: Path) -> None:
    compare_with_bash(tmp_path, seed=1, lines=150)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("seed", range(2, 6))
def test_bash_makes_of_many_plain_lines_what_was_read(tmp_path: Path, seed: int) -> None:
    compare_with_bash(tmp_path, seed, lines=2000)
