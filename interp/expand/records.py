"""``define-record-type`` (section 5.5)."""

from __future__ import annotations

from binascii import crc32
from typing import TYPE_CHECKING

from nodwyn.interp.core import Global, GlobalRef, LocalRef, MakeRecordType, Node, RecordProcedure, Variable
from nodwyn.interp.data import FALSE
from nodwyn.interp.expand.bodies import Body
from nodwyn.interp.expand.forms import definition, fault, identifier_in, list_in, misuse
from nodwyn.interp.expand.procedures import check_distinct
from nodwyn.interp.expand.scope import Key, Toplevel, key_of
from nodwyn.interp.syntax import Identifier, ListSyntax, Literal, Span, Syntax

if TYPE_CHECKING:
    from nodwyn.interp.expand.expander import Expander

FORM = "define-record-type"


@definition(FORM, "(define-record-type type (constructor field …) predicate (field accessor [modifier]) …)", least=4)
def expand_define_record_type(expander: Expander, use: ListSyntax, body: Body) -> None:
    _, type_spec, constructor, predicate, *field_specs = use.items
    name = identifier_in(
        FORM, type_spec.items[0] if isinstance(type_spec, ListSyntax) and type_spec.items else type_spec
    )
    fields = [_field(spec) for spec in field_specs]
    identifiers = [field[0] for field in fields]
    check_distinct(FORM, identifiers)
    attributes = _attributes(identifiers, use.span, body.scope.top)
    record = _Record(body, name, use.span)
    slots = {key_of(identifier): attribute for identifier, attribute in zip(identifiers, attributes)}
    names = tuple(identifier.symbol.name for identifier in identifiers)
    body.initialise(record.variable, lambda: MakeRecordType(name.symbol.name, names, tuple(attributes), use.span))
    if not _is_false(constructor):
        maker, made = _constructor(constructor, slots)
        record.define("constructor", maker, made, tuple(slot for slot in attributes if slot not in made))
    if not _is_false(predicate):
        record.define("predicate", identifier_in(FORM, predicate), ())
    for (_, *procedures), attribute in zip(fields, attributes):
        for role, identifier in zip(("accessor", "modifier"), procedures):
            record.define(role, identifier, (attribute,))


class _Record:
    """Defines a record type and its procedures in a body."""

    __slots__ = ("body", "span", "variable")

    def __init__(self, body: Body, name: Identifier, span: Span | None) -> None:
        self.body = body
        self.span = span
        self.variable = body.define(name)

    def define(
        self, role: str, identifier: Identifier, attributes: tuple[str, ...], others: tuple[str, ...] = ()
    ) -> None:
        """Define the procedure ``identifier``; see ``RecordProcedure`` for the other parameters."""
        name = identifier.symbol.name
        target = self.body.define(identifier)
        self.body.initialise(
            target, lambda: RecordProcedure(role, name, self._reference(), attributes, identifier.span, others)
        )

    def _reference(self) -> Node:
        if isinstance(self.variable, Variable):
            return LocalRef(self.variable, self.span)
        assert isinstance(self.variable, Global)
        return GlobalRef(self.variable, self.span)


def _field(spec: Syntax) -> list[Identifier]:
    """Return the identifiers of a field: its name, and its accessor and modifier if it has them."""
    if isinstance(spec, Identifier):
        return [spec]
    return [identifier_in(FORM, item) for item in list_in(FORM, spec, 1, 3)]


def _constructor(spec: Syntax, slots: dict[Key, str]) -> tuple[Identifier, tuple[str, ...]]:
    """Return the constructor's name and the attributes that its parameters set, in order."""
    if isinstance(spec, Identifier):
        return spec, tuple(slots.values())
    name, *parameters = [identifier_in(FORM, item) for item in list_in(FORM, spec, 1)]
    check_distinct(FORM, parameters)
    for parameter in parameters:
        if key_of(parameter) not in slots:
            raise fault(f"{parameter.symbol.name} is not a field of the record type", parameter, FORM)
    return name, tuple(slots[key_of(parameter)] for parameter in parameters)


def _is_false(syntax: Syntax) -> bool:
    if isinstance(syntax, Literal):
        if syntax.value is not FALSE:
            raise misuse(FORM, syntax)
        return True
    return False


def _attributes(fields: list[Identifier], span: Span | None, top: Toplevel) -> list[str]:
    """Return Python attribute names for the fields that no other definition in any text has.

    They are what tells an accessor that a record is of its type, so they hold a digest of where the definition is
    and of the text around it: compiled code of many sources and sessions meets in one process.
    """
    top.records += 1
    place = f"{top.name} {top.records} {' '.join(field.symbol.name for field in fields)}"
    digest = crc32(place.encode("utf-8", "surrogatepass"))
    if span is not None:
        digest = crc32(f"{span.source.name} {span.start}".encode("utf-8", "surrogatepass"), digest)
        digest = crc32(span.source.text.encode("utf-8", "surrogatepass"), digest)
    return [f"f{digest:08x}_{index}_{_readable(field.symbol.name)}" for index, field in enumerate(fields)]


def _readable(name: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name)
