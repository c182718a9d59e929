"""Checkers: procedures of the person's Scheme that see every effect before it happens, and may only tighten.

    (register-check 'frozen
      (lambda (effect) (if (eq? (cdr (assq 'effect effect)) 'write) "the documentation is frozen" #t))
      "md")

A checker is given an association list: ``effect`` (a symbol), ``subject``, ``path`` (real, or "" for none),
``primitive``, ``caller``, and what belongs to the effect, such as ``content`` or ``command``. Its value is ``#t`` or
unspecified for no objection, ``#f``, a string or ``(deny REASON)`` for a refusal, ``(confirm REASON)`` for a
question. Any other value, and any error, is a refusal that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from nodwyn.interp.data import FALSE, TRUE, UNSPECIFIED, Pair, String, Symbol, Value, cons, intern, iterate, list_from
from nodwyn.prims.guard.proposal import Call, Finding, Proposal

Apply = Callable[[Value, Value], Value]
"""Calls a Scheme procedure with one argument."""


class Checker(NamedTuple):
    """A registered checker."""

    name: str
    procedure: Value
    extension: str
    """The file extension that it is for, with its dot; nothing for any effect."""


class Checkers:
    """The checkers of a session."""

    def __init__(self) -> None:
        self._checkers: dict[str, Checker] = {}
        self._apply: Apply | None = None
        self._running: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._checkers)

    def use(self, apply: Apply) -> None:
        """Say how their procedures are called."""
        self._apply = apply

    def register(self, checker: Checker) -> None:
        """Add a checker; one of the same name gives way to it."""
        self._checkers[checker.name] = checker

    def remove(self, name: str) -> bool:
        """Take a checker away; return whether it was there."""
        return self._checkers.pop(name, None) is not None

    @property
    def names(self) -> list[str]:
        """Those that are registered, the oldest first."""
        return list(self._checkers)

    @property
    def is_checking(self) -> bool:
        """Whether a checker runs: what it does itself can only be reading."""
        return bool(self._running)

    def findings(self, proposal: Proposal, call: Call) -> list[Finding]:
        """Return what the checkers have against an effect. One that runs is not asked about what it does itself."""
        found = []
        for checker in list(self._checkers.values()):
            if checker.name in self._running or not proposal.path.lower().endswith(checker.extension):
                continue
            with self._run(checker.name):
                found += self._ask(checker, proposal, call)
        return found

    def _ask(self, checker: Checker, proposal: Proposal, call: Call) -> list[Finding]:
        layer = f"checker {checker.name}"
        try:
            if self._apply is None:
                raise RuntimeError("there is no Scheme to call it in")
            return _finding(self._apply(checker.procedure, described(proposal, call)), layer)
        except Exception as error:
            return [Finding("deny", layer, f"the checker failed: {error}")]

    @contextmanager
    def _run(self, name: str) -> Iterator[None]:
        self._running.add(name)
        try:
            yield
        finally:
            self._running.discard(name)


def described(proposal: Proposal, call: Call) -> Value:
    """Return what a checker is told of an effect."""
    texts = {
        "subject": proposal.subject,
        "path": proposal.path,
        "primitive": call.name,
        "caller": call.by,
        **proposal.details,
    }
    pairs = [cons(intern("effect"), intern(proposal.effect))]
    return list_from([*pairs, *(cons(intern(name), String(text)) for name, text in texts.items())])


def _finding(value: Value, layer: str) -> list[Finding]:
    if value is TRUE or value is UNSPECIFIED:
        return []
    if value is FALSE:
        return [Finding("deny", layer, "the checker does not allow it")]
    if isinstance(value, String):
        return [Finding("deny", layer, value.text())]
    if isinstance(value, Pair):
        verdict, *reasons = list(iterate(value))
        said = " ".join(reason.text() for reason in reasons if isinstance(reason, String))
        if isinstance(verdict, Symbol) and verdict.name in ("deny", "confirm") and len(reasons) <= 1:
            reason = said or "the checker says so"
            return [Finding("deny" if verdict.name == "deny" else "confirm", layer, reason)]
    from nodwyn.interp.printer import abbreviated

    wanted = "#t, #f, a string, (deny REASON) or (confirm REASON)"
    return [Finding("deny", layer, f"the checker's value must be {wanted}, got {abbreviated(value)}")]
