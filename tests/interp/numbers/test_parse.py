"""From text to numbers (section 7.1.1)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.numbers import Ratio, Rectangular, parse_number
from nodwyn.interp.numbers.arithmetic import NUMBERS as NUMBER_CLASSES


def same(a: Value, b: Value) -> bool:
    """Return whether two numbers are the same to the sign of a zero, and of the same exactness."""
    return repr(a) == repr(b)


NUMBERS = [
    ("1", 1),
    ("+1", 1),
    ("-1", -1),
    ("007", 7),
    ("1.5", 1.5),
    ("1.", 1.0),
    (".5", 0.5),
    ("-.5", -0.5),
    ("-0.0", -0.0),
    ("1e2", 100.0),
    ("1E2", 100.0),
    ("1.5e-3", 0.0015),
    (".5e+1", 5.0),
    ("1s2", 100.0),
    ("1F2", 100.0),
    ("1d2", 100.0),
    ("1l2", 100.0),
    ("1e400", math.inf),
    ("-1e400", -math.inf),
    ("1e-400", 0.0),
    ("1/2", Ratio(1, 2)),
    ("-10/4", Ratio(-5, 2)),
    ("10/2", 5),
    ("0/10", 0),
    ("+inf.0", math.inf),
    ("-INF.0", -math.inf),
    ("+NaN.0", math.nan),
    ("-nan.0", math.nan),
    ("+i", Rectangular(0, 1)),
    ("-I", Rectangular(0, -1)),
    ("1+2i", Rectangular(1, 2)),
    ("1-i", Rectangular(1, -1)),
    ("-1/2+3/4i", Rectangular(Ratio(-1, 2), Ratio(3, 4))),
    ("1+0i", 1),
    ("1+0.0i", Rectangular(1.0, 0.0)),
    ("1.0+2i", Rectangular(1.0, 2.0)),
    ("1e2+1e1i", Rectangular(100.0, 10.0)),
    ("-2.5i", Rectangular(0.0, -2.5)),
    ("+inf.0i", Rectangular(0.0, math.inf)),
    ("1-inf.0i", Rectangular(1.0, -math.inf)),
    ("+nan.0+inf.0i", Rectangular(math.nan, math.inf)),
    ("1@0", 1),
    ("0@1", 0),
    ("1@2", Rectangular(math.cos(2), math.sin(2))),
    ("-1@-2", Rectangular(-math.cos(2), math.sin(2))),
    ("#x1F", 31),
    ("#Xff", 255),
    ("#b-101", -5),
    ("#o17", 15),
    ("#d11", 11),
    ("#x1e2", 482),
    ("#x-1a/2", -13),
    ("#x10+11i", Rectangular(16, 17)),
    ("#b1.1", 1.5),
    ("#e1.5", Ratio(3, 2)),
    ("#e-1.25e2", -125),
    ("#e1e3", 1000),
    ("#e1e-3", Ratio(1, 1000)),
    ("#e-0.0", 0),
    ("#e0.1", Ratio(1, 10)),
    ("#i1/3", 1 / 3),
    ("#i-1", -1.0),
    ("#i1+2i", Rectangular(1.0, 2.0)),
    ("#i+i", Rectangular(0.0, 1.0)),
    ("#e1.5-2.5i", Rectangular(Ratio(3, 2), Ratio(-5, 2))),
    ("#e1@0", 1),
    ("#e#x10", 16),
    ("#X#I10", 16.0),
    ("#x#e1/10", Ratio(1, 16)),
]

NO_NUMBERS = """
+ - . ... +. -. .e1 e1 1e 1e+ 1e+- 1+ 1- 1i i 1+2 1+2j 1+-2i 1++2i +1+1 --1 +-1 1/ /2 1/2/3 1/0 1/2.5 1/2e3 1.2.3 1..2
1@ @1 1@2@3 1@2i +inf +inf.00 +inf.0x inf.0 nan +nan.0. infinity 1_000 0x10 # #x #e #q1 #x#x1 #e#i1 #e#x#e1 #b2 #o8 #xg
#e+inf.0 #e-nan.0 #e1@+inf.0 1e5e5 1,5 ١ １ ² 1:2 '1 1'
""".split()
WITH_SPACE = ["", " 1", "1 ", "1 2", "+5 i", "\n", "1\x00"]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_numbers(text: str, number: Value) -> None:
    assert same(parse_number(text), number)


@pytest.mark.parametrize("text", [*NO_NUMBERS, *WITH_SPACE])
def test_what_is_no_number(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "radix", "number"),
    [
        ("ff", 16, 255),
        ("#d10", 16, 10),
        ("#b10", 16, 2),
        ("1e2", 16, 482),
        ("0.1", 2, 0.5),
        ("#e0.1", 3, Ratio(1, 3)),
        ("zz", 36, 1295),
        ("+i", 16, Rectangular(0, 1)),
        ("+i", 36, 18),
        ("12", 2, None),
        ("1e2", 2, None),
    ],
)
def test_the_radix_applies_without_a_prefix(text: str, radix: int, number: Value) -> None:
    assert same(parse_number(text, radix), number)


@given(st.text(alphabet="0123456789+-./@#eixbodnaf_ ", max_size=8), st.integers(2, 36))
def test_any_text_is_a_number_or_none(text: str, radix: int) -> None:
    number = parse_number(text, radix)
    assert number is None or number.__class__ in NUMBER_CLASSES


MILLION = 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10 * MILLION,
        "#x" + "f" * 10 * MILLION,
        "1/" + "3" * 10 * MILLION,
        "#e1." + "3" * MILLION,
        "#e1e1000000000",
        "#e1e-1000000000",
        "#e1e" + "9" * MILLION,
        "1+" + "9" * MILLION + "i",
    ],
    ids=lambda text: text[:6],
)
@pytest.mark.timeout(5)
def test_exact_numbers_beyond_the_limit_are_refused_at_once(text: str) -> None:
    with pytest.raises(SchemeError) as raised:
        parse_number(text)
    assert raised.value.payload.kind == "limit"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0" * 10 * MILLION + "1", 1),
        ("1." + "3" * 10 * MILLION, 4 / 3),
        ("#i" + "3" * MILLION, math.inf),
        ("#e1." + "0" * 10 * MILLION, 1),
        ("#e0e" + "9" * MILLION, 0),
        ("#e0.0e-" + "9" * MILLION, 0),
        ("1e" + "9" * MILLION, math.inf),
        ("+" * 10 * MILLION, None),
        ("1@" * 5 * MILLION, None),
        ("#b" * 5 * MILLION, None),
        ("." * 10 * MILLION, None),
    ],
    ids=lambda value: str(value)[:6],
)
@pytest.mark.timeout(5)
def test_long_texts_take_linear_time(text: str, number: Value) -> None:
    assert same(parse_number(text), number)


def test_integers_longer_than_python_converts_at_once() -> None:
    assert parse_number("9" * 30_000) == 10**30_000 - 1
    assert parse_number("-" + "9" * 5_000) == 1 - 10**5_000
    assert parse_number("#e" + "9" * 5_000 + ".5") == Ratio(2 * 10**5_000 - 1, 2)
