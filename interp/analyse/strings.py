"""Strings of which only the text is wanted: those that are operands of builtins on strings.

``(string-append "n = " (number->string n))`` makes one string, and no object for the number's text. Builtins that take
strings get :class:`Text` operands, whose values are Python strings; builtins that make strings are written in two
ways, as a text where they are such operands themselves, as a string elsewhere. A local variable that is an operand
in this way wherever it is used holds a text too.

Labels are kept beside: the string that is made in the end gets those of all strings that went into it, its
``sources``. Texts that the program itself made, such as literals and numbers, have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from nodwyn.interp.analyse.kinds import GROWING, STRING
from nodwyn.interp.analyse.nodes import Invoke, Jump, Loop, Primitive, Receive, RecordAccess, Routine, Text
from nodwyn.interp.core import Const, GlobalRef, If, Let, Letrec, LocalRef, LocalSet, Node, Seq, Variable
from nodwyn.interp.data import UNLABELLED, String

ALL = 99

OPERANDS = {
    "string-append": ALL,
    "string=?": 2,
    "string<?": 2,
    "string>?": 2,
    "string<=?": 2,
    "string>=?": 2,
    "string-length": 1,
    "string-upcase": 1,
    "string-downcase": 1,
    "string-foldcase": 1,
    "substring": 1,
    "string-copy": 1,
    "string->number": 1,
    "string->symbol": 1,
    "write-string": 1,
    "display": 1,
}
"""Builtins that take strings, and how many of their operands, from the first, are such."""

MAKERS = frozenset("string-append substring string-copy string-upcase string-downcase string-foldcase".split())
"""Builtins whose result is made from the texts of their operands and has their labels."""

FRESH = frozenset(["number->string", "symbol->string"])
"""Builtins whose result is text without labels."""

PURE = frozenset(
    """append assoc assq assv car cdr cons exact inexact length list list-ref list-tail list->string make-string max
    memq memv member min reverse string string->list string->vector vector vector->list""".split()
)
"""Other builtins that change nothing and run nothing."""

IMPURE = frozenset(["read-char", "peek-char", "read-line"])
"""Builtins that are written out as expressions, but whose value depends on when they are called."""

ANY_FORM = -1
"""In the place of the number of a root: the characters will do as a list, too."""

MOST_PARTS = 8
"""Strings that one call is made to put together: the result cannot be very much longer than what there is already."""

MOST_TEXTS = 32
"""Texts of all kinds that it is made to put together: each call around it looks at all of them again."""

MOST_LEVELS = 8
"""Forms ``if``, and calls that put strings together, in one another that are looked into for labels."""


def take_texts(node: Primitive) -> None:
    """Let a builtin that has just been converted take the texts of its strings."""
    count = min(OPERANDS.get(node.name, 0), len(node.operands))
    if not count:
        return
    operands = node.operands
    pure = [is_pure(operand) for operand in operands]
    for position in range(count):
        text = operands[position] = _text(operands[position], late=not all(pure[position + 1 :]))
        if node.name == "string-length":
            text.root = ANY_FORM
    if node.name == "string-append" and _has_many_texts(node):
        for operand in operands:
            assert isinstance(operand, Text)
            operand.late = operand.late or _makes_text(operand.operand)


def _has_many_texts(node: Primitive) -> bool:
    found = list(islice(_texts(node), MOST_TEXTS + 1))
    return len(found) > MOST_TEXTS or sum(not is_plain(each.operand) for each in found) > MOST_PARTS


def _text(node: Node, *, late: bool) -> Text:
    return Text(node, late=late and not _makes_text(node))


def _makes_text(node: Node) -> bool:
    """Say whether a form, as an operand, is text from the moment that it is evaluated."""
    return is_literal(node) or (isinstance(node, Primitive) and (node.name in MAKERS or node.name in FRESH))


def _grown(node: Node, variable: Variable) -> Node:
    """Return what gives a growing variable its next text, or what is put behind the text that it has."""
    if isinstance(node, Primitive):
        node.wanted = "growing"
        if node.name == "string-append" and len(node.operands) > 1:
            first, *others = node.operands
            if isinstance(first, Text) and isinstance(first.operand, LocalRef) and first.operand.variable is variable:
                # Python puts text behind that of a variable in place, if it is the variable alone that has it.
                node.wanted, node.operands = "appended", others
    elif isinstance(node, Const):
        text = Text(node, late=False)
        text.number, text.sites = node.number, False
        return text
    return node


def makes_string(node: Primitive) -> bool:
    """Say whether a builtin makes a new string, as an object, of a text that is written out."""
    return not node.wanted and (node.name in MAKERS or node.name == "number->string")


def is_literal(node: Node) -> bool:
    """Say whether a form is a string literal."""
    return isinstance(node, Const) and node.value.__class__ is String and node.value.frozen


def is_pure(node: Node) -> bool:
    """Say whether evaluating a form changes nothing that another form could tell."""
    if isinstance(node, (Const, LocalRef, GlobalRef, Routine)):
        return True
    if isinstance(node, Primitive):
        if node.pure is None:
            from nodwyn.interp.generate.inline import INLINE

            is_value = INLINE[node.name].role != "effect" and node.name not in IMPURE
            node.pure = is_value and all(is_pure(operand) for operand in node.operands)
        return node.pure
    if isinstance(node, RecordAccess):
        return node.role != "modifier" and all(is_pure(operand) for operand in node.operands)
    if isinstance(node, Invoke):
        return node.builtin in PURE and all(is_pure(operand) for operand in node.operands)
    if isinstance(node, Text):
        return is_pure(node.operand)
    return isinstance(node, If) and is_pure(node.test) and is_pure(node.then) and is_pure(node.orelse)


def written_as_text(node: Text) -> Primitive | None:
    """Return the builtin whose result is the text that a form wants, if it is written as that alone."""
    form = node.operand
    if node.late or not isinstance(form, Primitive):
        return None
    return form if form.name in MAKERS or form.name in FRESH else None


def text_alone(node: Text) -> Primitive | None:
    """Return the builtin that is written as the text that a form wants, given that nobody wants its labels."""
    form = node.operand
    if node.late or node.root > 0 or not isinstance(form, Primitive) or form.name != "get-output-string":
        return written_as_text(node)
    return form


def _texts(node: Primitive) -> Iterator[Text]:
    """Yield the texts that a builtin makes a string of, those of what is written as a text alone in its place."""
    pending = node.operands[::-1]
    while pending:
        operand = pending.pop()
        if isinstance(operand, Text):
            maker = written_as_text(operand)
            if maker is None:
                yield operand
            else:
                pending += maker.operands[::-1]


def sources(node: Primitive, level: int = 0) -> Iterator[Text]:
    """Yield the operands of a builtin that makes a string whose labels the string has, as far as they may have any.

    level: how many forms the builtin is looked at through.
    """
    return (each for each in _texts(node) if not is_plain(each.operand, level + 1))


def is_plain(node: Node, level: int = 0) -> bool:
    """Say whether the text of a form is known to have no labels.

    level: how many forms the form is looked at through.
    """
    if level > MOST_LEVELS:
        return False
    if isinstance(node, LocalRef):
        return node.variable.kind == STRING
    if is_literal(node):
        assert isinstance(node, Const)
        return node.value.origin is UNLABELLED
    if isinstance(node, If):
        return is_plain(node.then, level + 1) and is_plain(node.orelse, level + 1)
    if not isinstance(node, Primitive) or not (node.name in MAKERS or node.name in FRESH):
        return False
    return not any(sources(node, level))


def _is_one_variable(found: list[Text]) -> bool:
    """Say whether all labels come from one variable, where they can be looked up when the string is made."""
    if len(found) != 1:
        return False
    operand = found[0].operand
    return isinstance(operand, LocalRef) and not operand.variable.assigned


def _ends(node: Node) -> Iterator[Node]:
    """Yield the forms that a form can end with: one of them is the last to be evaluated in it.

    They are what a loop can end with, too, given the body of one of its procedures.
    """
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, If):
            pending += [node.then, node.orelse]
        elif isinstance(node, Seq):
            pending.append(node.forms[-1])
        elif isinstance(node, (Let, Letrec, Receive)):
            pending.append(node.body)
        elif isinstance(node, Loop):
            pending += [member.body for member in node.members]
        else:
            yield node


class Strings:
    """What is found while the forms of a unit are visited."""

    def __init__(self) -> None:
        self._references: dict[Variable, int] = {}
        self._read: dict[Variable, list[Text]] = {}
        self._bound: list[tuple[Let, int]] = []
        self._given: dict[Variable, list[tuple[list[Node], int]]] = {}
        """What the variables of loops are bound to: a list of forms and an index."""
        self._ends: dict[Variable, int] = {}
        self._assignments: dict[Variable, list[LocalSet]] = {}
        self._makers: list[Primitive] = []
        self._inner: set[int] = set()
        self._writers: list[Primitive] = []
        self._written: set[Node] = set()
        """Operands of those: what they are of is a string, and no text, if it has labels."""

    def visit(self, node: Node) -> None:
        """Take note of a reference, of what makes a string, and of operands whose text is wanted."""
        if isinstance(node, LocalRef):
            self._references[node.variable] = self._references.get(node.variable, 0) + 1
        elif isinstance(node, Text):
            if isinstance(node.operand, LocalRef):
                self._read.setdefault(node.operand.variable, []).append(node)
            maker = written_as_text(node)
            if maker is not None and node not in self._written:
                self._inner.add(id(maker))
        elif isinstance(node, Primitive):
            if node.name in MAKERS:
                self._makers.append(node)
            elif node.name in ("write-string", "display"):
                self._writers.append(node)
                self._written.add(node.operands[0])
        elif isinstance(node, Loop) and len(node.members) == 1:
            (member,) = node.members
            for position, variable in enumerate(member.variables):
                self._given.setdefault(variable, []).append((node.inits, position))
            for end in _ends(member.body):
                if isinstance(end, LocalRef) and end.variable in member.variables:
                    self._ends[end.variable] = self._ends.get(end.variable, 0) + 1
        elif isinstance(node, Jump) and isinstance(node.target, Loop) and len(node.target.members) == 1:
            for position, variable in enumerate(node.target.members[0].variables):
                self._given.setdefault(variable, []).append((node.operands, position))
        elif isinstance(node, LocalSet):
            self._assignments.setdefault(node.variable, []).append(node)
        elif isinstance(node, Let):
            self._bound.extend((node, position) for position in range(len(node.variables)))

    def settle(self) -> None:
        """Mark the variables that hold texts, and say where the labels of each string come from."""
        roots = [node for node in self._makers if id(node) not in self._inner]
        caring = {id(source) for root in roots for source in sources(root)}
        for let, position in self._bound:
            variable, init = let.variables[position], let.inits[position]
            if self._holds_text(variable, init, caring):
                assert isinstance(init, Primitive)
                variable.kind = STRING
                init.wanted = "string"
            elif self._grows_when_assigned(variable, init, let.body):
                variable.kind = GROWING
                let.inits[position] = _grown(init, variable)
                for assignment in self._assignments[variable]:
                    assignment.value = _grown(assignment.value, variable)
        for variable, given in self._given.items():
            if self._grows(variable, given):
                variable.kind = GROWING
                for forms, position in given:
                    forms[position] = _grown(forms[position], variable)
        for node in self._writers:
            operand = node.operands[0]
            assert isinstance(operand, Text)
            if not is_plain(operand.operand):
                node.operands[0] = operand.operand
        for root in roots:
            if root.wanted != "string":
                found = list(sources(root))
                root.sources = [*found]
                if not _is_one_variable(found):
                    for source in found:
                        source.root = root.number

    def _grows(self, variable: Variable, given: list[tuple[list[Node], int]]) -> bool:
        """Say whether the variable of a loop is a string that each round makes anew, and that the loop can end with."""
        read = len(self._read.get(variable, ()))
        if variable.assigned or variable.captured or not read:
            return False
        itself = 0
        for forms, position in given:
            form = forms[position]
            if isinstance(form, LocalRef) and form.variable is variable:
                itself += 1
            elif not _makes_text(form):
                return False
        # Where the loop ends, nothing else can have the string: it is made there.
        return self._references.get(variable, 0) == read + self._ends.get(variable, 0) + itself

    def _grows_when_assigned(self, variable: Variable, init: Node, body: Node) -> bool:
        """Say whether an assigned variable of a ``let`` is a string that each assignment makes anew.

        The value of the ``let``, too, may be the variable's, and is made there.
        """
        assignments = self._assignments.get(variable)
        read = len(self._read.get(variable, ()))
        owner = variable.owner
        assert isinstance(owner, Routine)
        if not assignments or not read or variable.captured or owner.body.sites:
            return False
        if not all(map(_makes_text, [init, *(assignment.value for assignment in assignments)])):
            return False
        ends = sum(isinstance(end, LocalRef) and end.variable is variable for end in _ends(body))
        return self._references.get(variable, 0) == read + ends

    def _holds_text(self, variable: Variable, init: Node, caring: set[int]) -> bool:
        read = self._read.get(variable, [])
        if variable.assigned or not read or len(read) != self._references.get(variable, 0):
            return False
        if not isinstance(init, Primitive) or not (init.name in MAKERS or init.name in FRESH):
            return False
        return is_plain(init) or not any(id(each) in caring for each in read)
