"""One turn: its beginning and its end are on record, whatever comes between."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from nodwyn.interp.data import Pair, Symbol, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.interp.limits import INTERRUPTED
from nodwyn.interp.printer import display, write
from nodwyn.interp.report import report
from nodwyn.loop.loading import NO_EXIT
from nodwyn.prims.calling import left_by
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.log import LogError
from nodwyn.prims.log.events import Error, TurnEnd, TurnStart

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

How = Literal["done", "stopped", "budget", "error", "unanswered", "idle"]

STOPPED = "the person stopped it"

WANTED = "that is no ending; 'done is, and (list 'stopped REASON)"


class Ending(NamedTuple):
    """How a turn ends."""

    how: How
    reason: str = ""


class Turn:
    """The work on a message. seq: of its turn.start. message: the seq of the user.msg, 0 when there is none."""

    def __init__(
        self,
        session: Session,
        message: int,
        scripts: int,
        budget: Budget,
        limits: Mapping[str, int],
        to_do: Callable[[], str],
    ) -> None:
        """Begin it, on record.

        scripts: the seq of the scripts event that holds. to_do: gives what can be done about an error of a script.
        """
        self.message = message
        self.budget = budget
        self._session = session
        self._to_do = to_do
        self._started = time.monotonic()
        given: dict[str, Any] = {"message": message} if message else {}
        if limits:
            given["limits"] = dict(limits)
        self.seq = session.log.append(TurnStart(scripts=scripts, **given))

    def run(self, procedure: Callable[[], Any]) -> TurnEnd:
        """Call the procedure that does the work, and record how it ended; return that.

        The procedure returns how the turn ended, or a list of that and the reason.

        Raises: LogError.
        """
        try:
            value = procedure()
            ending = ending_of(value) or Ending("error", f"the strategy ended the turn with {write(value)}: {WANTED}")
        except SchemeError as error:
            ending = self._failed(error)
        except LogError:
            raise
        except KeyboardInterrupt:
            ending = self._stopped()
        except Exit:
            ending = self._failed(SchemeError(Condition("control", f"a script called exit: {NO_EXIT}")))
        except BaseException as stop:
            self._end(Ending("stopped", left_by(stop)))
            raise
        return self._end(ending)

    def is_late(self) -> bool:
        """Return whether the turn has used up its seconds. Those in which the person thinks do not count."""
        return self.budget.take(None) is not None

    def _stopped(self) -> Ending:
        """Return the ending of a turn that was stopped midway: by its limit of time, or else by the person."""
        spent = self.budget.take(None)
        return Ending("stopped", STOPPED) if spent is None else Ending("budget", str(spent))

    def _failed(self, error: SchemeError) -> Ending:
        payload = error.payload
        if str(error) == INTERRUPTED:
            return self._stopped()
        span = payload.span if isinstance(payload, Condition) else None
        where = {"file": span.source.name, "line": span.line} if span is not None else {}
        self._session.log.append(Error(message=f"{report(error)}\n{self._to_do()}", **where))
        return Ending("error", str(error))

    def _end(self, ending: Ending) -> TurnEnd:
        log = self._session.log
        seq = log.append(
            TurnEnd(
                turn=self.seq,
                how=ending.how,
                reason=ending.reason,
                milliseconds=round((time.monotonic() - self._started) * 1000),
                spent=dict(self.budget.used),
            )
        )
        log.barrier()
        event = log.event(seq)
        assert isinstance(event, TurnEnd)
        return event


def ending_of(value: Value) -> Ending | None:
    """Return the ending that a value of the scripts' says: a symbol, or a list of it and a string; None for another."""
    reason = ""
    if isinstance(value, Pair):
        rest = value.cdr
        reason = display(rest.car) if isinstance(rest, Pair) else ""
        value = value.car
    said = value.name if isinstance(value, Symbol) else ""
    return next((Ending(how, reason) for how in get_args(How) if how == said), None)
