"""How the variables of a unit are used: which are assigned, which globals have one known procedure."""

from __future__ import annotations

from collections.abc import Iterator

from nodwyn.interp.analyse.nodes import Routine
from nodwyn.interp.core import (
    Call,
    CaseLambda,
    Fact,
    Global,
    GlobalDefine,
    GlobalRef,
    GlobalSet,
    If,
    Lambda,
    Let,
    Letrec,
    LocalRef,
    LocalSet,
    Node,
    RecordProcedure,
    Seq,
    Variable,
)


def children(node: Node) -> list[Node]:
    """Return the direct subforms of a core form, in order of evaluation."""
    match node:
        case Call():
            return [node.operator, *node.operands]
        case If():
            return [node.test, node.then, node.orelse]
        case Lambda():
            return [node.body]
        case CaseLambda():
            return list(node.clauses)
        case Seq():
            return node.forms
        case Let() | Letrec():
            return [*node.inits, node.body]
        case LocalSet() | GlobalSet() | GlobalDefine():
            return [node.value]
        case RecordProcedure():
            return [node.record_type]
        case _:
            return []


def walk(node: Node) -> Iterator[Node]:
    """Yield a core form and everything in it, in no promised order."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children(node))


class Places:
    """Where the forms of a unit stand in one another, and where its local variables are referred to.

    Only looked for in the forms given to :meth:`add`.
    """

    def __init__(self) -> None:
        self.around: dict[int, Node] = {}
        """The form around each by ``id``; that of an atom, which can stand in several, is any of these."""
        self.references: dict[Variable, list[tuple[Node, Node]]] = {}
        """References and assignments, each with the form around it."""

    def add(self, root: Node) -> None:
        """Take note of what is in a form."""
        pending = [root]
        while pending:
            node = pending.pop()
            for child in children(node):
                self.around[id(child)] = node
                if isinstance(child, (LocalRef, LocalSet)):
                    self.references.setdefault(child.variable, []).append((child, node))
                pending.append(child)

    def path(self, node: Node, outer: Node) -> list[Node]:
        """Return the forms that a form stands in and itself, from a part of ``outer`` inwards."""
        path = [node]
        while (around := self.around[id(path[-1])]) is not outer:
            path.append(around)
        return path[::-1]


MAX_NESTED_LOOPS = 8
"""CPython allows 20 statically nested blocks; deeper loops stay procedures."""


class Uses:
    """Facts about a whole unit that its parts are converted with.

    assuming: it belongs to the interaction environment. Its globals may be defined anew any time, so what is known
    of them holds until then; ``assumed`` has the keys of those that the unit's code relies on.
    """

    def __init__(self, forms: list[Node], *, assuming: bool = False, distrusted: frozenset[str] = frozenset()) -> None:
        self.assuming = assuming
        self.distrusted = distrusted
        self.assumed: set[str] = set()
        self.assigned: set[Variable] = set()
        self.routines: dict[str, Routine] = {}
        """Globals of this unit that are defined once, as a procedure, and never assigned."""
        self.procedures: dict[str, Lambda | CaseLambda] = {}
        """Their core forms, those of ``case-lambda`` included."""
        self.globals: dict[str, Global] = {}
        self.known: set[str] = set()
        """Globals of this unit with one definition that is never assigned."""
        self._loops: dict[tuple[int, int], bool] = {}
        self._places = Places()
        definitions: dict[str, int] = {}
        for form in forms:
            for node in walk(form):
                if isinstance(node, LocalSet):
                    self.assigned.add(node.variable)
                elif isinstance(node, GlobalSet):
                    definitions[node.glob.key] = 2
                elif isinstance(node, GlobalDefine):
                    definitions[node.glob.key] = definitions.get(node.glob.key, 0) + 1
        for form in forms:
            if isinstance(form, GlobalDefine) and definitions[form.glob.key] == 1 and self._may_know(form.glob):
                self._know(form)
        for form in forms:
            for node in walk(form):
                if isinstance(node, (GlobalDefine, GlobalSet)) and node.glob.key not in self.known:
                    node.glob.fact = None

    def _may_know(self, glob: Global) -> bool:
        return glob.constant or (self.assuming and glob.key not in self.distrusted)

    def fact(self, glob: Global) -> Fact | None:
        """Return what is known of a global, and note it if that can change."""
        if glob.fact is None or not self._may_know(glob):
            return None
        if not glob.constant:
            self.assumed.add(glob.key)
        return glob.fact

    def is_known_procedure(self, reference: GlobalRef) -> bool:
        """Say whether a global is known to be a procedure, and note it if that can change."""
        glob = reference.glob
        if glob.key not in self.procedures:
            return self.fact(glob) is not None
        if not glob.constant:
            self.assumed.add(glob.key)
        return True

    def routine(self, glob: Global) -> Routine | None:
        """Return the routine that a global of this unit is known to be."""
        routine = self.routines.get(glob.key)
        if routine is not None and not glob.constant:
            self.assumed.add(glob.key)
        return routine

    def _know(self, form: GlobalDefine) -> None:
        value = form.value
        self.known.add(form.glob.key)
        if isinstance(value, (Lambda, CaseLambda)):
            self.procedures[form.glob.key] = value
            self.globals[form.glob.key] = form.glob
        if isinstance(value, Lambda):
            routine = Routine(form.glob.name, None, value.span, value.number)
            routine.glob = form.glob
            routine.parameters = value.parameters
            routine.rest = value.rest
            self.routines[form.glob.key] = routine
        elif isinstance(value, RecordProcedure) and isinstance(value.record_type, GlobalRef):
            form.glob.fact = record_fact(value, value.record_type.glob.key)
        elif _makes_parameter(value):
            form.glob.fact = Fact("procedure", 0, 1, direct=True, quiet=True)

    def forget_forms(self) -> None:
        """Forget what was found of parts of forms, which have been rewritten."""
        self._loops.clear()
        self._places = Places()

    def is_loop(self, node: Letrec, depth: int) -> bool:
        """Say whether a ``letrec`` is a loop: procedures entered once, and else only called in tail position by
        themselves.

        depth: how many loops of the same routine it stands in; beyond MAX_NESTED_LOOPS none is one.
        """
        key = (id(node), depth)
        known = self._loops.get(key)
        if known is None:
            known = self._loops[key] = self._judge_loop(node, depth)
        return known

    def _judge_loop(self, node: Letrec, depth: int) -> bool:
        entry = node.body
        if depth >= MAX_NESTED_LOOPS or not isinstance(entry, Call) or not isinstance(entry.operator, LocalRef):
            return False
        counts: dict[Variable, int] = {}
        for variable, procedure in zip(node.variables, node.inits, strict=True):
            if not isinstance(procedure, Lambda) or procedure.rest is not None:
                return False
            counts[variable] = len(procedure.parameters)
        if counts.get(entry.operator.variable) != len(entry.operands):
            return False
        if id(node.body) not in self._places.around:
            self._places.add(node)
        return all(self._only_tail_called(node, variable, count, depth) for variable, count in counts.items())

    def only_left(self, receiver: Lambda, depth: int) -> bool:
        """Say whether every use of the continuation that a procedure gets is a call with one operand by itself.

        depth: how many loops of the routine its body stands in.
        """
        if id(receiver.body) not in self._places.around:
            self._places.add(receiver)
        (variable,) = receiver.parameters
        for reference, call in self._places.references.get(variable, ()):
            if not isinstance(call, Call) or call.operator is not reference or len(call.operands) != 1:
                return False
            if not self._is_called_within(call, receiver, depth):
                return False
        return True

    def _is_called_within(self, call: Call, procedure: Lambda, depth: int) -> bool:
        """Say whether a call is made by a procedure itself, not by another one that it makes."""
        around: Node = procedure
        for node in self._places.path(call, procedure):
            if isinstance(around, Letrec) and self.is_loop(around, depth):
                depth += isinstance(node, Lambda)
            elif isinstance(node, CaseLambda) or (isinstance(node, Lambda) and not _is_written_in_place(node, around)):
                return False
            around = node
        return True

    def _only_tail_called(self, node: Letrec, variable: Variable, count: int, depth: int) -> bool:
        """Say whether every use of a variable of a ``letrec``, but for its entry, is a tail call with ``count``
        operands: in tail position of a procedure of the ``letrec``, not of one inside, so that it can be a jump.
        """
        for reference, call in self._places.references.get(variable, ()):
            if not isinstance(call, Call) or call.operator is not reference or len(call.operands) != count:
                return False
            if call is not node.body and not self._is_tail_call(call, node, depth):
                return False
        return True

    def _is_tail_call(self, call: Call, node: Letrec, depth: int) -> bool:
        procedure, *path = self._places.path(call, node)
        if not isinstance(procedure, Lambda):
            # It is an operand of the entry.
            return False
        parts = [(procedure.body, True, depth)]
        for inner in path:
            found = next((part for part in parts if part[0] is inner), None)
            if found is None:
                # A procedure that is no part of its own, as that of a loop inside.
                if not isinstance(inner, Lambda):
                    return False
            elif not found[1]:
                return False
            else:
                parts = self.parts(*found)
        return True

    def parts(self, node: Node, tail: bool, depth: int) -> list[tuple[Node, bool, int]]:
        """Return the subforms, whether each is in tail position where ``node`` is, and its depth of loops."""
        match node:
            case Letrec() if tail and self.is_loop(node, depth + 1):
                assert isinstance(node.body, Call)
                bodies = [(init.body, tail, depth + 1) for init in node.inits if isinstance(init, Lambda)]
                return [*bodies, *((operand, False, depth) for operand in node.body.operands)]
            case Letrec():
                return [*((init, False, depth) for init in node.inits), (node.body, tail, depth)]
            case Call(operator=Lambda() as operator) if binds(operator, node):
                return [(operator.body, tail, depth), *((operand, False, depth) for operand in node.operands)]
            case Call() if receives(node):
                producer, consumer = node.operands
                assert isinstance(producer, Lambda) and isinstance(consumer, Lambda)
                return [(producer.body, False, depth), (consumer.body, tail, depth)]
            case If():
                return [(node.test, False, depth), (node.then, tail, depth), (node.orelse, tail, depth)]
            case Seq():
                return [*((form, False, depth) for form in node.forms[:-1]), (node.forms[-1], tail, depth)]
            case Let():
                return [*((init, False, depth) for init in node.inits), (node.body, tail, depth)]
            case _:
                return [(child, False, depth) for child in children(node)]


def _makes_parameter(node: Node) -> bool:
    """Say whether a form's value is a parameter object, whose call answers at once."""
    if not isinstance(node, Call) or not isinstance(node.operator, GlobalRef):
        return False
    return node.operator.glob.builtin and node.operator.glob.key == "make-parameter"


def or_parts(node: Node) -> tuple[Node, Node] | None:
    """Return the two sides of ``(let ((t a)) (if t t b))``, which is what ``or`` expands to."""
    if isinstance(node, Let) and len(node.variables) == 1 and isinstance(node.body, If):
        variable, choice = node.variables[0], node.body
        if (
            isinstance(choice.test, LocalRef)
            and isinstance(choice.then, LocalRef)
            and choice.test.variable is variable
            and choice.then.variable is variable
            and not variable.assigned
        ):
            return node.inits[0], choice.orelse
    return None


def record_fact(procedure: RecordProcedure, record_type: str) -> Fact:
    """Return what is known of a global that holds a record procedure."""
    counts = {"constructor": len(procedure.attributes), "predicate": 1, "accessor": 1, "modifier": 2}
    count = counts[procedure.role]
    return Fact(
        procedure.role, count, count, direct=True, quiet=True, attributes=procedure.attributes, record_type=record_type
    )


def _is_written_in_place(procedure: Lambda, around: Node) -> bool:
    """Say whether a procedure is no function of its own: that of a ``let``, or one of ``call-with-values``."""
    if not isinstance(around, Call):
        return False
    return binds(procedure, around) if around.operator is procedure else receives(around)


def binds(operator: Lambda, node: Call) -> bool:
    """Say whether a call of a written-out procedure is a ``let``."""
    return operator.rest is None and len(operator.parameters) == len(node.operands)


def receives(node: Call) -> bool:
    """Say whether a call is ``call-with-values`` with both procedures written out."""
    operator = node.operator
    if not (isinstance(operator, GlobalRef) and operator.glob.builtin and operator.glob.key == "call-with-values"):
        return False
    if len(node.operands) != 2 or not all(isinstance(operand, Lambda) for operand in node.operands):
        return False
    producer = node.operands[0]
    return isinstance(producer, Lambda) and not producer.parameters and producer.rest is None
