"""Writes and edits that hold a mark."""

from __future__ import annotations

import pytest

from nodwyn.prims.redact import refuses

MARKED = 'password = "[redacted:password]"\n'


@pytest.mark.parametrize("mark", ["[redacted:password]", "[redacted:aws-access-key]", "[redacted:line]"])
def test_a_text_with_a_mark_is_refused_and_told_why(mark: str) -> None:
    reason = refuses(f"a = {mark}")
    assert reason is not None
    assert mark in reason
    assert "would destroy the secret" in reason
    assert "choose an edit" in reason


@pytest.mark.parametrize("text", ["", "a = 1", "[redacted]", "[redacted:KIND]", "[redacted: x]", "redacted:password"])
def test_a_text_without_one_is_not_refused(text: str) -> None:
    assert refuses(text) is None


def test_a_mark_of_rules_that_are_gone_is_one_too() -> None:
    assert refuses("[redacted:some-older-kind]") is not None


def test_marks_that_are_really_in_the_file_may_be_written_again() -> None:
    assert refuses(MARKED, present=MARKED) is None
    assert refuses(MARKED * 2, present=MARKED) is not None
    assert refuses("[redacted:secret]", present=MARKED) is not None
    assert refuses(MARKED, present='password = "what is really there"') is not None


def test_lone_surrogates_do_no_harm() -> None:
    assert refuses("\udc80[redacted:password]\ud800") is not None
