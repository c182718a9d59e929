"""A primitive is one declaration: from a typed and documented Python function comes everything else.

    @primitive("fs-read", effect=Effect.READ, provenance="external:file")
    def fs_read(context: Context, path: Annotated[Path, "the file"], start: Annotated[Line, "first line"] = 1) -> str:
        '''Return a file's text from line START on, as the file is now.'''

The checks of its arguments and their messages, the Scheme binding, the schema that a model is given, help, the
reference and the guard's question are made from it. What declares a primitive without a word about a parameter fails
when it is imported. The function itself can only be reached through :mod:`nodwyn.prims.calling`, which asks the guard
and writes the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from nodwyn.interp.data import DEFAULT, FALSE, Value
from nodwyn.prims.counting import counted
from nodwyn.prims.effects import EVERYBODY, Caller, Effect
from nodwyn.prims.kinds import JSON, Choice, Flag, Kind, Unfit, labels_of
from nodwyn.prims.mistyped import hint
from nodwyn.prims.parameters import PLAIN_KINDS

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

REQUIRED: Final[Any] = object()
"""The default of a parameter that has none."""

MOST_SHOWN: Final = 60
"""Characters of a wrong JSON value that a message shows."""


class PrimitiveError(Exception):
    """A primitive cannot do what it was asked to; the message says what, why, and what to do next.

    kind: of the Scheme condition that it becomes, such as "file".
    """

    def __init__(self, message: str, *, kind: str = "error") -> None:
        super().__init__(message)
        self.kind = kind


class ArgumentError(PrimitiveError):
    """An argument is missing, unknown, or not what its parameter wants. kind: "type" or "arity"."""

    def __init__(self, message: str, given: Any = None, *, kind: str = "type") -> None:
        super().__init__(message, kind=kind)
        self.given = given


class Parameter(NamedTuple):
    """One parameter of a primitive."""

    name: str
    """Its name, one word, in Python, JSON and Scheme."""
    kind: Kind
    description: str
    default: Any

    @property
    def is_required(self) -> bool:
        """Whether it must be given."""
        return self.default is REQUIRED


class Bound(NamedTuple):
    """The arguments of a call, checked."""

    values: dict[str, Any]
    """What the function is given, by parameter; those that were not given are absent."""
    recorded: dict[str, JSON]
    """The arguments as the log has them."""
    labels: dict[str, frozenset[str]]
    """Where the texts of each argument came from."""


class Primitive:
    """A declared primitive."""

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        effect: Effect,
        provenance: frozenset[str],
        callers: tuple[Caller, ...],
        is_recorded: bool = True,
        is_concurrent: bool = False,
        can_serve: Callable[[Session], bool] | None = None,
    ) -> None:
        """Take a declaration apart. :func:`primitive` is how one is made.

        Raises: TypeError when something is not said.
        """
        self.name = name
        self.effect = effect
        self.provenance = provenance
        """The labels that texts in its value carry."""
        self.callers = callers
        self.is_recorded = is_recorded
        """Whether its calls are put on record as calls of tools."""
        self.is_concurrent = is_concurrent
        """Whether several calls of it may be under way in threads side by side."""
        self._can_serve = can_serve
        self.documentation = _documentation(name, function)
        self.parameters = tuple(_parameters(name, function, scheme_only="model" not in callers))
        self.function = function

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"

    def is_offered(self, session: Session) -> bool:
        """Whether models are offered it in a session."""
        return "model" in self.callers and (self._can_serve is None or self._can_serve(session))

    @property
    def summary(self) -> str:
        """The first sentence of its documentation, in one line."""
        return " ".join(self.documentation.split("\n\n", 1)[0].split())

    @property
    def usage(self) -> str:
        """How it is called in Scheme."""
        words = [self.name, *(p.name if p.is_required else f"[{p.name}]" for p in self.parameters)]
        return f"({' '.join(words)})"

    def bind_scheme(self, arguments: Sequence[Value]) -> Bound:
        """Check the arguments of a call in Scheme, which are positional.

        The default object, or ``#f`` for a parameter that is no flag, stands for an optional argument left out.

        Raises: ArgumentError.
        """
        if len(arguments) > len(self.parameters):
            wanted = f"at most {counted(len(self.parameters), 'argument')}" if self.parameters else "no arguments"
            message = f"takes {wanted}, got {len(arguments)}: {self.usage}"
            raise ArgumentError(message, kind="arity")
        bound = Bound({}, {}, {})
        for position, parameter in enumerate(self.parameters):
            argument = arguments[position] if position < len(arguments) else DEFAULT
            if argument is DEFAULT or (
                argument is FALSE and not parameter.is_required and not isinstance(parameter.kind, Flag)
            ):
                _require(parameter)
                continue
            plain = parameter.kind.plain(argument)
            _bind(bound, parameter, plain, _written)
            bound.recorded[parameter.name] = _recordable(plain)
            labels = labels_of(argument)
            if labels:
                bound.labels[parameter.name] = labels
        return bound

    def bind_json(self, arguments: JSON, labels: frozenset[str] = frozenset()) -> Bound:
        """Check a model's arguments, which are named; see :func:`bind_json`.

        Raises: ArgumentError.
        """
        return bind_json(self.parameters, arguments, labels)


def bind_json(parameters: Sequence[Parameter], arguments: JSON, labels: frozenset[str] = frozenset()) -> Bound:
    """Check arguments that are named. ``null`` stands for one left out.

    labels: what all of them carry.

    Raises: ArgumentError.
    """
    if not isinstance(arguments, dict):
        raise ArgumentError(f"the arguments must be a JSON object, got {_json(arguments)}", arguments)
    names = [parameter.name for parameter in parameters]
    for name in arguments:
        if name not in names:
            raise ArgumentError(f"there is no parameter {name!r}{_hint(name, names)}", name)
    bound = Bound({}, arguments, {})
    for parameter in parameters:
        value = arguments.get(parameter.name)
        if value is None:
            _require(parameter)
            continue
        _bind(bound, parameter, value, _json)
        bound.labels[parameter.name] = labels
    return bound


def _require(parameter: Parameter) -> None:
    if parameter.is_required:
        message = f"{parameter.name} is missing: {parameter.kind.wanted}, {parameter.description}"
        raise ArgumentError(message, kind="arity")


def _bind(bound: Bound, parameter: Parameter, value: Any, show: Callable[[Any], str]) -> None:
    try:
        bound.values[parameter.name] = parameter.kind.check(value)
    except Unfit as unfit:
        message = f"{parameter.name}{unfit.where} must be {unfit.wanted}, got {show(unfit.given)}{unfit.hint}"
        raise ArgumentError(message, unfit.given) from None


def _hint(name: str, names: Sequence[str]) -> str:
    return hint(name, names, show=repr) if names else "; it takes none"


def primitive(
    name: str,
    *,
    effect: Effect,
    provenance: str | Iterable[str] = (),
    callers: tuple[Caller, ...] = EVERYBODY,
    is_recorded: bool = True,
    is_concurrent: bool = False,
    can_serve: Callable[[Session], bool] | None = None,
) -> Callable[[Callable[..., Any]], Primitive]:
    """Return a decorator that declares a primitive.

    name: its Scheme name. effect: what it does at most. provenance: the labels of texts in its value, such as
    ``external:file``. callers: who may call it. is_recorded: false for one that itself puts all that it does on record,
    as what sends a request to a model does, and has the guard decide about each effect. is_concurrent: whether several
    calls of it may be under way side by side, each in a thread: it only reads, and keeps nothing between calls.
    can_serve: whether it can do anything in a session; where not, no model is offered it.

    The function's first parameter is the context, called ``reach`` where the primitive has a parameter ``context``
    itself. Each other one has a type, a description and perhaps a default, and
    the docstring says what the primitive does, to a person and to a model.
    """
    labels = frozenset((provenance,) if isinstance(provenance, str) else provenance)

    def declare(function: Callable[..., Any]) -> Primitive:
        return Primitive(name, function, effect, labels, callers, is_recorded, is_concurrent, can_serve)

    return declare


def named(primitives: Iterable[Primitive]) -> dict[str, Primitive]:
    """Return primitives by name.

    Raises: ValueError when two have the same.
    """
    found: dict[str, Primitive] = {}
    for each in primitives:
        if each.name in found:
            raise ValueError(f"{each.name} is declared twice")
        found[each.name] = each
    return found


def _documentation(name: str, function: Callable[..., Any]) -> str:
    from textwrap import dedent

    first, _, rest = (function.__doc__ or "").strip().partition("\n")
    if not first:
        raise TypeError(f"{name}: the docstring is missing: say what the primitive does")
    return f"{first}\n{dedent(rest)}".strip()


def _parameters(name: str, function: Callable[..., Any], scheme_only: bool) -> Iterable[Parameter]:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    if code.co_flags & 0x0C or code.co_kwonlyargcount or not names or names[0] not in ("context", "reach"):
        raise TypeError(f"{name}: the parameters must be context and named ones")
    defaults = dict(zip(reversed(names), reversed(function.__defaults__ or ())))
    hints = get_type_hints(_Annotations(function, names[1:]), function.__globals__, include_extras=True)
    for each in names[1:]:
        if each not in hints or "_" in each:
            raise TypeError(f"{name}: {each} must be one word and have a type")
        kind, description = _kind_of(hints[each])
        if kind is None:
            raise TypeError(f"{name}: the type of {each} has no kind; nodwyn.prims.parameters has the kinds")
        if not description:
            raise TypeError(f"{name}: {each} has no description")
        if not scheme_only:
            kind.schema()
        yield Parameter(each, kind, description, defaults.get(each, REQUIRED))


class _Annotations:
    """The annotations of a function but for the context's, whose type may be known to the type checker alone."""

    def __init__(self, function: Callable[..., Any], names: Iterable[str]) -> None:
        self.__annotations__ = {
            name: function.__annotations__[name] for name in names if name in function.__annotations__
        }


def _kind_of(hint: Any) -> tuple[Kind | None, str]:
    """Return the kind and the description that a type says."""
    marks: Mapping[type, Any] = {}
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        marks = {Kind if isinstance(extra, Kind) else type(extra): extra for extra in extras}
    if get_origin(hint) in (Union, UnionType):
        kinds = [_kind_of(option) for option in get_args(hint) if option is not NoneType]
        inner, described = kinds[0] if len(kinds) == 1 else (None, "")
    elif get_origin(hint) is Literal:
        inner, described = Choice(*get_args(hint)), ""
    else:
        inner, described = PLAIN_KINDS.get(hint), ""
    return marks.get(Kind, inner), marks.get(str, described)


def _written(value: Any) -> str:
    from nodwyn.interp.printer import abbreviated

    return abbreviated(_scheme_again(value), MOST_SHOWN)


def _scheme_again(value: Any) -> Any:
    """Return a plain value as Scheme would write it."""
    from nodwyn.interp.data import String, boolean, cons, intern, list_from

    if isinstance(value, str):
        return String(value)
    if isinstance(value, bool):
        return boolean(value)
    if isinstance(value, list):
        return list_from([_scheme_again(item) for item in value])
    if isinstance(value, dict):
        return list_from([cons(intern(str(name)), _scheme_again(item)) for name, item in value.items()])
    return value


def _json(value: JSON) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def _recordable(value: Any) -> JSON:
    """Return a plain value as JSON; what only Scheme has as it is written."""
    if isinstance(value, list):
        return [_recordable(item) for item in value]
    if isinstance(value, dict):
        return {str(name): _recordable(item) for name, item in value.items()}
    if value is None or isinstance(value, (str, int, float)):
        return value
    return _written(value)
