"""Bitwise operations: the laws; SRFI 151's own examples are in its Scheme suite."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.interp.builtins import numbers_bitwise as bitwise
from nodwyn.interp.data import FALSE, TRUE, Pair, Vector
from nodwyn.interp.errors import SchemeError

Call = Callable[[str], str]

integers = st.integers(-(2**80), 2**80)
indices = st.integers(0, 90)


def bit(i: int, index: int) -> int:
    return i >> index & 1


@given(integers, integers, indices)
def test_every_operation_works_bit_by_bit(i: int, j: int, index: int) -> None:
    p, q = bit(i, index), bit(j, index)
    table = [
        (bitwise.bitwise_and(i, j), p & q),
        (bitwise.bitwise_ior(i, j), p | q),
        (bitwise.bitwise_xor(i, j), p ^ q),
        (bitwise.bitwise_eqv(i, j), 1 - (p ^ q)),
        (bitwise.bitwise_nand(i, j), 1 - (p & q)),
        (bitwise.bitwise_nor(i, j), 1 - (p | q)),
        (bitwise.bitwise_andc1(i, j), (1 - p) & q),
        (bitwise.bitwise_andc2(i, j), p & (1 - q)),
        (bitwise.bitwise_orc1(i, j), (1 - p) | q),
        (bitwise.bitwise_orc2(i, j), p | (1 - q)),
        (bitwise.bitwise_not(i), 1 - p),
    ]
    assert [bit(result, index) for result, _ in table] == [expected for _, expected in table]


@given(integers, integers, indices, indices)
def test_a_field_is_its_bits(i: int, source: int, start: int, width: int) -> None:
    end = start + width
    bits = [bit(i, index) for index in range(start, end)]

    def field(result: int) -> list[int]:
        outside = ~(((1 << width) - 1) << start)
        assert result & outside == i & outside
        return [bit(result, index) for index in range(start, end)]

    assert bitwise.bit_field(i, start, end) == sum(each << index for index, each in enumerate(bits))
    assert bitwise.is_bit_field_any(i, start, end) is (TRUE if any(bits) else FALSE)
    assert bitwise.is_bit_field_every(i, start, end) is (TRUE if all(bits) else FALSE)
    assert field(bitwise.bit_field_clear(i, start, end)) == [0] * width
    assert field(bitwise.bit_field_set(i, start, end)) == [1] * width
    assert field(bitwise.bit_field_replace(i, source, start, end)) == [bit(source, index) for index in range(width)]
    assert field(bitwise.bit_field_replace_same(i, source, start, end)) == [
        bit(source, index) for index in range(start, end)
    ]
    assert field(bitwise.bit_field_reverse(i, start, end)) == bits[::-1]
    turn = source % width if width else 0
    assert field(bitwise.bit_field_rotate(i, source, start, end)) == bits[width - turn :] + bits[: width - turn]


@given(st.integers(0, 2**80))
def test_bits_and_integers_convert_both_ways(i: int) -> None:
    assert bitwise.list_to_bits(bitwise.bits_to_list(i)) == i
    assert bitwise.vector_to_bits(bitwise.bits_to_vector(i)) == i
    assert bitwise.bits(*bitwise.bits_to_vector(i, 90).items) == i


@given(integers, indices, indices)
def test_swapped_bits(i: int, index1: int, index2: int) -> None:
    swapped = bitwise.bit_swap(index1, index2, i)
    assert bit(swapped, index1) == bit(i, index2)
    assert bit(swapped, index2) == bit(i, index1)
    assert bitwise.bit_swap(index1, index2, swapped) == i


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("bitwise-not 1.0", "type: bitwise-not: argument must be an exact integer, got 1.0"),
        ("bitwise-and 1 2 foo", "type: bitwise-and: argument must be an exact integer, got foo"),
        ("bit-set? -1 5", "range: bit-set?: index must be a non-negative exact integer, got -1"),
        ("bit-set? 0.0 5", "type: bit-set?: index must be an exact integer, got 0.0"),
        ("bit-field 6 3 1", "range: bit-field: end must be at least the start, 3, got 1"),
        ("copy-bit 0 0 1", "type: copy-bit: bit must be a boolean, got 1"),
        ("bits 1", "type: bits: bit must be a boolean, got 1"),
        ("bits->list -1", "range: bits->list: i must be a non-negative exact integer, got -1"),
        ("list->bits foo", "type: list->bits: list must be a list of booleans, got foo"),
        ("vector->bits foo", "type: vector->bits: vector must be a vector of booleans, got foo"),
    ],
)
def test_errors(call: Call, expression: str, error: str) -> None:
    assert call(expression) == error


@pytest.mark.parametrize(
    "expression",
    [
        "arithmetic-shift 1 1000000000000",
        "copy-bit 1000000000000 0 #t",
        "bit-swap 0 1000000000000 1",
        "bit-field -1 0 1000000000000",
        "bit-field-set 0 0 1000000000000",
        "bit-field-replace 0 -1 0 1000000000000",
        "bit-field-reverse 1 0 1000000000000",
        "bit-field-rotate 1 -1 0 1000000000000",
        "bits->list 0 1000000000000",
    ],
)
def test_sizes_are_checked_before_anything_is_allocated(call: Call, expression: str) -> None:
    assert call(expression).startswith("limit: ")


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("arithmetic-shift 0 1000000000000", "0"),
        ("arithmetic-shift -5 -1000000000000", "-1"),
        ("bit-set? 1000000000000 -1", "#t"),
        ("copy-bit 1000000000000 5 #f", "5"),
        ("bit-field 6 0 1000000000000", "6"),
        ("bit-field-every? 6 0 1000000000000", "#f"),
        ("bit-field-clear 6 0 1000000000000", "0"),
    ],
)
def test_far_indices_with_small_results(call: Call, expression: str, result: str) -> None:
    assert call(expression) == result


def test_a_circular_list_has_no_bits() -> None:
    circle = Pair()
    circle.car = TRUE
    circle.cdr = circle
    with pytest.raises(SchemeError) as raised:
        bitwise.list_to_bits(circle)
    assert raised.value.payload.kind == "limit"


def test_results_are_fresh_vectors() -> None:
    assert isinstance(bitwise.bits_to_vector(5), Vector)
