"""What ``dynamic-wind`` and the way to a continuation are made of (section 6.10). The rest is Scheme, in the prelude:
what calls the procedures of a program is to be re-entrant.
"""

from __future__ import annotations

from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import UNSPECIFIED, Pair, Value
from nodwyn.interp.errors import wrong_type
from nodwyn.interp.runtime.continuations import Continuation, throw_now
from nodwyn.interp.runtime.parameters import rebind
from nodwyn.interp.runtime.state import Extent, State


def bind_winding(tc: State, define: Table) -> None:
    """Declare the builtins that extents are entered and left with."""
    _bind_extents(tc, define)
    _bind_throwing(tc, define)

    @define("%winders")
    def winders() -> Value:
        return tc.winders

    @define("%set-winders!")
    def set_winders(value: Value) -> Value:
        tc.winders = value
        return UNSPECIFIED


def _bind_extents(tc: State, define: Table) -> None:
    @define("%enter-extent!")
    def enter_extent(before: Value, after: Value) -> Value:
        """Enter an extent; return those that it is in."""
        entered = Pair()
        entered.car = extent = Extent()
        entered.cdr = outer = tc.winders
        extent.before = before
        extent.after = after
        extent.handlers = tc.handlers
        extent.bindings = tc.bindings
        tc.winders = entered
        return outer

    @define("%leave-extent!")
    def leave_extent() -> Value:
        """Leave the innermost extent; return the procedure to call then."""
        extent = tc.winders.car
        tc.winders = tc.winders.cdr
        _go_outside(tc, extent)
        return extent.after

    @define("%before-extent!")
    def before_extent(extents: Value) -> Value:
        """Get ready to enter the first of some extents; return the procedure to call before."""
        extent = extents.car
        _go_outside(tc, extent)
        return extent.before


def _go_outside(tc: State, extent: Extent) -> None:
    """Put the dynamic state in force that the call of ``dynamic-wind`` had."""
    tc.handlers = extent.handlers
    if tc.bindings is not extent.bindings:
        rebind(tc, extent.bindings)


def _bind_throwing(tc: State, define: Table) -> None:
    @define("%continuation-winders")
    def continuation_winders(continuation: Value) -> Value:
        return _continuation("%continuation-winders", continuation).winders

    @define("%throw")
    def throw(continuation: Value, value: Value) -> Value:
        """Go to a continuation from within its extents."""
        tc.f, tc.a = throw_now, (_continuation("%throw", continuation), value)
        return None

    @define("%set-rewind!")
    def set_rewind(procedure: Value) -> Value:
        tc.rewind = procedure
        return UNSPECIFIED


def _continuation(procedure: str, given: Value) -> Continuation:
    if not isinstance(given, Continuation):
        raise wrong_type(procedure, "continuation", "a continuation", given)
    return given
