"""A declaration that lacks something fails; from one that does not, checks and messages follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest

from nodwyn.interp.data import FALSE, NIL, TRUE, String, Vector, cons, intern, list_from, origin_of
from nodwyn.prims.context import Context
from nodwyn.prims.declare import ArgumentError, Primitive, named, primitive
from nodwyn.prims.effects import PERSON, Effect
from nodwyn.prims.parameters import Anything, Line, Path, Texts
from nodwyn.prims.surrogates import escape

FILE = origin_of(frozenset({"external:file"}))


@primitive("sample", effect=Effect.READ)
def sample(
    context: Context,
    path: Annotated[Path, "the file"],
    start: Annotated[Line, "first line, from 1"] = 1,
    whole: Annotated[bool, "all of it"] = False,
    order: Annotated[Literal["up", "down"], "which way"] = "up",
    names: Annotated[Texts, "only these"] = (),
) -> None:
    """Do nothing.

    At length.
    """


def test_a_declaration_says_everything_about_the_primitive() -> None:
    assert sample.usage == "(sample path [start] [whole] [order] [names])"
    assert sample.summary == "Do nothing."
    assert sample.documentation == "Do nothing.\n\nAt length."
    assert [parameter.is_required for parameter in sample.parameters] == [True, False, False, False, False]


def undocumented(context: Context, path: Annotated[Path, "the file"]) -> None: ...


def undescribed(context: Context, path: Path) -> None:
    """Do."""


def untyped(context: Context, path) -> None:  # type: ignore[no-untyped-def]
    """Do."""


def unkind(context: Context, path: Annotated[complex, "a number"]) -> None:
    """Do."""


def two_words(context: Context, the_path: Annotated[Path, "the file"]) -> None:
    """Do."""


def without_context(path: Annotated[Path, "the file"]) -> None:
    """Do."""


def with_rest(context: Context, *paths: Annotated[Path, "files"]) -> None:
    """Do."""


def for_scheme_alone(context: Context, value: Annotated[Anything, "a value"]) -> None:
    """Do."""


@pytest.mark.parametrize(
    ("function", "lacking"),
    [
        (undocumented, "the docstring is missing"),
        (undescribed, "path has no description"),
        (untyped, "path must be one word and have a type"),
        (unkind, "the type of path has no kind"),
        (two_words, "the_path must be one word"),
        (without_context, "must be context and named ones"),
        (with_rest, "must be context and named ones"),
        (for_scheme_alone, "a model has no value that is any value"),
    ],
)
def test_what_a_declaration_lacks_is_said_when_it_is_made(function: Callable[..., Any], lacking: str) -> None:
    with pytest.raises(TypeError, match=lacking):
        primitive("lacking", effect=Effect.NONE)(function)


def test_what_only_scheme_has_may_be_declared_for_scheme_alone() -> None:
    assert primitive("odd", effect=Effect.NONE, callers=PERSON)(for_scheme_alone).name == "odd"


def test_two_primitives_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="sample is declared twice"):
        named([sample, sample])


def bind(primitive: Primitive, *arguments: Any) -> dict[str, Any]:
    return primitive.bind_scheme(arguments).values


def test_scheme_arguments_are_positional_and_optional_ones_can_be_left_out() -> None:
    assert bind(sample, String("a")) == {"path": "a"}
    assert bind(sample, String("a"), 3) == {"path": "a", "start": 3}
    assert bind(sample, String("a"), FALSE, TRUE) == {"path": "a", "whole": True}
    assert bind(sample, String("a"), FALSE, FALSE) == {"path": "a", "whole": False}
    assert bind(sample, String("a"), 1, TRUE, intern("down"), list_from([String("x")])) == {
        "path": "a",
        "start": 1,
        "whole": True,
        "order": "down",
        "names": ("x",),
    }
    assert bind(sample, String("a"), 1, TRUE, String("down"), Vector([String("x")]))["names"] == ("x",)


def test_labels_of_the_arguments_are_kept_those_inside_lists_too() -> None:
    bound = sample.bind_scheme((String("a"), 1, FALSE, FALSE, list_from([String("x", FILE)])))
    assert bound.labels == {"names": frozenset({"external:file"})}


def circular() -> Any:
    pair = cons(String("x"), NIL)
    pair.cdr = pair
    return pair


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "path is missing: a path, the file"),
        ((String("a"), 1, TRUE, FALSE, FALSE, 6), "takes at most 5 arguments, got 6: (sample path"),
        ((intern("a"),), "path must be a path, got a"),
        ((String(""),), 'path must be a path, got ""'),
        ((String("a\0b"),), "path must be a path, which has no NUL character"),
        ((String("a" * 5000),), "path must be a path of at most 4096 bytes"),
        ((String("a"), -3), "start must be a line number from 1, got -3"),
        ((String("a"), 1.5), "start must be a line number from 1, got 1.5"),
        ((String("a"), TRUE), "start must be a line number from 1, got #t"),
        ((String("a"), String("1")), 'start must be a line number from 1, got "1"'),
        ((String("a"), 1, 0), "whole must be true or false (#t or #f), got 0"),
        ((String("a"), 1, TRUE, intern("left")), 'order must be one of up, down, got "left"'),
        ((String("a"), 1, TRUE, FALSE, String("x")), 'names must be a list of strings, got "x"'),
        ((String("a"), 1, TRUE, FALSE, list_from([1])), "names 1 must be a string, got 1"),
        ((String("a"), 1, TRUE, FALSE, cons(String("x"), 1)), 'names must be a list of strings, got ("x" . 1)'),
        ((String("a"), 1, TRUE, FALSE, circular()), "names must be a list of strings, got"),
    ],
)
def test_a_wrong_scheme_argument_is_answered_with_parameter_wanted_and_given(
    arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ArgumentError) as raised:
        sample.bind_scheme(arguments)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "path is missing: a path, the file"),
        ([], "the arguments must be a JSON object, got []"),
        (None, "the arguments must be a JSON object, got null"),
        ({"path": "a", "strat": 1}, "there is no parameter 'strat'; did you mean 'start'?"),
        ({"path": "a", "zzz": 1}, "there is no parameter 'zzz'; there are path, start, whole, order, names"),
        ({"path": None}, "path is missing"),
        ({"path": 1}, "path must be a path, got 1"),
        ({"path": "a", "start": "1"}, 'start must be a line number from 1, got "1"'),
        ({"path": "a", "start": True}, "start must be a line number from 1, got true"),
        ({"path": "a", "start": 1.5}, "start must be a line number from 1, got 1.5"),
        ({"path": "a", "whole": "yes"}, 'whole must be true or false (#t or #f), got "yes"'),
        ({"path": "a", "order": "donw"}, 'order must be one of up, down, got "donw"; did you mean down?'),
        ({"path": "a", "names": {"a": 1}}, 'names must be a list of strings, got {"a": 1}'),
        ({"path": "a", "names": ["x", None]}, "names 2 must be a string, got null"),
    ],
)
def test_a_wrong_json_argument_is_answered_in_the_same_way(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        sample.bind_json(arguments)
    assert str(raised.value).startswith(message)


def test_json_leaves_out_what_is_null_and_writes_whole_numbers_as_it_likes() -> None:
    assert sample.bind_json({"path": "a", "start": 3.0, "names": None}).values == {"path": "a", "start": 3}


def test_lone_surrogates_in_json_become_their_escape_and_names_of_files_again() -> None:
    bound = sample.bind_json({"path": "caf\udce9", "names": ["caf\udce9"]})
    assert bound.values == {"path": "caf\udce9", "names": ("caf\ufdd0dce9",)}
    assert sample.bind_json({"path": "caf\ufdd0dce9"}).values == {"path": "caf\udce9"}


@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC79, 0xDFFF])
def test_half_of_a_character_is_in_no_name_of_a_file(code: int) -> None:
    for half in (chr(code), escape(chr(code))):
        with pytest.raises(ArgumentError, match="path must be a path, which has no half of a character"):
            sample.bind_json({"path": f"a{half}"})
