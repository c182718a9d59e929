"""Library names (section 5.6) and the names to suggest for a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.expand.forms import fault
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Syntax

_DELIMITERS = frozenset(" \t\r\n()|\";'")


def library_name(syntax: Syntax) -> str:
    """Return the printed name, such as "(srfi 1)", for the name of a library as it is written.

    ``(srfi :1)`` and ``(srfi :1 lists)`` name (srfi 1) too. Raises SchemeError for what is no library name.
    """
    if not isinstance(syntax, ListSyntax) or not syntax.items or syntax.tail is not None:
        raise _not_a_name(syntax)
    parts = [_part(item, syntax) for item in syntax.items]
    if len(parts) > 1 and parts[0] == "srfi" and parts[1][0] == ":" and parts[1][1:].isdecimal():
        parts = ["srfi", parts[1][1:]]
    return f"({' '.join(parts)})"


def _part(item: Syntax, syntax: Syntax) -> str:
    if isinstance(item, Identifier):
        name: str = item.symbol.name
        return f"|{name}|" if not name or any(letter in _DELIMITERS for letter in name) else name
    if isinstance(item, Literal) and item.value.__class__ is int and item.value >= 0:
        return str(item.value)
    raise _not_a_name(syntax)


def _not_a_name(syntax: Syntax) -> SchemeError:
    return fault("a library name is a list of identifiers and numbers, such as (scheme base)", syntax)


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return a hint with the known names most like ``name``, "" if none is."""
    from nodwyn.interp.runtime.suggest import nearest

    near = nearest(name, known)
    return f"did you mean {' or '.join(near)}?" if near else ""
