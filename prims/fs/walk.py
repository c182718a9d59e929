"""The files below a directory that a search considers: not hidden, no links, nothing protected; no file is read."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.fs.globs import matcher

if TYPE_CHECKING:
    from nodwyn.prims.context import Context

MOST_FILES: Final = 3000
"""How many files one search considers."""

MOST_SECONDS: Final = 30
"""How long one search takes at most, without the time that the person takes for answers."""


class Candidates(NamedTuple):
    """What there is to search."""

    names: list[str]
    """The files, relative to the root and as the system has them, sorted by path."""
    left_out: list[str]
    """The entries that the glob matches and that are protected, or neither files nor directories."""
    is_file: bool
    """Whether a file was named, and no directory."""


class Patience:
    """How long a search may go on: until it is cancelled, or its time is over."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._end = self._now() + MOST_SECONDS

    def _now(self) -> float:
        return time.monotonic() - self._context.session.guard.seconds_asked

    def check(self) -> None:
        """Return when the search may go on.

        Raises: PrimitiveError.
        """
        if self._context.is_cancelled():
            raise PrimitiveError("it was cancelled")
        if self._now() > self._end:
            raise PrimitiveError(
                f"it took more than {MOST_SECONDS} seconds; name a directory further down, or a narrower glob or"
                f" pattern"
            )


def candidates(
    context: Context,
    path: str,
    glob: str | None,
    patience: Patience,
    *,
    most: int = MOST_FILES,
    too_deep: Callable[[str], None] | None = None,
) -> Candidates:
    """Return the files at or below ``path`` that match a glob; all of them when it is None.

    patience: how long it may take. most: how many there may be. too_deep: as for Files.walk.

    Raises: PrimitiveError when there are more than that, or it takes too long; FileError, Refused.
    """
    wanted, is_file = _wanted(".", glob), False
    every = glob is None
    found: list[str] = []
    left_out: list[str] = []

    def begun(base: str, names_file: bool) -> None:
        nonlocal wanted, is_file
        wanted, is_file = _wanted(surrogates.escape(base), glob), names_file

    def leave_out(name: str) -> None:
        if wanted(surrogates.escape(name)):
            left_out.append(name)

    walk = context.files.walk(path, going_on=patience.check, left_out=leave_out, too_deep=too_deep, begun=begun)
    for name in walk:
        patience.check()
        if every or wanted(surrogates.escape(name)):
            found.append(name)
            if len(found) > most:
                raise PrimitiveError(
                    f"more than {most} files match below {surrogates.escape(path)}; name a directory further"
                    f" down, or a narrower glob"
                )
    return Candidates(sorted(found, key=lambda name: name.split("/")), left_out, is_file)


def _wanted(base: str, glob: str | None) -> Callable[[str], bool]:
    """Return what tells whether a path, relative to the root, matches a glob from ``base`` on, or from the root.

    base: the directory searched, or one file; relative to the root.
    """
    if glob is None:
        return lambda name: True
    match = matcher(glob)
    if base == ".":
        return match

    def below(name: str) -> str:
        return name.removeprefix(f"{base}/") if name != base else name.rpartition("/")[2]

    if "/" not in glob.rstrip("/"):
        return lambda name: match(below(name))
    # What a negative glob keeps, its rest matches from neither.
    decide = all if glob.startswith("!") else any
    return lambda name: decide((match(name), match(below(name))))
