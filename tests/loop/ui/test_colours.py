"""Colours: at a terminal of somebody who wants them, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodwyn.loop.ui.cli import main
from nodwyn.loop.ui.colours import RED, Paint
from tests.loop.ui.conftest import HELLO, Place, Terminal


def test_each_line_is_painted_by_itself() -> None:
    assert Paint(True)(RED, "a\n\nb") == "\x1b[31ma\x1b[0m\n\n\x1b[31mb\x1b[0m"
    assert Paint(True)(RED, "") == ""
    assert Paint(False)(RED, "a") == "a"


@pytest.mark.parametrize(
    ("kind", "no_color", "painted"),
    [("xterm", None, True), ("xterm", "1", False), ("xterm", "", True), ("dumb", None, False)],
)
def test_a_transcript_at_a_terminal(
    place: Place,
    at_terminal: Callable[..., Terminal],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    no_color: str | None,
    painted: bool,
) -> None:
    main(["run", "--model", place.model(HELLO), "go"])
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    terminal = at_terminal("show", place.log().stem, kind=kind)
    assert terminal.status() == 0
    assert ("\x1b[32muser.msg\x1b[0m\n        go\n" in terminal.rest()) == painted
    assert ("\x1b" in terminal.rest()) == painted


def test_a_transcript_for_a_program_has_none(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "--model", place.model(HELLO), "go"])
    capsys.readouterr()
    assert main(["show", place.log().stem]) == 0
    assert "\x1b" not in capsys.readouterr().out
