"""What analysis adds to the core forms: routines, loops, jumps, and calls whose callee is known.

After ``analyse.convert`` a unit holds no ``Lambda``, ``CaseLambda`` or ``Call`` of ``interp.core``; these
stand in their place.
"""

from __future__ import annotations

from nodwyn.interp.core import Global, GlobalRef, Node, Variable
from nodwyn.interp.syntax import Span


class Routine(Node):
    """A procedure that becomes one Python function; also the body of a top-level form.

    direct: it never returns ``None``, so that callers need not ask. repeats: it jumps to its own start.
    escapes: it is used as a value, not called alone. looping: it is made inside a loop of its parent. in_place: its
    body is written where it stands, into its parent's function, but for code on the heap.
    """

    __slots__ = (
        "body",
        "callees",
        "direct",
        "escapes",
        "free",
        "glob",
        "in_place",
        "jumping",
        "name",
        "looping",
        "origin",
        "parameters",
        "parent",
        "quiet",
        "repeats",
        "rest",
        "tails",
        "variable",
        "yields",
    )

    def __init__(self, name: str, parent: Routine | None, span: Span | None, origin: int = 0) -> None:
        self.origin = origin
        """The number of the procedure in the text as it was written; 0 for copies of others."""
        self.name = name
        self.parent = parent
        self.span = span
        self.parameters: list[Variable] = []
        self.rest: Variable | None = None
        self.body: Node
        self.variable: Variable | None = None
        self.glob: Global | None = None
        self.direct = False
        self.repeats = False
        self.escapes = False
        self.looping = False
        self.in_place = False
        self.jumping = False
        self.yields = False
        """It makes a tail call whose callee is not known, or leaves a request itself."""
        self.tails: set[Routine] = set()
        self.callees: set[Routine] = set()
        self.quiet = True
        """No continuation that can be entered again is ever captured inside it, as far as is known yet."""
        self.free: set[Variable] = set()

    def accepts(self, count: int) -> bool:
        """Say whether a call with ``count`` operands fits the parameters."""
        if self.rest is None:
            return count == len(self.parameters)
        return count >= len(self.parameters)


class CaseRoutine(Node):
    """A ``case-lambda``: the first clause that accepts the arguments runs."""

    __slots__ = ("clauses", "name")

    def __init__(self, name: str, clauses: list[Routine], span: Span | None) -> None:
        self.name = name
        self.clauses = clauses
        self.span = span


class Primitive(Node):
    """A call of a builtin that ``generate.inline`` turns into Python operations.

    wanted: what of its value is: "text" for that of a character alone (``analyse.texts``), "zero" for whether it is 0.
    sources: where the labels of the string that it makes, or of the character that it writes, come from.
    pure: whether evaluating it changes nothing that another form could tell, once somebody has asked.
    """

    __slots__ = ("name", "operands", "pure", "sources", "wanted")

    def __init__(self, name: str, operands: list[Node], span: Span | None) -> None:
        self.wanted = ""
        self.pure: bool | None = None
        self.sources: list[Node] = []
        self.name = name
        self.operands = operands
        self.span = span


class Text(Node):
    """A string of which only the text is wanted: its value is a Python string (``analyse.strings``).

    late: other operands may change the string, so that its text is taken when they have been evaluated; until then
    the value is the string itself. root: the number of the call whose result gets the string's labels, 0 for none
    (or ``ANY_FORM``).
    """

    __slots__ = ("late", "operand", "root")

    def __init__(self, operand: Node, *, late: bool) -> None:
        self.operand = operand
        self.span = operand.span
        self.late = late
        self.root = 0


class Invoke(Node):
    """Any other call. ``routine`` is the callee where it is known, ``builtin`` its name where it is one.

    direct: the callee is a global known never to answer with a request. quiet: it is one in which no continuation
    is captured.
    """

    __slots__ = ("builtin", "direct", "operands", "operator", "quiet", "routine", "tail")

    def __init__(
        self,
        operator: Node,
        operands: list[Node],
        *,
        tail: bool,
        routine: Routine | None = None,
        builtin: str | None = None,
        span: Span | None = None,
    ) -> None:
        self.operator = operator
        self.operands = operands
        self.tail = tail
        self.routine = routine
        self.builtin = builtin
        self.direct = False
        self.quiet = False
        self.span = span


class Member:
    """One of the procedures that a loop consists of."""

    __slots__ = ("body", "variables")

    def __init__(self, variables: list[Variable]) -> None:
        self.variables = variables
        self.body: Node


class Loop(Node):
    """Local procedures that are only ever called in tail position, by themselves: a ``while`` loop.

    Most have one member. It is entered at the member ``entry`` with ``inits``; ``jumps`` counts those to it.
    """

    __slots__ = ("entry", "inits", "jumps", "members", "name")

    def __init__(self, name: str, members: list[Member], entry: int, inits: list[Node], span: Span | None) -> None:
        self.name = name
        self.members = members
        self.entry = entry
        self.inits = inits
        self.jumps = 0
        self.span = span


class Jump(Node):
    """A tail call of an enclosing loop, or of the routine it stands in: new values, then from the start.

    member: which of a loop's procedures is called.
    """

    __slots__ = ("member", "operands", "target")

    def __init__(self, target: Loop | Routine, operands: list[Node], span: Span | None, member: int = 0) -> None:
        self.target = target
        self.member = member
        self.operands = operands
        self.span = span


class Block(Node):
    """``(call/cc (lambda (k) …))`` whose ``k`` is only called, and only by the same routine: a block to leave."""

    __slots__ = ("body", "variable")

    def __init__(self, variable: Variable, span: Span | None) -> None:
        self.variable = variable
        self.body: Node
        self.span = span


class Leave(Node):
    """A call of a block's continuation: its value becomes the block's."""

    __slots__ = ("block", "value")

    def __init__(self, block: Block, value: Node, span: Span | None) -> None:
        self.block = block
        self.value = value
        self.span = span


class Receive(Node):
    """``call-with-values`` with both procedures written out: bind the values of ``producer`` in ``body``."""

    __slots__ = ("body", "producer", "rest", "variables")

    def __init__(
        self, variables: list[Variable], rest: Variable | None, producer: Node, body: Node, span: Span | None
    ) -> None:
        self.variables = variables
        self.rest = rest
        self.producer = producer
        self.body = body
        self.span = span


class RecordAccess(Node):
    """A call of a record accessor, modifier or predicate whose type is known: an attribute, or a class test."""

    __slots__ = ("attributes", "operands", "operator", "record_type", "role")

    def __init__(
        self,
        role: str,
        operator: GlobalRef,
        attributes: tuple[str, ...],
        record_type: str,
        operands: list[Node],
        span: Span | None,
    ) -> None:
        self.role = role
        self.operator = operator
        self.attributes = attributes
        self.record_type = record_type
        self.operands = operands
        self.span = span
