"""A conversation: an open session, its loop in Scheme, a model, and a client that shows what happens.

Everything that is a choice is made by the scripts. What holds whatever they do is here and in :mod:`nodwyn.loop.turn`:
a turn has a beginning and an end on record, effects and requests count against its budget, and it can be stopped.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.limits import INTERRUPTED, interrupted
from nodwyn.loop import trust
from nodwyn.loop.advice import Advice
from nodwyn.loop.agents import Agent, unique_name
from nodwyn.loop.loading import SHIPPED, Script, load, persons, shipped
from nodwyn.loop.meanings import Meanings, used_by_the_loop
from nodwyn.loop.primitives import PRIMITIVES
from nodwyn.loop.protocol import Client
from nodwyn.loop.providers.base import Delta
from nodwyn.loop.punctual import punctual
from nodwyn.loop.tools import Tools
from nodwyn.loop.turn import Turn
from nodwyn.prims import surrogates
from nodwyn.prims.counting import counted
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.guard.display import in_one_line
from nodwyn.prims.log.events import AgentStart, Note, Scripts, TurnEnd, UserMessage
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.record import Event

if TYPE_CHECKING:
    from nodwyn.loop.providers.catalogue import Model
    from nodwyn.prims.guard.proposal import Call
    from nodwyn.prims.session import Session


OWN_SCRIPTS = "If it is in a script of yours, mend that, or start with --no-init."
BEGIN_ANEW = "If it comes again, leave, and go on with nodwyn resume: the loop is then as it is shipped."


class NoModel(PrimitiveError):
    """There is no model to ask; the message says how to have one."""

    def __init__(self) -> None:
        super().__init__("there is no model to ask; `nodwyn models` says how to set one")


class Conversation:
    """See the module. It is used by one thread, but for :meth:`cancel`."""

    def __init__(
        self,
        session: Session,
        model: Model | None,
        *,
        client: Client,
        limits: Mapping[str, int] | None = None,
        init: bool = True,
    ) -> None:
        """Load the loop into a session.

        model: None for a conversation in Scheme alone. limits: those of each turn, by the names of
        :data:`nodwyn.prims.guard.budget.LIMITS`. init: whether the person's own scripts are run.

        Raises: SchemeError when a script of the person's fails; its message says which, and where.
        """
        self.session = session
        self.model = model
        self.client = client
        self.limits = dict(limits or {})
        session.extend(PRIMITIVES)
        self.tools = Tools(session, self.waiting)
        self.advice = Advice(session.scheme)
        self.meanings = Meanings(session.scheme, self.advice.bare)
        self.agent = Agent(session, MAIN, Budget())
        """The context that the scripts work in now."""
        self.turn: Turn | None = None
        """The turn under way."""
        self._names = set(_agents(session))
        self._scripts: list[Script] = []
        self._recorded_scripts = 0
        self._cancelled = False
        self._waiting = 0
        """How many calls are under way that look at :meth:`is_cancelled` themselves."""
        self._delivering = threading.RLock()
        self._attach()
        self._load(init)

    def say(self, text: str, *, is_stopped: Callable[[], bool] = lambda: False) -> TurnEnd:
        """Take a message of the person's, and do the turn that it asks for; return how that ended.

        is_stopped: whether the person stopped the turn before it began.

        Raises: NoModel, LogError.
        """
        self.require_model()
        return self._do(self.session.log.append(UserMessage(text=text)), "run-turn", is_stopped)

    def compact(self) -> TurnEnd:
        """Have the model write a handover note, from which the conversation goes on; return how that ended.

        Raises: NoModel, LogError.
        """
        self.require_model()
        return self._do(0, "compact")

    def require_model(self) -> Model:
        """Return the model that answers.

        Raises: NoModel.
        """
        if self.model is None:
            raise NoModel
        return self.model

    def scheme(self, text: str) -> Value:
        """Evaluate the person's Scheme; return the last value. What it changes of the loop is said in a note.

        Raises: SchemeError, LogError. What stops the program.
        """
        self._cancelled = False
        self.meanings.note(self._script_names())
        try:
            value = self.session.evaluate(text)
        except SchemeError:
            self._tell_of_meanings(self.meanings.changed())
            raise
        except BaseException:
            self.meanings.changed()
            raise
        self._tell_of_meanings(self.meanings.changed())
        return value

    def cancel(self) -> None:
        """Stop what is under way: the model's call, the tool, or the scripts. May be called by any thread.

        In the main thread, as from a handler of a signal, it stops a script at once.

        Raises: KeyboardInterrupt there.
        """
        self._cancelled = True
        if not self._waiting and threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt

    def is_cancelled(self) -> bool:
        """Return whether what is under way was cancelled, or its turn has no time left."""
        return self._cancelled or self._is_late()

    def _is_late(self) -> bool:
        """Return whether the turn under way has no time left, and was not cancelled before that."""
        return not self._cancelled and self.turn is not None and self.turn.is_late()

    @contextmanager
    def waiting(self, *, looks: bool = True) -> Iterator[None]:
        """Do what may take long meanwhile; what follows is stopped when it was cancelled.

        looks: whether it looks at :meth:`is_cancelled` by itself. What does not is stopped from outside.

        Raises: what stops a program, when it was cancelled.
        """
        self._stop_if_cancelled()
        self._waiting += looks
        try:
            yield
        finally:
            self._waiting -= looks
        self._stop_if_cancelled()

    @contextmanager
    def as_agent(self, name: str, limits: Mapping[str, int]) -> Iterator[Agent]:
        """Work in a new context meanwhile, which draws on the budget of the one that it comes from."""
        outer = self.agent
        budget = Budget(limits, within=outer.budget, asked=self._asked)
        inner = Agent(self.session, unique_name(name, self._names), budget)
        self._names.add(inner.name)
        self.agent, self.session.agent = inner, inner.name
        try:
            with self.session.guard.within(budget):
                yield inner
        finally:
            self.agent, self.session.agent = outer, outer.name

    def delta(self, delta: Delta) -> None:
        """Give the client a piece of a reply."""
        with self._delivering:
            self.client.delta(self.agent.name, delta)

    def _do(self, message: int, procedure: str, is_stopped: Callable[[], bool] = lambda: False) -> TurnEnd:
        self._cancelled = False
        if is_stopped():  # asked after that: a cancel may come at any moment
            self._cancelled = True
        budget = Budget(self.limits, asked=self._asked)
        self.agent.budget = budget
        turn = self.turn = Turn(self.session, message, self._scripts_event(), budget, self.limits, self._to_do)
        try:
            with self.session.guard.within(budget), self.session.calling_as("loop"):
                return turn.run(lambda: self._in_time(turn, procedure))
        finally:
            self.turn = None

    def _in_time(self, turn: Turn, procedure: str) -> Value:
        work = self.session.scheme.procedure(procedure)
        if "seconds" not in self.limits:
            return work()
        with punctual(lambda: not self._waiting and turn.is_late()):
            return work()

    def _tell_of_meanings(self, names: list[str]) -> None:
        if names:
            self.session.log.append(Note(text=used_by_the_loop(names)))

    def _to_do(self) -> str:
        """Return what to do about an error of a script, with what may have caused it."""
        defined = self.meanings.standing()
        if defined:
            return f"What you typed may be the cause: {used_by_the_loop(defined)}."
        return OWN_SCRIPTS if len(self._scripts) > len(SHIPPED) else BEGIN_ANEW

    def _script_names(self) -> set[str]:
        return {script.name for script in self._scripts}

    def _asked(self) -> float:
        return self.session.guard.seconds_asked

    def _stop_if_cancelled(self) -> None:
        if self.is_cancelled():
            raise interrupted()

    def _attach(self) -> None:
        session = self.session
        session.driver = self
        session.log.on_append = self._show
        session.on_progress = self._progress
        session.guard.ask = self.client.ask
        session.is_cancelled = self.is_cancelled
        session.is_late = self._is_late

    def _show(self, event: Event) -> None:
        with self._delivering:
            self.client.event(event)

    def _progress(self, call: Call, stream: str, text: str) -> None:
        with self._delivering:
            self.client.progress(call.seq, stream, text)

    def _load(self, init: bool) -> None:
        with self.session.calling_as("loop"):
            for script in shipped():
                self._run(script)
            found = trust.scripts(self.session)
        self._tell_of_root()
        if not init:
            return
        for script in (*persons(), *found.trusted):
            self._run_in_time(script)
        self._tell_of_scripts(found)

    def _tell_of_root(self) -> None:
        """Say so where far more than a project is inside of the root: what is inside is asked about less."""
        root = self.session.root
        if is_within(os.path.realpath(os.path.expanduser("~")), root):
            text = (
                f"the root is {in_one_line(surrogates.escape(root))}: your whole home directory counts as inside of it"
            )
            self.session.log.append(Note(text=f"{text}. Start in the directory of a project to narrow that"))

    def _tell_of_scripts(self, found: trust.Found) -> None:
        """Say which scripts of the repository's were not run, and what to do."""
        if found.untrusted:
            names = ", ".join(map(in_one_line, found.untrusted))
            text = f"this repository has scripts for the loop, which were not run: {names}."
            self.session.log.append(Note(text=f"{text} `nodwyn trust` shows them and asks."))
        for reason in found.unread:
            self.session.log.append(Note(text=f"a script of this repository was not run: {in_one_line(reason)}"))

    def _run_in_time(self, script: Script) -> None:
        """Run a script of the person's, within the seconds that a turn has.

        Raises: SchemeError, for one that takes longer too.
        """
        seconds, started = self.limits.get("seconds"), time.monotonic()
        if seconds is None:
            return self._run(script)

        def is_late() -> bool:
            return time.monotonic() - started >= seconds

        try:
            with punctual(is_late):
                self._run(script)
        except (SchemeError, KeyboardInterrupt) as stop:
            if is_late() and (isinstance(stop, KeyboardInterrupt) or str(stop) == INTERRUPTED):
                took = f"{script.name} takes longer than the {counted(seconds, 'second')} that a turn has"
                raise SchemeError(Condition("limit", took)) from None
            raise

    def _run(self, script: Script) -> None:
        load(self.session, script)
        self._scripts.append(script)

    def _scripts_event(self) -> int:
        """Return the seq of the event that says which scripts and advice hold; record it when others did before."""
        now = Scripts(scripts={each.name: each.digest for each in self._scripts}, advice=self.advice.recorded() or None)
        before = self.session.log.event(self._recorded_scripts) if self._recorded_scripts else None
        if not isinstance(before, Scripts) or (before.scripts, before.advice) != (now.scripts, now.advice):
            self._recorded_scripts = self.session.log.append(now)
        return self._recorded_scripts


def _agents(session: Session) -> Iterator[str]:
    """Yield the names of the contexts that a session had so far."""
    for seq in session.log.seqs("agent.start"):
        event = session.log.event(seq)
        if isinstance(event, AgentStart):
            yield event.name
