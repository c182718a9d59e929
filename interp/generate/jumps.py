"""Loops: going round again, leaving one or several at once, and giving loop variables their next values."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from nodwyn.interp.analyse.kinds import GROWING
from nodwyn.interp.analyse.nodes import Block, Loop, Primitive, Routine
from nodwyn.interp.core import LocalRef, Node, Variable
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.expressions import Expressions, variable_name
from nodwyn.interp.generate.strings import (
    begin_labels,
    collects_labels,
    is_appended,
    labels_of,
    labels_variable,
    may_be_long,
    origin_of_made,
)

Target = Loop | Routine | Block


class Frame:
    """A Python loop being written, and the jumps out of it that go on to an outer one.

    pending: what to do after it, in order of first use. flags: the assignments that say which, with the
    block each stands in.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.pending: list[tuple[str, Target]] = []
        self.flags: list[tuple[list[ast.stmt], ast.Assign]] = []
        self.ends = False
        """Some jump ends this loop itself."""


class Jumps(Expressions):
    """The part of a routine's writer that knows the Python loops around it."""

    frames: list[Frame]

    @abstractmethod
    def operands(
        self, nodes: list[Node], out: list[ast.stmt], *, atoms: bool = False, moving: bool = False
    ) -> list[ast.expr]:
        """Write operands in order."""

    @contextmanager
    def inside(self, target: Target) -> Iterator[Frame]:
        """Write what follows inside the loop for ``target``."""
        frame = Frame(target)
        self.frames.append(frame)
        with self.known.apart():
            yield frame
        self.frames.pop()

    def jump(self, target: Target, out: list[ast.stmt]) -> None:
        """Write a jump to the start of an enclosing loop."""
        if self.frames[-1].target is target:
            out.append(ast.Continue())
        else:
            self._pass_on("jump", target, out)

    def leave(self, target: Loop | Block, out: list[ast.stmt]) -> None:
        """Write a jump to behind an enclosing loop."""
        if self.frames[-1].target is target:
            self.frames[-1].ends = True
            out.append(ast.Break())
        else:
            self._pass_on("leave", target, out)

    def _pass_on(self, how: str, target: Target, out: list[ast.stmt]) -> None:
        frame = self.frames[-1]
        if (how, target) not in frame.pending:
            frame.pending.append((how, target))
        flag = py.assign(self._flag(frame), py.constant(frame.pending.index((how, target))))
        frame.flags.append((out, flag))
        out.extend([flag, ast.Break()])

    def _flag(self, frame: Frame) -> str:
        return f"%jump.{frame.target.number}"

    def after_loop(self, frame: Frame, out: list[ast.stmt]) -> None:
        """Write, behind a loop, the jumps that left it for an outer one."""
        if frame.pending and frame.ends:
            out.insert(len(out) - 1, py.assign(self._flag(frame), py.constant(-1)))
        elif len(frame.pending) == 1:
            for written, flag in frame.flags:
                written.remove(flag)
        for index, (how, target) in enumerate(frame.pending):
            block: list[ast.stmt] = []
            if how == "jump":
                self.jump(target, block)
            else:
                assert not isinstance(target, Routine)
                self.leave(target, block)
            if index == len(frame.pending) - 1 and not frame.ends:
                out.extend(block)
            else:
                is_this = py.compare(py.load(self._flag(frame)), ast.Eq(), py.constant(index))
                out.append(py.branch(is_this, block))

    def rebind(self, variables: list[Variable], operands: list[Node], out: list[ast.stmt]) -> None:
        """Give variables their next values, all computed before any is changed."""
        pairs = [
            (variable, operand)
            for variable, operand in zip(variables, operands, strict=True)
            if variable.boxed or not (isinstance(operand, LocalRef) and operand.variable is variable)
        ]
        growing = [(variable, operand) for variable, operand in pairs if variable.kind == GROWING]
        for _, operand in growing:
            self.begin_growing(operand, out)
        has_sites = any(operand.sites for _, operand in pairs)
        # New labels are in force before the new values are.
        atoms = bool(growing) and (has_sites or not all(_keeps_labels(operand) for _, operand in growing))
        written = self.operands([operand for _, operand in pairs], out, atoms=atoms, moving=True)
        self._relabel(growing, out)
        values = [self._next_value(*pair, value) for pair, value in zip(pairs, written, strict=True)]
        names = [variable_name(variable) for variable, _ in pairs]
        if atoms or not has_sites:
            names, values = self._one_by_one(names, values, out)
        if len(names) == 1:
            out.extend(py.store(names[0], values[0]))
        elif names:
            targets: list[ast.expr] = [ast.Name(name, py.STORE) for name in names]
            out.append(ast.Assign([ast.Tuple(targets, py.STORE)], py.tuple_of(values)))
        for variable, operand in growing:
            if isinstance(operand, Primitive) and is_appended(operand) and may_be_long(operand, variable):
                out.append(self._limited(operand, variable_name(variable)))

    def _limited(self, node: Primitive, name: str) -> ast.stmt:
        statement = py.limited(name)
        py.place(statement, node.span.line if node.span is not None else self.line, node.number)
        return statement

    def _relabel(self, growing: list[tuple[Variable, Node]], out: list[ast.stmt]) -> None:
        """Give growing variables the labels of their next texts."""
        if len(growing) > 1:
            # Each may be made of the others.
            origins = [
                (labels_of(operand.number), self.grown_origin(variable, operand)) for variable, operand in growing
            ]
            out.extend(py.assign(name, origin) for name, origin in origins if names_in(origin) != {name})
            for variable, operand in growing:
                self.end_growing(variable, operand, py.load(labels_of(operand.number)), out)
        else:
            for variable, operand in growing:
                self.end_growing(variable, operand, self.grown_origin(variable, operand), out)

    def _next_value(self, variable: Variable, operand: Node, written: ast.expr) -> ast.expr:
        if is_appended(operand):
            return ast.BinOp(py.load(variable_name(variable)), ast.Add(), written)
        return ast.List([written], py.LOAD) if variable.boxed else written

    def new_string(self, node: Primitive, written: ast.expr, out: list[ast.stmt]) -> ast.expr:
        """Write a new string as statements."""
        if isinstance(written, ast.IfExp):
            before = ast.Expr(written.test)
            py.place(before, written.lineno, written.col_offset)
            out.append(before)
            written = written.body
        name = f"%{node.number}"
        out.extend(py.store(name, written))
        return py.load(name)

    def bind_growing(self, variable: Variable, init: Node, out: list[ast.stmt]) -> None:
        """Write the first text of a growing variable."""
        self.begin_growing(init, out)
        (text,) = self.operands([init], out, atoms=True)
        self.end_growing(variable, init, self.grown_origin(variable, init), out)
        out.append(py.assign(variable_name(variable), text))

    def begin_growing(self, operand: Node, out: list[ast.stmt]) -> None:
        """Write what comes before the next text of a growing variable."""
        if isinstance(operand, Primitive) and collects_labels(operand):
            start = begin_labels(operand)
            out.append(py.assign(start.target.id, start.value))

    def grown_origin(self, variable: Variable, operand: Node) -> ast.expr:
        """Write the origin of the next text of a growing variable."""
        if not isinstance(operand, Primitive):
            return py.load("%characters")
        origin = origin_of_made(operand, self.local)
        if not is_appended(operand):
            return origin
        own = py.load(labels_variable(variable))
        if not operand.sources:
            return own
        is_usual = py.compare(origin, py.IS, py.load("%characters"))
        return py.choose(is_usual, own, py.call(py.load("%union"), own, origin))

    def end_growing(self, variable: Variable, operand: Node, origin: ast.expr, out: list[ast.stmt]) -> None:
        """Write what comes behind the next text of a growing variable, which is in a variable of its own."""
        if isinstance(operand, Primitive) and not is_appended(operand) and may_be_long(operand, variable):
            out.append(self._limited(operand, f"%{operand.number}"))
        name = labels_variable(variable)
        if names_in(origin) != {name}:
            out.append(py.assign(name, origin))

    def _one_by_one(
        self, names: list[str], values: list[ast.expr], out: list[ast.stmt]
    ) -> tuple[list[str], list[ast.expr]]:
        """Assign those that no other value still needs; return the rest, which need each other."""
        waiting = list(zip(names, values, [names_in(value) for value in values], strict=True))
        progress = True
        while waiting and progress:
            progress = False
            for entry in waiting:
                if not any(entry[0] in other[2] for other in waiting if other is not entry):
                    out.extend(py.store(entry[0], entry[1]))
                    waiting.remove(entry)
                    progress = True
                    break
        return [entry[0] for entry in waiting], [entry[1] for entry in waiting]


def _keeps_labels(operand: Node) -> bool:
    return isinstance(operand, Primitive) and is_appended(operand) and not operand.sources


def names_in(tree: ast.AST) -> set[str]:
    """Return the Python variables that an expression reads or keeps a value in."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
