"""Holding open what commands may read of homes: checked before each command, and shown as what was checked.

A directory is opened by its path, component by component and never through a link, and what is shown is what was
opened, whatever is put in its place afterwards. What the denylist has in it stays hidden.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.confinement import Held, PathCheck, covered
from nodwyn.prims.guard.denylist import Identities
from nodwyn.prims.guard.programs import filled_by_hand, settings_in_caches, tool_caches
from nodwyn.prims.guard.survey import Surveyor

POINT = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK) | os.O_NOFOLLOW | os.O_CLOEXEC

CREDENTIAL_FILES = frozenset(
    """.condarc condarc .npmrc npmrc .yarnrc.yml pip.conf pip.ini .gemrc gemrc .credentials credentials
    credentials.db credentials.ini credentials.toml credentials.txt credentials.yaml credentials.yml auth.json
    auth.toml auth.ini hosts.yml""".split()
)
"""Files of a readable directory that tools keep credentials in, besides those of the denylist."""

Settings = Callable[[], Sequence[str]]
"""Returns the directories that the person lets commands read, as absolute paths; it may raise."""


class LinkOnPath(OSError):
    """A path has a link on it."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(errno.ELOOP, os.strerror(errno.ELOOP), path)
        self.path = path
        """Of the link."""
        self.text = text
        """What the link says; nothing of it was looked at."""


class Shown(NamedTuple):
    """What one command may read of homes."""

    held: tuple[Held, ...] = ()
    hidden: tuple[str, ...] = ()
    """What in it the command may not reach."""


class Readable:
    """What the commands of a session may read of homes: what tools keep there, and what the person names."""

    def __init__(
        self,
        root: str,
        *,
        is_denied: PathCheck,
        identities: Callable[[], Identities] = Identities,
        settings: Settings = tuple,
    ) -> None:
        """Prepare for a session.

        root: absolute and real; other rules hold in it. is_denied: why a path in such a directory may not be read.
        identities: returns what files are that are protected under whatever name.
        """
        self._identities = identities
        self._root = root
        self._is_denied = is_denied
        self._settings = settings
        self._surveyors: dict[str, Surveyor] = {}
        self.paths: tuple[str, ...] = ()
        """What the latest command was shown."""

    def denied(self, path: str) -> str | None:
        """Return why a path in a directory that commands may read is hidden from them all the same, or None."""
        name = os.path.basename(path)
        if name.lower() in CREDENTIAL_FILES and not os.path.isdir(path):
            return f"tools keep credentials in {name}"
        return self._is_denied(path)

    @contextmanager
    def shown(self) -> Iterator[Shown]:
        """Hold open meanwhile what is to be shown, as it is now.

        Raises: what ``settings`` does. OSError when what the person names was replaced this moment.
        """
        named = [path for path in self._settings() if not is_within(path, self._root)]
        caches = [path for path in tool_caches() if not covered(path, (self._root, *named))]
        with ExitStack() as stack:
            held = []
            for path in (*named, *caches):
                try:
                    held.append(Held(path, hold(path)))
                except OSError:
                    if path in named:
                        raise
                else:
                    stack.callback(os.close, held[-1].descriptor)
            self.paths = tuple(each.path for each in held)
            hidden = [found for path in (*named, *filled_by_hand(caches)) for found in self._hidden_in(path)]
            yield Shown(tuple(held), (*hidden, *settings_in_caches()))

    def _hidden_in(self, path: str) -> Iterator[str]:
        surveyor = self._surveyors.get(path)
        if surveyor is None:
            surveyor = self._surveyors[path] = Surveyor(
                path,
                self.denied,
                lambda path: None,
                identities=self._identities,
                apart=self._root,
                skips_repositories=False,
            )
        # What links lead to elsewhere is hidden by its own place, or no business of this one.
        return (found for found in surveyor.look().hidden if is_within(found, path))


def hold(path: str) -> int:
    """Return a descriptor of the directory or file at an absolute path, with no link on it.

    Raises: LinkOnPath, OSError.
    """
    descriptor, beginning = os.open("/", POINT), ""
    try:
        for name in filter(None, path.split("/")):
            beginning += f"/{name}"
            if (text := link_text(descriptor, name)) is not None:
                raise LinkOnPath(beginning, text)
            inner = os.open(name, POINT, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        kind = os.fstat(descriptor).st_mode
        if not (stat.S_ISDIR(kind) or stat.S_ISREG(kind)):
            raise OSError(errno.ELOOP if stat.S_ISLNK(kind) else errno.ENOTDIR, "it is no directory and no file", path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def link_text(directory: int, name: str) -> str | None:
    """Return what a link in an open directory says, or None when it is none."""
    try:
        return os.readlink(name, dir_fd=directory)
    except OSError:
        return None
