"""Random programs of the pure subset mean the same to the engine and to a second, simple evaluator (conftest.py).

Programs are made as text, by kind of value, so that most of them run; some steps are wrong on purpose, and then both
must report the same kind of mistake. Hypothesis draws nothing but a row of bytes, of which each choice takes one: a
draw for each choice would cost more time than reading, compiling and running the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from nodwyn.interp import Interpreter, Limits
from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.printer import write
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Source, strip

INT, BOOL, LIST, VECTOR, PROCEDURE = "int", "bool", "list", "vector", "procedure"
"""Kinds of value. Lists and vectors hold integers; procedures take an integer and return one."""

Scope = tuple[tuple[str, str], ...]
"""The variables that can be used, each with the kind of its value."""


CHOICES = 400
"""How many choices make up a program."""

Option = TypeVar("Option")


class Writer:
    """Writes the program that a row of bytes stands for. Smaller bytes and fewer of them make a simpler one."""

    def __init__(self, choices: bytes) -> None:
        self.choices = iter(choices)
        self.spent = False
        self.names = 0

    def number(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, which are less than 256 apart."""
        choice = next(self.choices, None)
        if choice is None:
            self.spent = True
            return low
        return low + choice % (high - low + 1)

    def choose(self, *options: Option) -> Option:
        return options[self.number(0, len(options) - 1)]

    def coin(self) -> bool:
        return bool(self.number(0, 1))

    def numbers(self, fewest: int, most: int) -> str:
        return " ".join(str(self.number(-9, 9)) for _ in range(self.number(fewest, most)))

    def large_number(self) -> int:
        """Return a number of up to 70 bits, of either sign."""
        magnitude = 0
        for _ in range(self.number(1, 9)):
            magnitude = magnitude << 8 | self.number(0, 255)
        return -magnitude if self.coin() else magnitude

    def fresh(self, stem: str) -> str:
        self.names += 1
        # Names are used again, so that some hide others.
        return f"{stem}{self.names % 7}"

    def program(self) -> str:
        scope: Scope = ()
        definitions: list[str] = []
        for _ in range(self.number(0, 3)):
            kind = self.choose(INT, LIST, VECTOR, PROCEDURE)
            name = f"{kind}-{len(definitions)}"
            definitions.append(f"(define {name} {self.expression(kind, scope, 3)})")
            scope = (*scope, (name, kind))
        results = [self.expression(self.choose(INT, BOOL, LIST), scope, 4) for _ in range(2)]
        body = f"{' '.join(definitions)} (list {' '.join(results)} {self.expression(INT, scope, 4)})"
        return body if self.coin() else f"(let () {body})"

    def expression(self, kind: str, scope: Scope, depth: int) -> str:
        if depth <= 0 or self.spent:
            return self.leaf(kind, scope)
        if self.number(0, 99) == 57:
            kind = self.choose(INT, BOOL, LIST, VECTOR, PROCEDURE)  # a mistake, most likely
        own = {INT: self.integer, BOOL: self.boolean, LIST: self.list, VECTOR: self.vector, PROCEDURE: self.procedure}
        form: Callable[[str, Scope, int], str] = self.choose(own[kind], own[kind], self.control, self.binding)
        return form(kind, scope, depth - 1)

    def leaf(self, kind: str, scope: Scope) -> str:
        names = [name for name, its_kind in dict(scope).items() if its_kind == kind]  # the hidden ones left out
        if names and self.number(0, 3):
            return self.choose(*names)
        match kind:
            case "int":
                return str(self.large_number() if self.number(0, 3) == 3 else self.number(-9, 9))
            case "bool":
                return self.choose("#t", "#f")
            case "list":
                return f"'({self.numbers(0, 4)})"
            case "vector":
                return f"(vector {self.numbers(3, 5)})"
        return self.choose("-", "(lambda (x) x)", "(lambda (x) (* x x))")

    def integer(self, _: str, scope: Scope, depth: int) -> str:
        def sub(kind: str = INT) -> str:
            return self.expression(kind, scope, depth)

        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({self.choose('+', '-', '*')} {sub()} {sub()})",
            lambda: f"({self.choose('+', '*')} {sub()} {sub()} {sub()})",
            lambda: f"({self.choose('quotient', 'modulo')} {sub()} {self.choose(3, -7, 2, 5, sub())})",
            lambda: f"({sub(PROCEDURE)} {sub()})",
            lambda: f"(apply + {sub(LIST)})",
            lambda: f"(length {sub(LIST)})",
            lambda: f"(let ((items {sub(LIST)})) (if (pair? items) (car items) {sub()}))",
            lambda: f"(vector-ref {sub(VECTOR)} {self.choose(0, 1, 2, 0, 1, 2, sub())})",
            lambda: self.loop(scope, depth),
            lambda: self.fold(scope, depth),
            lambda: self.recursion(scope, depth),
        )
        return self.choose(*forms)()

    def boolean(self, _: str, scope: Scope, depth: int) -> str:
        def sub(kind: str) -> str:
            return self.expression(kind, scope, depth)

        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({self.choose('<', '=', '>')} {sub(INT)} {sub(INT)})",
            lambda: f"(not {sub(BOOL)})",
            lambda: f"({self.choose('null?', 'pair?')} {sub(LIST)})",
            lambda: f"(even? {sub(INT)})",
            lambda: f"({self.choose('and', 'or')} {sub(BOOL)} {sub(BOOL)})",
        )
        return self.choose(*forms)()

    def list(self, _: str, scope: Scope, depth: int) -> str:
        def sub(kind: str) -> str:
            return self.expression(kind, scope, depth)

        name = self.fresh("m")
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"(cons {sub(INT)} {sub(LIST)})",
            lambda: f"(list {sub(INT)} {sub(INT)})",
            lambda: f"(let (({name} {sub(LIST)})) (if (pair? {name}) (cdr {name}) {name}))",
            lambda: f"(append {sub(LIST)} {sub(LIST)})",
            lambda: f"(reverse {sub(LIST)})",
            lambda: f"(map {sub(PROCEDURE)} {sub(LIST)})",
            lambda: f"(map (lambda ({name}) {self.expression(INT, (*scope, (name, INT)), depth)}) {sub(LIST)})",
        )
        return self.choose(*forms)()

    def vector(self, _: str, scope: Scope, depth: int) -> str:
        name = self.fresh("v")
        inner = (*scope, (name, VECTOR))
        value = self.expression(INT, inner, depth)
        made = self.expression(VECTOR, scope, depth)
        return f"(let (({name} {made})) (vector-set! {name} {self.choose(0, 1, 2)} {value}) {name})"

    def procedure(self, _: str, scope: Scope, depth: int) -> str:
        name = self.fresh("p")
        inner = (*scope, (name, INT))
        body = self.expression(INT, inner, depth)
        if self.coin():
            return f"(lambda ({name}) {body})"
        counter = self.fresh("c")  # a closure with a state
        step = self.expression(INT, (*inner, (counter, INT)), depth)
        return f"(let (({counter} 0)) (lambda ({name}) (set! {counter} (+ {counter} {step})) {counter}))"

    def control(self, kind: str, scope: Scope, depth: int) -> str:
        def sub(kind: str = kind, scope: Scope = scope) -> str:
            return self.expression(kind, scope, depth)

        k, e = self.fresh("k"), self.fresh("e")
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"(if {sub(BOOL)} {sub()} {sub()})",
            lambda: f"(cond ({sub(BOOL)} {sub()}) ({sub(BOOL)} {sub(INT)} {sub()}) (else {sub()}))",
            lambda: f"(call/cc (lambda ({k}) {sub()}))",
            lambda: f"(call/cc (lambda ({k}) (if {sub(BOOL)} ({k} {sub()}) {sub()})))",
            lambda: self.early_exit(kind, scope, depth),
            lambda: f"(guard ({e} (#t {sub()})) {sub()})",
            lambda: f"(guard ({e} (#t {sub()})) (if {sub(BOOL)} (raise {sub(INT)})) {sub()})",
            lambda: self.reentry(kind, scope, depth),
            lambda: self.winding(kind, scope, depth),
        )
        return self.choose(*forms)()

    def early_exit(self, kind: str, scope: Scope, depth: int) -> str:
        k, x = self.fresh("k"), self.fresh("x")
        inner = (*scope, (x, INT))
        visit = f"(lambda ({x}) (if {self.expression(BOOL, inner, depth)} ({k} {self.expression(kind, inner, depth)})))"
        items, otherwise = self.expression(LIST, scope, depth), self.expression(kind, scope, depth)
        return f"(call/cc (lambda ({k}) (for-each {visit} {items}) {otherwise}))"

    def binding(self, kind: str, scope: Scope, depth: int) -> str:
        other = self.choose(INT, LIST, VECTOR, PROCEDURE)
        name = self.fresh("x")
        init = self.expression(other, scope, depth)
        inner = (*scope, (name, other))
        body = self.expression(kind, inner, depth)
        if self.coin():
            body = f"(set! {name} {self.expression(other, inner, depth)}) {body}"
        forms = [
            f"(let (({name} {init})) {body})",
            f"(let* (({name} {init})) {body})",
            f"((lambda ({name}) {body}) {init})",
        ]
        if name not in dict(scope):
            # Else the init might mean the variable itself, which Scheme leaves open.
            forms += [f"(let () (define {name} {init}) {body})", f"(letrec (({name} {init})) {body})"]
        return self.choose(*forms)

    def loop(self, scope: Scope, depth: int) -> str:
        name, i, state = self.fresh("loop"), self.fresh("i"), self.fresh("s")
        inner = (*scope, (i, INT), (state, INT))
        start, step = self.expression(INT, scope, depth), self.expression(INT, inner, depth)
        count = self.number(0, 20)
        if self.coin():
            return f"(do (({i} 0 (+ {i} 1)) ({state} {start} {step})) ((= {i} {count}) {state}))"
        again = f"({name} (+ {i} 1) {step})"
        if self.number(0, 2) == 0:
            again = f"(+ 1 {again})"
        return f"(let {name} (({i} 0) ({state} {start})) (if (= {i} {count}) {state} {again}))"

    def fold(self, scope: Scope, depth: int) -> str:
        items, sum_, loop = self.fresh("items"), self.fresh("sum"), self.fresh("each")
        inner = (*scope, (items, LIST), (sum_, INT))
        start, step = self.expression(LIST, scope, depth), self.expression(INT, inner, depth)
        return (
            f"(let {loop} (({items} {start}) ({sum_} 0))"
            f" (if (pair? {items}) ({loop} (cdr {items}) (+ {sum_} {step})) {sum_}))"
        )

    def recursion(self, scope: Scope, depth: int) -> str:
        first, second, n = self.fresh("f"), self.fresh("g"), self.fresh("n")
        if first == second:
            second += "b"
        inner = (*scope, (n, INT))
        last = self.expression(INT, inner, depth)
        return (
            f"(letrec (({first} (lambda ({n}) (if (< {n} 1) {last} ({second} (- {n} 1)))))"
            f" ({second} (lambda ({n}) (if (< {n} 1) 0 (+ {n} ({first} (- {n} 2)))))))"
            f" ({first} {self.number(0, 30)}))"
        )

    def reentry(self, kind: str, scope: Scope, depth: int) -> str:
        """A continuation that is entered again twice, from outside of the call that made it."""
        again, count, value = self.fresh("again"), self.fresh("count"), self.fresh("value")
        inner = (*scope, (count, INT), (value, kind))
        next_value, result = self.expression(kind, inner, depth), self.expression(kind, inner, depth)
        return (
            f"(let (({again} #f) ({count} 0))"
            f" (let (({value} (call/cc (lambda (k) (set! {again} k) {self.expression(kind, scope, depth)}))))"
            f" (set! {count} (+ {count} 1))"
            f" (if (< {count} 3) ({again} {next_value}) {result})))"
        )

    def winding(self, kind: str, scope: Scope, depth: int) -> str:
        """An extent whose entry and exit are counted, left by a continuation or by its end."""
        trace, k = self.fresh("trace"), self.fresh("k")
        inner = (*scope, (trace, INT))
        return (
            f"(let (({trace} 0)) (call/cc (lambda ({k}) (dynamic-wind"
            f" (lambda () (set! {trace} (+ (* {trace} 2) 1)))"
            f" (lambda () (if {self.expression(BOOL, inner, depth)} ({k} {self.expression(kind, inner, depth)}))"
            f" {self.expression(kind, inner, depth)})"
            f" (lambda () (set! {trace} (* {trace} 3))))))"
            f" {self.expression(kind, inner, depth)})"
        )


PROGRAMS = st.binary(min_size=CHOICES, max_size=CHOICES).map(lambda choices: Writer(choices).program())
"""Programs of the pure subset, as text."""


def shown(value: Value) -> str:
    """Return what a value writes; procedures have no names, which the second evaluator does not know."""
    return re.sub("#<(procedure|primitive)[^>]*>", "#<procedure>", write(value))


def engine_outcome(text: str) -> str:
    """Return what the value of a program writes, or the kind of its mistake."""
    try:
        return shown(Interpreter(limits=Limits(seconds=20)).eval(text))
    except SchemeError as error:
        return error.payload.kind if isinstance(error.payload, Condition) else "raised"


def second_outcome(evaluated: Callable[[list[Value]], Value], text: str) -> str:
    forms = [strip(node) for node in read_source(Source("program", text))]
    try:
        return shown(evaluated(forms))
    except Exception as error:
        kind = getattr(error, "kind", None)
        assume(kind is not None)  # too long for the slow evaluator, or something nothing is promised of
        return str(kind)


def compare(evaluated: Callable[[list[Value]], Value], text: str) -> None:
    expected = second_outcome(evaluated, text)
    got = engine_outcome(text)
    # The slow evaluator has no limit on the size of numbers.
    assert got in (expected, "limit"), text
    # Behind a capture the program goes on in resume functions, written another time and in another way.
    resumed = engine_outcome(f"(let () (call/cc (lambda (k) k)) {text})")
    assert resumed in (got, "limit"), text


QUIET = settings(suppress_health_check=list(HealthCheck))


@given(text=PROGRAMS)
@settings(QUIET, max_examples=40, phases=set(Phase) - {Phase.shrink, Phase.explain})  # the next test has time for these
def test_random_programs_mean_the_same(evaluated: Callable[[list[Value]], Value], text: str) -> None:
    compare(evaluated, text)


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(text=PROGRAMS)
@settings(QUIET, max_examples=2000)
def test_many_random_programs_mean_the_same(evaluated: Callable[[list[Value]], Value], text: str) -> None:
    compare(evaluated, text)
