"""Two-argument arithmetic with complete checks: what ``+ - * / < =`` and the integer divisions do.

Generated code uses Python's operators where it can and comes here when they raise, either for the
message or, where Python gives up and Scheme does not, for the result. Comparisons return ``bool``.
"""

from __future__ import annotations

import math
from typing import Final

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError, failure, wrong_type
from nodwyn.interp.numbers.limits import MAX_BITS, too_large
from nodwyn.interp.numbers.ratio import Ratio, divide_exact, divide_floats, from_float, ratio, to_float
from nodwyn.interp.numbers.rectangular import Rectangular

NUMBERS: Final[frozenset[type]] = frozenset((int, float, Ratio, Rectangular))
"""The classes of all Scheme numbers."""

REALS: Final[frozenset[type]] = frozenset((int, float, Ratio))
"""The classes of the real numbers."""


def add(a: Value, b: Value) -> Value:
    """Return ``(+ a b)`` (section 6.2.6). Raises: SchemeError if either is no number."""
    try:
        return a + b
    except (TypeError, OverflowError):
        check_numbers("+", a, b)
    if _finite(a, b):
        return to_float(_exact(a) + _exact(b))
    return _stand_in(a) + _stand_in(b)


def subtract(a: Value, b: Value) -> Value:
    """Return ``(- a b)`` (section 6.2.6). Raises: SchemeError if either is no number."""
    try:
        return a - b
    except (TypeError, OverflowError):
        check_numbers("-", a, b)
    if _finite(a, b):
        return to_float(_exact(a) - _exact(b))
    return _stand_in(a) - _stand_in(b)


def multiply(a: Value, b: Value) -> Value:
    """Return ``(* a b)`` (section 6.2.6).

    Raises: SchemeError if either is no number, and of kind "limit" for too large an exact result.
    """
    try:
        product = a * b
    except (TypeError, OverflowError):
        check_numbers("*", a, b)
        if _finite(a, b):
            sign = math.copysign(1.0, _stand_in(a)) * math.copysign(1.0, _stand_in(b))
            return math.copysign(to_float(_exact(a) * _exact(b)), sign)
        return _stand_in(a) * _stand_in(b)
    if product.__class__ is int and product.bit_length() > MAX_BITS:
        raise too_large("*")
    return product


def divide(a: Value, b: Value) -> Value:
    """Return ``(/ a b)`` (section 6.2.6): exact for exact arguments, IEEE 754's for an inexact zero.

    Raises: SchemeError if either is no number or b is an exact 0.
    """
    try:
        if b.__class__ is int:
            if b == 0:
                check_numbers("/", a, b)
                raise division_by_zero("/", a, b)
            if a.__class__ is int:
                return ratio(a, b)
        return a / b
    except (TypeError, OverflowError):
        check_numbers("/", a, b)
    except ZeroDivisionError:
        return divide_floats(to_float(a), b)
    if _finite(a, b) and b != 0:
        return to_float(divide_exact(_exact(a), _exact(b)))
    return divide_floats(_stand_in(a), _stand_in(b))


def negate(a: Value) -> Value:
    """Return ``(- a)``. Raises: SchemeError if it is no number."""
    try:
        return -a
    except TypeError:
        raise wrong_type("-", "argument", "a number", a) from None


def equal(a: Value, b: Value) -> bool:
    """Return whether ``(= a b)``. Raises: SchemeError if either is no number."""
    # Procedures are Python functions, which are unequal to a number without any complaint.
    if a.__class__ not in NUMBERS or b.__class__ not in NUMBERS:
        check_numbers("=", a, b)
    return bool(a == b)


def less(a: Value, b: Value) -> bool:
    """Return whether ``(< a b)``. Raises: SchemeError if either is no real number."""
    try:
        return bool(a < b)
    except TypeError:
        raise not_real("<", a, b) from None


def greater(a: Value, b: Value) -> bool:
    """Return whether ``(> a b)``. Raises: SchemeError if either is no real number."""
    try:
        return bool(a > b)
    except TypeError:
        raise not_real(">", a, b) from None


def less_or_equal(a: Value, b: Value) -> bool:
    """Return whether ``(<= a b)``. Raises: SchemeError if either is no real number."""
    try:
        return bool(a <= b)
    except TypeError:
        raise not_real("<=", a, b) from None


def greater_or_equal(a: Value, b: Value) -> bool:
    """Return whether ``(>= a b)``. Raises: SchemeError if either is no real number."""
    try:
        return bool(a >= b)
    except TypeError:
        raise not_real(">=", a, b) from None


def quotient(n1: Value, n2: Value) -> Value:
    """Return ``(quotient n1 n2)``, rounded toward zero (section 6.2.6)."""
    if n1.__class__ is int and n2.__class__ is int and n2:
        if (n1 < 0) is (n2 < 0):
            return n1 // n2
        return -(-n1 // n2)
    a, b = integer_operands("quotient", n1, n2)
    return like(quotient(a, b), n1, n2)


def remainder(n1: Value, n2: Value) -> Value:
    """Return ``(remainder n1 n2)``, which has the sign of n1 (section 6.2.6)."""
    if n1.__class__ is int and n2.__class__ is int and n2:
        rest = n1 % n2
        if rest and (n1 < 0) is not (n2 < 0):
            return rest - n2
        return rest
    a, b = integer_operands("remainder", n1, n2)
    return like(remainder(a, b), n1, n2)


def modulo(n1: Value, n2: Value) -> Value:
    """Return ``(modulo n1 n2)``, which has the sign of n2 (section 6.2.6)."""
    if n1.__class__ is int and n2.__class__ is int and n2:
        return n1 % n2
    a, b = integer_operands("modulo", n1, n2)
    return like(a % b, n1, n2)


def floor_quotient(n1: Value, n2: Value) -> Value:
    """Return ``(floor-quotient n1 n2)``, rounded toward negative infinity (section 6.2.6)."""
    if n1.__class__ is int and n2.__class__ is int and n2:
        return n1 // n2
    a, b = integer_operands("floor-quotient", n1, n2)
    return like(a // b, n1, n2)


def check_numbers(procedure: str, *arguments: Value) -> None:
    """Raise SchemeError for the first argument that is no number.

    procedure: Scheme name, for the message.
    """
    for argument in arguments:
        if argument.__class__ not in NUMBERS:
            raise wrong_type(procedure, "argument", "a number", argument)


def check_reals(procedure: str, *arguments: Value) -> None:
    """Raise SchemeError for the first argument that is no real number.

    procedure: Scheme name, for the message.
    """
    for argument in arguments:
        if argument.__class__ not in REALS:
            raise wrong_type(procedure, "argument", "a real number", argument)


def not_real(procedure: str, *arguments: Value) -> SchemeError:
    """Return the error for the first argument that is no real number; one of them is not."""
    wrong = next(argument for argument in arguments if argument.__class__ not in REALS)
    return wrong_type(procedure, "argument", "a real number", wrong)


def division_by_zero(procedure: str, *arguments: Value) -> SchemeError:
    """Return the error for a division by zero with these arguments."""
    return failure("numeric", procedure, "division by zero", *arguments)


def integer_operand(procedure: str, argument: Value) -> int:
    """Return an integer argument, exact or not, as an ``int``.

    procedure: Scheme name, for the message. Raises: SchemeError if it is no integer.
    """
    if argument.__class__ is int:
        return int(argument)
    if argument.__class__ is float and argument.is_integer():
        return int(argument)
    raise wrong_type(procedure, "argument", "an integer", argument)


def integer_operands(procedure: str, n1: Value, n2: Value) -> tuple[int, int]:
    """Return the arguments of an integer division as ``int``.

    procedure: Scheme name, for the message. Raises: SchemeError if one is no integer or n2 is zero.
    """
    a = integer_operand(procedure, n1)
    b = integer_operand(procedure, n2)
    if b == 0:
        raise division_by_zero(procedure, n1, n2)
    return a, b


def like(result: int, *arguments: Value) -> Value:
    """Return an integer result, inexact if any of the arguments it came from is."""
    for argument in arguments:
        if argument.__class__ is float:
            return to_float(result)
    return result


def _finite(a: Value, b: Value) -> bool:
    return not any(x.__class__ is float and x - x != 0 for x in (a, b))


def _exact(a: Value) -> Value:
    return from_float(a) if a.__class__ is float else a


def _stand_in(a: Value) -> float:
    """Return a float, or one with the sign of an exact number: enough beside an infinity, a zero or a nan."""
    if a.__class__ is float:
        return float(a)
    return 1.0 if a > 0 else -1.0
