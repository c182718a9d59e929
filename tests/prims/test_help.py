"""Help is made from the declarations, and the page of all primitives is what they say now."""

from __future__ import annotations

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.declare import named
from nodwyn.prims.families import ALL
from nodwyn.prims.fs import fs_read
from nodwyn.prims.help import described, found, renewed
from nodwyn.prims.session import Session


def test_a_page_without_a_place_for_it_is_not_renewed() -> None:
    with pytest.raises(ValueError, match="the page lacks"):
        renewed("# A page", ALL)


def test_a_description_has_usage_parameters_defaults_effect_and_callers() -> None:
    text = described(fs_read)
    assert text.startswith("(fs-read path [start] [count])\n\nReturn a file's text")
    assert "  start  a line number from 1: first line, from 1 (default 1)\n" in text
    assert text.endswith("Effect: reads. May be called by: person, loop, model. Its text is labelled external:file.")


def test_words_are_looked_for_in_names_first() -> None:
    names = [primitive.name for primitive in found(named(ALL), "edit")]
    assert names[0] == "fs-edit"
    assert "allow" in names
    assert found(named(ALL), "no such word") == []


def test_describe_and_apropos_show_it_in_scheme(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.evaluate("(describe 'fs-find)")
    session.evaluate('(apropos "git log")')
    shown = capsys.readouterr().out
    assert shown.startswith("(fs-find [path] [glob])\n")
    assert "(git-log [revision] [paths] [limit] [skip] [files])\n    Return commits" in shown


def test_describe_names_the_nearest(session: Session) -> None:
    with pytest.raises(SchemeError, match=r"there is no primitive fs-raed; did you mean fs-read\?"):
        session.evaluate("(describe 'fs-raed)")
