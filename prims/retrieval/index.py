"""The index of the repository as one session has it: what is loaded, and what the guard said in this session."""

from __future__ import annotations

import os
import threading
import weakref
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from nodwyn.prims import surrogates
from nodwyn.prims.directories import project_directory
from nodwyn.prims.environment import is_within
from nodwyn.prims.private import NotPrivate
from nodwyn.prims.retrieval import history
from nodwyn.prims.retrieval.added import Added
from nodwyn.prims.retrieval.past import Commit, Messages
from nodwyn.prims.retrieval.store import Batch, Loaded, State, Store
from nodwyn.prims.retrieval.tree import Listed, top_of
from nodwyn.prims.retrieval.trees import Arranged

if TYPE_CHECKING:
    from nodwyn.prims.context import Context
    from nodwyn.prims.retrieval.contents import Layout
    from nodwyn.prims.session import Session

_indexes: weakref.WeakKeyDictionary[Session, Index] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def index_of(session: Session) -> Index:
    """Return the index of a session's repository. Nothing is made on the disk before it is used.

    Raises: NotPrivate, OSError when the project has no directory for it.
    """
    with _lock:
        found = _indexes.get(session)
        if found is None:
            found = _indexes[session] = Index(session)
        return found


def index_directory(root: Path) -> Path:
    """Return where the indexes of a project are.

    Raises: NotPrivate, OSError.
    """
    return project_directory(root) / "index"


def has_place(session: Session) -> bool:
    """Whether there can be an index of a session's repository: its directory can be written, or made."""
    try:
        directory = index_directory(Path(session.root))
    except (OSError, NotPrivate):
        return False
    place = directory if os.path.lexists(directory) else directory.parent
    return place.is_dir() and not place.is_symlink() and os.access(place, os.W_OK | os.X_OK)


class Index:
    """The index of a session's repository. One thread uses it at a time: whoever does holds ``lock``."""

    def __init__(self, session: Session) -> None:
        self.lock = threading.RLock()
        self.root = session.root
        self.store = Store(index_directory(Path(session.root)))
        self._is_denied = session.places.denied
        self._added = Added(self.store.database.directory.parent)
        self._loaded: Loaded | None = None
        self.listed: dict[str, Listed] = {}
        """Files as they were listed last, by name."""
        self._cleared: dict[str, State] = {}
        """Files that neither pin nor denylist refuse, as they were when that was found."""
        self._barred: dict[str, State] = {}
        self._refused: dict[str, State] = {}
        self._had_checkers = False
        self._arranged: tuple[Loaded, frozenset[str], Arranged] | None = None
        self._commits: tuple[str, list[Commit]] = ("", [])
        self._messages: tuple[list[Commit], list[str], Messages] | None = None

    @property
    def _name(self) -> str:
        """The root as the store has it."""
        return surrogates.escape(self.root)

    def load(self) -> Loaded:
        """Return the tree as the index has it now, whoever changed it.

        Raises: Unwritable, Damaged.
        """
        self._loaded = self.store.load(self._name, self._loaded)
        return self._loaded

    def write(self, batch: Batch) -> None:
        """Write changes of the tree.

        Raises: Unwritable, Damaged.
        """
        self._loaded = self.store.write(self._name, batch, self._loaded)

    def discard(self) -> None:
        """Give up what is damaged; the next use makes the index anew."""
        self.store.database.discard()
        self._loaded = self._arranged = self._messages = None
        self._commits = ("", [])

    def added(self) -> list[str]:
        """Return the paths that were added, relative to the root."""
        return self._added.below(self.root)

    def add(self, path: str) -> None:
        """Cover a path, relative to the root, from now on.

        Raises: OSError.
        """
        self._added.add(self.root, path)

    def note(self, files: Iterable[Listed]) -> None:
        """Check against pin and denylist the files that were not yet, as they are now, in this session."""
        folders: dict[str, str] = {}
        for file in files:
            if self._cleared.get(file.path) == file.state or self._barred.get(file.path) == file.state:
                continue
            folder, _, name = surrogates.unescape(file.path).rpartition("/")
            real = folders.get(folder)
            if real is None:
                real = folders[folder] = os.path.realpath(os.path.join(self.root, folder))
            is_barred = not is_within(real, self.root) or self._is_denied(f"{real}/{name}")
            (self._barred if is_barred else self._cleared)[file.path] = file.state
            (self._cleared if is_barred else self._barred).pop(file.path, None)

    def clear(self, path: str, state: State) -> None:
        """Note that the guard let a file be read, as it is now."""
        self._cleared[path] = state
        self._barred.pop(path, None)

    def refuse(self, path: str, state: State | None) -> None:
        """Leave a file out in this session: the guard refuses it, or would have to ask."""
        self._refused[path] = state or self._cleared.get(path) or State(0, 0, 0, 0)

    def reconsider(self, *, has_checkers: bool) -> None:
        """Have refused files tried again once the checkers are gone that there were."""
        if self._had_checkers and not has_checkers:
            self._refused.clear()
        self._had_checkers = has_checkers

    def is_refused(self, path: str, state: State) -> bool:
        """Whether the guard refused a file in this session, as it is now."""
        known = self._refused.get(path)
        if known is None:
            return False
        if known != state:
            del self._refused[path]
        return known == state

    def refused(self) -> tuple[str, ...]:
        """Return the files that the guard refused in this session."""
        return tuple(sorted(self._refused))

    def arranged(self) -> Arranged:
        """Return the files that may be shown, arranged for ranking.

        Raises: Unwritable, Damaged.
        """
        loaded = self.load()
        hidden = frozenset(self._barred.keys() | self._refused.keys())
        earlier = self._arranged
        if earlier is None or earlier[1] != hidden:
            arranged = _arranged(loaded, hidden, earlier and earlier[2])
        elif earlier[0] is loaded:
            return earlier[2]
        else:
            changed = _changed(earlier[0], loaded, earlier[2], hidden)
            if changed is None:
                arranged = _arranged(loaded, hidden, earlier[2])
            else:
                arranged = earlier[2].replaced(changed, loaded.sizes) if changed else earlier[2]
        self._arranged = loaded, hidden, arranged
        return arranged

    def messages(self, context: Context, arranged: Arranged) -> Messages | None:
        """Return the history of the files, or None when there is none.

        Raises: Refused, Unwritable, Damaged.
        """
        self._commits = history.commits(context, self.store, self._name, self.root, self._commits)
        commits = self._commits[1]
        if not commits:
            return None
        if self._messages is None or self._messages[0] is not commits or self._messages[1] is not arranged.paths:
            base = os.path.relpath(self.root, top_of(self.root) or self.root)
            prefix = "" if base == "." else surrogates.escape(f"{base}/")
            files = {prefix + path: number for number, path in enumerate(arranged.paths)}
            self._messages = commits, arranged.paths, Messages(commits, files)
        return self._messages[2]


def _arranged(loaded: Loaded, hidden: frozenset[str], earlier: Arranged | None) -> Arranged:
    """Return the files of a tree that are not hidden, arranged. earlier: what is like it."""
    files = [
        (path, loaded.layouts[known.content])
        for path, known in sorted(loaded.files.items())
        if known.content is not None and path not in hidden
    ]
    return Arranged(files, loaded.sizes) if earlier is None else earlier.with_contents(files, loaded.sizes)


def _changed(before: Loaded, now: Loaded, arranged: Arranged, hidden: frozenset[str]) -> dict[int, Layout] | None:
    """Return which files have another content, by number; None when there may be other files than before.

    arranged: the files as they were before.
    """
    if now.files.keys() != before.files.keys():
        return None
    known = before.files
    changed: dict[int, Layout] = {}
    for path, file in now.files.items():
        if file is known[path] or path in hidden:
            continue
        if file.content is None or known[path].content is None:
            if file.content is known[path].content:
                continue
            return None
        number = bisect_left(arranged.paths, path)
        if now.layouts[file.content] is not arranged.layouts[number]:
            changed[number] = now.layouts[file.content]
    return changed
