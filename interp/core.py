"""The core language: what the expander hands to the compiler. About a dozen forms, no more.

Variables are objects, so hygiene is over here: two variables of one name are two objects. Nodes are
plain data and can be pickled (compiled code keeps them beside it for the day a continuation needs
them). Every node has the span of the form it came from.
"""

from __future__ import annotations

from collections.abc import Sequence

from nodwyn.interp.data import Value
from nodwyn.interp.syntax import Span


class Variable:
    """A local variable. All but ``name`` is set by ``analyse``.

    assigned: some ``set!`` assigns it. owner: the routine that binds it. looping: it is bound anew in every
    iteration of a loop of its owner. captured: another routine refers to it. boxed: its Python variable
    holds a one-element list. kind: what is known of every value it has (``analyse.kinds``).
    """

    __slots__ = ("assigned", "boxed", "captured", "identity", "kind", "looping", "name", "owner", "span")

    def __init__(self, name: str, span: Span | None = None) -> None:
        self.name = name
        self.span = span
        self.assigned = False
        self.boxed = False
        self.captured = False
        self.looping = False
        self.owner: Node | None = None
        self.identity = 0
        self.kind = 0

    def __repr__(self) -> str:
        return f"{self.name}.{self.identity}"


class Fact:
    """What is known of a constant global for good, also by the units that import it.

    role: "procedure", or that of a :class:`RecordProcedure`. least and most: the number of arguments it takes
    (``most`` None: any). direct: it never answers with a request to the trampoline. quiet: no continuation that can
    be entered again is ever captured inside it. attributes and
    record_type: as in :class:`RecordProcedure`, the type as the key of its global. body: the procedure's
    own core form where calls of it may be inlined.
    """

    __slots__ = ("attributes", "body", "direct", "least", "most", "quiet", "record_type", "role")

    def __init__(
        self,
        role: str,
        least: int,
        most: int | None,
        *,
        direct: bool,
        quiet: bool,
        attributes: tuple[str, ...] = (),
        record_type: str = "",
        body: Node | None = None,
    ) -> None:
        self.body = body
        self.quiet = quiet
        self.role = role
        self.least = least
        self.most = most
        self.direct = direct
        self.attributes = attributes
        self.record_type = record_type


class Global:
    """A variable of a library, a program or the interaction environment.

    ``key`` is its name in the interpreter's one dictionary of globals: unique among all libraries
    (the library's name and the variable's; builtins are keyed by their bare name). ``constant`` says that
    nothing can assign it after its definition: library and program variables without a ``set!``
    or second definition, and builtins. Variables of the interaction environment are not constant.
    ``fact`` is what the compiler has learnt of its value (``analyse.facts``), or None.
    """

    __slots__ = ("builtin", "constant", "fact", "key", "name")

    def __init__(self, name: str, key: str, *, builtin: bool = False, constant: bool = False) -> None:
        self.name = name
        self.key = key
        self.builtin = builtin
        self.constant = constant
        self.fact: Fact | None = None

    def __repr__(self) -> str:
        return self.key


class Node:
    """Base of the core forms. ``number`` and ``sites`` are set by ``analyse``: the node's place in its unit, and
    whether something in it may run Scheme code while its other parts wait."""

    __slots__ = ("number", "sites", "span")
    span: Span | None
    number: int
    sites: bool


class Const(Node):
    """A constant: ``quote`` and self-evaluating data. Strings in it are frozen literals."""

    __slots__ = ("value",)

    def __init__(self, value: Value, span: Span | None = None) -> None:
        self.value = value
        self.span = span


class LocalRef(Node):
    __slots__ = ("variable",)

    def __init__(self, variable: Variable, span: Span | None = None) -> None:
        self.variable = variable
        self.span = span


class GlobalRef(Node):
    __slots__ = ("glob",)

    def __init__(self, glob: Global, span: Span | None = None) -> None:
        self.glob = glob
        self.span = span


class LocalSet(Node):
    __slots__ = ("value", "variable")

    def __init__(self, variable: Variable, value: Node, span: Span | None = None) -> None:
        self.variable = variable
        self.value = value
        self.span = span


class GlobalSet(Node):
    __slots__ = ("glob", "value")

    def __init__(self, glob: Global, value: Node, span: Span | None = None) -> None:
        self.glob = glob
        self.value = value
        self.span = span


class GlobalDefine(Node):
    __slots__ = ("glob", "value")

    def __init__(self, glob: Global, value: Node, span: Span | None = None) -> None:
        self.glob = glob
        self.value = value
        self.span = span


class If(Node):
    """``orelse`` is ``Const(UNSPECIFIED)`` where the source has none."""

    __slots__ = ("orelse", "test", "then")

    def __init__(self, test: Node, then: Node, orelse: Node, span: Span | None = None) -> None:
        self.test = test
        self.then = then
        self.orelse = orelse
        self.span = span


class Lambda(Node):
    """``name`` is the name of the definition or binding that it is the value of, "" for none."""

    __slots__ = ("body", "name", "parameters", "rest")

    def __init__(
        self,
        name: str,
        parameters: Sequence[Variable],
        rest: Variable | None,
        body: Node,
        span: Span | None = None,
    ) -> None:
        self.number = 0
        self.name = name
        self.parameters = list(parameters)
        self.rest = rest
        self.body = body
        self.span = span


class CaseLambda(Node):
    __slots__ = ("clauses", "name")

    def __init__(self, name: str, clauses: list[Lambda], span: Span | None = None) -> None:
        self.name = name
        self.clauses = clauses
        self.span = span


class Seq(Node):
    """Two or more forms; the value is the last one's."""

    __slots__ = ("forms",)

    def __init__(self, forms: list[Node], span: Span | None = None) -> None:
        self.forms = forms
        self.span = span


class Let(Node):
    """``let``: the initial values are evaluated left to right outside the scope of the variables."""

    __slots__ = ("body", "inits", "variables")

    def __init__(self, variables: list[Variable], inits: list[Node], body: Node, span: Span | None = None) -> None:
        self.variables = variables
        self.inits = inits
        self.body = body
        self.span = span


class Letrec(Node):
    """``letrec*``, which ``letrec``, named ``let``, ``do`` and internal definitions become."""

    __slots__ = ("body", "inits", "variables")

    def __init__(self, variables: list[Variable], inits: list[Node], body: Node, span: Span | None = None) -> None:
        self.variables = variables
        self.inits = inits
        self.body = body
        self.span = span


class Call(Node):
    """A procedure call, operator first, all evaluated left to right."""

    __slots__ = ("operands", "operator")

    def __init__(self, operator: Node, operands: list[Node], span: Span | None = None) -> None:
        self.operator = operator
        self.operands = operands
        self.span = span


class MakeRecordType(Node):
    """A new record type. ``attributes`` are the slot names of the fields, unique to this definition."""

    __slots__ = ("attributes", "fields", "name")

    def __init__(
        self, name: str, fields: tuple[str, ...], attributes: tuple[str, ...], span: Span | None = None
    ) -> None:
        self.name = name
        self.fields = fields
        self.attributes = attributes
        self.span = span


class RecordProcedure(Node):
    """A procedure on records of the type that the expression ``record_type`` gives.

    ``role`` is "constructor" (``attributes`` in the order of its parameters), "predicate" (none),
    "accessor" or "modifier" (one). ``name`` is the procedure's own, for its messages. ``others`` are the slots that
    a constructor leaves unspecified.
    """

    __slots__ = ("attributes", "name", "others", "record_type", "role")

    def __init__(
        self,
        role: str,
        name: str,
        record_type: Node,
        attributes: tuple[str, ...],
        span: Span | None = None,
        others: tuple[str, ...] = (),
    ) -> None:
        self.others = others
        self.role = role
        self.name = name
        self.record_type = record_type
        self.attributes = attributes
        self.span = span
