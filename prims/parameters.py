"""The types that parameters of primitives are declared with: ``start: Annotated[Line, "first line, from 1"] = 1``.

Each is a Python type with a kind that says in words what is wanted. ``str``, ``int`` and ``bool`` have one too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from nodwyn.interp.data import String, Value
from nodwyn.prims.kinds import (
    CommandText,
    Flag,
    GlobText,
    Kind,
    NameText,
    PathText,
    SchemeOnly,
    Several,
    Text,
    Whole,
    is_procedure,
)

PLAIN_KINDS: Final[Mapping[Any, Kind]] = {str: Text(), int: Whole(), bool: Flag()}
"""The kinds of types that name none."""

Path = Annotated[str, PathText()]
"""A file's or directory's name, relative to the root or absolute."""

Line = Annotated[int, Whole("a line number", 1)]
"""A line's number, from 1."""

Count = Annotated[int, Whole("a number", 1)]
"""How many, at least one."""

ShellLine = Annotated[str, CommandText()]
"""A line as a shell reads it."""

GlobPattern = Annotated[str, GlobText()]
"""A pattern of file names, as nodwyn.prims.fs.globs has it."""

Texts = Annotated[Sequence[str], Several(Text(), "a list of strings")]
"""Any number of texts."""

Paths = Annotated[Sequence[str], Several(PathText(), "a list of paths")]
"""Any number of paths."""

Revision = Annotated[str, Text("a revision", empty=False, longest=1000)]
"""What names a commit to git."""

Revisions = Annotated[
    Sequence[str], Several(Text("a revision", empty=False, longest=1000), "a list of revisions", most=2)
]
"""None, one or two of them."""

Procedure = Annotated[Value, SchemeOnly("a procedure", is_procedure)]
"""A Scheme procedure, or a Python function that is one."""

SchemeText = Annotated[Any, SchemeOnly("a string", lambda value: value.__class__ is String)]
"""A Scheme string with its labels."""

Anything = Annotated[Any, SchemeOnly("any value")]
"""Any Scheme value."""

Words = Annotated[str, NameText()]
"""Words: in Scheme a symbol or a string."""

Name = Annotated[str, NameText(empty=False)]
"""A name: in Scheme a symbol or a string, and not empty."""

EventNumber = Annotated[int, Whole("an event's number", 1)]
"""The seq of an event."""
