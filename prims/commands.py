"""The shell lines that a call may run: judged, decided, shown as they will run, and run in the sandbox."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.denylist import INSTRUCTS
from nodwyn.prims.guard.display import show_environment
from nodwyn.prims.guard.proposal import Finding, Kind, Proposal

if TYPE_CHECKING:
    from nodwyn.prims.context import Context
    from nodwyn.prims.guard.commands import Judgement
    from nodwyn.prims.guard.sandbox import Offer, Ran
    from nodwyn.prims.processes import Finished

MOST_NAMED = 5
"""Files that one note names."""


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
        judgement = judge(
            line,
            root=session.root,
            cwd=cwd,
            is_denied=places.denied,
            is_unwritable=places.unwritable,
            is_asked=places.denylist.asks,
        )
        self._decide(line, cwd, judgement, network)
        if not os.path.isdir(cwd):
            named = surrogates.escape(directory)
            raise PrimitiveError(f"{named} is no directory; the line runs in one that is there, relative to the root")
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
                is_late=session.is_late,
            )
        except CannotRun as error:
            raise PrimitiveError(surrogates.escape(str(error))) from None
        return self._result(ran, seconds, judgement.writes)

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
                    *(("no stronger one", reason) for reason in offer.missing),
                    ("writes", _writes(offer, writes, judgement.uses_git)),
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
            if judgement.alone:
                findings.append(Finding("confirm", "approval", judgement.alone))
            if judgement.rest:
                findings.append(Finding("confirm", "approval", judgement.rest, "edits"))
        return findings

    def _result(self, ran: Ran, seconds: int, foreseen: Sequence[str]) -> dict[str, Any]:
        """Return what came of a line. foreseen: what the person knew that it would write."""
        finished = ran.finished
        exited = finished.ending == "exited"
        notes = [] if exited else [_ending(finished, seconds)]
        if ran.kind == "none":
            notes.append("ran unsandboxed")
        notes += ran.unseen
        if ran.newly_hidden:
            notes.append(f"later commands cannot reach {', '.join(ran.newly_hidden)}")
        notes += [self._confirmed(change.what, [change.path], _makes_run("git")) for change in ran.changes]
        if ran.newly_frozen:
            notes.append(self._confirmed("made", ran.newly_frozen, _makes_run("other programs")))
        unforeseen = [path for path in ran.asked if path not in foreseen]
        instructing = list(filter(self._session.places.denylist.instructs, unforeseen))
        if running := [path for path in unforeseen if path not in instructing]:
            notes.append(self._confirmed("changed", running, _makes_run("other machines, or the next commit,")))
        if instructing:
            notes.append(self._confirmed("changed", instructing, INSTRUCTS))
        return {
            "exit": finished.status if exited else None,
            "output": surrogates.escape(finished.output.text()),
            "errors": surrogates.escape(finished.errors.text()),
            "notes": [surrogates.escape(note) for note in notes],
        }

    def _confirmed(self, what: str, paths: Sequence[str], does: str) -> str:
        """Have the person confirm that what others obey was changed; return what is said of it.

        what: was done to it. does: what it does.
        """
        proposal = Proposal(
            "other",
            surrogates.escape("\n".join(paths)),
            (Finding("confirm", "denylist", f"the command {what} it, and it {does}"),),
            show=lambda: [("file", surrogates.escape("\n".join(paths))), ("what happened", f"the command {what} it")],
            path=paths[0],
        )
        named = ", ".join(paths[:MOST_NAMED]) + (f" and {len(paths) - MOST_NAMED} more" * (len(paths) > MOST_NAMED))
        try:
            self._context.decide(proposal)
        except Refused:
            return f"{what} {named}, which {does}: the person has not confirmed it"
        return f"{what} {named}, which {does}; the person confirmed it"


def _makes_run(who: str) -> str:
    return f"makes {who} run commands"


def _ending(finished: Finished, seconds: int) -> str:
    """Return how a command ended that did not exit by itself. seconds: its limit."""
    from nodwyn.prims.processes import signal_name

    if finished.ending == "killed":
        return f"killed by {signal_name(finished.signal)}"
    hows = {"timed out": f"timed out after {seconds} s", "late": "stopped, as the time of its turn was over"}
    how = hows.get(finished.ending, "cancelled")
    if finished.asked_by is None:
        return f"{how}; killed at once"
    if finished.had_to_be_killed:
        return f"{how}; killed, as it did not end on {signal_name(finished.asked_by)}"
    by = f" with exit {finished.status}" if finished.status is not None else ""
    return f"{how}; it ended{by} on {signal_name(finished.asked_by)}"


def _writes(offer: Offer, writes: bool, writes_git: bool) -> str:
    """Return where a line can write, in words."""
    if offer.kind == "none":
        return "not kept from any place"
    if not writes:
        return "nothing but temporary files"
    git = ", and what git keeps there, but for hooks and configuration" if writes_git else ", but for what git keeps"
    return f"in the root{git if offer.keeps_root_safe else ''}"
