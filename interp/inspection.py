"""``--expand`` and ``--dis``: what a text becomes on its way to the machine."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nodwyn.interp.analyse import analyse
from nodwyn.interp.core import Node
from nodwyn.interp.core_text import core_text
from nodwyn.interp.data import UNSPECIFIED, Value
from nodwyn.interp.generate.expressions import Constants
from nodwyn.interp.generate.statements import Statements
from nodwyn.interp.interpreter import Interpreter
from nodwyn.interp.programs import INTERACTION, PROGRAM
from nodwyn.interp.stopping import run_limited
from nodwyn.interp.syntax import Source


def show_code(
    scheme: Interpreter, sources: list[Source], show: str, write: Callable[[str], None], *, whole: bool
) -> None:
    """Write what texts become, one top-level form after the other.

    show: "expand" for their core forms, "dis" for the Python code made from these. whole: whether each is a program,
    and not forms for the interaction environment. Raises SchemeError.
    """

    def work() -> Value:
        for source in sources:
            nodes = scheme.programs.expand(PROGRAM if whole else INTERACTION, source)
            if show == "expand":
                texts = map(core_text, nodes)
            else:
                texts = map("{}\n".format, python_code(nodes, assuming=not whole))
            for text in texts:
                write(text + "\n")
        return UNSPECIFIED

    # Forms may be nested more deeply than Python lets functions be.
    run_limited(scheme.runtime, scheme.limits, work)


def python_code(nodes: list[Node], *, assuming: bool) -> list[str]:
    """Return the Python code of each of some top-level forms.

    Its names are no Python identifiers: ``user:f`` is a global, ``x.7`` a local variable, ``%7`` the value of form 7,
    and ``%tc`` the state of the trampoline.
    """
    routines, assumed = analyse(nodes, assuming=assuming)
    constants = Constants("", assumed)
    texts = []
    for routine in routines:
        body = Statements(routine, constants, heap=False).whole()
        module = _WithoutIdentities().visit(ast.Module(body, []))
        texts.append(ast.unparse(ast.fix_missing_locations(module)))
    return texts


class _WithoutIdentities(ast.NodeTransformer):
    """Removes the docstrings by which the runtime knows procedures."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body[1:]
        return node
