"""Bringing the index of a session's tree up to date: what changed is read, through the guard, and no one is asked.

A file counts as unchanged when its size, its times and its inode are those that it was last read with, unless it was
changed just before that: then another change may have left all of them as they were.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from nodwyn.prims import surrogates
from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.effects import Effect
from nodwyn.prims.fs.text import NotText, text_of
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.log.events import IndexUpdate
from nodwyn.prims.retrieval.contents import analyse
from nodwyn.prims.retrieval.redacted import redacted
from nodwyn.prims.retrieval.store import Batch, Known, State
from nodwyn.prims.retrieval.tree import LARGEST_FILE, NO_TIME, Listed, listing

if TYPE_CHECKING:
    from nodwyn.prims.retrieval.index import Index

SEARCH_SECONDS: Final = 10.0
UPDATE_SECONDS: Final = 60.0

TICK: Final = 20 * 10**6
"""Nanoseconds that lie between any two times which a file system with fine times tells apart."""

COARSE_TICK: Final = 2 * 10**9
"""The same where times are of whole seconds, or of every other one."""

LARGEST_BATCH: Final = 8 << 20
"""Characters of new contents that are written together."""


FEW: Final = 100
"""Changed files of each of which the store is asked whether it has its content; of more, for all contents at once."""


class Refreshed(NamedTuple):
    """What a refresh did."""

    files: int
    """How many files the index holds now."""
    read: int
    removed: int
    skipped: int
    refused: tuple[str, ...]
    """Files left out because the guard refuses them, or would have asked."""
    left: int
    """How many changed files there was no time for."""
    partial: str
    """Why the index does not cover all files; nothing when it does."""


class Refresh:
    """One refresh of a tree.

    seconds: how long it may take.
    """

    def __init__(self, context: Context, index: Index, seconds: float) -> None:
        # The reads have decisions of their own: the call's result does not rest on them.
        self._context = Context(context.session, context.call, Effect.READ)
        self._caller = context
        self._index = index
        self._started = time.monotonic()
        self._until = self._started + seconds
        self._batch = Batch()
        self._known: dict[str, Known] = {}
        self._read = 0
        self._left = 0
        self._removed = 0
        self._partial = ""
        self._is_large = False
        """Whether so much is read that it pays to know beforehand which contents are stored."""

    def run(self, *, always: bool) -> Refreshed:
        """Bring the tree up to date, and put it on record if a file was read or removed, or always.

        What was read is kept however it ends.

        Raises: PrimitiveError when it was cancelled, Refused when the turn's limits end it; Unwritable, Damaged.
        """
        self._index.reconsider(has_checkers=bool(self._context.session.guard.checkers))
        self._known = self._index.load().files
        try:
            with self._context.session.guard.without_asking():
                self._bring_up_to_date()
        finally:
            try:
                self._write()
            finally:
                done = self._done()
                self._record(done, always=always)
        return done

    def _bring_up_to_date(self) -> None:
        found = listing(self._context, self._index.added(), self._is_over, self._index.listed)
        self._caller.decisions += self._context.decisions[:1]
        self._partial = found.partial
        changed = [file for file in found.files if not self._is_known(file)]
        present = {file.path for file in found.files}
        self._is_large = len(changed) > FEW
        self._index.note(found.files)
        if not found.partial.startswith(NO_TIME):
            self._drop(path for path in self._known if path not in present)
        for number, file in enumerate(changed):
            if self._is_over():
                self._left = len(changed) - number
                break
            self._take(file)

    @cached_property
    def _stored(self) -> set[bytes]:
        """The hashes of contents that need not be analysed."""
        return self._index.store.hashes() if self._is_large else set()

    def _is_stored(self, hash: bytes) -> bool:
        return hash in self._stored or (not self._is_large and self._index.store.has(hash))

    def _is_over(self) -> bool:
        if self._caller.is_cancelled():
            raise PrimitiveError("it was cancelled; the index keeps what was read, and the next call goes on")
        return time.monotonic() >= self._until

    def _is_known(self, file: Listed) -> bool:
        """Whether a file is as it was when it was read, or refused in this session."""
        if self._index.is_refused(file.path, file.state):
            return file.path not in self._known
        known = self._known.get(file.path)
        return known is not None and known.state == file.state and not is_fresh(file.state, known.checked)

    def _take(self, file: Listed) -> None:
        checked = time.time_ns()
        if file.state.size > LARGEST_FILE:
            self._batch.files[file.path] = (file.state, checked, None)
            return
        try:
            data = self._context.files.search(surrogates.unescape(file.path), largest=LARGEST_FILE, asking=True)
        except Refused as refusal:
            self._refuse(file, refusal)
            return
        if data is None:
            self._drop([file.path] if file.path in self._known else [])  # it went meanwhile, or cannot be opened
            return
        self._read += 1
        self._index.clear(file.path, file.state)
        try:
            text = redacted(self._context.session.redactor, text_of(data))
        except NotText:
            self._batch.files[file.path] = (file.state, checked, None)
            return
        hash = sha256(text.encode("utf-8", "surrogatepass")).digest()
        if not self._is_stored(hash):
            self._batch.add(hash, analyse(text), len(text))
            self._stored.add(hash)
        self._batch.files[file.path] = (file.state, checked, hash)
        if self._batch.size > LARGEST_BATCH:
            self._write()

    def _refuse(self, file: Listed, refusal: Refused) -> None:
        if refusal.layer == "budget":
            raise refusal
        self._index.refuse(file.path, file.state)
        self._drop([file.path] if file.path in self._known else [])

    def _drop(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._batch.removed.append(path)
            self._removed += 1

    def _write(self) -> None:
        """Write what was gathered."""
        batch, self._batch = self._batch, Batch()
        if batch.files or batch.removed:
            self._index.write(batch)

    def _record(self, done: Refreshed, *, always: bool) -> None:
        if always or done.read or done.removed:
            self._context.session.log.append(
                IndexUpdate(
                    files=done.files,
                    read=done.read,
                    removed=done.removed,
                    skipped=done.skipped,
                    refused=list(done.refused),
                    left=done.left,
                    milliseconds=round((time.monotonic() - self._started) * 1000),
                    agent=self._context.call.agent,
                )
            )

    def _done(self) -> Refreshed:
        files = self._index.load().files
        held = sum(known.content is not None for known in files.values())
        return Refreshed(
            held, self._read, self._removed, len(files) - held, self._index.refused(), self._left, self._partial
        )


def is_fresh(state: State, checked: int) -> bool:
    """Whether a file was changed so shortly before it was looked at that another change may not show."""
    tick = TICK if state.changed % 10**6 else COARSE_TICK
    return state.changed >= checked - tick
