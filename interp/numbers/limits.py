"""How large an exact number may become.

A program of one line can ask for an integer that fills the memory, and an operation on it would keep
Python busy where no time limit reaches. Builtins therefore refuse results beyond this size.
"""

from __future__ import annotations

from typing import Final

from nodwyn.interp.data import Value
from nodwyn.interp.errors import Condition, SchemeError

MAX_BITS: Final = 100_000
"""Bits of the largest exact integer, and of the numerator and denominator of a ratio."""


def too_large(procedure: str | None) -> SchemeError:
    """Return the error for an exact result beyond the limit, of kind "limit".

    procedure: Scheme name of the procedure that would have made it, or None outside any.
    """
    message = f"the exact result would have more than {MAX_BITS:,} bits"
    hint = "Inexact numbers keep the magnitude without the digits: see the procedure inexact."
    return SchemeError(Condition("limit", message, procedure=procedure, hint=hint))


def check_size(number: Value, procedure: str | None = None) -> Value:
    """Return an exact integer unchanged if it is within the limit.

    number: an exact integer. procedure: Scheme name of the procedure that made it, or None.
    Raises: SchemeError of kind "limit".
    """
    if number.bit_length() > MAX_BITS:
        raise too_large(procedure)
    return number
