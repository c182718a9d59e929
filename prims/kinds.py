"""The kinds of values that primitives take: what is wanted, in words, and what each is in Scheme and in JSON.

A value comes as Scheme or as JSON; both are brought to the same plain Python value, and one check judges it.
:mod:`nodwyn.prims.parameters` has the types that are declared with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from nodwyn.interp.data import NIL, Boolean, Bytevector, Pair, String, Symbol, Value, Vector
from nodwyn.prims import surrogates
from nodwyn.prims.mistyped import hint

JSON = Any
"""What a JSON text holds: None, bool, int, float, str, list or dict."""

LONGEST_PATH: Final = 4096


class Unfit(Exception):
    """A value that is not what a parameter wants: what was wanted, and the part of the value that is not it."""

    def __init__(self, wanted: str, given: Any, hint: str = "") -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.given = given
        self.hint = hint
        """What may have been meant, to go on with behind the rest; mostly nothing."""
        self.where = ""
        """Which part of the parameter it is, such as `` 2, old``; nothing for the whole."""


class Kind:
    """What a parameter wants. ``wanted`` says it in words, behind "must be"."""

    wanted = "a value"

    def plain(self, value: Value) -> Any:
        """Return a Scheme value as the plain Python value that :meth:`check` judges; what has none stays as it is."""
        return plain_of(value)

    def check(self, value: Any) -> Any:
        """Return what the primitive is given for a plain value.

        Raises: Unfit.
        """
        raise NotImplementedError

    def schema(self) -> dict[str, JSON]:
        """Return the JSON schema of the values."""
        raise NotImplementedError

    def shown(self, value: Any) -> str:
        """Return a default as the documentation shows it, in Scheme."""
        return "#t" if value is True else "#f" if value is False else str(value)


class Text(Kind):
    """A text. longest: bytes of its UTF-8, None for no bound."""

    def __init__(self, wanted: str = "a string", *, longest: int | None = None, empty: bool = True) -> None:
        self.wanted = wanted
        self.longest = longest
        self.empty = empty

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or not (value or self.empty):
            raise Unfit(self.wanted, value)
        text, size = _encodable(value)
        if self.longest is not None and size > self.longest:
            raise Unfit(f"{self.wanted} of at most {self.longest} bytes", value)
        return text

    def schema(self) -> dict[str, JSON]:
        return {"type": "string"} if self.empty else {"type": "string", "minLength": 1}

    def shown(self, value: Any) -> str:
        return f'"{value}"'


class PathText(Text):
    """The name of a file or directory, as the system has it: escaped surrogates are its bytes again."""

    def __init__(self) -> None:
        super().__init__("a path", empty=False)

    def check(self, value: Any) -> str:
        path = surrogates.unescape(super().check(value))
        if "\0" in path:
            raise Unfit("a path, which has no NUL character", value)
        try:
            size = len(path.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            raise Unfit("a path, which has no half of a character", value) from None
        if size > LONGEST_PATH:
            raise Unfit(f"a path of at most {LONGEST_PATH} bytes", value)
        return path


class CommandText(Text):
    """A shell line: escaped surrogates in it are the bytes of file names again."""

    def __init__(self) -> None:
        super().__init__("a shell line", empty=False)

    def check(self, value: Any) -> str:
        return surrogates.unescape(super().check(value))


class NameText(Text):
    """A name, in Scheme a symbol or a string."""

    def __init__(self, *, empty: bool = True) -> None:
        super().__init__("a symbol or string", empty=empty, longest=200)

    def plain(self, value: Value) -> Any:
        return value.name if value.__class__ is Symbol else plain_of(value)


class GlobText(Text):
    """A pattern of file names."""

    def __init__(self) -> None:
        super().__init__("a glob", empty=False)

    def check(self, value: Any) -> str:
        from nodwyn.prims.fs.globs import GlobError, matcher

        glob = super().check(value)
        try:
            matcher(glob)
        except GlobError as error:
            raise Unfit(f"a glob, and {error}", value) from None
        return glob


class Whole(Kind):
    """An exact whole number within bounds, which are part of it."""

    def __init__(self, wanted: str = "a whole number", least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most
        bounds = {
            (False, False): "",
            (False, True): f" from {least}",
            (True, False): f" up to {most}",
            (True, True): f" from {least} to {most}",
        }
        self.wanted = wanted + bounds[most is not None, least is not None]

    def check(self, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON does not tell 3.0 from 3
        if not isinstance(value, int) or isinstance(value, bool):
            raise Unfit(self.wanted, value)
        if (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            raise Unfit(self.wanted, value)
        return value

    def schema(self) -> dict[str, JSON]:
        schema: dict[str, JSON] = {"type": "integer"}
        if self.least is not None:
            schema["minimum"] = self.least
        if self.most is not None:
            schema["maximum"] = self.most
        return schema


class Flag(Kind):
    """True or false."""

    wanted = "true or false (#t or #f)"

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise Unfit(self.wanted, value)
        return value

    def schema(self) -> dict[str, JSON]:
        return {"type": "boolean"}


class Choice(Kind):
    """One of a few names: in Scheme a symbol or a string."""

    def __init__(self, *options: str) -> None:
        self.options = options
        self.wanted = f"one of {', '.join(options)}"

    def plain(self, value: Value) -> Any:
        return value.name if value.__class__ is Symbol else plain_of(value)

    def check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise Unfit(self.wanted, value)
        if value not in self.options:
            raise Unfit(self.wanted, value, hint(value, self.options, otherwise=""))
        return value

    def schema(self) -> dict[str, JSON]:
        return {"type": "string", "enum": list(self.options)}

    def shown(self, value: Any) -> str:
        return f"'{value}"


class Several(Kind):
    """A list of values of one kind: in Scheme a list or a vector."""

    def __init__(self, item: Kind, wanted: str, *, most: int = 1000) -> None:
        self.item = item
        self.most = most
        self.wanted = wanted

    def plain(self, value: Value) -> Any:
        items = _items(value)
        return value if items is None else [self.item.plain(item) for item in items]

    def check(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Unfit(self.wanted, value)
        if len(value) > self.most:
            raise Unfit(f"{self.wanted}, at most {self.most}", value)
        checked = []
        for number, item in enumerate(value, 1):
            try:
                checked.append(self.item.check(item))
            except Unfit as unfit:
                unfit.where = f" {number}{unfit.where}"
                raise
        return tuple(checked)

    def schema(self) -> dict[str, JSON]:
        return {"type": "array", "items": self.item.schema()}

    def shown(self, value: Any) -> str:
        return "'()"


class Parts(Kind):
    """A value of several named parts: in JSON an object; in Scheme a list of them in order, or an association list.

    make: given the parts by name, makes the value. required: how many parts, from the first, there must be.
    """

    def __init__(
        self, make: Callable[..., Any], wanted: str, parts: Mapping[str, tuple[Kind, str]], required: int
    ) -> None:
        self.make = make
        self.parts = parts
        self.required = required
        self.wanted = f"{wanted}: {', '.join(parts)}"

    def plain(self, value: Value) -> Any:
        items = _items(value)
        if items is None:
            return value
        if items and all(_is_named(item) for item in items):
            named = {item.car.name: item.cdr for item in items}
        elif len(items) <= len(self.parts):
            named = dict(zip(self.parts, items))
        else:
            return value
        return {name: self.parts[name][0].plain(part) if name in self.parts else part for name, part in named.items()}

    def check(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise Unfit(self.wanted, value)
        for name in value:
            if name not in self.parts:
                raise Unfit(self.wanted, name)
        checked = {}
        for position, (name, (kind, _)) in enumerate(self.parts.items()):
            if name not in value or value[name] is None:
                if position < self.required:
                    raise Unfit(f"{self.wanted}; {name} is missing", value)
                continue
            try:
                checked[name] = kind.check(value[name])
            except Unfit as unfit:
                unfit.where = f", {name}{unfit.where}"
                raise
        return self.make(**checked)

    def schema(self) -> dict[str, JSON]:
        return {
            "type": "object",
            "properties": {name: {**kind.schema(), "description": words} for name, (kind, words) in self.parts.items()},
            "required": list(self.parts)[: self.required],
            "additionalProperties": False,
        }


class SchemeOnly(Kind):
    """A value that only Scheme has, such as a procedure. fits: whether a Scheme value is one."""

    def __init__(self, wanted: str, fits: Callable[[Value], bool] = lambda value: True) -> None:
        self.wanted = wanted
        self.fits = fits

    def plain(self, value: Value) -> Any:
        return value

    def check(self, value: Any) -> Value:
        if not self.fits(value):
            raise Unfit(self.wanted, value)
        return value

    def schema(self) -> dict[str, JSON]:
        raise TypeError(f"a model has no value that is {self.wanted}")

    def shown(self, value: Any) -> str:
        return "#f"


def plain_of(value: Value) -> Any:
    """Return a Scheme string or boolean as Python's; everything else as it is."""
    if value.__class__ is String:
        return value.text()
    if value.__class__ is Boolean:
        return value.truth
    return value


def labels_of(value: Value) -> frozenset[str]:
    """Return where the texts in a Scheme argument came from: the labels of all strings and bytevectors in it."""
    found: set[str] = set()
    pending, seen = [value], set[int]()
    while pending:
        each = pending.pop()
        if each.__class__ is String or each.__class__ is Bytevector:
            found |= each.origin.labels
        elif isinstance(each, (Pair, Vector)) and id(each) not in seen:
            seen.add(id(each))
            pending.extend((each.car, each.cdr) if isinstance(each, Pair) else each.items)
    return frozenset(found)


def is_procedure(value: Value) -> bool:
    """Return whether a Scheme value can be called."""
    return callable(value)


def _encodable(text: str) -> tuple[str, int]:
    """Return a text that UTF-8 can hold, its lone surrogates escaped, and how many bytes that takes."""
    try:
        return text, len(text.encode())
    except UnicodeEncodeError:
        escaped = surrogates.escape(text)
        return escaped, len(escaped.encode())


def _items(value: Value) -> list[Value] | None:
    """Return the elements of a proper list or a vector; None for anything else."""
    if isinstance(value, Vector):
        return value.items
    items: list[Value] = []
    seen = set[int]()
    while isinstance(value, Pair) and id(value) not in seen:
        seen.add(id(value))
        items.append(value.car)
        value = value.cdr
    return items if value is NIL else None


def _is_named(value: Value) -> bool:
    return isinstance(value, Pair) and isinstance(value.car, Symbol)
