"""How a kind of event is declared: a class whose fields each say what they hold and in which words.

    class Note(Event, kind="note"):
        '''Words for the person, that no model sees.'''

        text: str = string("what is said")

The declaration is the only one: the constructor's checks, what the redactor is given, how the event is written and read
back, and the page about the format follow from it. An event is made by keyword, checked at once, and never changed.
A field that is left out has its default and takes no place in the log, so a default can never change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, dataclass_transform

from nodwyn.prims.log.errors import EventError

Redactor = Callable[[str], str]
"""Returns a text with what must not be recorded replaced by marks."""

MAXIMUM_DEPTH = 200
"""How deep JSON in an event may be nested: far above what a person or a tool makes, far below what recursion bears."""

MAXIMUM_COUNT = 2**63 - 1

MAXIMUM_BITS = 4096
"""How long an integer in an event's JSON may be: Python itself stops at about 14,000 bits."""

REQUIRED: Any = object()
"""The default of a field that has none."""

KINDS: dict[str, type[Event]] = {}
"""The class of each kind."""


class Field(NamedTuple):
    """What a field holds."""

    doc: str
    form: str
    """The form of its values, in words for a message: ``text``, ``a number from 0`` …"""
    fits: Callable[[Any], bool]
    """Whether a value has that form."""
    default: Any
    redacted: bool
    """Whether the redactor is given what it holds."""
    reads: type | Callable[[Any], bool] | None
    """What its values are when they are read back: of a type, of a form, or anything."""
    stamped: bool = False
    """Whether an event gets it when it is recorded, and not before."""


def string(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``str``."""
    return Field(doc, "text", _is_text, default, True, str)


def strings(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``Sequence[str]``."""
    fits = _each(_is_text)
    return Field(doc, "a list of texts", fits, default, True, fits)


def json(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``Any``: what JSON can hold. It is looked through when it is recorded."""
    return Field(doc, "JSON", lambda value: True, default, True, None)


def json_object(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``Any``: a JSON object. A default of None stands for none."""

    def fits(value: Any) -> bool:
        return isinstance(value, dict) or (value is None and default is None)

    return Field(doc, "an object", fits, default, True, lambda value: fits(value) and is_shallow(value))


def json_numbers(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``Any``: a JSON object of numbers from 0. A default of None stands for none."""

    def fits(value: Any) -> bool:
        if not isinstance(value, dict):
            return value is None and default is None
        return all(type(number) in (int, float) and 0 <= number <= MAXIMUM_COUNT for number in value.values())

    return Field(doc, "an object of numbers from 0", fits, default, True, fits)


def json_objects(doc: str, *, default: Any = REQUIRED, **members: type) -> Any:
    """Declare a field of type ``Any``: a list of JSON objects whose members of these names have these types.

    A default of None stands for none. An object may lack a member, or have others: one in a released log does.
    """

    def fits(value: Any) -> bool:
        return (value is None and default is None) or (is_objects(value) and is_shallow(value))

    def is_objects(value: Any) -> bool:
        return isinstance(value, list) and all(
            isinstance(item, dict)
            and all(name not in item or type(item[name]) is type_ for name, type_ in members.items())
            for item in value
        )

    return Field(doc, f"a list of objects with {', '.join(members)}", fits, default, True, fits)


def blocks(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``Any``: the blocks of a reply, of which text and calls have texts where they should.

    What is no block is another program's, and passed over.
    """

    def are_blocks(value: Any) -> bool:
        return not isinstance(value, list) or all(map(_is_block, value))

    return Field(
        doc, "blocks with texts", are_blocks, default, True, lambda value: is_shallow(value) and are_blocks(value)
    )


def choice(doc: str, *options: str, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``str`` that is one of ``options``. A later program may have recorded others."""
    return Field(doc, f"one of {', '.join(options)}", options.__contains__, default, False, str)


def sha256(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``str``: a SHA-256 as 64 hexadecimal digits."""
    return _field(doc, "a SHA-256 in hexadecimal", _is_digest, default)


def ref(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``int``: the seq of an earlier event. A default of 0 stands for none."""
    return _field(doc, "the seq of an event", _is_seq, default)


def refs(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``Sequence[int]``: seqs of earlier events."""
    return _field(doc, "a list of seqs", _each(_is_seq), default)


def count(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``int`` from 0 to 2**63 - 1: a count, a size, milliseconds, millionths of a dollar."""
    return _field(doc, "a whole number from 0", _is_count, default)


def flag(doc: str, *, default: Any = REQUIRED) -> Any:
    """Declare a field of type ``bool``."""
    return Field(doc, "true or false", lambda value: isinstance(value, bool), default, False, bool)


def stamp(doc: str, *, default: Any, init: bool = False) -> Any:
    """Declare a field that an event gets when it is recorded."""
    return Field(doc, "given when recorded", lambda value: False, default, False, None, stamped=True)


def _field(doc: str, form: str, fits: Callable[[Any], bool], default: Any) -> Field:
    """Return a field without texts."""
    return Field(doc, form, fits, default, False, fits)


def _each(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def each(value: Any) -> bool:
        if not isinstance(value, (list, tuple)):
            return False
        for item in value:
            if not fits(item):
                return False
        return True

    return each


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MAXIMUM_COUNT


def _is_seq(value: Any) -> bool:
    return type(value) is int and 0 < value <= MAXIMUM_COUNT


_BLOCK_TEXTS = {"text": ("text",), "call": ("id", "name")}
"""The members of each type of block that are texts."""


def _is_block(value: Any) -> bool:
    if not isinstance(value, dict):
        return True
    kind = value.get("type")
    names = _BLOCK_TEXTS.get(kind, ()) if isinstance(kind, str) else ()
    return all(isinstance(value.get(name, ""), str) for name in names)


def is_shallow(value: Any) -> bool:
    """Return whether JSON is nested no deeper than may be recorded."""
    level = [value] if isinstance(value, (dict, list, tuple)) else []
    for _ in range(MAXIMUM_DEPTH):
        inner = []
        for part in level:
            for item in part.values() if isinstance(part, dict) else part:
                if isinstance(item, (dict, list, tuple)):
                    inner.append(item)
        if not inner:
            return True
        level = inner
    return False


def _is_digest(value: Any) -> bool:
    if not isinstance(value, str) or len(value) != 64 or value != value.lower():
        return False
    try:
        return len(bytes.fromhex(value)) == 32
    except ValueError:
        return False


@dataclass_transform(
    kw_only_default=True,
    frozen_default=True,
    field_specifiers=(
        string,
        strings,
        json,
        choice,
        sha256,
        ref,
        refs,
        count,
        flag,
        stamp,
        json_object,
        json_objects,
        json_numbers,
        blocks,
    ),
)
class Record:
    """What declared fields make of a class: see the module."""

    kind: ClassVar[str] = ""
    opens: ClassVar[bool] = False
    """Whether something begins with it that another event must end."""
    closes: ClassVar[str] = ""
    """The field with the seq of the event whose beginning it ends, or nothing."""
    fields: ClassVar[Mapping[str, Field]] = {}
    """Its fields, but for those that it gets when it is recorded."""
    required: ClassVar[frozenset[str]] = frozenset()
    """The fields that have no default."""
    expected: ClassVar[frozenset[str]] = frozenset()
    """The members that its line has in any case."""
    recorded: ClassVar[Sequence[tuple[str, bool]]] = ()
    """The fields that are recorded behind the agent, each with whether the redactor is given what it holds."""
    fits: ClassVar[Mapping[str, Callable[[Any], bool]]] = {}
    """What tells of each field whether a value may be recorded in it."""
    forms: ClassVar[Mapping[str, Any]] = {}
    """What is read of each field that cannot be anything: its type, or a function that tells whether a value fits."""

    def __init_subclass__(cls, kind: str = "", opens: bool = False, closes: str = "") -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        for name, field in own.items():
            if field.default is REQUIRED:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
        cls.fields = {**{name: field for name, field in own.items() if not field.stamped}, **cls.fields}
        cls.required = frozenset(name for name, field in cls.fields.items() if field.default is REQUIRED)
        cls.recorded = [(name, field.redacted) for name, field in cls.fields.items() if name != "agent"]
        cls.fits = {name: field.fits for name, field in cls.fields.items()}
        cls.expected = cls.required | {"at", "agent"}
        forms = {name: field.reads for name, field in cls.fields.items() if field.reads is not None}
        cls.forms = {"seq": int, "at": str, "kind": str, "barrier": int, **forms}
        cls.kind, cls.opens, cls.closes = kind, opens, closes

    def __init__(self, **given: Any) -> None:
        """Make an event.

        Raises: EventError when a field is missing, is not of this kind, or does not have its form.
        """
        fits = self.fits
        for name, value in given.items():
            fit = fits.get(name)
            if fit is _is_text and type(value) is str:
                continue  # most are
            if fit is None:
                raise EventError(f"{self.kind} has no field {name}; it has {', '.join(fits)}")
            if not fit(value):
                raise EventError(_misfit(self.kind, name, type(self), value))
            if type(value) is tuple:
                given[name] = list(value)  # as it will be read back
        if not given.keys() >= self.required:
            raise EventError(_missing(type(self), given))
        object.__setattr__(self, "__dict__", given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an event is never changed: {self.kind}.{name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({given})"

    def replace(self, **changes: Any) -> Self:
        """Return an event with some fields given anew, not yet recorded."""
        given = {name: value for name, value in self.__dict__.items() if name in self.fields}
        return type(self)(**{**given, **changes})


class Event(Record):
    """One line of the log.

    An event that was read may have fields that this program does not know: :meth:`unknown_fields` has them.
    """

    seq: int = stamp("its place in the log, from 1; 0 before it is recorded", default=0)
    at: str = stamp("when it was recorded: UTC, RFC 3339, milliseconds", default="")
    agent: str = string("the context that it belongs to; a sub-agent has its own", default="main")
    when: str = string("when it happened, if that was not when it was recorded: in an imported session", default="")

    def __init_subclass__(cls, kind: str = "", opens: bool = False, closes: str = "") -> None:
        super().__init_subclass__(kind, opens, closes)
        if kind:
            KINDS[kind] = cls

    def unknown_fields(self) -> dict[str, Any]:
        """Return the fields of a recorded event that this program does not know, unchanged."""
        return {
            name: value for name, value in self.__dict__.items() if name not in self.fields and name not in ENVELOPE
        }

    def as_json(self) -> dict[str, Any]:
        """Return all that is recorded of it, as its line has it, but for the checksum."""
        return dict(self.__dict__)


ENVELOPE = ("seq", "at", "kind", "agent", "barrier")
"""The members that every line begins with; the last one only in the first line after a barrier."""


class Unknown(Event):
    """An event of a kind that this program does not know, read back unchanged."""


_new, _set = object.__new__, object.__setattr__


def restore(members: dict[str, Any]) -> Event:
    """Return the event that a line's members record. The dictionary becomes the event's own."""
    event: Event = _new(KINDS.get(members["kind"], Unknown))
    _set(event, "__dict__", members)
    return event


_TYPES = (str, int, bool)


def check(members: dict[str, Any]) -> None:
    """Look whether the members of a line are as their kind declares them: another program may have written it.

    A kind or field that this program does not know may be anything.

    Raises: EventError. KeyError, TypeError when there is not even a kind.
    """
    event = KINDS.get(members["kind"], Unknown)
    forms = event.forms
    for name, value in members.items():
        type_ = type(value)
        form = forms.get(name)
        if type_ is form:
            continue
        if form is None:
            if (type_ is dict or type_ is list) and not is_shallow(value):
                raise EventError(f"{members['kind']}: {name} is nested deeper than {MAXIMUM_DEPTH}")
        elif form in _TYPES or not form(value):
            raise EventError(_misfit(members["kind"], name, event, value))
    if not members.keys() >= event.expected:
        raise EventError(_missing(event, members))


_ENVELOPE_FORMS = {"seq": "a number", "at": "text", "kind": "text", "barrier": "a number"}


def _misfit(kind: str, name: str, event: type[Record], value: Any) -> str:
    field = event.fields.get(name)
    return f"{kind}: {name} must be {field.form if field else _ENVELOPE_FORMS[name]}, got {_shown(value)}"


def _missing(event: type[Record], members: Mapping[str, Any]) -> str:
    name = next(name for name in (*event.fields, "at") if name in event.expected and name not in members)
    field = event.fields.get(name)
    return f"{event.kind}: {name} is missing{f': {field.doc}' if field else ''}"


def recorded_members(event: Event, redact: Redactor) -> dict[str, Any]:
    """Return each field of an event that was given, but for the agent, with its texts redacted.

    Raises: EventError when a value is not JSON.
    """
    given = event.__dict__
    members = {}
    for name, is_redacted in event.recorded:
        if name in given:
            value = given[name]
            if is_redacted:
                value = redact(value) if type(value) is str else redacted(value, redact, f"{event.kind}: {name}")
            members[name] = value
    return members


def redacted(value: Any, redact: Redactor, where: str, depth: int = 0) -> Any:
    """Return JSON data with each text in it redacted, keys of objects too.

    where: what the data is, for a message.

    Raises: EventError when it holds what JSON cannot, or is nested too deep.
    """
    if isinstance(value, str):
        return redact(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > MAXIMUM_BITS:
            raise EventError(f"{where} holds an integer of more than {MAXIMUM_BITS} bits; record it as text")
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise EventError(f"{where} holds {value}, which JSON cannot")
        return value
    if depth == MAXIMUM_DEPTH:
        raise EventError(f"{where} is nested deeper than {MAXIMUM_DEPTH}; record it as text")
    if isinstance(value, (list, tuple)):
        return [redacted(item, redact, where, depth + 1) for item in value]
    if isinstance(value, dict):
        return _redacted_object(value, redact, where, depth)
    raise EventError(f"{where} holds {_shown(value)}, which JSON cannot")


def can_be_recorded(value: Any) -> bool:
    """Return whether an event can hold a value as JSON."""
    try:
        redacted(value, str, "it")
    except EventError:
        return False
    return True


def _redacted_object(value: dict[Any, Any], redact: Redactor, where: str, depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise EventError(f"{where} holds an object with the key {_shown(key)}; keys are texts")
        name = redact(key)
        while name in result:  # two keys were redacted to the same mark: none may be lost
            name += "'"
        result[name] = redacted(item, redact, where, depth + 1)
    return result


def _shown(value: Any) -> str:
    """Return a value's form and not its text, which may be a secret."""
    return (
        repr(value) if isinstance(value, (int, float)) or value is None else f"a value of type {type(value).__name__}"
    )
