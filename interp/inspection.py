"""``--expand`` and ``--dis``: what a program becomes."""

from __future__ import annotations

import ast
import sys

from nodwyn.interp.analyse import analyse
from nodwyn.interp.commands import program_source
from nodwyn.interp.core import Node
from nodwyn.interp.generate.expressions import Constants
from nodwyn.interp.generate.statements import Statements
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Source


def show_code(scheme: Interpreter, expressions: list[str], arguments: list[str], show: str) -> None:
    """Write the core forms ("expand") or the Python code ("dis") of expressions or a program file."""
    if expressions:
        sources = [Source("<-e>", text) for text in expressions]
    else:
        sources = [program_source(scheme, path) for path in arguments[:1]]
    for source in sources:
        for node in _nodes(scheme, source, whole=not expressions):
            sys.stdout.write(_expanded(node) if show == "expand" else _python(node))


def _nodes(scheme: Interpreter, source: Source, *, whole: bool) -> list[Node]:
    expander = scheme.programs.libraries.expander
    if whole:
        return expander.program(read_source(source)).body
    nodes: list[Node] = []
    for form in read_source(source):
        nodes.extend(expander.interaction(form, scheme.programs.interaction.scope))
    return nodes


def _expanded(node: Node) -> str:
    from nodwyn.interp.core_text import core_text

    return core_text(node) + "\n"


def _python(node: Node) -> str:
    (routine,) = analyse([node]).routines
    body = Statements(routine, Constants("0"), heap=False).whole()
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, []))) + "\n"
