"""The numeric tower of section 6.2: exact and inexact, integer, rational, real and complex.

Exact integers are ``int``, inexact reals ``float``, other exact rationals :class:`Ratio` and
non-real numbers :class:`Rectangular`; Python's operators on them give Scheme's results, except where
Python raises: then the functions of ``arithmetic`` know better.
"""

from nodwyn.interp.numbers.format import format_number
from nodwyn.interp.numbers.limits import MAX_BITS, check_size
from nodwyn.interp.numbers.parse import parse_number
from nodwyn.interp.numbers.ratio import Ratio, ratio
from nodwyn.interp.numbers.rectangular import Rectangular, rectangular

__all__ = [
    "MAX_BITS",
    "Ratio",
    "Rectangular",
    "check_size",
    "format_number",
    "parse_number",
    "ratio",
    "rectangular",
]
