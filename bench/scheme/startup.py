"""Start-up times, and how fast text is read and compiled."""

from __future__ import annotations

import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

CACHED_LIMIT = 5
NEW_LIMIT = 12
READER_LIMIT_MB = 0.3
RUNS = 15

_numbers = itertools.count(time.time_ns())


def startup_report() -> list[str]:
    """Return the lines that say how long starting takes, and how fast reading and compiling are."""
    return [*_startup_lines(), _reader_line(), _compiler_line()]


def _command_seconds(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _startup_lines() -> list[str]:
    cached = ("-m", "nodwyn.interp", "-e", "(+ 1 1)")
    kinds: dict[str, Callable[[], tuple[str, ...]]] = {
        "python": lambda: ("-c", "1+1"),
        "cached": lambda: cached,
        "new": lambda: ("-m", "nodwyn.interp", "-e", f"(+ 1 {next(_numbers)})"),
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(RUNS + 1):
        for kind, arguments in kinds.items():
            times[kind].append(_command_seconds(*arguments()))
    medians = {kind: statistics.median(values[1:]) for kind, values in times.items()}  # the first run fills caches
    base = medians["python"]
    lines = [f"start-up: python -c 1+1 takes {base * 1000:.1f} ms"]
    for kind, text, limit in (
        ("cached", "-e '(+ 1 1)', compiled before", CACHED_LIMIT),
        ("new", "-e of a new text", NEW_LIMIT),
    ):
        ratio = medians[kind] / base
        mark = "" if ratio <= limit else "  above"
        lines.append(f"start-up: {text}: {medians[kind] * 1000:.1f} ms, {ratio:.1f} times (limit {limit}){mark}")
    return lines


def scheme_text(procedures: int) -> str:
    """Return a program of ten lines a procedure that uses macros in each, its own and those of the language."""
    head = """(import (scheme base))
(define-syntax while
  (syntax-rules () ((_ test body ...) (let loop () (when test body ... (loop))))))
(define-syntax increment!
  (syntax-rules () ((_ x) (set! x (+ x 1))) ((_ x by) (set! x (+ x by)))))
"""
    return head + "".join(
        f"""(define (procedure-{i} items limit)
  (let* ((count 0) (sum {i}) (seen '()))
    (while (and (< count limit) (pair? items))
      (cond ((assv (car items) seen) => (lambda (entry) (increment! sum (cdr entry))))
            ((or (negative? (car items)) (= (car items) {i})) (increment! sum))
            (else (set! seen (cons (cons (car items) count) seen))))
      (increment! count)
      (do ((i 0 (+ i 1))) ((= i 3)) (unless (even? i) (increment! sum i)))
      (set! items (cdr items)))
    (case (modulo sum 3) ((0) (list sum count)) ((1) `(sum ,sum)) (else seen))))
"""
        for i in range(procedures)
    )


def python_text(procedures: int) -> str:
    """Return the program of :func:`scheme_text` as Python."""
    return "".join(
        f"""def procedure_{i}(items, limit):
    count, sum, seen = 0, {i}, []
    while count < limit and items:
        entry = next((entry for entry in seen if entry[0] == items[0]), None)
        if entry: sum += entry[1]
        elif items[0] < 0 or items[0] == {i}: sum += 1
        else: seen = [(items[0], count), *seen]
        count += 1
        for i in range(3): sum += i if i % 2 else 0
        items = items[1:]
    return [sum, count] if sum % 3 == 0 else ["sum", sum] if sum % 3 == 1 else seen
"""
        for i in range(procedures)
    )


def _best(action: Callable[[], Any]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def _reader_line() -> str:
    from nodwyn.interp.reader import read_source
    from nodwyn.interp.syntax import Source

    text = scheme_text(300)
    list(read_source(Source("warm-up", text)))
    rate = len(text) / 1e6 / _best(lambda: list(read_source(Source("measured", text))))
    mark = "" if rate >= READER_LIMIT_MB else "  below"
    return f"reader: {rate:.2f} MB/s with spans (at least {READER_LIMIT_MB}){mark}"


def _compiler_line() -> str:
    from nodwyn.interp import Interpreter

    procedures = 300
    scheme, python = scheme_text(procedures), python_text(procedures)
    lines = scheme.count("\n")
    # A text that differs each time is not found among those compiled before.
    scheme_seconds = _best(lambda: Interpreter().eval(f"{scheme}(define version {next(_numbers)})\n"))
    python_seconds = _best(lambda: compile(python, "like text", "exec"))
    return (
        f"compiler: {lines} lines full of macros from text to definitions in {scheme_seconds:.2f} s, "
        f"{lines / scheme_seconds:,.0f} lines a second (Python's own compile() of a like text: {python_seconds:.3f} s)"
    )
