"""The system interface: section 6.14."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nodwyn.interp.builtins.system import FEATURES
from nodwyn.interp.data import NIL, String, Value
from nodwyn.interp.host import Host, SystemHost

Builtins = dict[str, Callable[..., Value]]


def test_features(apply: Callable[..., Any]) -> None:
    features = apply("features")
    assert features == [f"'{feature}" for feature in FEATURES]
    assert {"'r7rs", "'exact-closed", "'exact-complex", "'ieee-float", "'full-unicode", "'ratios"} <= set(features)


def test_the_process(bind: Callable[[Host], Builtins], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODWYN_TEST", "some λ")
    monkeypatch.delenv("NODWYN_NONE", raising=False)
    builtins = bind(SystemHost(["program.scm", "-x", "bad\udcff"]))
    line = builtins["command-line"]()
    texts = []
    while line is not NIL:
        texts.append(line.car.text())
        line = line.cdr
    assert texts == ["program.scm", "-x", "bad\ufffd"]
    assert builtins["get-environment-variable"](String("NODWYN_TEST")).text() == "some λ"
    assert not builtins["get-environment-variable"](String("NODWYN_NONE"))
    assert not builtins["get-environment-variable"](String("a\0b"))
    entries = builtins["get-environment-variables"]()
    found = None
    while entries is not NIL:
        if entries.car.car.text() == "NODWYN_TEST":
            found = entries.car.cdr.text()
        entries = entries.cdr
    assert found == "some λ"


def test_the_clock(bind: Callable[[Host], Builtins]) -> None:
    builtins = bind(SystemHost([]))
    assert builtins["current-second"]() > 1.6e9
    first, second = builtins["current-jiffy"](), builtins["current-jiffy"]()
    assert isinstance(first, int)
    assert first <= second
    assert builtins["jiffies-per-second"]() == 1_000_000


@pytest.mark.parametrize(
    ("name", "arguments", "what"),
    [
        ("command-line", [], "the command line"),
        ("get-environment-variable", ["HOME"], "environment variables"),
        ("get-environment-variables", [], "environment variables"),
        ("current-second", [], "a clock"),
        ("current-jiffy", [], "a clock"),
        ("jiffies-per-second", [], "a clock"),
    ],
)
def test_a_closed_host_refuses(complaint: Callable[..., str], name: str, arguments: list[Any], what: str) -> None:
    assert complaint(name, *arguments) == f"control: {name}: this program has no access to {what}"


def test_complaint(complaint: Callable[..., str]) -> None:
    message = "type: get-environment-variable: name must be a string, got 5"
    assert complaint("get-environment-variable", 5) == message
