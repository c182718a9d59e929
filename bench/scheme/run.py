"""How fast Scheme programs run, against the same algorithms written by hand in Python.

    python bench/scheme/run.py [--only NAME]... [--repeat N] [--json] [--no-startup]

``programs/`` holds pairs: NAME.scm defines a procedure ``(run)``, NAME.py a function ``run()`` that computes the same
result. Each pair runs in a process of its own, the two in turn, so that both see the same machine and the same state of
the collector; the figure is the least processor time of each. Start-up times, the reader and the compiler follow.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from startup import startup_report

PROGRAMS = Path(__file__).parent / "programs"

LIMIT = 2.2
MEDIAN_LIMIT = 1.35
OTHER_LIMITS = {
    "generator": 10.0,
    "generator-list": 10.0,
    "escape-walk": 6.0,
    "ctak": 6.0,
}
"""What re-entry may cost against a Python generator, and an escape through calls against a Python exception."""

TIMEOUT_SECONDS = 300


def scheme_program(name: str) -> Callable[[], Any]:
    """Return the procedure ``run`` of NAME.scm as a Python callable.

    The program becomes a library: like the rest of a program, its variables cannot be changed from outside.
    """
    from nodwyn.interp import Interpreter
    from nodwyn.interp.reader import read_source
    from nodwyn.interp.syntax import Source

    path = PROGRAMS / f"{name}.scm"
    text = path.read_text(encoding="utf-8")
    imports = next(read_source(Source(str(path), text))).span
    assert imports is not None
    declaration, body = text[imports.start : imports.end], text[imports.end :]
    scheme = Interpreter()
    scheme.eval(f"(define-library (bench {name}) (export run) {declaration} (begin {body}))\n", name=str(path))
    scheme.eval(f"(import (bench {name}))")
    return scheme.procedure("run")


def python_program(name: str) -> Callable[[], Any]:
    """Return the function ``run`` of NAME.py."""
    path = PROGRAMS / f"{name}.py"
    loader = SourceFileLoader(f"program {name}", str(path))
    module = ModuleType(loader.name)
    loader.exec_module(module)
    run: Callable[[], Any] = module.run
    return run


def comparable(value: Any) -> Any:
    """Return a result of either language as one that compares: symbols and strings as text."""
    from nodwyn.interp.data import String, Symbol

    if isinstance(value, String):
        return value.text()
    if isinstance(value, Symbol):
        return value.name
    return value


def seconds(run: Callable[[], Any]) -> float:
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(name: str, repeat: int) -> dict[str, Any]:
    """Return the times of both programs in seconds of processor time, after comparing their results."""
    gc.set_threshold(50_000, 20, 50)  # as `python -m nodwyn.interp` has it, here for both
    scheme, python = scheme_program(name), python_program(name)
    results = comparable(scheme()), comparable(python())
    if results[0] != results[1]:
        return {"name": name, "error": f"the results differ: Scheme {results[0]!r}, Python {results[1]!r}"}
    times = [(seconds(scheme), seconds(python)) for _ in range(repeat)]
    scheme_seconds = min(pair[0] for pair in times)
    python_seconds = min(pair[1] for pair in times)
    return {
        "name": name,
        "scheme": scheme_seconds,
        "python": python_seconds,
        "ratio": scheme_seconds / python_seconds,
        "limit": OTHER_LIMITS.get(name, LIMIT),
    }


def measured_apart(name: str, repeat: int) -> dict[str, Any]:
    """Return what :func:`measure` gives, from a process of its own."""
    command = [sys.executable, __file__, "--measure", name, "--repeat", str(repeat)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"name": name, "error": f"not done after {TIMEOUT_SECONDS} s"}
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return {"name": name, "error": f"exit status {done.returncode}: {last}"}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def line_of(result: dict[str, Any]) -> str:
    if "error" in result:
        return f"{result['name']:18} {result['error']}"
    mark = "" if result["ratio"] <= result["limit"] else "  above"
    limit = "" if result["limit"] == LIMIT else f"  (limit {result['limit']:g})"
    times = f"{result['scheme']:8.3f} {result['python']:8.3f}"
    return f"{result['name']:18} {times} {result['ratio']:7.2f}{limit}{mark}"


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of all ratios, the worst of those under the general limit, and what is above its limit."""
    measured = [result for result in results if "error" not in result]
    general = [result for result in measured if result["limit"] == LIMIT]
    return {
        "programs": len(results),
        "median": statistics.median(result["ratio"] for result in measured) if measured else None,
        "worst": max((result["ratio"], result["name"]) for result in general) if general else None,
        "above": [result["name"] for result in measured if result["ratio"] > result["limit"]],
        "failed": [result["name"] for result in results if "error" in result],
    }


def summary_lines(figures: dict[str, Any]) -> list[str]:
    lines = [f"{figures['programs']} programs"]
    if figures["median"] is not None:
        mark = "" if figures["median"] <= MEDIAN_LIMIT else "  above"
        lines.append(f"median {figures['median']:.2f}  (limit {MEDIAN_LIMIT}){mark}")
    if figures["worst"]:
        ratio, name = figures["worst"]
        mark = "" if ratio <= LIMIT else "  above"
        lines.append(f"worst  {ratio:.2f}  {name}  (limit {LIMIT}; those with limits of their own apart){mark}")
    lines += [f"{kind}: {', '.join(figures[kind])}" for kind in ("above", "failed") if figures[kind]]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", metavar="NAME", help="run this program (may be repeated)")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="timed runs of each program (default 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--no-startup", action="store_true", help="leave out start-up, reader and compiler")
    parser.add_argument("--measure", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.repeat)))
        return 0

    known = sorted(path.stem for path in PROGRAMS.glob("*.scm"))
    names = options.only or known
    if unknown := [name for name in names if name not in known]:
        parser.error(f"no program {', '.join(unknown)}; there are {', '.join(known)}")
    say: Callable[[str], None] = (lambda text: None) if options.json else (lambda text: print(text, flush=True))
    say(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    say(f"{'program':18} {'scheme s':>8} {'python s':>8} {'ratio':>7}")
    results = []
    for name in names:
        results.append(measured_apart(name, options.repeat))
        say(line_of(results[-1]))
    figures = summary(results)
    for line in summary_lines(figures):
        say(line)
    startup = [] if options.no_startup or options.only else startup_report()
    for line in startup:
        say(line)
    if options.json:
        print(json.dumps({"results": results, "summary": figures, "startup": startup}, indent=2))
    return 1 if figures["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
