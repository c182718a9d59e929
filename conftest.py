"""Collects the tests of the Scheme libraries: stdlib/**/*-test.scm, one item for each SRFI 64 test group.

The groups of a file are found in its text. The file is run once, in an interpreter of its own, when
the first of its groups is; the results come from the library ``(nodwyn testing)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nodwyn.interp.data import String, iterate
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Source, Syntax

GROUP_FORMS = ("test-group", "test-group-with-cleanup")

GroupPath = tuple[str, ...]
"""The names of a group and of those around it, outermost first."""


class Group(NamedTuple):
    """A test group as the text of its file shows it."""

    path: GroupPath
    line: int
    has_subgroups: bool


def find_groups(forms: Iterable[Syntax], around: GroupPath = ()) -> Iterator[Group]:
    """Yield the groups that ``forms`` open, and those directly in them."""
    path = around
    for form in forms:
        if not (isinstance(form, ListSyntax) and form.items and isinstance(form.items[0], Identifier)):
            continue
        keyword = form.items[0].symbol.name
        if keyword == "test-end":
            path = path[:-1]
        elif keyword == "test-begin" or keyword in GROUP_FORMS:
            group = (*path, name_in(form))
            inner = list(find_groups(form.items[2:], group)) if keyword in GROUP_FORMS else []
            line = form.span.line if form.span else 1
            yield Group(group, line, has_subgroups=keyword == "test-begin" or bool(inner))
            yield from inner
            if keyword == "test-begin":
                path = group


def name_in(form: ListSyntax) -> str:
    """Return the name that a form which opens a group gives it: its first operand, a string literal."""
    name = form.items[1] if len(form.items) > 1 else None
    if isinstance(name, Literal) and isinstance(name.value, String):
        return name.value.text()
    line = f", line {form.span.line}" if form.span else ""
    raise pytest.UsageError(f"a test group is named by a string literal{line}")


class SchemeFile(pytest.File):
    """A ``*-test.scm`` file."""

    _reports: dict[GroupPath, list[str]] | None = None

    def collect(self) -> Iterator[SchemeGroup]:
        from nodwyn.interp.reader import read_source

        source = Source(str(self.path), self.path.read_text(encoding="utf-8"))
        self.groups = {group.path: group for group in find_groups(read_source(source))}
        if not self.groups:
            raise self.CollectError(f"{self.path}: no test group is in this file")
        for group in self.groups.values():
            yield SchemeGroup.from_parent(self, name=" / ".join(group.path), group=group)

    def reports(self) -> dict[GroupPath, list[str]]:
        """Return what failed in each group that ran, running the file if it was not yet run."""
        if self._reports is None:
            self._reports = {}
            for path, failures in run_tests(self.path):
                self._reports.setdefault(self.owner(path), []).extend(failures)
        return self._reports

    def owner(self, path: GroupPath) -> GroupPath:
        """Return the collected group that answers for ``path``: the nearest around it, else the file's first."""
        while path and path not in self.groups:
            path = path[:-1]
        return path or next(iter(self.groups))


class GroupFailure(Exception):
    """Tests of a group failed; the message shows each."""


class SchemeGroup(pytest.Item):
    """A test group. One that contains others answers for what went wrong between them."""

    parent: SchemeFile

    def __init__(self, *, group: Group, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.group = group

    def runtest(self) -> None:
        reports = self.parent.reports()
        if self.group.path not in reports and not self.group.has_subgroups:
            raise GroupFailure("no test of this group ran; the file's other groups say why")
        if failures := reports.get(self.group.path):
            raise GroupFailure("\n".join(failures))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, GroupFailure):
            return f"{self.path}:{self.group.line}: {self.name}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.group.line - 1, self.name


def run_tests(file: Path) -> Iterator[tuple[GroupPath, list[str]]]:
    """Run a test file; yield the path and the reports of failures of each group in which a test ran."""
    from nodwyn.interp import Interpreter
    from nodwyn.interp.host import SystemHost

    scheme = Interpreter(host=SystemHost())
    scheme.eval("(import (scheme base) (scheme load) (nodwyn testing))")
    name = str(file).replace("\\", "\\\\").replace('"', '\\"')
    for result in iterate(scheme.eval_scheme(f'(run-and-collect (lambda () (load "{name}")))')):
        path, _passed, _failed, failures = iterate(result)
        yield tuple(part.text() for part in iterate(path)), [report.text() for report in iterate(failures)]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name.endswith("-test.scm"):
        return SchemeFile.from_parent(parent, path=file_path)
    return None
