"""Expander, compiler and run: any program ends with a value, an error of Scheme or a stop; and the same on every way.

Each case runs in a process of its own: compiled, from the cache on disk, and without a cache, in three interpreters
that must agree; then a program runs in each that must still come out right. Case: a text.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import signal
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from target import LARGEST, ROOT, Case, Target, changed, holds, literals

from nodwyn.interp import Interpreter, Limits
from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.interp.host import ClosedHost
from nodwyn.interp.printer import write
from nodwyn.interp.syntax import Source

SECONDS = 1.0
MEMORY_MB = 400
LATEST = 50.0
"""Seconds after which a process hangs: it has three interpreters, each stopped at SECONDS, on a busy machine."""

ATOMS = r"""
    x y z f g k lst v s 0 1 -1 2 3.5 1/2 1e400 100000000000000000000 #t #f '() "str" #\a 'sym #u8(1 2) car cdr
    cons list vector-ref vector-set! string-ref + - * / < = quotient apply map for-each call/cc values
    call-with-values dynamic-wind raise raise-continuable error with-exception-handler make-parameter force
    make-promise vector-map string-append hash-table-set! eq? equal? length append reverse list-tail assoc
    member string->symbol number->string expt exact exact->inexact string->number read eval
    (interaction-environment) set-cdr! list-copy vector-fill! char-upcase _ ... else => define lambda set! if
    quote quasiquote unquote syntax-rules let begin guard
    """.split()
HOLE = "%"
DEFINITIONS, EXPRESSIONS, WILD = (
    part.splitlines()[1:] for part in Path(__file__).with_name("forms.txt").read_text(encoding="utf-8").split("; ")[1:]
)
"""Forms with holes in them."""

FORMS = [*DEFINITIONS, *EXPRESSIONS, *WILD]
OPERANDS = [
    *"x y z lst v s h f g k 0 1 -1 2 3 7 1.5 1/2 #t #f 'sym #\\a car + list (p) '() \"abc\"".split(),
    "'(1 2 3)",
    "(lambda (x) x)",
]
BEGIN = """
(define x 3) (define y '(1 2)) (define z 2) (define lst (list 1 2 3)) (define v (vector 1 2 3)) (define s "abc")
(define h (make-hash-table equal?)) (define (f . a) (if (pair? a) (car a) 0)) (define (g x y) (list y x))
(define k list) (define p (make-parameter 1)) (define-syntax m (syntax-rules () ((_ a b ...) (list (g a 1) b ...))))
(define-record-type <r> (make-r x y) r? (x r-x set-r-x!) (y r-y))
"""
AFTERWARDS = '(import (scheme base)) (if (not (= 9 (let loop ((i 0)) (if (< i 9) (loop (+ i 1)) i)))) (error ""))'
TOKEN = re.compile(
    r"""\s+|;[^\n]*|"(?:\\.|[^"\\])*"|\|[^|]*\||#\\.[^\s()]*|#u8\(|#\(|,@|['`,()]|[^\s()'`,";|]+|.""", re.S
)


class Programs(Target):
    """See the module."""

    anew = 0.4
    longest = 60.0

    def __init__(self, workspace: Path) -> None:
        os.environ["NODWYN_CACHE_DIR"] = str(workspace / "cache" / "scheme")
        (workspace / "cache").mkdir()
        self.output = [StringIO() for _ in range(3)]
        self.schemes = [Interpreter(host=ClosedHost(output)) for output in self.output]
        names = (
            "scheme base|scheme write|scheme eval|scheme lazy|scheme case-lambda|scheme inexact|srfi 1|srfi 8|srfi 69"
        )
        warm = f"(import {' '.join(f'({name})' for name in names.split('|'))})"
        for scheme in self.schemes:
            scheme.eval(warm)
            scheme.limits = Limits(seconds=SECONDS, memory_mb=MEMORY_MB)

    def seeds(self) -> Iterator[Case]:
        # Those of tests/hostile run until they are stopped.
        for file in sorted(
            [*ROOT.glob("tests/errors/*.scm"), *ROOT.glob("docs/examples/*.scm"), *ROOT.glob("stdlib/**/*-test.scm")]
        ):
            for program in re.split(r"(?m)^;;; .*$|\n\n", file.read_text(encoding="utf-8")):
                if 0 < len(program.strip()) < LARGEST // 4:
                    yield program.strip()
        yield from (text for text in literals("tests/interp/**/test_*.py") if "(" in text and len(text) < LARGEST // 4)

    def create(self, chance: random.Random) -> Case:
        if chance.random() < 0.2:
            wild = (self._expression(chance, chance.randint(2, 5), FORMS, ATOMS) for _ in range(chance.randint(1, 4)))
            return "\n".join(wild)[:LARGEST]
        lines = [BEGIN]
        for _ in range(chance.randint(1, 4)):
            first, *rest = chance.choice(chance.choice((DEFINITIONS, EXPRESSIONS, EXPRESSIONS))).split(HOLE)
            depth = chance.randint(1, 3)
            inner = (f"{self._expression(chance, depth, EXPRESSIONS, OPERANDS)}{piece}" for piece in rest)
            lines.append("".join((first, *inner)))
        return "\n".join(lines)[:LARGEST]

    def _expression(self, chance: random.Random, depth: int, forms: list[str], atoms: list[str]) -> str:
        if depth == 0 or chance.random() < 0.15:
            return chance.choice(atoms)
        first, *rest = chance.choice(forms).split(HOLE)
        return "".join((first, *(f"{self._expression(chance, depth - 1, forms, atoms)}{piece}" for piece in rest)))

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        if chance.random() < 0.1:
            return changed(chance, case, other, ATOMS)
        tokens = TOKEN.findall(case)
        for _ in range(chance.choice((1, 1, 2, 3))):
            start, end = _datum(chance, tokens)
            way = chance.randrange(5)
            if way == 0:
                new = [self._expression(chance, chance.randint(0, 2), EXPRESSIONS, OPERANDS)]
            elif way == 1:
                others = TOKEN.findall(other)
                new = others[slice(*_datum(chance, others))]
            elif way == 2:
                new = tokens[slice(*_datum(chance, tokens))]
            elif way == 3:
                new = []
            else:
                first, *rest = chance.choice(FORMS).split(HOLE)
                new = [first, *tokens[start:end], *(f"x{piece}" for piece in rest)]
            tokens[start:end] = [" ", *new, " "]
        return "".join(tokens)[:LARGEST]

    def check(self, text: Case) -> Any:
        told = in_a_process(lambda: self._run(text), self.longest)
        holds(told is not None, "a program ends, and its process with it")
        outcomes, wrong = told
        holds(not wrong, f"nothing but errors of Scheme comes out, and the interpreter can be used on: {wrong}")
        if not any("limit" in outcome[:12] for outcome in outcomes):
            holds(outcomes[1] == outcomes[0], "from the cache a program does what it does when it is compiled")
            holds(outcomes[2] == outcomes[0], "without a cache a program does what it does with one")
        return re.sub(r"\d+", "0", outcomes[0])[:40]

    def _run(self, text: str) -> tuple[list[str], str]:
        outcomes, wrong = [], ""
        for number, scheme in enumerate(self.schemes):
            try:
                outcomes.append(f"{self._outcome(scheme, text, number)} {self.output[number].getvalue()[:500]}")
                if number == 1:
                    self._outcome(scheme, text, number)
                scheme.limits = Limits(seconds=20)
                scheme.run_program(Source("after", AFTERWARDS))
            except Exception as error:  # what no program may come to
                outcomes.append("wrong")
                wrong = f"{type(error).__name__} {error}"[:300]
        return outcomes, wrong

    def _outcome(self, scheme: Interpreter, text: str, number: int) -> str:
        try:
            value = scheme.eval_scheme(text, "fuzz", keep=number < 2)
            return f"value {_written(value)}"
        except SchemeError as error:
            payload = error.payload
            str(error)
            if isinstance(payload, Condition):
                place = payload.span and (payload.span.start, payload.span.end)
                # `error` takes any object for its message.
                message = payload.message if isinstance(payload.message, str) else _written(payload.message)
                return f"{payload.kind} {message} {place}"[:500]
            return f"raised {_written(payload)}"
        except Exit as exit:
            return f"exit {exit.status}"


def _written(value: Value) -> str:
    try:
        return write(value)[:500]
    except SchemeError as error:
        return f"unwritable {error}"


def _datum(chance: random.Random, tokens: list[str]) -> tuple[int, int]:
    """Return the place of a datum among tokens: of an atom, or of what stands between parentheses."""
    if not tokens:
        return 0, 0
    start = chance.randrange(len(tokens))
    if not tokens[start].endswith("("):
        return start, start + 1
    depth = 0
    for place in range(start, len(tokens)):
        depth += tokens[place].endswith("(") and not tokens[place].startswith("#\\")
        depth -= tokens[place] == ")"
        if depth == 0:
            return start, place + 1
    return start, len(tokens)


def in_a_process(work: Any, longest: float) -> Any:
    """Return what ``work`` returns in a copy of this process; None when that one ends otherwise.

    longest: seconds of processor time that it may take; timers are not inherited.
    """
    outcome, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(outcome)
        signal.setitimer(signal.ITIMER_PROF, longest)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            data = json.dumps(work()).encode()
            os.write(told, data[:60_000])
            os._exit(0)
        finally:
            os._exit(9)
    os.close(told)
    pieces = []
    until = time.monotonic() + LATEST
    try:
        while (left := until - time.monotonic()) > 0 and select.select([outcome], [], [], left)[0]:
            piece = os.read(outcome, 1 << 16)
            if not piece:
                break
            pieces.append(piece)
    finally:
        os.close(outcome)
        if time.monotonic() >= until:
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    try:
        return json.loads(b"".join(pieces))
    except ValueError:
        return None


def make(workspace: Path) -> Target:
    """Return the target."""
    return Programs(workspace)
