"""Names, strings and numbers of a program never become Python: whatever they contain, they stay data."""

from __future__ import annotations

import builtins
import dis
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from nodwyn.interp import Interpreter, data
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.ports import TextInput, TextOutput
from nodwyn.interp.runtime.state import State

NAMES = [
    "__import__('os')",
    "__import__('os').system('id')",
    "x); import os; (",
    "x\nimport os\n",
    "'); import os; ('",
    '"); import os; ("',
    "lambda: 0",
    "import os",
    "None",
    "True",
    "False",
    "def",
    "class",
    "return",
    "yield",
    "async",
    "await",
    "global",
    "nonlocal",
    "self",
    "__class__",
    "__dict__",
    "__builtins__",
    "__globals__",
    "__code__",
    "__name__",
    "__debug__",
    "__import__",
    "_",
    "%tc",
    "%1",
    "%g",
    "t1",
    "k",
    "v1",
    "exec",
    "eval",
    "open",
    "print",
    "Pair",
    "car",
    "TRUE",
    "NIL",
    "UNSPECIFIED",
    "f.__globals__",
    "a.b",
    "a[0]",
    "a b",
    "a\tb",
    "a\rb",
    "a\x00b",
    "\x00",
    "",
    " ",
    "#",
    "# comment",
    "\\",
    "\\n",
    "a\\",
    "|",
    ";",
    "é",
    "é",
    "ﬁ",
    "𝐧𝐨𝐧𝐞",
    "ℕ",
    "λ",
    "\u202e",
    "\ufeff",
    "\U0001f600",
    "x" * 10_000,
    "0",
    "1.0",
    "+inf.0",
    "...",
    "=>",
    "{0}",
    "{x!r}",
    "%s",
    "$x",
    "@x",
    "a,b",
    "a=1",
    "*args",
    "**kw",
]

ATTRIBUTES = {
    "__class__",
    *State.__slots__,
    *TextInput.__slots__,
    *TextOutput.__slots__,
    "look_ahead",
    "pop",
    # Of the lists that results, and the pieces of a string, are collected in.
    "append",
    # What a program raised, in the exception that carries it.
    "args",
    *(slot for name in vars(data).values() if isinstance(name, type) for slot in getattr(name, "__slots__", ())),
}
"""What generated code may read and write besides the fields of records."""

RECORD_FIELD = re.compile(r"f[0-9a-f]{8}_[0-9]+_\w*")
"""How the field of a record is called in Python: by its definition and its position, so that it is like no other."""


def quoted(name: str) -> str:
    """Return a name as a symbol between vertical lines."""
    escaped = "".join(f"\\x{ord(c):x};" if c in '|\\\n\r\t\x00"' or ord(c) < 32 else c for c in name)
    return f"|{escaped}|"


def programs(name: str) -> Iterator[tuple[str, Any]]:
    """Yield programs that use the name in every place where a program has names, and what each gives."""
    symbol = quoted(name)
    other = quoted(name + "2")
    yield f"(define {symbol} 1) (+ {symbol} 1)", 2
    yield f"(define {symbol} 1) (set! {symbol} 5) {symbol}", 5
    yield f"(define ({symbol} x) (if (= x 0) 7 ({symbol} (- x 1)))) ({symbol} 3)", 7
    yield f"(let (({symbol} 3)) (set! {symbol} (+ {symbol} 1)) ((lambda () {symbol})))", 4
    yield f"((lambda ({symbol} . {other}) (+ {symbol} (length {other}))) 1 2 3)", 3
    yield f"(let {symbol} ((i 0)) (if (< i 5) ({symbol} (+ i 1)) i))", 5
    yield f"(letrec (({symbol} (lambda (x) x)) ({other} 2)) ({symbol} {other}))", 2
    yield f"(do (({symbol} 0 (+ {symbol} 1))) ((= {symbol} 4) {symbol}))", 4
    yield f"(define (f) (define {symbol} 6) {symbol}) (f)", 6
    yield (
        (
            f"(define-record-type {symbol} (make {other} {symbol}) is? ({symbol} get put) ({other} get2))"
            f"(define r (make 1 2)) (put r 8) (+ (get r) (get2 r))"
        ),
        9,
    )
    yield f"(define-syntax {symbol} (syntax-rules () ((_ {other}) (+ {other} 1)))) ({symbol} 9)", 10
    yield f"(call/cc (lambda ({symbol}) (+ 1 ({symbol} 11))))", 11
    yield f"(guard ({symbol} (#t {symbol})) (raise 12))", 12
    yield f"(let-values ((({symbol} {other}) (values 6 7))) (+ {symbol} {other}))", 13
    yield f"(if (eq? '{symbol} (string->symbol {string_literal(name)})) 14 0)", 14
    yield f"(string-length {string_literal(name)})", len(name)


def string_literal(text: str) -> str:
    return '"' + "".join(f"\\x{ord(c):x};" if c in '"\\' or ord(c) < 32 else c for c in text) + '"'


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[CodeType]:
    """Return a list to which all code that the engine compiles from now on is added."""
    codes: list[CodeType] = []
    python_compile = builtins.compile

    def recording(*arguments: Any, **keywords: Any) -> Any:
        code = python_compile(*arguments, **keywords)
        if isinstance(code, CodeType) and not code.co_filename.endswith(".py"):
            codes.append(code)
        return code

    monkeypatch.setattr(builtins, "compile", recording)
    return codes


def instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """Yield the instructions of a code object and of all within it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from instructions(constant)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: json.dumps(name)[:30])
def test_any_name_is_only_a_name(name: str) -> None:
    scheme = Interpreter()
    for text, expected in programs(name):
        assert scheme.eval(text) == expected, text


@pytest.mark.parametrize("name", NAMES, ids=lambda name: json.dumps(name)[:30])
def test_an_error_about_any_name_is_a_condition(name: str) -> None:
    symbol = quoted(name)
    scheme = Interpreter()
    for text in (
        f"{symbol}" if name not in ("car", "...", "=>", "_", "eval") else "(car 5)",
        f"(define ({symbol} x) (cdr x)) ({symbol} 5)",
        f"(error '{symbol} 1)",
        f"(raise '{symbol})",
        f"(import ({symbol}))",
        f"(import (only (scheme base) {quoted(name + '2')}))",
        f"(vector-ref (vector) '{symbol})",
    ):
        with pytest.raises(SchemeError) as raised:
            scheme.eval(text)
        assert str(raised.value) is not None


@pytest.mark.parametrize("name", NAMES, ids=lambda name: json.dumps(name)[:30])
def test_generated_code_imports_nothing_and_reads_only_known_attributes(name: str, compiled: list[CodeType]) -> None:
    scheme = Interpreter()
    # With a constant of its own, so that none of it comes out of the cache.
    for text, _ in programs(name):
        scheme.eval(f"{text} '{quoted(name)} {time.time_ns()}")
    assert compiled
    for code in compiled:
        for instruction in instructions(code):
            assert not instruction.opname.startswith("IMPORT"), code
            if instruction.opname in ("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD", "DELETE_ATTR"):
                assert instruction.argval in ATTRIBUTES or RECORD_FIELD.fullmatch(instruction.argval)


@pytest.mark.parametrize(
    "text",
    [
        "(eval '__import__ (interaction-environment))",
        "(eval 'open (interaction-environment))",
        "(eval 'exec (interaction-environment))",
        "(eval '__builtins__ (interaction-environment))",
        "(eval '%tc (interaction-environment))",
        '(open-input-file "/etc/passwd")',
        '(load "/etc/passwd")',
        '(include "/etc/passwd")',
        '(delete-file "/tmp/x")',
        '(get-environment-variable "HOME")',
        '(with-output-to-file "/tmp/x" (lambda () 1))',
        "(command-line)",
        "(current-second)",
    ],
)
def test_an_embedded_program_has_no_way_out(text: str, tmp_path: Path) -> None:
    scheme = Interpreter()
    scheme.eval("(import (scheme base) (scheme eval) (scheme repl) (scheme file) (scheme load) (scheme time))")
    scheme.eval("(import (scheme process-context))")
    with pytest.raises(SchemeError):
        scheme.eval(text)
