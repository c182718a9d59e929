"""Builtins on numbers that are more than one Python operation: written out for exact integers, else called."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse.kinds import EXACT, kind_of
from nodwyn.interp.generate import pyast as py
from nodwyn.interp.generate.site import Inline, Operands, Site

EXACT_AS_FLOAT = 2**53
"""All exact integers up to it are floats, too."""


def _is_int(subject: ast.expr) -> ast.expr:
    return py.compare(py.attribute(subject, "__class__"), py.IS, py.load("%int"))


def _all_of(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _extreme(order: type[ast.cmpop]) -> Callable[[Operands, Site], ast.expr]:
    """Return what writes ``min`` or ``max``. order: that of the first of two that is the result to the second."""

    def write(operands: Operands, site: Site) -> ast.expr:
        kept = [site.once(place, operand) for place, operand in enumerate(operands)]
        later = [again for _, again in kept]
        # All are evaluated before any is asked what it is.
        tests: list[ast.expr] = [py.compare(first, py.IS_NOT, py.NONE) for first, again in kept if first is not again]
        tests += [_is_int(again) for again, node in zip(later, site.nodes, strict=True) if kind_of(node) not in EXACT]
        best = later[0]
        for place, other in enumerate(later[1:], start=1):
            chosen = py.choose(py.compare(best, order(), other), best, other)
            if place == len(later) - 1:
                best = chosen
            else:
                name = f"%{site.number}.best"
                tests.append(py.compare(py.keep(name, chosen), py.IS_NOT, py.NONE))
                best = py.load(name)
        return py.choose(_all_of(tests), best, site.strict(*later)) if tests else best

    return write


def _absolute(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    is_exact = kind_of(site.nodes[0]) in EXACT
    is_natural = py.compare(first if is_exact else later, ast.GtE(), py.constant(0))
    magnitude = py.choose(is_natural, later, ast.UnaryOp(ast.USub(), later))
    return magnitude if is_exact else py.choose(_is_int(first), magnitude, site.strict(later))


def _square(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    return ast.BinOp(first, ast.Mult(), later)


def _inexact(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    bounds = [later, py.constant(EXACT_AS_FLOAT)]
    is_small = ast.Compare(py.constant(-EXACT_AS_FLOAT), [ast.LtE(), ast.LtE()], bounds)
    return py.choose(_all_of([_is_int(first), is_small]), py.call(py.load("%float"), later), site.strict(later))


def _same_if_exact(operands: Operands, site: Site) -> ast.expr:
    """Write what gives exact integers back as they are."""
    first, later = site.once(0, operands[0])
    return py.choose(_is_int(first), later, site.strict(later))


def _integer(operands: Operands, site: Site) -> ast.expr:
    first, later = site.once(0, operands[0])
    return ast.BoolOp(ast.Or(), [_is_int(first), py.compare(site.strict(later), py.IS_NOT, py.load("%FALSE"))])


def _exact_integer(operands: Operands, site: Site) -> ast.expr:
    return _is_int(operands[0])


NUMBER_OPERATIONS: dict[str, Inline] = {
    "min": Inline(2, 3, "value", _extreme(ast.LtE)),
    "max": Inline(2, 3, "value", _extreme(ast.GtE)),
    "abs": Inline(1, 1, "value", _absolute),
    "square": Inline(1, 1, "value", _square),
    "inexact": Inline(1, 1, "value", _inexact),
    "exact->inexact": Inline(1, 1, "value", _inexact),
    "exact-integer?": Inline(1, 1, "test", _exact_integer),
    "integer?": Inline(1, 1, "test", _integer),
    **dict.fromkeys(
        ["exact", "inexact->exact", "floor", "ceiling", "truncate", "round"],
        Inline(1, 1, "value", _same_if_exact),
    ),
}
