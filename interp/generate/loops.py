"""Loops and blocks as Python statements; which variables a jump changes, and how, is ``generate.jumps``'s."""

from __future__ import annotations

import ast
from abc import abstractmethod

from nodwyn.interp.analyse.nodes import Block, Jump, Leave, Loop, Routine
from nodwyn.interp.core import Node, Variable
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.counting import Count, counted, counting, guard
from nodwyn.interp.generate.destination import NOTHING, Code, Destination
from nodwyn.interp.generate.expressions import Constants, variable_name
from nodwyn.interp.generate.jumps import Frame, Jumps


class Loops(Jumps):
    """The part of a routine's writer that writes loops and blocks."""

    def __init__(self, routine: Routine, constants: Constants, heap: bool) -> None:
        super().__init__(routine, constants, heap)
        self.frames: list[Frame] = []
        self.blocks: dict[int, Destination] = {}
        """Where the values of the blocks around go, by number."""
        self.running: dict[int, int] = {}
        """Which member of each loop around is being written."""
        self.counting: dict[int, int] = {}
        """Which variable of the loops around is that of a ``for``."""

    @abstractmethod
    def into(self, node: Node, to: Destination, out: Code) -> None:
        """Write a form as statements that bring its value to its destination."""

    @abstractmethod
    def bind(self, variable: Variable, init: Node, out: Code) -> None:
        """Write the binding of a local variable."""

    @abstractmethod
    def condition(self, node: Node, out: Code) -> ast.expr:
        """Write a form as a Python condition, with statements before it where it needs any."""

    def write_loop(self, node: Loop, to: Destination, out: Code) -> None:
        """Write a loop."""
        self._enter_loop(node, out)
        count = None if self.heap else counted(node, self.stable)
        if count is not None:
            self._count(node, count, out)
            return self.into(count.last, to, out)
        inner = to if to.kind == "return" else to._replace(loop=to.loop or node)
        body: Code = []
        with self.inside(node) as frame:
            for index, member in enumerate(node.members[:-1]):
                part: Code = []
                self.running[node.number] = index
                with self.known.apart():
                    self.into(member.body, inner, part)
                body.append(py.branch(py.compare(py.load(self.state(node)), ast.Eq(), py.constant(index)), part))
            self.running[node.number] = len(node.members) - 1
            self.into(node.members[-1].body, inner, body)
        out.append(py.forever(body))
        self.after_loop(frame, out)

    def _count(self, node: Loop, count: Count, out: Code) -> None:
        """Write a loop that counts up to where it ends."""
        name = variable_name(count.variable)
        limit, step = self.expression(count.limit), self.expression(count.step)
        if not isinstance(limit, (ast.Name, ast.Constant)):
            kept = f"%{node.number}.limit"
            out.append(py.assign(kept, limit))
            limit = py.load(kept)
        self.running[node.number] = 0
        body: Code = []
        with self.inside(node):
            self.counting[node.number] = count.position
            self.into(count.again, NOTHING, body)
            del self.counting[node.number]
        test = self.condition(count.test, out)
        usual: Code = [py.branch(test if count.ends else ast.UnaryOp(ast.Not(), test), [ast.Break()])]
        with self.inside(node):
            self.into(count.again, NOTHING, usual)
        out.append(
            py.branch(guard(count, name, limit, step), counting(count, name, limit, step, body), [py.forever(usual)])
        )

    def write_block(self, node: Block, to: Destination, out: Code) -> None:
        """Write a block, which a call of its continuation leaves."""
        if to.kind == "return":
            self.blocks[node.number] = to
            self.into(node.body, to, out)
            return
        inner = self.blocks[node.number] = to._replace(loop=to.loop or node)
        if to.kind == "name":
            # A continuation captured in the block keeps it: which way the block is left is not known to liveness.
            out.append(py.assign(to.name, py.load("%UNSPECIFIED")))
        body: Code = []
        with self.inside(node) as frame:
            self.into(node.body, inner, body)
        out.append(py.forever(body))
        self.after_loop(frame, out)

    def write_leave(self, node: Leave, to: Destination, out: Code) -> None:
        """Write the call of a block's continuation."""
        self.into(node.value, self.blocks[node.block.number], out)

    def _enter_loop(self, node: Loop, out: Code) -> None:
        for variable, init in zip(node.members[node.entry].variables, node.inits, strict=True):
            self.bind(variable, init, out)
        if len(node.members) == 1:
            return
        out.append(py.assign(self.state(node), py.constant(node.entry)))
        # A continuation captured in one member keeps the variables of all.
        given = set(node.members[node.entry].variables)
        others = {variable: None for member in node.members for variable in member.variables if variable not in given}
        out.extend(py.assign(variable_name(variable), py.load("%UNSPECIFIED")) for variable in others)

    def state(self, loop: Loop) -> str:
        """Return the variable that says which member of a loop runs."""
        return f"%state.{loop.number}"

    def write_jump(self, node: Jump, to: Destination, out: Code) -> None:
        """Write a jump to the start of a loop, or of the routine."""
        target = node.target
        variables = target.members[node.member].variables if isinstance(target, Loop) else target.parameters
        operands = node.operands
        counter = self.counting.get(target.number)
        if counter is not None:
            variables = [*variables[:counter], *variables[counter + 1 :]]
            operands = [*operands[:counter], *operands[counter + 1 :]]
        self.rebind(variables, operands, out)
        if isinstance(target, Loop) and self.running[target.number] != node.member:
            out.append(py.assign(self.state(target), py.constant(node.member)))
        self.jump(target, out)
