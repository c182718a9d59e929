"""Units of compiled code as the runtime knows them: their nodes by number, and functions that continue their frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any, NamedTuple

from nodwyn.interp.core import GlobalDefine, Node
from nodwyn.interp.data import Value

Resume = Callable[[Value, Any], Value]
Site = tuple[Resume, tuple[str, ...]]


BODY, CLAUSES, BOUND = "body", "clauses", "bound"


class Around(NamedTuple):
    """A form with a part that is written where it stands, around the place where a frame is.

    number: of its node. role: what the frame is in: BODY or CLAUSES of a ``guard``, or the body of a ``parameterize``.
    variable: of the frame, what the form keeps: its guard, or the bindings outside. clauses: the number of the routine
    of the guard's clauses.
    """

    number: int
    role: str
    variable: str
    clauses: int


class Units:
    """The units of one interpreter by key, and what ``frames.code_of`` has found out about their code.

    Generated code has them in its globals: the code of two interpreters may well be equal.
    """

    __slots__ = ("codes", "named", "resumed")

    def __init__(self) -> None:
        self.named: dict[str, Unit] = {}
        self.codes: dict[int, tuple[CodeType, tuple[Unit, dict[int, int], int] | None]] = {}
        """By the ``id`` of the code, which is kept with what is known of it."""
        self.resumed: dict[Resume, tuple[Unit, int]] = {}
        """What the functions continue that are made of frames: the unit and the number of its node."""

    def named_by(self, identity: str) -> Unit | None:
        """Return the unit that a generated function's docstring names."""
        # A "?" marks functions that stand for no form: what chooses a clause, what makes a record.
        for mark in "#!":
            key, separator, _ = identity.partition(mark)
            if separator and key in self.named:
                return self.named[key]
        return None

    def forget(self, key: str, codes: Iterable[CodeType]) -> bool:
        """Forget a unit, unless a captured frame may go on in it; return whether it is forgotten.

        codes: all of its code, none of which is running.
        """
        unit = self.named.get(key)
        if unit is None or unit.has_sites():
            return False
        del self.named[key]
        for code in codes:
            self.codes.pop(id(code), None)
        return True


class Unit:
    """One compiled text, or part of one.

    key: its name, unique in its interpreter. source: the name of its text. globals: where its code runs.
    load: returns its routines, analysed; called at the first capture or error, since cached code comes without.
    """

    __slots__ = ("_around", "_nodes", "_routines", "_sites", "_writer", "globals", "key", "load", "source")

    def __init__(self, key: str, source: str, variables: dict[str, Any], load: Callable[[], Any]) -> None:
        self.key = key
        self.source = source
        self.globals = variables
        self.load = load
        self._nodes: dict[int, Node] | None = None
        self._routines: dict[int, Any] = {}
        self._sites: dict[int, Site | None] = {}
        self._around: dict[tuple[int, int], list[Around]] = {}
        self._writer: Any = None
        variables["%units"].named[key] = self

    def nodes(self) -> dict[int, Node]:
        """Return the unit's nodes by number."""
        if self._nodes is None:
            from nodwyn.interp.generate.heap import HeapWriter

            self._writer = HeapWriter(self.load(), self.key)
            self._nodes = self._writer.nodes
        return self._nodes

    def has_sites(self) -> bool:
        """Return whether a frame of its code has been captured."""
        return bool(self._sites)

    def defines(self, key: str) -> bool:
        """Return whether a form of the unit defines the global of this key."""
        return any(isinstance(node, GlobalDefine) and node.glob.key == key for node in self.nodes().values())

    def writer(self) -> Any:
        """Return the writer of this unit's heap code."""
        self.nodes()
        return self._writer

    def site(self, number: int) -> Site | None:
        """Return how to continue a frame behind a call: a function and the variables it wants.

        A negative number is that of an arithmetic operation or of a call in which nothing can be captured: then
        behind that; or that of the routine of a guard's clauses: their beginning. None if it is a tail call, or none of
        these: then nothing is left to do in that frame.
        """
        try:
            return self._sites[number]
        except KeyError:
            self._sites[number] = None
            live = self.writer().live(number)
            if live is not None:
                self._sites[number] = self._stub(number), live
            return self._sites[number]

    def waits_at(self, number: int) -> bool:
        """Say whether a node is a call that its procedure waits for."""
        from nodwyn.interp.analyse.nodes import Invoke

        node = self.nodes().get(number)
        return isinstance(node, Invoke) and not node.tail

    def entry(self, clauses: int) -> Site | None:
        """Return how to begin the clauses of a ``guard``, by the number of their routine, with what it has caught."""
        return self.site(-clauses)

    def around(self, number: int, routine: int) -> list[Around]:
        """Return the forms that are written where they stand around a node, outermost first.

        routine: the number of the routine whose function the frame at the node is of.
        """
        try:
            return self._around[number, routine]
        except KeyError:
            found = self._around[number, routine] = self.writer().around(number, routine) if routine else []
            return found

    def _stub(self, number: int) -> Resume:
        """Return the function that continues a site, to be compiled when it is first called."""
        made: Resume | None = None

        def resume(value: Value, live: Any) -> Value:
            nonlocal made
            if made is None:
                made = self._compile(number)
            return made(value, live)

        return self._noted(resume, number)

    def _noted(self, resume: Resume, number: int) -> Resume:
        self.globals["%units"].resumed[resume] = self, abs(number)
        return resume

    def _compile(self, number: int) -> Resume:
        for inner in self.writer().inner_sites(number):
            name = f"%r{self.key}.{inner}"
            if name not in self.globals:
                site = self.site(inner)
                assert site is not None
                self.globals[name] = site[0]
        resume: Resume = self._noted(self.writer().compile(number, self.source, self.globals), number)
        if f"%r{self.key}.{number}" in self.globals:
            self.globals[f"%r{self.key}.{number}"] = resume
        site = self._sites[number]
        assert site is not None
        self._sites[number] = resume, site[1]
        return resume
