"""Bodies: definitions and expressions in sequence (section 5.3), in two passes.

The first pass expands macro uses until each form shows whether it is a definition, and binds what is defined.
The second expands values and expressions, when every name of the body means what it means in all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from nodwyn.interp.core import Const, Global, GlobalDefine, Letrec, LocalSet, Node, Seq, Variable
from nodwyn.interp.data import UNSPECIFIED
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.expand.forms import DIRECTIVES, Define, SpecialForm, fault
from nodwyn.interp.expand.rules import Macro
from nodwyn.interp.expand.scope import Denotation, Key, Scope, Toplevel, key_of, resolve
from nodwyn.interp.syntax import Identifier, ListSyntax, Span, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander

Make: TypeAlias = Callable[[], Node]
"""Makes a node in the second pass."""


class Entry:
    """What one form of a body became: ``target`` gets the value, or is None for an expression.

    defines: whether the form is, or is part of, a definition.
    """

    __slots__ = ("defines", "form", "make", "target")

    def __init__(self, target: Variable | Global | None, make: Make, defines: bool, form: Syntax | None) -> None:
        self.target = target
        self.make = make
        self.defines = defines
        self.form = form


class Body:
    """The forms of a body on their way through the first pass."""

    __slots__ = ("entries", "expander", "pending", "scope", "taken")

    def __init__(self, expander: Expander, scope: Scope) -> None:
        self.expander = expander
        self.scope = scope
        self.entries: list[Entry] = []
        self.pending: list[Syntax] = []
        self.taken: Syntax | None = None
        """The form that is being taken, as what it expands to."""

    def collect(self, forms: list[Syntax]) -> None:
        """Take the forms through the first pass."""
        self.splice(forms)
        while self.pending:
            self._take(self.pending.pop())

    def splice(self, forms: list[Syntax]) -> None:
        """Put forms in the place of the one that is being taken."""
        self.pending.extend(reversed(forms))

    def define(self, identifier: Identifier) -> Variable | Global:
        """Bind an identifier for the whole body and return its variable."""
        raise NotImplementedError

    def define_syntax(self, identifier: Identifier, meaning: Denotation) -> None:
        """Bind an identifier to a keyword for the rest of the body."""
        raise NotImplementedError

    def inside(self) -> Scope:
        """Return the scope that this body's definitions go to."""
        return self.scope

    def initialise(self, target: Variable | Global, make: Make) -> None:
        """Give a variable of this body its first value."""
        self.entries.append(Entry(target, make, True, self.taken))

    def evaluate(self, make: Make, defines: bool = False) -> None:
        """Evaluate an expression, which is part of a definition if ``defines``."""
        self.entries.append(Entry(None, make, defines, self.taken))

    def assignment(self, target: Variable | Global, value: Node, span: Span | None) -> Node:
        """Return the node that stores a value in a variable of this body that has none yet."""
        if isinstance(target, Global):
            return GlobalDefine(target, value, span)
        return LocalSet(target, value, span)

    def _take(self, form: Syntax) -> None:
        while isinstance(form, ListSyntax) and form.items and isinstance(form.items[0], Identifier):
            head = form.items[0]
            meaning = resolve(head, self.scope)
            if isinstance(meaning, Macro):
                self._used(head)
                form = self.expander.transform(meaning, form, self.scope)
                continue
            if isinstance(meaning, SpecialForm):
                self._used(head)
                if meaning.define is not None:
                    self._define(meaning, form, meaning.define)
                    return
            elif meaning is None and self._directive(head.symbol.name, form):
                return
            break
        self.taken = None
        self.evaluate(lambda: self.expander.expand(form, self.scope))

    def _define(self, meaning: SpecialForm, form: ListSyntax, define: Define) -> None:
        self.taken = form
        try:
            meaning.check(form)
            define(self.expander, form, self)
        except SchemeError as error:
            self.expander.attribute(error, form, self.scope)
            raise

    def made(self, entry: Entry) -> Node:
        """Return the node of an entry, in the second pass."""
        try:
            return entry.make()
        except SchemeError as error:
            if isinstance(entry.form, ListSyntax):
                self.expander.attribute(error, entry.form, self.scope)
            raise

    def _used(self, keyword: Identifier) -> None:
        """Take note of a keyword that decided what a form is."""

    def _directive(self, name: str, form: ListSyntax) -> bool:
        """Return whether ``form`` is known by its bare word, and do it if this body may hold it."""
        if name in DIRECTIVES:
            raise fault("it belongs at the top of a program or directly in define-library", form, name)
        return False


class LocalBody(Body):
    """The body of a lambda, let and so on."""

    __slots__ = ("around", "used")

    def __init__(self, expander: Expander, scope: Scope) -> None:
        super().__init__(expander, scope)
        self.around = scope
        self.used: set[Key] = set()

    def inside(self) -> Scope:
        # Made for the first definition only: most bodies have none, and every lookup walks the chain.
        if self.scope is self.around:
            self.scope = Scope(self.around)
        return self.scope

    def define(self, identifier: Identifier) -> Variable:
        self._check_definable(identifier)
        return self.inside().bind(identifier)

    def define_syntax(self, identifier: Identifier, meaning: Denotation) -> None:
        self._check_definable(identifier)
        self.inside().put(key_of(identifier), meaning)

    def finish(self, use: Syntax) -> Node:
        """Take the second pass and return the node of the body of the form ``use``."""
        entries = self.entries
        if not entries or entries[-1].defines:
            raise fault("a body must end with an expression", use, hint="a definition has no value")
        first = len(entries)
        while first and not entries[first - 1].defines:
            first -= 1
        variables: list[Variable] = []
        inits: list[Node] = []
        for entry in entries[:first]:
            variables.append(entry.target if isinstance(entry.target, Variable) else Variable("_"))
            inits.append(self.made(entry))
        nodes = [self.made(entry) for entry in entries[first:]]
        body = nodes[0] if len(nodes) == 1 else Seq(nodes, use.span)
        return Letrec(variables, inits, body, use.span) if variables else body

    def _used(self, keyword: Identifier) -> None:
        self.used.add(key_of(keyword))

    def _check_definable(self, identifier: Identifier) -> None:
        key = key_of(identifier)
        name = identifier.symbol.name
        if key in self.used:
            raise fault(f"{name} was used as a keyword before it is defined in the same body", identifier)
        if self.scope is not self.around and key in self.scope.bindings:
            raise fault(f"{name} is defined twice in this body", identifier)


class TopBody(Body):
    """The forms of a library, a program or an interaction."""

    __slots__ = ("top",)

    def __init__(self, expander: Expander, scope: Toplevel) -> None:
        super().__init__(expander, scope)
        self.top = scope

    def collect(self, forms: list[Syntax]) -> None:
        for form in forms:
            self.expander.restart(self.top)
            super().collect([form])

    def define(self, identifier: Identifier) -> Global:
        return self.top.define(identifier)

    def define_syntax(self, identifier: Identifier, meaning: Denotation) -> None:
        self.top.define_syntax(identifier, meaning)
        if isinstance(meaning, Macro) and meaning.scope is self.top and identifier.alias is None:
            meaning.home = (self.top.name, identifier.symbol)

    def finish(self) -> list[Node]:
        """Take the second pass and return the nodes in order."""
        nodes = []
        for entry in self.entries:
            self.expander.restart(self.top)
            node = self.made(entry)
            if isinstance(entry.target, Global):
                node = GlobalDefine(entry.target, node, node.span)
            nodes.append(node)
        return nodes


def expand_body(expander: Expander, forms: list[Syntax], scope: Scope, use: Syntax) -> Node:
    """Return the node for the body ``forms`` of the form ``use``. Raises SchemeError when it has no expression."""
    if len(forms) == 1 and _is_expression(forms[0], scope):
        return expander.expand(forms[0], scope)
    body = LocalBody(expander, scope)
    body.collect(forms)
    return body.finish(use)


def _is_expression(form: Syntax, scope: Scope) -> bool:
    """Return whether ``form`` is one by its looks: neither a macro use nor what may be a definition."""
    if not isinstance(form, ListSyntax) or not form.items or not isinstance(form.items[0], Identifier):
        return True
    meaning = resolve(form.items[0], scope)
    if isinstance(meaning, SpecialForm):
        return meaning.define is None
    return not isinstance(meaning, Macro)


def unspecified(span: Span | None) -> Const:
    """Return the node for a value that nothing is said about."""
    return Const(UNSPECIFIED, span)
