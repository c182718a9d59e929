"""What a primitive is given besides its arguments: everything it may reach, each reach behind the guard.

A context belongs to one call. What the call's primitive did not declare as its effect, it refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nodwyn.prims.effects import Effect
from nodwyn.prims.guard.proposal import Call, EffectName, Proposal

if TYPE_CHECKING:
    from nodwyn.prims.commands import Commands
    from nodwyn.prims.files import Files
    from nodwyn.prims.kept_notes import KeptNotes
    from nodwyn.prims.repository import Repository
    from nodwyn.prims.session import Session

_ALLOWED: dict[Effect, frozenset[EffectName]] = {
    Effect.NONE: frozenset(),
    Effect.READ: frozenset({"read", "other"}),
    Effect.WRITE: frozenset({"read", "other", "write"}),
    Effect.RUN: frozenset({"read", "other", "write", "run"}),
    Effect.SEND: frozenset({"read", "other", "send"}),
}


class Context:
    """The reach of one call.

    session: what the call happens in. call: the call itself. decisions: the seqs of the guard's decisions for it.
    """

    def __init__(self, session: Session, call: Call, effect: Effect) -> None:
        self.session = session
        self.call = call
        self.decisions: list[int] = []
        self.is_cancelled: Callable[[], bool] = session.is_cancelled
        self.provenance: frozenset[str] | None = None
        """The labels of this call's texts, where they are fewer than the primitive declares."""
        self._effect = effect
        self._allowed = _ALLOWED[effect]

    @cached_property
    def files(self) -> Files:
        """The files inside the root, and what the person added."""
        from nodwyn.prims.files import Files

        return Files(self)

    @cached_property
    def commands(self) -> Commands:
        """Shell lines in the sandbox."""
        from nodwyn.prims.commands import Commands

        return Commands(self)

    @cached_property
    def repository(self) -> Repository:
        """Questions to git that run nothing of the repository's."""
        from nodwyn.prims.repository import Repository

        return Repository(self)

    @cached_property
    def notes(self) -> KeptNotes:
        """The notes of the session's project."""
        from nodwyn.prims.kept_notes import KeptNotes

        return KeptNotes(self)

    def decide(self, proposal: Proposal) -> int:
        """Have the guard decide about an effect of this call; return the decision's seq when it may happen.

        Raises: Refused.
        """
        if proposal.effect not in self._allowed:
            raise RuntimeError(f"{self.call.name} declares that it {self._effect.value}, and would {proposal.effect}")
        seq = self.session.guard.decide(proposal, self.call)
        self.decisions.append(seq)
        return seq

    def look(self, subject: str, ground: tuple[str, str]) -> int:
        """Have the guard decide about a look at what nodwyn itself keeps, such as the record of a session.

        subject: what is looked at. ground: layer and reason of the permission when no checker is against it.

        Raises: Refused.
        """
        return self.decide(Proposal("other", subject, ground=ground))

    def comes_from(self, *labels: str) -> None:
        """Say that this call's texts carry these labels alone, of those that the primitive declares."""
        self.provenance = frozenset(labels)

    def progress(self, stream: str, text: str) -> None:
        """Tell whoever watches the session what came meanwhile, such as a command's output. It is no event."""
        self.session.on_progress(self.call, stream, text)

    def apply(self, procedure: Any, *arguments: Any) -> Any:
        """Call a Scheme procedure that the caller gave."""
        return self.session.apply(procedure, *arguments)
