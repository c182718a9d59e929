"""Control builtins (section 6.10): those that call procedures on their caller's stack, or look at the dynamic state."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from nodwyn.interp.builtins.lists import measure, reverse
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import (
    FALSE,
    NIL,
    TRUE,
    UNLABELLED,
    UNSPECIFIED,
    Promise,
    String,
    Value,
    Values,
    iterate,
)
from nodwyn.interp.errors import Condition, SchemeError, wrong_type
from nodwyn.interp.runtime.continuations import Guard, Raised
from nodwyn.interp.runtime.frames import RAISING, SPECIAL, Frames, restore_bindings
from nodwyn.interp.runtime.handlers import (
    make_guard,
    make_guarding,
    make_raise,
    make_raise_continuable,
    make_with_exception_handler,
    reraise,
)
from nodwyn.interp.runtime.parameters import Binding, Bindings, bind_parameter, not_a_parameter, rebind
from nodwyn.interp.runtime.state import State
from nodwyn.interp.runtime.winding import bind_winding

if TYPE_CHECKING:
    from nodwyn.interp.runtime import Runtime


def bind(runtime: Runtime, define: Table) -> None:
    """Declare the control builtins of one interpreter."""
    tc = runtime.tc
    define("call/cc", "call-with-current-continuation")(tc.call_cc)
    raise_object = make_raise(tc)
    define("raise")(raise_object)
    define("raise-continuable")(make_raise_continuable(tc))
    define("with-exception-handler")(make_with_exception_handler(tc, raise_object))
    guarding, caught = make_guarding(tc)
    runtime.globals["%guarding"], runtime.globals["%caught"] = guarding, caught
    define("%guard")(make_guard(tc, guarding, caught))
    define("%reraise")(reraise)
    _bind_calls(tc, define)
    _bind_building(tc, define)
    bind_winding(tc, define)
    _bind_parameters(runtime, define)
    _bind_promises(define)
    _bind_errors(tc, define)


def _require_procedure(name: str, parameter: str, value: Value) -> None:
    if not callable(value):
        raise wrong_type(name, parameter, "a procedure", value)


def _bind_calls(tc: State, define: Table) -> None:
    run = tc.run

    @define("apply")
    def apply(procedure: Value, *arguments: Value) -> Value:
        _require_procedure("apply", "procedure", procedure)
        if not arguments:
            raise SchemeError(Condition("arity", "takes 2 or more arguments, got 1", procedure="apply"))
        tc.f, tc.a = procedure, _spread(arguments[:-1], arguments[-1])
        return None

    @define("%apply-builtin")
    def apply_builtin(builtin: Value, *arguments: Value) -> Value:
        """Do what ``apply`` does with a builtin that calls nothing: no request need be left for it."""
        return builtin(*_spread(arguments[:-1], arguments[-1]))

    @define("call-with-values")
    def call_with_values(producer: Value, consumer: Value) -> Value:
        _require_procedure("call-with-values", "producer", producer)
        _require_procedure("call-with-values", "consumer", consumer)
        value = producer()
        if value is None:
            value = run()
        return _pass_values(value, (tc, consumer))

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        return _pass_values, (tc, frame.f_locals["consumer"]), frames

    SPECIAL[id(call_with_values.__code__)] = special


def _pass_values(value: Value, live: Any) -> Value:
    tc, consumer = live
    tc.f = consumer
    tc.a = value.results if value.__class__ is Values else (value,)
    return None


_SHORT = range(64)


def _spread(leading: tuple[Value, ...], last: Value) -> tuple[Value, ...]:
    """Return the arguments that ``apply`` is given: those before the last, and the elements of that list.

    Generated code may have them in a tuple (``analyse.arguments``).
    """
    if last.__class__ is tuple:
        return (*leading, *last) if leading else last
    spread = list(leading)
    rest = last
    try:
        for _ in _SHORT:
            if rest is NIL:
                return tuple(spread)
            spread.append(rest.car)
            rest = rest.cdr
    except AttributeError:
        pass
    if measure(last) < 0:
        raise wrong_type("apply", "last argument", "a proper list", last)
    return (*leading, *iterate(last))


def _bind_building(tc: State, define: Table) -> None:
    @define("%captures")
    def captures() -> int:
        """Return how many continuations have been made."""
        return tc.captures

    @define("%resumed?")
    def is_resumed() -> Value:
        """Return whether the calling procedure's frame may be continued once more from what it called before this.

        Where it is written out (``generate.inline``) that is known; here it may be.
        """
        return TRUE

    @define("%reverse-new")
    def reverse_new(items: Value, captures: Value) -> Value:
        """Return the reverse of a proper list that was built when ``captures`` continuations had been made.

        Its pairs are used again, unless a continuation made since may go on building from them.
        """
        if captures != tc.captures:
            return reverse(items)
        result: Value = NIL
        while items is not NIL:
            following = items.cdr
            items.cdr = result
            result = items
            items = following
        return result


def _bind_parameters(runtime: Runtime, define: Table) -> None:
    tc = runtime.tc

    @define("make-parameter")
    def make_parameter(value: Value, converter: Value = FALSE) -> Value:
        if converter is FALSE:
            return runtime.parameter(value)
        _require_procedure("make-parameter", "converter", converter)
        return runtime.parameter(runtime.call(converter, value), converter)

    def bind(parameter: Value, value: Value, others: Value = NIL) -> Bindings:
        """Bind parameters for the body of a ``parameterize``; return the bindings outside."""
        outer = tc.bindings
        try:
            cell = parameter.cell
        except AttributeError:
            raise not_a_parameter(parameter) from None
        if cell.converter is not None:
            value = cell.converter(value)
        if others is not NIL:
            _bind_all(tc, [parameter, value, *iterate(others)])
            return outer
        # What `bind_parameter` does.
        binding = Binding()
        binding.cell = cell
        binding.other = cell.content
        binding.outer = outer
        tc.bindings = binding
        cell.content = value
        return outer

    def unbind(outer: Bindings) -> None:
        """Put the bindings outside a ``parameterize`` in force again."""
        innermost = tc.bindings
        if innermost is not None and innermost.outer is outer:
            cell = innermost.cell
            cell.content, innermost.other = innermost.other, cell.content
            tc.bindings = outer
        else:
            rebind(tc, outer)

    # For generated code alone: the bindings may be None, which no program is to see.
    runtime.globals["%bind"], runtime.globals["%unbind"] = bind, unbind
    _bind_parameterize(tc, define, bind, unbind)


def _bind_parameterize(
    tc: State, define: Table, bind: Callable[..., Bindings], unbind: Callable[[Bindings], None]
) -> None:
    """Declare the procedure behind ``parameterize`` where it is not written in place; ``bind`` and ``unbind`` are."""
    run = tc.run

    @define("%parameterize")
    def parameterize(parameter: Value, value: Value, *rest: Value) -> Value:
        # The body comes last, as in code where it stands in place: before it all operands have been evaluated.
        *others, body = rest
        outer = bind(parameter, value, *others)
        value = body()
        if value is None:
            value = run()
        unbind(outer)
        return value

    def special(tc: State, frame: FrameType, frames: Frames) -> Frames:
        variables = frame.f_locals
        # A converter, or what checks the parameters, has failed: nothing is bound yet.
        return (restore_bindings, (tc, variables["outer"]), frames) if "outer" in variables else frames

    SPECIAL[id(parameterize.__code__)] = special


def _bind_all(tc: State, bindings: list[Value]) -> None:
    """Bind several parameters. bindings: parameter, value, parameter, value …, of which the first pair is checked."""
    for place in range(2, len(bindings), 2):
        try:
            converter = bindings[place].cell.converter
        except AttributeError:
            raise not_a_parameter(bindings[place]) from None
        if converter is not None:
            bindings[place + 1] = converter(bindings[place + 1])
    for place in range(0, len(bindings), 2):
        bind_parameter(tc, bindings[place], bindings[place + 1])


def _bind_promises(define: Table) -> None:
    """Declare what ``delay``, ``delay-force`` and ``force`` are made of: a promise's state is
    ``[done, value or thunk, whether the thunk gives another promise]``."""

    def delaying(name: str, chains: bool) -> Callable[[Value], Value]:
        def make(thunk: Value) -> Value:
            promise = Promise(False, thunk)
            promise.state.append(chains)
            return promise

        return define(name)(make)

    delaying("%delay", False)
    delaying("%delay-force", True)

    @define("%promise-done?")
    def is_done(promise: Value) -> Value:
        return TRUE if promise.state[0] else FALSE

    @define("%promise-content")
    def content(promise: Value) -> Value:
        return promise.state[1]

    @define("%promise-chains?")
    def is_chaining(promise: Value) -> Value:
        """Return whether the thunk of a promise that is not done gives another promise."""
        return TRUE if promise.state[2] else FALSE

    @define("%promise-settle!")
    def settle(promise: Value, value: Value, chains: Value) -> Value:
        """Take what a thunk returned, unless it has forced this promise itself. chains: whether it is a promise."""
        state = promise.state
        if state[0]:
            return UNSPECIFIED
        if chains is FALSE:
            state[0], state[1] = True, value
        elif isinstance(value, Promise):
            state[:] = value.state
            value.state = state
        else:
            raise wrong_type("force", "value of delay-force", "a promise", value)
        return UNSPECIFIED


def _bind_errors(tc: State, define: Table) -> None:
    raise_object = define.procedures["raise"]

    @define("error")
    def error(message: Value, *irritants: Value) -> Value:
        plain = message.__class__ is String and message.origin is UNLABELLED
        payload = Condition("error", message.text() if plain else message, irritants)
        handlers = tc.handlers
        # What `raise` does for a guard close by.
        if handlers.__class__ is Guard and handlers.live and tc.winders is handlers.winders:
            raise Raised(handlers, payload)
        return raise_object(payload)

    RAISING.add(id(error.__code__))
    SPECIAL[id(error.__code__)] = SPECIAL[id(raise_object.__code__)]

    @define("%wrong-list")
    def wrong_list(name: Value, items: Value) -> Value:
        raise wrong_type(name.name, "list", "a proper list", items)

    @define("%wrong-type")
    def reject(name: Value, parameter: Value, expected: Value, got: Value) -> Value:
        raise wrong_type(name.name, parameter.text(), expected.text(), got)

    @define("%assert-failure")
    def assert_failure(*irritants: Value) -> Value:
        raise SchemeError(Condition("error", "assertion failed", irritants, procedure="assert"))
