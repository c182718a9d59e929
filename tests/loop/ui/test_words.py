"""Calls in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from nodwyn.loop.ui import words

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
    max_leaves=5,
)
MEMBERS = some.sampled_from(["path", "start", "count", "glob", "pattern", "query", "scope", "seq", "task", "line"])
TOOLS = some.sampled_from(
    ["fs-read", "fs-find", "index-grep", "index-search", "recall", "shell-exec", "fs-list", "own"]
)


@pytest.mark.parametrize(
    ("name", "arguments", "value", "said"),
    [
        ("fs-read", {"path": "src/a.py"}, "text", "read src/a.py"),
        ("fs-read", {"path": "a.py", "start": 20, "count": 5}, "text", "read a.py, lines 20 to 24"),
        ("fs-read", {"path": "a.py", "start": 20}, "text", "read a.py, from line 20"),
        ("fs-read", {"path": "bad\ufdd0dcff.txt"}, "text", "read bad⟨\\xff⟩.txt"),
        ("shell-exec", {"line": "cat \ufdd0dcff"}, {"exit": 0}, "ran cat ⟨U+FDD0⟩dcff: exit 0"),
        ("fs-list", {}, ["a", "b"], "listed .: 2 names"),
        ("fs-find", {"path": "src", "glob": "*.py"}, ["a.py"], "looked for *.py in src: 1 file"),
        ("fs-find", {}, [], "looked for all files: 0 files"),
        ("fs-edit", {"path": "a.py", "old": "x", "new": "y"}, "edited", "edited a.py"),
        ("shell-exec", {"line": "make test"}, {"exit": 0, "output": "ok", "notes": []}, "ran make test: exit 0"),
        (
            "shell-exec",
            {"line": "sleep 9"},
            {"exit": None, "notes": ["stopped after 1 seconds"]},
            "ran sleep 9: stopped after 1 seconds",
        ),
        ("shell-exec", {"line": "a\nb"}, {"exit": 2}, "ran a …: exit 2"),
        ("index-grep", {"path": ".", "pattern": "def f"}, {}, "searched for “def f”"),
        ("index-search", {"query": "retry", "scope": "repo"}, [], "searched “retry” in the repository"),
        ("index-search", {"query": "retry", "scope": "conversation"}, [], "searched “retry” in the conversation"),
        ("index-search", {"query": "retry", "scope": "earlier"}, [], "searched “retry” in earlier tasks"),
        ("recall", {"seq": 12}, "text", "recalled seq 12"),
        ("recall", {"seq": 12, "task": "2026"}, "text", "recalled seq 12 of 2026"),
        ("index-update", {}, {}, "updated the index"),
        ("plan-set", {"items": []}, "", "set the plan"),
        ("deploy", {"where": "there"}, "done", "called deploy there"),
        ("fs-read", "{no json", "text", "read"),
    ],
)
def test_a_call_that_succeeded(name: str, arguments: Any, value: Any, said: str) -> None:
    assert words.after(name, arguments, True, value) == said


@pytest.mark.parametrize(
    ("name", "arguments", "value", "said"),
    [
        ("fs-read", {"path": "a.py"}, "fs-read: a.py: there is no such file", "could not read a.py: there is no"),
        (
            "shell-exec",
            {"line": "make"},
            "shell-exec: make: the person said no",
            "could not run make: the",
        ),
        (
            "shell-exec",
            {"line": f"make {'x' * 200}"},
            f"shell-exec: make {'x' * 94}…: the person said no",
            f"could not run make {'x' * 94}…: the person said no",
        ),
        ("shell-exec", {"line": "a\nb"}, "shell-exec: a…: the person said no", "could not run a …: the person said no"),
        ("shell-exec", {"line": "make"}, "shell-exec: the person said no", "could not run make: the person said no"),
        ("fs-write", {"path": "./a.py"}, "fs-write: a.py: the person said no", "could not write ./a.py: the person"),
        (
            "fs-write",
            {"path": "a.py"},
            f"fs-write: a.py: {'because ' * 12}and nobody to ask. --approve edits would allow it.",
            f"could not write a.py: {'because ' * 12}and nobody to ask. --approve edits would allow it.",
        ),
        ("deploy", {}, "there is no tool 'deploy'", "could not call deploy: there is no tool 'deploy'"),
    ],
)
def test_a_call_that_failed(name: str, arguments: Any, value: Any, said: str) -> None:
    assert words.after(name, arguments, False, value).startswith(said)


def test_nothing_in_a_line_moves_the_cursor() -> None:
    said = words.after("fs-read", {"path": "a\x1b[2J\u202eb.py"}, True, "")
    assert said == "read a⟨U+001B⟩[2J⟨U+202E⟩b.py"


def test_a_long_command_is_cut() -> None:
    assert len(words.before("shell-exec", {"line": "x" * 500})) < 120


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"how": "done", "milliseconds": 1240}, "done (1.2 s)"),
        (
            {"how": "done", "spent": {"rounds": 1, "tokens": 900, "cost": 12_300}},
            "done (0.0 s, 1 request, 900 tokens, $0.0123)",
        ),
        ({"how": "budget", "reason": "the turn's 3 rounds are used up"}, "stopped at a limit: the turn's 3 rounds"),
        (
            {"how": "unanswered", "reason": "fs-edit needed the person's yes"},
            "stopped by a question that nobody answered",
        ),
        ({"how": "of a later\x1bprogram"}, "of a later⟨U+001B⟩program (0.0 s)"),
    ],
)
def test_how_a_turn_ended(members: dict[str, Any], said: str) -> None:
    assert words.ending(members).startswith(said)


def test_an_update_of_the_index_says_only_what_happened() -> None:
    assert words.index_line({"files": 40, "read": 2}) == "index: 40 files, 2 read"
    assert words.index_line({"files": 40, "read": 0, "removed": 1, "left": 3}) == (
        "index: 40 files, 0 read, 1 dropped, 3 still to be read"
    )


@given(TOOLS, JSON | some.dictionaries(MEMBERS, JSON), some.booleans(), JSON)
def test_whatever_a_model_gives_a_call_is_one_line(name: str, arguments: Any, ok: bool, value: Any) -> None:
    assert "\n" not in words.before(name, arguments)
    assert "\n" not in words.after(name, arguments, ok, value)
