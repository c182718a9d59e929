"""What the tests of the expander share: programs that run in the simple evaluator."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.expand import Expander, Toplevel
from nodwyn.interp.printer import write
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Source


def _load_evaluator() -> Any:
    # Test modules cannot import their neighbours: nothing of the tests is on the path.
    spec = importlib.util.spec_from_file_location("simple_evaluator", Path(__file__).with_name("evaluate.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EVALUATOR = _load_evaluator()

FEATURES = ["r7rs", "nodwyn", "ratios"]


class Bench:
    """An expander over libraries and files given as text, and an evaluator for what it makes."""

    def __init__(self, libraries: dict[str, str] | None = None, files: dict[str, str] | None = None) -> None:
        self.libraries = libraries or {}
        self.files = files or {}
        self.evaluator = EVALUATOR.Evaluator()
        self.expander = Expander(
            read_source,
            self._find,
            self._include,
            FEATURES,
            self.evaluator.globals,
            known_libraries=lambda: list(self.libraries),
        )
        self.ran: set[str] = set()

    def _find(self, name: str) -> Source | None:
        text = self.libraries.get(name)
        return None if text is None else Source(f"{name}.sld", text)

    def _include(self, name: str, base: str | None) -> Source:
        if name not in self.files:
            raise SchemeError(Condition("file", f"cannot read {name}: no such file"))
        return Source(name, self.files[name])

    def run_libraries(self, names: list[str]) -> None:
        for name in names:
            if name not in self.ran:
                self.ran.add(name)
                library = self.expander.library(name)
                self.run_libraries(library.imports)
                self.evaluator.run(library.body)

    def program(self, text: str) -> Value:
        """Run a program, with all of the evaluator's builtins when it has no imports, and return its last value."""
        if "(import" not in text:
            text = "(import (nodwyn builtins) (nodwyn syntax))" + text
        program = self.expander.program(read_source(Source("program.scm", text)))
        self.run_libraries(program.imports)
        return self.evaluator.run(program.body)

    def scope(self) -> Toplevel:
        """Return a scope of a read-eval-print loop with everything imported."""
        scope = Toplevel("user", "interaction")
        self.type(scope, "(import (nodwyn builtins) (nodwyn syntax))")
        return scope

    def type(self, scope: Toplevel, text: str) -> Value:
        """Run forms one by one as if they were typed in."""
        result = None
        for form in read_source(Source("typed", text)):
            nodes = self.expander.interaction(form, scope)
            self.run_libraries(scope.imports)
            result = self.evaluator.run(nodes)
        return result


@pytest.fixture(autouse=True)
def deep_recursion() -> Iterator[None]:
    """Allow what the runtime allows."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(120_000)
    yield
    sys.setrecursionlimit(limit)


@pytest.fixture
def bench() -> type[Bench]:
    """Return the class of test benches."""
    return Bench


@pytest.fixture
def value() -> Callable[[str], str]:
    """Return a function from a program to the printed value of its last form."""
    return lambda text: write(Bench().program(text))


@pytest.fixture
def mistake() -> Callable[..., Condition]:
    """Return a function from a program to the condition that its expansion raises."""

    def condition_of(text: str, **given: Any) -> Condition:
        with pytest.raises(SchemeError) as caught:
            Bench(**given).program(text)
        condition = caught.value.payload
        assert isinstance(condition, Condition)
        return condition

    return condition_of
