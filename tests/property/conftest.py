"""A second, simple evaluator for the pure subset of Scheme: every step in continuation-passing style over data as read.

It shares the reader, the data classes and nothing else with the engine: no expander, no analysis, no generated code. It
is slow and easy to believe, full continuations, ``dynamic-wind`` and ``guard`` included.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

from nodwyn.interp.data import FALSE, NIL, UNSPECIFIED, Pair, Symbol, Value, Vector, boolean, intern, iterate, list_from

Continuation = Callable[[Value], Any]
"""Takes a value and returns the next step: a function without parameters, or :class:`Done`."""

MOST_STEPS = 200_000
MOST_BITS = 1_000_000


class Fault(Exception):
    """The program made a mistake; ``kind`` is what a condition calls it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class TooLongError(Exception):
    """The program is not done after :data:`MOST_STEPS` steps, or has come to a number of :data:`MOST_BITS` bits."""


class OpenError(Exception):
    """The program does what the engine promises nothing of."""


class Done:
    """The end of a program."""

    def __init__(self, value: Value) -> None:
        self.value = value


class Raised:
    """What stands in the place of a value when an object was raised: see :meth:`Evaluator.fail`."""


class Frame:
    """Variables and their values, inside of those of ``parent``."""

    def __init__(self, parent: Frame | None, values: dict[str, Value]) -> None:
        self.parent = parent
        self.values = values

    def holding(self, name: str) -> dict[str, Value]:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values:
                return frame.values
            frame = frame.parent
        raise Fault("unbound")


class Primitive:
    """A procedure that takes its arguments and its continuation."""

    def __init__(self, step: Callable[[list[Value], Continuation], Any]) -> None:
        self.step = step


class Evaluator:
    """Runs one program."""

    def __init__(self) -> None:
        self.top = Frame(None, {name: Primitive(_direct(function)) for name, function in PLAIN.items()})
        self.winders: tuple[Any, ...] = ()
        self.handlers: tuple[Continuation, ...] = ()
        for name in ("call/cc", "apply", "map", "for-each", "dynamic-wind", "raise"):
            step = getattr(self, "_" + name.replace("/", "_").replace("-", "_"))
            self.top.values[name] = Primitive(step)

    def run(self, forms: list[Value]) -> Value:
        """Return the value of the last form. Raises: Fault, TooLongError."""
        step = self.body(forms, self.top, Done)
        for _ in range(MOST_STEPS):
            if isinstance(step, Done):
                return step.value
            try:
                step = step()
            except Fault as fault:
                if not self.handlers:
                    raise
                step = self.handlers[-1](intern(fault.kind))
        raise TooLongError

    def body(self, forms: list[Value], frame: Frame, k: Continuation) -> Any:
        first, *rest = forms
        if not rest:
            return lambda: self.eval(first, frame, k)
        return lambda: self.eval(first, frame, lambda _: self.body(rest, frame, k))

    def eval(self, e: Value, frame: Frame, k: Continuation) -> Any:
        if isinstance(e, Symbol):
            name = e.name
            value = frame.holding(name)[name]
            if value is None:
                raise Fault("unbound")
            return k(value)
        if not isinstance(e, Pair):
            return k(e)
        items = list(iterate(e))
        head = items[0]
        form = FORMS.get(head.name) if isinstance(head, Symbol) else None
        if form is not None:
            return form(self, items, frame, k)
        return self.sequence(items, frame, lambda values: self.call(values[0], values[1:], k))

    def sequence(self, forms: list[Value], frame: Frame, k: Callable[[list[Value]], Any]) -> Any:
        """Evaluate forms from left to right; pass the list of their values on."""

        def after(values: list[Value]) -> Any:
            if len(values) == len(forms):
                return k(values)
            return lambda: self.eval(forms[len(values)], frame, lambda value: after([*values, value]))

        return after([])

    def call(self, procedure: Value, arguments: list[Value], k: Continuation) -> Any:
        if not isinstance(procedure, Primitive):
            raise Fault("type")
        return lambda: procedure.step(arguments, k)

    def closure(self, parameters: list[str], body: list[Value], frame: Frame) -> Primitive:
        def step(arguments: list[Value], k: Continuation) -> Any:
            if len(arguments) != len(parameters):
                raise Fault("arity")
            return self.scope(body, Frame(frame, dict(zip(parameters, arguments))), k)

        return Primitive(step)

    def scope(self, body: list[Value], frame: Frame, k: Continuation) -> Any:
        """Evaluate a body, whose internal definitions are variables without a value until they are reached."""
        for form in body:
            if isinstance(form, Pair) and form.car is intern("define"):
                frame.values[_defined(form)] = None
        return self.body(body, frame, k)

    def rewind(self, target: tuple[Any, ...], k: Callable[[], Any]) -> Any:
        """Leave and enter the extents between here and ``target``, then go on with ``k``."""
        here = self.winders
        shared = 0
        while shared < min(len(here), len(target)) and here[shared] is target[shared]:
            shared += 1
        if len(here) > shared:
            self.winders = here[:-1]
            return self.call(here[-1][1], [], lambda _: self.rewind(target, k))
        if len(target) > shared:
            entered = target[: shared + 1]

            def inside(_: Value) -> Any:
                self.winders = entered
                return self.rewind(target, k)

            return self.call(target[shared][0], [], inside)
        return k()

    def _call_cc(self, arguments: list[Value], k: Continuation) -> Any:
        winders, handlers = self.winders, self.handlers

        def resume(values: list[Value], _: Continuation) -> Any:
            (value,) = values

            def arrive() -> Any:
                self.handlers = handlers
                return k(value)

            return self.rewind(winders, arrive)

        (receiver,) = arguments
        return self.call(receiver, [Primitive(resume)], k)

    def _apply(self, arguments: list[Value], k: Continuation) -> Any:
        procedure, *rest = arguments
        return self.call(procedure, [*rest[:-1], *_proper(rest[-1])], k)

    def _map(self, arguments: list[Value], k: Continuation) -> Any:
        procedure, items = arguments

        def after(values: list[Value], rest: Value) -> Any:
            # That a list does not end in () is found only at its end, which the procedure may keep from being reached.
            if rest.__class__ is not Pair:
                _proper(rest)
                return k(list_from(values))
            return self.call(procedure, [rest.car], lambda value: after([*values, value], rest.cdr))

        return after([], items)

    def _for_each(self, arguments: list[Value], k: Continuation) -> Any:
        return self._map(arguments, lambda _: k(UNSPECIFIED))

    def _dynamic_wind(self, arguments: list[Value], k: Continuation) -> Any:
        before, thunk, after = arguments

        def inside(_: Value) -> Any:
            self.winders = (*self.winders, (before, after))
            return self.call(thunk, [], leave)

        def leave(value: Value) -> Any:
            self.winders = self.winders[:-1]
            return self.call(after, [], lambda _: k(value))

        return self.call(before, [], inside)

    def _raise(self, arguments: list[Value], k: Continuation) -> Any:
        if not self.handlers:
            raise Fault("raised")
        return self.handlers[-1](arguments[0])

    def _quote(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        return k(items[1])

    def _lambda(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        return k(self.closure(_names(items[1]), items[2:], frame))

    def _define(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        target = items[1]
        if isinstance(target, Pair):
            frame.values[target.car.name] = self.closure(_names(target.cdr), items[2:], frame)
            return k(UNSPECIFIED)
        return self._assign(target.name, items[2], frame, frame.values, k)

    def _set(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        name = items[1].name
        return self._assign(name, items[2], frame, frame.holding(name), k)

    def _assign(self, name: str, e: Value, frame: Frame, values: dict[str, Value], k: Continuation) -> Any:
        def store(value: Value) -> Any:
            values[name] = value
            return k(UNSPECIFIED)

        return self.eval(e, frame, store)

    def _if(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        otherwise = items[3] if len(items) > 3 else UNSPECIFIED
        return self.eval(
            items[1], frame, lambda test: lambda: self.eval(items[2] if test is not FALSE else otherwise, frame, k)
        )

    def _begin(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        return self.body(items[1:], frame, k)

    def _and(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        return self._until(items[1:], frame, k, lambda value: value is FALSE)

    def _or(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        return self._until(items[1:], frame, k, lambda value: value is not FALSE)

    def _until(self, forms: list[Value], frame: Frame, k: Continuation, settles: Callable[[Value], bool]) -> Any:
        first, *rest = forms
        if not rest:
            return self.eval(first, frame, k)
        return self.eval(
            first, frame, lambda value: k(value) if settles(value) else self._until(rest, frame, k, settles)
        )

    def _cond(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        if len(items) == 1:
            return k(UNSPECIFIED)
        test, *body = iterate(items[1])
        if test is intern("else"):
            return self.body(body, frame, k)
        rest = [items[0], *items[2:]]
        return self.eval(
            test,
            frame,
            lambda value: self.body(body, frame, k) if value is not FALSE else self._cond(rest, frame, k),
        )

    def _let(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        if isinstance(items[1], Symbol):
            return self._named_let(items, frame, k)
        names, inits = _bindings(items[1])
        return self.sequence(
            inits, frame, lambda values: self.scope(items[2:], Frame(frame, dict(zip(names, values))), k)
        )

    def _named_let(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        names, inits = _bindings(items[2])
        inside = Frame(frame, {})
        loop = inside.values[items[1].name] = self.closure(names, items[3:], inside)
        return self.sequence(inits, frame, lambda values: self.call(loop, values, k))

    def _let_star(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        bindings = list(iterate(items[1]))
        if not bindings:
            return self.scope(items[2:], Frame(frame, {}), k)
        inner = list_from([intern("let*"), list_from(bindings[1:]), *items[2:]])
        return self._let([items[0], list_from(bindings[:1]), inner], frame, k)

    def _letrec(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        definitions = [list_from([intern("define"), *iterate(binding)]) for binding in iterate(items[1])]
        return self.scope([*definitions, *items[2:]], Frame(frame, {}), k)

    def _do(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        specs = [list(iterate(spec)) for spec in iterate(items[1])]
        names = [spec[0].name for spec in specs]
        steps = [spec[2] if len(spec) > 2 else spec[0] for spec in specs]
        test, *results = iterate(items[2])

        def turn(values: list[Value]) -> Any:
            inside = Frame(frame, dict(zip(names, values)))

            def tested(value: Value) -> Any:
                if value is not FALSE:
                    return self.body(results or [UNSPECIFIED], inside, k)
                return self.body([*items[3:], UNSPECIFIED], inside, lambda _: self.sequence(steps, inside, turn))

            return lambda: self.eval(test, inside, tested)

        return self.sequence([spec[1] for spec in specs], frame, turn)

    def _guard(self, items: list[Value], frame: Frame, k: Continuation) -> Any:
        """``(guard (name (#t expression)) body …)``: the one clause that the programs have, which takes anything."""
        name, clause = iterate(items[1])
        winders, outer = self.winders, self.handlers

        def caught(payload: Value) -> Any:
            self.handlers = outer
            inside = Frame(frame, {name.name: payload})
            return self.rewind(winders, lambda: self.body(list(iterate(clause))[1:], inside, k))

        def leave(value: Value) -> Any:
            self.handlers = outer
            return k(value)

        self.handlers = (*outer, caught)
        return self.scope(items[2:], Frame(frame, {}), leave)


FORMS: dict[str, Callable[..., Any]] = {
    "quote": Evaluator._quote,
    "lambda": Evaluator._lambda,
    "define": Evaluator._define,
    "set!": Evaluator._set,
    "if": Evaluator._if,
    "begin": Evaluator._begin,
    "and": Evaluator._and,
    "or": Evaluator._or,
    "cond": Evaluator._cond,
    "let": Evaluator._let,
    "let*": Evaluator._let_star,
    "letrec": Evaluator._letrec,
    "do": Evaluator._do,
    "guard": Evaluator._guard,
}


def _names(parameters: Value) -> list[str]:
    return [symbol.name for symbol in iterate(parameters)]


def _bindings(bindings: Value) -> tuple[list[str], list[Value]]:
    pairs = [list(iterate(binding)) for binding in iterate(bindings)]
    return [name.name for name, _ in pairs], [init for _, init in pairs]


def _defined(form: Pair) -> str:
    target = form.cdr.car
    name: str = target.car.name if isinstance(target, Pair) else target.name
    return name


def _direct(function: Callable[..., Value]) -> Callable[[list[Value], Continuation], Any]:
    def step(arguments: list[Value], k: Continuation) -> Any:
        return k(function(*arguments))

    return step


def _number(value: Value) -> int:
    if value.__class__ is not int:
        raise Fault("type")
    number: int = value
    if number.bit_length() > MOST_BITS:
        raise TooLongError
    return number


def _proper(items: Value) -> list[Value]:
    elements = list(iterate(items))
    while items.__class__ is Pair:
        items = items.cdr
    if items is not NIL:
        raise Fault("type")
    return elements


def _part(name: str) -> Callable[[Value], Value]:
    def part(pair: Value) -> Value:
        if pair.__class__ is not Pair:
            raise Fault("type")
        return getattr(pair, name)

    return part


def _cons(car: Value, cdr: Value) -> Pair:
    pair = Pair()
    pair.car, pair.cdr = car, cdr
    return pair


def _fold(operation: Callable[[int, int], int], unit: int) -> Callable[..., Value]:
    return lambda *values: reduce(operation, [_number(value) for value in values], unit)


def _minus(first: Value, *rest: Value) -> int:
    numbers = [_number(value) for value in (first, *rest)]
    return reduce(operator.sub, numbers) if rest else -numbers[0]


def _equal(first: Value, second: Value) -> Value:
    if isinstance(first, Primitive) or isinstance(second, Primitive):
        raise OpenError("= of a procedure, see docs/scheme.md")
    return boolean(_number(first) == _number(second))


def _compare(holds: Callable[[int, int], bool]) -> Callable[..., Value]:
    return lambda first, second: boolean(holds(_number(first), _number(second)))


def _divide(result: Callable[[int, int], int]) -> Callable[..., Value]:
    def divide(first: Value, second: Value) -> int:
        dividend, divisor = _number(first), _number(second)
        if divisor == 0:
            raise Fault("numeric")
        return result(dividend, divisor)

    return divide


def _quotient(dividend: int, divisor: int) -> int:
    size = abs(dividend) // abs(divisor)
    return size if (dividend < 0) == (divisor < 0) else -size


def _vector_ref(vector: Value, index: Value) -> Value:
    _check_index(vector, index)
    return vector.items[index]


def _vector_set(vector: Value, index: Value, value: Value) -> Value:
    _check_index(vector, index)
    vector.items[index] = value
    return UNSPECIFIED


def _check_index(vector: Value, index: Value) -> None:
    if vector.__class__ is not Vector:
        raise Fault("type")
    if not 0 <= _number(index) < len(vector.items):
        raise Fault("range")


PLAIN: dict[str, Callable[..., Value]] = {
    "+": _fold(operator.add, 0),
    "*": _fold(operator.mul, 1),
    "-": _minus,
    "=": _equal,
    "<": _compare(operator.lt),
    ">": _compare(operator.gt),
    "quotient": _divide(_quotient),
    "modulo": _divide(lambda dividend, divisor: dividend % divisor),
    "even?": lambda n: boolean(_number(n) % 2 == 0),
    "not": lambda value: boolean(value is FALSE),
    "null?": lambda value: boolean(value is NIL),
    "pair?": lambda value: boolean(value.__class__ is Pair),
    "cons": _cons,
    "car": _part("car"),
    "cdr": _part("cdr"),
    "list": lambda *items: list_from(items),
    "length": lambda items: len(_proper(items)),
    "reverse": lambda items: list_from(_proper(items)[::-1]),
    "append": lambda first, second: list_from(_proper(first), second),
    "vector": lambda *items: Vector(list(items)),
    "vector-ref": _vector_ref,
    "vector-set!": _vector_set,
}


@pytest.fixture
def evaluated() -> Callable[[list[Value]], Value]:
    """Return a function from a program's forms to the value of the last. Raises: Fault, TooLongError, OpenError."""
    return lambda forms: Evaluator().run(forms)
