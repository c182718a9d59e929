"""JSON is read and written as Python does it, keeps the origin of text, and takes linear time."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp import Interpreter, SystemHost
from nodwyn.interp.builtins.json_reading import NULL, json_read
from nodwyn.interp.builtins.json_writing import json_text
from nodwyn.interp.data import (
    FALSE,
    NIL,
    TRUE,
    UNLABELLED,
    String,
    Symbol,
    Value,
    Vector,
    boolean,
    cons,
    intern,
    iterate,
    list_from,
    origin_of,
)
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.ports import TextInput

FILE = origin_of(frozenset({"external:file"}))


def read(text: str) -> Value:
    return json_read(TextInput(text, FILE), math.inf, math.inf)


def scheme(value: Any) -> Value:
    """Return the Scheme object for a Python value made of JSON's types."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return boolean(value)
    if isinstance(value, str):
        return String(value, UNLABELLED)
    if isinstance(value, list):
        return Vector([scheme(each) for each in value])
    if isinstance(value, dict):
        return list_from([cons(intern(key), scheme(each)) for key, each in value.items()])
    return value


def python(value: Value) -> Any:
    """Return the Python value for a Scheme object made of JSON's types."""
    if value is NULL:
        return None
    if value is TRUE or value is FALSE:
        return value is TRUE
    if isinstance(value, String):
        return value.text()
    if isinstance(value, Vector):
        return [python(each) for each in value.items]
    if isinstance(value, (int, float)):
        return value
    return {key_of(each.car): python(each.cdr) for each in iterate(value)}


def key_of(symbol: Symbol) -> str:
    return symbol.name


text = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, text),
    lambda part: st.one_of(st.lists(part), st.dictionaries(text, part)),
)


@given(values)
def test_what_is_written_is_what_python_reads(value: Any) -> None:
    assert json.loads(json_text(scheme(value)).text()) == value


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_what_python_writes_is_read(value: Any, ascii_only: bool, indent: int | None) -> None:
    assert python(read(json.dumps(value, ensure_ascii=ascii_only, indent=indent))) == value


@given(st.text('[]{},:"\\ntrue0123456789-+.eE \n'))
def test_text_is_read_or_refused(text: str) -> None:
    kinds = set()
    try:
        read(text)
    except SchemeError as error:
        kinds.add(error.payload.kind)
    assert kinds <= {"json"}


NO_TEXT = [b'["a\xff"]', b'{"\xb9":0}', b"[1e1\xe5]", b"[123\xe5]", b"\xe9", b"\xff\xfe[]", b'"\xc0\xaf"', b'"\xe0\xff']


@pytest.mark.parametrize("octets", NO_TEXT)
@pytest.mark.parametrize(
    "reading",
    ["(json-read port)", "((json-lines-read port))", "((json-sequence-read port))", "(drain (json-generator port))"],
)
def test_bytes_that_are_no_text_are_no_json(octets: bytes, reading: str, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_bytes((b"\x1e" if "sequence" in reading else b"") + octets)
    scheme = Interpreter(host=SystemHost())
    scheme.eval("(import (srfi 180)) (define (drain next) (if (eof-object? (next)) 'end (drain next)))")
    scheme.define("path", str(tmp_path / "in.json"))
    reason = scheme.eval(
        "(let* ((port (open-input-file path))"
        f" (reason (guard (e ((json-error? e) (json-error-reason e))) {reading})))"
        " (close-port port) reason)"
    )
    assert "in.json is not UTF-8 text: byte " in reason


def test_strings_keep_the_origin_of_the_port() -> None:
    value = read('{"a": ["b"]}')
    assert value.car.cdr.items[0].origin is FILE
    assert json_text(value).origin is FILE
    assert json_text(Vector([1])).origin is UNLABELLED


@pytest.mark.parametrize("unit", ["\\n", "x", '\\"', "\u0080", "é\\u0041"])
def test_long_strings_take_linear_time(unit: str) -> None:
    begin = time.perf_counter()
    read(f'"{unit * 100_000}"')
    assert time.perf_counter() - begin < 5


def test_nesting_takes_no_stack() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert json_text(read(deep)).text() == deep


def test_an_empty_object_is_the_empty_list() -> None:
    assert read("{}") is NIL
