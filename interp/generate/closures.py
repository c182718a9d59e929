"""Procedures made inside a routine.

A closure of Python refers to variables, not to their values. Where a procedure that may live on is made in a loop and
refers to what the loop binds anew each time round, it is made inside a function of its own that takes these variables
as parameters.
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from nodwyn.interp.analyse.nodes import CaseRoutine, Routine
from nodwyn.interp.core import Node, Variable
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.expressions import Constants, Expressions, variable_name

Block = list[ast.stmt]


class Closures(Expressions):
    """The part of a routine's writer that writes the routines inside it."""

    @abstractmethod
    def write_routine(self, routine: Routine) -> Block:
        """Return the body of another routine's function."""

    @abstractmethod
    def value(self, node: Node, out: Block) -> ast.expr:
        """Write a form with statements before it; return the expression of its value."""

    @abstractmethod
    def bind(self, variable: Variable, init: Node, out: Block) -> None:
        """Write the binding of a local variable."""

    owners: set[Routine]
    """The routine that is written, and those written into its function where they stand."""

    def identity(self, routine: Routine) -> str:
        """Return the text by which a routine's code is known at run time."""
        return identity_of(self.constants, routine)

    def closure(self, node: Routine | CaseRoutine, out: Block) -> ast.expr:
        """Write a procedure as a value: its ``def``, then its name."""
        name = f"{node.name or 'lambda'}.{node.number}"
        if isinstance(node, CaseRoutine):
            self._define_cases(node, name, out)
        else:
            self.define(node, name, out)
        return py.load(name)

    def define(self, routine: Routine, name: str, out: Block) -> None:
        """Write a routine as a ``def`` of that name."""
        definition = self._definition(routine, name)
        shared = self._anew([routine])
        if not shared:
            out.append(definition)
            return
        self._through_maker([definition], [name], shared, routine, out)

    def _definition(self, routine: Routine, name: str) -> ast.FunctionDef:
        parameters = [variable_name(variable) for variable in routine.parameters]
        rest = variable_name(routine.rest) if routine.rest is not None else None
        body = self.write_routine(routine)
        definition = py.function(name, parameters, rest, body, self.identity(routine))
        line = routine.span.line if routine.span is not None else self.line
        py.place(definition, line, routine.number)
        definition.uses = {variable_name(v) for v in routine.free}  # type: ignore[attr-defined]
        return definition

    def _anew(self, routines: list[Routine]) -> list[Variable]:
        """Return the variables of the loops here that these routines refer to and that may outlive an iteration."""
        shared: set[Variable] = set()
        for routine in routines:
            if (routine.escapes and routine.looping) or (routine.escapes and self.routine.repeats):
                shared |= {v for v in routine.free if v.looping and v.owner in self.owners}
        return sorted(shared, key=lambda variable: variable.identity)

    def _through_maker(
        self, definitions: list[ast.FunctionDef], names: list[str], shared: list[Variable], routine: Routine, out: Block
    ) -> None:
        maker = f"%make.{routine.number}"
        result = py.load(names[0]) if len(names) == 1 else py.tuple_of(py.load(name) for name in names)
        parameters = [variable_name(variable) for variable in shared]
        made = py.function(maker, parameters, None, [*definitions, ast.Return(result)], "")
        uses: set[str] = set()
        for definition in definitions:
            uses |= definition.uses  # type: ignore[attr-defined]
        made.uses = uses - set(parameters) - set(names)  # type: ignore[attr-defined]
        out.append(made)
        call = py.call(py.load(maker), *(py.load(parameter) for parameter in parameters))
        if len(names) == 1:
            out.append(py.assign(names[0], call))
        else:
            targets: list[ast.expr] = [ast.Name(name, py.STORE) for name in names]
            out.append(ast.Assign([ast.Tuple(targets, py.STORE)], call))

    def bind_recursive(self, variables: list[Variable], inits: list[Node], out: Block) -> None:
        """Write ``letrec*``. All its procedures are defined where the first stands; values they refer to that
        come later are in boxes made before them."""
        group = [
            (variable, init)
            for variable, init in zip(variables, inits, strict=True)
            if isinstance(init, Routine) and not variable.boxed
        ]
        written = False
        for variable, init in zip(variables, inits, strict=True):
            if isinstance(init, Routine) and not variable.boxed:
                if not written:
                    written = True
                    self._box_early(variables, inits, out)
                    self._define_group(group, out)
            elif variable.boxed and written:
                name = variable_name(variable)
                value = self.value(init, out)
                out.append(ast.Assign([ast.Subscript(py.load(name), py.constant(0), py.STORE)], value))
            else:
                self.bind(variable, init, out)

    def _box_early(self, variables: list[Variable], inits: list[Node], out: Block) -> None:
        started = False
        for variable, init in zip(variables, inits, strict=True):
            started = started or (isinstance(init, Routine) and not variable.boxed)
            if started and variable.boxed:
                out.append(py.assign(variable_name(variable), ast.List([py.load("%UNASSIGNED")], py.LOAD)))

    def _define_group(self, group: list[tuple[Variable, Routine]], out: Block) -> None:
        names = {variable for variable, _ in group}
        shared = [v for v in self._anew([routine for _, routine in group]) if v not in names]
        definitions = [self._definition(routine, variable_name(variable)) for variable, routine in group]
        recursive = any(routine.escapes and routine.free & names for _, routine in group)
        if shared or (recursive and group[0][1].looping):
            self._through_maker(definitions, [variable_name(v) for v, _ in group], shared, group[0][1], out)
        else:
            out.extend(definitions)

    def _define_cases(self, node: CaseRoutine, name: str, out: Block) -> None:
        """Write ``case-lambda``: a function for each clause, and one that chooses among them."""
        names: list[str] = []
        for clause in node.clauses:
            names.append(f"{name}.{len(names)}")
            self.define(clause, names[-1], out)
        body: Block = [py.assign("%count", py.call(py.load("%len"), py.load("%arguments")))]
        for clause, function in zip(node.clauses, names, strict=True):
            body.append(self._case(clause, function))
        taken = py.constant(_arity_text(node.clauses))
        wrong = py.call(py.load("%no-clause"), py.constant(node.name), taken, py.load("%count"))
        body.append(ast.Return(wrong))
        chooser = py.function(name, [], "%arguments", body, identity_of(self.constants, node))
        chooser.uses = set(names)  # type: ignore[attr-defined]
        if self.routine.repeats or any(clause.looping for clause in node.clauses):
            self._choose_now(chooser, names, name, out)
        else:
            out.append(chooser)

    def _choose_now(self, chooser: ast.FunctionDef, names: list[str], name: str, out: Block) -> None:
        maker = f"%make.{name}"
        made = py.function(maker, names, None, [chooser, ast.Return(py.load(name))], "")
        made.uses = set()  # type: ignore[attr-defined]
        out.append(made)
        out.append(py.assign(name, py.call(py.load(maker), *(py.load(each) for each in names))))

    def _case(self, clause: Routine, function: str) -> ast.stmt:
        count = len(clause.parameters)
        given = [py.item(py.load("%arguments"), py.constant(i)) for i in range(count)]
        if clause.rest is None:
            test = py.compare(py.load("%count"), ast.Eq(), py.constant(count))
            return py.branch(test, [ast.Return(py.call(py.load(function), *given))])
        test = py.compare(py.load("%count"), ast.GtE(), py.constant(count))
        call = py.call(py.load(function), ast.Starred(py.load("%arguments"), py.LOAD))
        return py.branch(test, [ast.Return(call)])


def identity_of(constants: Constants, node: Routine | CaseRoutine) -> str:
    """Return the docstring that names a procedure's unit, number and Scheme name."""
    kind = "#" if isinstance(node, Routine) else "?"
    return f"{constants.unit}{kind}{node.number}{kind}{node.name}"


def _arity_text(clauses: list[Routine]) -> str:
    """Return what a ``case-lambda`` takes in words: "2 or more arguments", "1, 3 to 5 or 7 arguments"."""
    counts = {len(clause.parameters) for clause in clauses}
    open_ended = [len(clause.parameters) for clause in clauses if clause.rest is not None]
    least = min(open_ended, default=None)
    while least is not None and least - 1 in counts:
        least -= 1
    runs: list[list[int]] = []
    for count in sorted(count for count in counts if least is None or count < least):
        if runs and runs[-1][-1] == count - 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    parts = [part for run in runs for part in (map(str, run) if len(run) < 3 else [f"{run[0]} to {run[-1]}"])]
    if least is not None:
        parts.append(f"{least} or more")
    *first, last = parts or ["no number of"]
    return f"{', '.join(first)}{' or ' if first else ''}{last} argument{'' if parts == ['1'] else 's'}"
