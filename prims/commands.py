"""The shell lines that a call may run: judged, decided, shown as they will run, and run in the sandbox."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.display import show_environment
from nodwyn.prims.guard.proposal import Finding, Kind, Proposal

if TYPE_CHECKING:
    from nodwyn.prims.context import Context
    from nodwyn.prims.guard.commands import Judgement
    from nodwyn.prims.guard.repositories import Change
    from nodwyn.prims.guard.sandbox import Ran


class Commands:
    """The shell lines that a call may run."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._session = context.session

    def run(self, line: str, *, seconds: int, directory: str, network: bool) -> dict[str, Any]:
        """Run a line to its end; return how it ended and what it printed.

        seconds: when it is stopped. directory: where it runs. network: whether it may use the network.

        Raises: PrimitiveError, Refused.
        """
        from nodwyn.prims.guard.commands import READ_ONLY, judge
        from nodwyn.prims.processes import CannotRun, Limits

        session, places = self._session, self._session.places
        cwd = os.path.realpath(places.absolute(directory))
        judgement = judge(line, root=session.root, cwd=cwd, is_denied=places.denied, is_unwritable=places.unwritable)
        self._decide(line, cwd, judgement, network)
        if not os.path.isdir(cwd):
            raise PrimitiveError(f"{directory} is no directory")
        try:
            ran = session.sandbox.run(
                line,
                cwd=cwd,
                writes=judgement.verdict != READ_ONLY,
                writes_git=judgement.uses_git,
                network=network,
                limits=Limits(float(seconds)),
                on_chunk=self._context.progress,
                is_cancelled=self._context.is_cancelled,
            )
        except CannotRun as error:
            raise PrimitiveError(str(error)) from None
        return self._result(ran, seconds)

    def _decide(self, line: str, cwd: str, judgement: Judgement, network: bool) -> None:
        from nodwyn.prims.guard.commands import READ_ONLY

        offer = self._session.sandbox.offer
        writes = judgement.verdict != READ_ONLY
        kind = "unsandboxed" if offer.kind == "none" else offer.kind
        self._context.decide(
            Proposal(
                "run",
                surrogates.escape(line),
                tuple(self._findings(cwd, judgement, network)),
                ("sandbox", f"{judgement.reason}; {offer.promise}"),
                lambda: [
                    ("line", line),
                    ("directory", cwd),
                    ("sandbox", f"{kind}: {offer.promise}"),
                    ("network", "yes" if network else "no" if offer.kind != "none" else "not kept from it"),
                    ("environment", show_environment(self._session.sandbox.environment(writes).items())),
                ],
                details={"command": surrogates.escape(line), "directory": surrogates.escape(cwd)},
                reaches_out=True,
                sandbox=kind,
            )
        )

    def _findings(self, cwd: str, judgement: Judgement, network: bool) -> list[Finding]:
        """Return what stands against running a line."""
        from nodwyn.prims.guard.commands import DENY, READ_ONLY

        offer = self._session.sandbox.offer
        findings = []
        if not is_within(cwd, self._session.root):
            findings.append(Finding("deny", "pin", f"{surrogates.escape(cwd)} is outside of {self._session.root}"))
        if judgement.verdict == DENY:
            findings.append(Finding("deny", "denylist", judgement.reason))
        if network:
            findings.append(Finding("confirm", "approval", "it would have the network"))
        if not offer.keeps_root_safe:
            kind: Kind = "reads" if judgement.verdict == READ_ONLY else "all"
            findings.append(Finding("confirm", "approval", f"{judgement.reason}; it runs {offer.promise}", kind))
        elif judgement.verdict != READ_ONLY and not self._context.call.is_persons:
            # Outside of the root nothing is written in the sandbox, but what is there would be read.
            kind = "" if judgement.reaches_outside else "edits"
            findings.append(Finding("confirm", "approval", judgement.reason, kind))
        return findings

    def _result(self, ran: Ran, seconds: int) -> dict[str, Any]:
        finished = ran.finished
        notes = []
        if finished.ending == "timed out":
            notes.append(f"stopped after {seconds} seconds")
        elif finished.ending != "exited":
            notes.append(f"{finished.ending}{f' by signal {finished.signal}' if finished.signal else ''}")
        if ran.kind == "none":
            notes.append("ran unsandboxed")
        if ran.newly_hidden:
            notes.append(f"later commands cannot reach {', '.join(ran.newly_hidden)}")
        notes += [self._confirmed(change) for change in ran.changes]
        return {
            "exit": finished.status,
            "output": surrogates.escape(finished.output.text()),
            "errors": surrogates.escape(finished.errors.text()),
            "notes": [surrogates.escape(note) for note in notes],
        }

    def _confirmed(self, change: Change) -> str:
        """Have the person confirm that what makes git run programs was changed; return what is said of it."""
        proposal = Proposal(
            "other",
            surrogates.escape(change.path),
            (Finding("confirm", "denylist", f"the command {change.what} it, and it makes git run programs"),),
            show=lambda: [("file", change.path), ("what happened", f"the command {change.what} it")],
            path=change.path,
        )
        try:
            self._context.decide(proposal)
        except Refused:
            return f"{change.what} {change.path}, which makes git run programs: the person has not confirmed it"
        return f"{change.what} {change.path}, which makes git run programs; the person confirmed it"
