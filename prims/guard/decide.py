"""The decision about an effect: allow, deny or confirm, with a reason, on record before the effect.

The layers that know an effect itself (pin, denylist, the judgement of a line) have spoken in the proposal. Here come
the person's checkers, where text came from, the person's answers, and the turn's budget. The strictest wins. Any
exception inside a check is a refusal.
"""

from __future__ import annotations

import time
from _thread import allocate_lock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nodwyn.prims.guard import display, provenance
from nodwyn.prims.guard.approvals import Answer, Approvals, Asker, Question, nobody, widest
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.guard.checkers import Checkers
from nodwyn.prims.guard.display import brief
from nodwyn.prims.guard.proposal import KINDS, Call, Finding, Proposal
from nodwyn.prims.log import Log, LogError
from nodwyn.prims.log.events import Approval, BudgetReached, Grant, GuardDecision

POLICY_VERSION = 1
"""The number of the guard's rules as they are; a session records which it began with."""


class Refused(Exception):
    """The guard does not allow an effect; the message says why, and what can be done about it."""

    def __init__(self, message: str, decision: int, layer: str) -> None:
        super().__init__(message)
        self.decision = decision
        """The seq of the decision."""
        self.layer = layer
        """The layer that gave it, as on record: ``budget`` where the turn's limits are why."""


class Guard:
    """Decides about the effects of one session."""

    def __init__(self, log: Log, *, ask: Asker = nobody) -> None:
        """Write decisions to ``log``, and put questions through ``ask``."""
        self._log = log
        self.ask = ask
        self.approvals = Approvals()
        self.checkers = Checkers()
        self.budget = Budget()
        self._seconds_answered = 0.0
        """How long the person took for the answers so far."""
        self._asked_at: float | None = None
        """Since when the person thinks about a question."""
        self._unasked = 0
        self._one_at_a_time = allocate_lock()
        """Calls that only read may be under way side by side; what they count and ask is not."""

    @property
    def seconds_asked(self) -> float:
        """How long the person took for all answers so far, the one that is waited for included."""
        asked_at = self._asked_at
        return self._seconds_answered + (0.0 if asked_at is None else time.monotonic() - asked_at)

    @contextmanager
    def without_asking(self) -> Iterator[None]:
        """Put no question to anybody meanwhile: each is a no."""
        self._unasked += 1
        try:
            yield
        finally:
            self._unasked -= 1

    @contextmanager
    def within(self, budget: Budget) -> Iterator[None]:
        """Count effects against a budget meanwhile."""
        outer, self.budget = self.budget, budget
        try:
            yield
        finally:
            self.budget = outer

    def decide(self, proposal: Proposal, call: Call) -> int:
        """Decide about an effect; return the decision's seq when it may happen.

        Raises: Refused. LogError when it cannot be put on record; it must then not happen.
        """
        findings = list(proposal.findings)
        if call.labels and proposal.reaches_out:
            findings += self._checked("provenance", lambda: provenance.questions(proposal, call))
        if self.checkers:
            findings += self._checked("error", lambda: self._check(proposal, call))
        denial = next((finding for finding in findings if finding.verdict == "deny"), None) or self._afford(proposal)
        if denial is not None:
            raise self._refusal(proposal, call, denial)
        if findings:
            seq = self._confirm(proposal, call, findings)
        else:
            seq = self._record(proposal, call, "allow", *proposal.ground)
        if findings or proposal.effect not in ("read", "other"):
            self._log.barrier()
        return seq

    def _refusal(self, proposal: Proposal, call: Call, finding: Finding) -> Refused:
        """Record a refusal; return it, to be raised."""
        seq = self._record(proposal, call, "deny", finding.layer, finding.reason)
        return Refused(f"{_about(proposal)}{finding.reason}", seq, finding.layer)

    def _check(self, proposal: Proposal, call: Call) -> list[Finding]:
        if self.checkers.is_checking and proposal.effect not in ("read", "other"):
            return [Finding("deny", "error", "a checker may only read")]
        return self.checkers.findings(proposal, call)

    def _afford(self, proposal: Proposal) -> Finding | None:
        try:
            with self._one_at_a_time:
                spent = self.budget.take(proposal.counted, tokens=proposal.tokens, cost=proposal.cost)
        except Exception as error:
            return Finding("deny", "budget", f"the check failed: {error!r}")
        if spent is None:
            return None
        self._log.append(
            BudgetReached(limit=spent.limit, allowed=spent.allowed, spent=spent.used, refused=proposal.subject)
        )
        return Finding("deny", "budget", str(spent))

    def _checked(self, layer: str, check: Callable[[], list[Finding]]) -> list[Finding]:
        """Return what a check finds; an exception in it is a refusal."""
        try:
            return check()
        except LogError:
            raise
        except Exception as error:
            return [Finding("deny", layer, f"the check failed: {error!r}")]

    def _confirm(self, proposal: Proposal, call: Call, findings: list[Finding]) -> int:
        """Put the question; return the decision's seq after a yes.

        Raises: Refused.
        """
        try:
            question = self._question(proposal, call, findings)
        except Exception as error:
            finding = Finding("deny", "error", f"what would be done cannot be shown: {error!r}")
            raise self._refusal(proposal, call, finding) from error
        ground = self.approvals.ground(question)
        if ground is not None:
            return self._record(proposal, call, "allow", "approval", ground, question.digest)
        hardest = max(findings, key=lambda finding: KINDS.index(finding.kind) if finding.kind else len(KINDS))
        seq = self._record(proposal, call, "confirm", hardest.layer, hardest.reason, question.digest)
        answer = nobody(question) if self._unasked else self._answer(question)
        event = self._log.append(
            Approval(
                decision=seq,
                digest=question.digest,
                question=question.text,
                answer="yes" if answer.yes else "no",
                scope="session" if answer.lasts else "once",
                actor=answer.actor,
                agent=call.agent,
            )
        )
        if answer.yes and answer.kind:
            self._log.append(Grant(what="other", subject=answer.kind, given=True))
        self.approvals.remember(question.digest, answer, event)
        if not answer.yes:
            reason = _no([finding.reason for finding in findings], question, answer)
            raise Refused(f"{_about(proposal)}{reason}", seq, hardest.layer)
        return seq

    def _answer(self, question: Question) -> Answer:
        with self._one_at_a_time:
            started = self._asked_at = time.monotonic()
            try:
                return self.ask(question)
            except Exception as error:
                return Answer(False, f"not asked: {error!r}")
            finally:
                # In this order: seconds that count twice for a moment make nobody late.
                self._seconds_answered += time.monotonic() - started
                self._asked_at = None

    def _question(self, proposal: Proposal, call: Call, findings: list[Finding]) -> Question:
        reasons = tuple(display.escape_in_one_line(finding.reason) for finding in findings)
        fields = list(proposal.show())
        sources = list(provenance.recorded_sources(self._log))
        repeated = [
            f"{name} repeats line {found.line} of {found.source}: {found.text}"
            for name, value in fields
            for found in provenance.repetitions(value, sources)
        ]
        where = [("text from elsewhere", "\n".join(repeated))] if repeated else []
        shown = display.show([("asked by", f"{call.name}, called by the {call.by}"), *fields, *where])
        return Question(shown.text, shown.digest, reasons, widest([finding.kind for finding in findings]))

    def _record(self, proposal: Proposal, call: Call, decision: str, layer: str, reason: str, digest: str = "") -> int:
        given: dict[str, Any] = {"digest": digest} if digest else {}
        if proposal.sandbox:
            given["sandbox"] = proposal.sandbox
        if call.seq:
            given["call"] = call.seq
        return self._log.append(
            GuardDecision(
                effect=proposal.effect,
                subject=proposal.subject,
                decision=decision,
                layer=layer,
                reason=reason,
                agent=call.agent,
                **given,
            )
        )


def _about(proposal: Proposal) -> str:
    """Return how a refusal begins: with what it is of, but for a line, which whoever wrote it knows."""
    return "" if proposal.effect == "run" else f"{brief(proposal.subject)}: "


def _no(reasons: list[str], question: Question, answer: Answer) -> str:
    """Return what the caller is told after a no; what it is shown to escapes it."""
    why = "; ".join(reasons)
    if not answer.actor.startswith("not asked"):
        return f"the person said no ({why})"
    _, _, ended = answer.actor.partition(": ")
    if ended:
        return f"this needs the person's yes ({why}), and got no answer, which is a no: {ended}"
    hint = f" --approve {question.kind} would allow it." if question.kind else ""
    return f"this needs the person's yes ({why}), and there was nobody to ask.{hint}"
