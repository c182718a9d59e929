"""What ``vector-map`` and ``string-map`` collect their results in, so that no continuation sees them changed.

Results go into a Python list as long as no continuation has been made since the collecting began. One that was made
may be entered again, and what was returned earlier must not be mutated then (section 6.10): from there on the results
are a Scheme list, the last one first, which is only ever made longer. The Python list stays as it was at the capture.
"""

from __future__ import annotations

from nodwyn.interp.builtins.strings import string_of_chars
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import UNSPECIFIED, Pair, String, Value, Vector, cons, iterate, list_from

define = Table()


@define("%collection")
def collection() -> Value:
    """Return a Python list for results, which no Scheme procedure but those here is given."""
    return []


@define("%collect!")
def collect(results: Value, value: Value) -> Value:
    """Add a result to a Python list that no continuation knows."""
    results.append(value)
    return UNSPECIFIED


@define("%collect-anew")
def collect_anew(results: Value, value: Value) -> Pair:
    """Return the results, and one more, as a list that begins with the last."""
    return cons(value, list_from(results[::-1]) if results.__class__ is list else results)


@define("%collected-vector")
def collected_vector(results: Value) -> Vector:
    """Return the results as a vector."""
    return Vector(_in_order(results))


@define("%collected-string")
def collected_string(results: Value) -> String:
    """Return the results of ``string-map`` as a string; each must be a character."""
    return string_of_chars("string-map", "what proc returns", _in_order(results))


def _in_order(results: Value) -> list[Value]:
    return results if results.__class__ is list else list(iterate(results))[::-1]
