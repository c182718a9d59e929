"""Command lines: options stand anywhere, as a person types them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import pytest

from nodwyn.loop.ui.options import parser


def words_and_options() -> argparse.ArgumentParser:
    line = parser("try", "Try.", "nodwyn try")
    line.add_argument("first", nargs="?")
    line.add_argument("second", nargs="?")
    line.add_argument("--glob")
    line.add_argument("--count", type=int)
    line.add_argument("--pair", nargs=2)
    line.add_argument("--yes", action="store_true")
    return line


def many_words() -> argparse.ArgumentParser:
    line = parser("try", "Try.", "nodwyn try")
    line.add_argument("words", nargs="+")
    line.add_argument("--limit", type=int)
    return line


def one_and_more() -> argparse.ArgumentParser:
    line = parser("try", "Try.", "nodwyn try")
    line.add_argument("first")
    line.add_argument("more", nargs="*")
    return line


def subcommands() -> argparse.ArgumentParser:
    line = parser("try", "Try.", "nodwyn try")
    recall = line.add_subparsers(required=True, metavar="recall").add_parser("recall", allow_abbrev=False)
    recall.add_argument("first", type=int)
    recall.add_argument("second", type=int, nargs="?")
    recall.add_argument("--task")
    return line


def given(line: argparse.ArgumentParser, arguments: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in vars(line.parse_args(arguments)).items() if value not in (None, False)}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {}),
        (["a", "--glob", "*.md", "b"], {"first": "a", "second": "b", "glob": "*.md"}),
        (["--glob", "*.md", "a", "b"], {"first": "a", "second": "b", "glob": "*.md"}),
        (["a", "b", "--glob", "*.md"], {"first": "a", "second": "b", "glob": "*.md"}),
        (["a", "--glob=*.md", "b"], {"first": "a", "second": "b", "glob": "*.md"}),
        (["a", "--yes", "b"], {"first": "a", "second": "b", "yes": True}),
        (["a", "--pair", "1", "2", "b"], {"first": "a", "second": "b", "pair": ["1", "2"]}),
        (["--count", "3", "a"], {"first": "a", "count": 3}),
        (["--count", "-3", "a"], {"first": "a", "count": -3}),
        (["--glob", "-3d", "a"], {"first": "a", "glob": "-3d"}),
        (["a", "-3d"], {"first": "a", "second": "-3d"}),
        (["--", "--glob"], {"first": "--glob"}),
        (["--", "--glob", "--yes"], {"first": "--glob", "second": "--yes"}),
        (["a", "--count", "1", "--", "-b"], {"first": "a", "second": "-b", "count": 1}),
        (["-", "--yes", "-5"], {"first": "-", "second": "-5", "yes": True}),
        (["- not an option", "--yes"], {"first": "- not an option", "yes": True}),
    ],
)
def test_options_stand_anywhere(arguments: list[str], expected: dict[str, Any]) -> None:
    assert given(words_and_options(), arguments) == expected


def test_words_may_stand_around_an_option() -> None:
    assert given(many_words(), ["a", "--limit", "2", "b", "c"]) == {"words": ["a", "b", "c"], "limit": 2}


def test_so_it_is_behind_a_subcommand() -> None:
    assert given(subcommands(), ["recall", "3", "--task", "T", "4"]) == {"first": 3, "second": 4, "task": "T"}


@pytest.mark.parametrize(
    ("line", "arguments", "said"),
    [
        (words_and_options(), ["a", "--globb", "x"], "unrecognized arguments: --globb; did you mean --glob?"),
        (words_and_options(), ["a", "b", "c", "--yes"], "unrecognized arguments: c"),
        (words_and_options(), ["a", "--glob"], "argument --glob: expected one argument"),
        (words_and_options(), ["a", "--glob", "--yes", "b"], "argument --glob: expected one argument"),
        (words_and_options(), ["a", "--glob", "--", "b"], "argument --glob: expected one argument"),
        (words_and_options(), ["--count", "x", "b"], "argument --count: 'x' is no whole number"),
        (many_words(), ["--limit", "2"], "the following arguments are required: words"),
        (one_and_more(), [], "the following arguments are required: first\n"),
        (subcommands(), ["recal", "2"], "invalid choice: 'recal'; did you mean recall?"),
    ],
)
def test_a_mistake_is_said(
    capsys: pytest.CaptureFixture[str], line: argparse.ArgumentParser, arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as left:
        line.parse_args(arguments)
    assert left.value.code == 2
    assert said in capsys.readouterr().err
