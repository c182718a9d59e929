"""Whoever mistypes a name is told the one that may have been meant."""

from __future__ import annotations

import pytest

from nodwyn.prims.mistyped import hint

COMMANDS = ("run", "resume", "eval", "memory")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("rnu", "run"),
        ("urn", "run"),
        ("runn", "run"),
        ("resme", "resume"),
        ("evla", "eval"),
        ("eavl", "eval"),
        ("memroy", "memory"),
    ],
)
def test_letters_that_are_missing_doubled_or_swapped_do_not_hide_a_name(given: str, meant: str) -> None:
    assert hint(given, COMMANDS) == f"; did you mean {meant}?"


@pytest.mark.parametrize("given", ["", "x", "nothing", "nur", "m"])
def test_where_no_name_is_near_all_are_said(given: str) -> None:
    assert hint(given, COMMANDS) == "; there are run, resume, eval, memory"


def test_where_there_is_no_name_that_is_said() -> None:
    assert hint("run", ()) == "; there is none"


def test_a_name_is_written_as_it_is_typed() -> None:
    assert hint("rnu", COMMANDS, show=repr) == "; did you mean 'run'?"


def test_a_long_list_can_give_way_to_where_it_is() -> None:
    assert hint("x", COMMANDS, otherwise="; /help lists them") == "; /help lists them"
