"""Heap code: functions that continue a frame behind one of its calls, with their own frames on the heap.

Where a callee answers with a request, such a function puts what is left of itself on the heap and hands the
request on to the base, so that capturing and continuing there cost no exception.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from nodwyn.interp.analyse.finish import parameters_of, parts
from nodwyn.interp.analyse.nodes import Invoke, Routine
from nodwyn.interp.core import Node
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.compiling import compile_module
from nodwyn.interp.generate.expressions import Constants, variable_name
from nodwyn.interp.generate.in_place import around_form, payload_of
from nodwyn.interp.generate.liveness import live_at
from nodwyn.interp.generate.slices import Block, names_assigned, rest_after, sites_in
from nodwyn.interp.generate.statements import Statements
from nodwyn.interp.runtime.units import Around


class HeapWriter:
    """Writes the heap code of one unit."""

    def __init__(self, loaded: tuple[list[Routine], Constants], unit: str) -> None:
        routines, self.constants = loaded
        self.unit = unit
        self.nodes: dict[int, Node] = {}
        self._owner: dict[int, Routine] = {}
        self._parents: dict[int, int] = {}
        self._blocks: dict[int, Block] = {}
        self._rests: dict[int, tuple[Block, tuple[str, ...]] | None] = {}
        self._defined: dict[int, set[str]] = {}
        self._locals: dict[int, set[str]] = {}
        for routine in routines:
            self._index(routine)

    def _index(self, form: Routine) -> None:
        pending: list[tuple[Node, Routine]] = [(form, form)]
        while pending:
            node, routine = pending.pop()
            self.nodes[node.number] = node
            self._owner[node.number] = routine
            self._parents.update((part.number, node.number) for part in parts(node))
            inner = node if isinstance(node, Routine) else routine
            pending.extend((part, inner) for part in parts(node))

    def _block(self, routine: Routine) -> Block:
        block = self._blocks.get(routine.number)
        if block is None:
            writer = Statements(routine, self.constants, heap=True)
            block = self._blocks[routine.number] = writer.whole()
            self._defined[routine.number] = writer.defined
            own = {variable_name(variable) for variable in [*parameters_of(routine), *routine.free]}
            self._locals[routine.number] = (names_assigned(block) | own) - writer.defined
        return block

    def _rest(self, number: int) -> tuple[Block, tuple[str, ...]] | None:
        if number not in self._rests:
            self._rests[number] = self._slice(number)
        return self._rests[number]

    def _slice(self, number: int) -> tuple[Block, tuple[str, ...]] | None:
        routine = self._owner.get(abs(number))
        if routine is None:
            return None
        block = self._block(routine)
        if number < 0:
            node = self.nodes[-number]
            if isinstance(node, Routine):
                return self._entry(node)
            block = Statements(routine, self.constants, heap=True, apart=self._path_to(-number)).whole()
        rest = rest_after(block, abs(number))
        if rest is None:
            return None
        live = live_at(rest) - {f"%{abs(number)}"}
        own = self._locals[routine.number]
        if number < 0:
            own = own | (names_assigned(block) - self._defined[routine.number])
        return rest, tuple(sorted(live & own))

    def _entry(self, clauses: Routine) -> tuple[Block, tuple[str, ...]]:
        """Return the clauses of a ``guard`` as the rest behind what it has caught."""
        condition, reraise = (variable_name(variable) for variable in clauses.parameters)
        caught = py.load(f"%{clauses.number}")
        block = [py.assign(condition, payload_of(caught)), py.assign(reraise, caught), *self._block(clauses)]
        return block, tuple(sorted((live_at(block) - {f"%{clauses.number}"}) & self._locals[clauses.number]))

    def procedure_at(self, number: int) -> str:
        """Return the Scheme name of the procedure that a node is in."""
        routine = self._owner.get(number)
        while routine is not None and routine.in_place:
            routine = self._owner[self._parents[routine.number]]
        return "" if routine is None else routine.name

    def around(self, number: int, function: int) -> list[Around]:
        """Return the forms written where they stand around a node, outermost first.

        function: the number of the routine whose function it is in.
        """
        node = self.nodes.get(number)
        routine = node if isinstance(node, Routine) else self._owner.get(number)
        found: list[Around] = []
        while routine is not None and routine.in_place and routine.number != function:
            form = self.nodes[self._parents[routine.number]]
            assert isinstance(form, Invoke)
            found.append(around_form(form, routine))
            routine = self._owner[form.number]
        return found[::-1]

    def _path_to(self, number: int) -> list[int]:
        """Return the numbers of the forms of a routine that hold an operation, the operation's own first."""
        path = [number]
        while not isinstance(self.nodes[path[-1]], Routine):
            path.append(self._parents[path[-1]])
        return path[:-1]

    def live(self, number: int) -> tuple[str, ...] | None:
        """Return the variables that the rest behind a call needs, or None if nothing is left to do there."""
        rest = self._rest(number)
        return None if rest is None else rest[1]

    def inner_sites(self, number: int) -> set[int]:
        """Return the calls in the rest behind a call."""
        rest = self._rest(number)
        return set() if rest is None else sites_in(rest[0])

    def compile(self, number: int, source: str, variables: dict[str, Any]) -> Callable[..., Any]:
        """Return the function that continues a frame behind a call: of the call's value and the live variables.

        A negative number is that of an arithmetic operation: then of its value.
        """
        rest = self._rest(number)
        assert rest is not None
        block, live = rest
        number = abs(number)
        node = self.nodes[number]
        routine = node if isinstance(node, Routine) else self._owner[number]
        body: Block = []
        if self._defined[routine.number]:
            body.append(ast.Global(sorted(self._defined[routine.number])))
        if live:
            body.append(ast.Assign([ast.Tuple([ast.Name(n, py.STORE) for n in live], py.STORE)], py.load("%live")))
        body.extend(self._leaving(block))
        procedure = self.procedure_at(number)
        name = f"{procedure or 'lambda'}.resumed.{number}"
        identity = f"{self.unit}!{number}!{procedure}"
        made = py.function(name, [f"%{number}", "%live"], None, body, identity)
        py.place(made, node.span.line if node.span is not None else 1, routine.number)
        before = set(self.constants.values)
        code = compile_module([made], source)
        for constant in self.constants.values.keys() - before:
            variables[constant] = self.constants.values[constant]
        for constant, value in self.constants.values.items():
            variables.setdefault(constant, value)
        exec(code, variables)  # noqa: S102  code of the generator
        function: Callable[..., Any] = variables.pop(name)
        return function

    def _leaving(self, block: Block) -> Block:
        """Return a block with what leaves the frame behind each of its calls."""
        written: Block = []
        for statement in block:
            site = getattr(statement, "site", None)
            if site is not None:
                assert isinstance(statement, ast.Assign)
                written.extend(self._leave_at(statement, site))
            elif isinstance(statement, ast.If):
                then, orelse = self._leaving(statement.body), self._leaving(statement.orelse)
                written.append(ast.If(statement.test, then, orelse))
            elif isinstance(statement, ast.While):
                written.append(py.forever(self._leaving(statement.body)))
            else:
                written.append(statement)
        return written

    def _leave_at(self, statement: ast.Assign, site: Node) -> Block:
        if not (statement.checked or statement.capturing):  # type: ignore[attr-defined]
            return [statement]
        live = self.live(site.number)
        assert live is not None
        resume = py.load(f"%r{self.unit}.{site.number}")
        frame = py.tuple_of([resume, py.tuple_of(py.load(n) for n in live), py.attribute(py.load("%tc"), "frames")])
        push: Block = [py.assign_attribute(py.load("%tc"), "frames", frame), ast.Return(py.NONE)]
        receiver = getattr(statement, "receiver", None)
        if receiver is not None:
            leaving, _ = push
            variable, inner = receiver
            return [leaving, py.assign(variable, py.call(py.load("%here"), py.load("%tc"))), *self._leaving(inner)]
        if statement.capturing:  # type: ignore[attr-defined]
            call = statement.value
            assert isinstance(call, ast.Call)
            request: Block = [
                py.assign_attribute(py.load("%tc"), "f", call.func),
                py.assign_attribute(py.load("%tc"), "a", py.tuple_of(call.args)),
            ]
            return [*request, *push]
        target = statement.targets[0]
        assert isinstance(target, ast.Name)
        return [statement, py.branch(py.compare(py.load(target.id), py.IS, py.NONE), push)]
