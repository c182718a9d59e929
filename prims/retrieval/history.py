"""The messages of the latest commits, read through git when the branch has moved, and kept as words."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from nodwyn.prims import surrogates
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.retrieval.past import MOST_COMMITS, MOST_FILES, Commit
from nodwyn.prims.retrieval.tree import GIT_SECONDS, top_of
from nodwyn.prims.retrieval.words import counts
from nodwyn.prims.small_files import read_small

if TYPE_CHECKING:
    from nodwyn.prims.context import Context
    from nodwyn.prims.retrieval.store import Store

LARGEST_FILE: Final = 4096
"""Bytes of the files in which git keeps where a branch stands."""

LONGEST_MESSAGE: Final = 16_384
"""Characters of a message that count."""

_TRAILERS = ("co-authored-by:", "signed-off-by:", "reviewed-by:", "acked-by:", "change-id:", "git-svn-id:", "cc:")


def commits(
    context: Context, store: Store, name: str, root: str, known: tuple[str, list[Commit]]
) -> tuple[str, list[Commit]]:
    """Return where the branch stands and its latest commits; ``known`` itself when nothing has moved.

    name: of the tree in the store. root: its directory. Paths of commits are relative to the top of the working tree.
    Without git, or a commit, there are none.

    Raises: Refused, Unwritable, Damaged.
    """
    signature = standing(root)
    if signature is None:
        return "", []
    if signature and signature == known[0]:
        return known
    stored, hashes = store.history(name)
    if not signature or stored != signature:
        try:
            hashes = context.repository.latest_commits(MOST_COMMITS, seconds=GIT_SECONDS)
            store.write_history(name, signature, hashes, _new(context, store, hashes))
        except PrimitiveError:
            hashes = []
    found = store.commits(hashes)
    return signature, [found[hash] for hash in hashes if hash in found]


def standing(root: str) -> str | None:
    """Return what changes when the branch moves; nothing when that cannot be told, None without a repository.

    It is read from the files that git keeps it in, for that takes no time; nothing of them is believed.
    """
    folder = top_of(root)
    if folder is None:
        return None
    git = os.path.join(folder, ".git")
    pointed = _small(git)
    if pointed.startswith("gitdir: "):
        git = os.path.join(folder, pointed.removeprefix("gitdir: ").rstrip("\n"))
    head = _small(os.path.join(git, "HEAD")).strip()
    common = os.path.join(git, _small(os.path.join(git, "commondir")).strip())
    branch = head.removeprefix("ref: ")
    if not head or branch.endswith("/.invalid"):
        return ""
    at = _small(os.path.join(common, branch)).strip() if branch != head else head
    if not at:
        at = _changed(os.path.join(common, "packed-refs"))
    return f"{head} {at} {_changed(os.path.join(common, 'shallow'))}" if at else ""


def _new(context: Context, store: Store, hashes: list[str]) -> dict[str, Commit]:
    """Return those commits that the index does not have yet."""
    known = store.commits(hashes)
    wanted = [hash for hash in hashes if hash not in known]
    if not wanted:
        return {}
    redact = context.session.redactor.redact
    return {
        hash: Commit(counts(without_trailers(redact(text))), list(_paths(paths)))
        for hash, text, paths in context.repository.messages(wanted, seconds=GIT_SECONDS)
    }


def without_trailers(text: str) -> str:
    """Return a message without the lines that say who had to do with it."""
    lines = text[:LONGEST_MESSAGE].split("\n")
    return "\n".join(line for line in lines if not line.lower().startswith(_TRAILERS))


def _paths(paths: list[str]) -> Iterable[str]:
    """Yield the paths of a commit; of one that touches too many, none."""
    return (surrogates.escape(path) for path in (paths if len(paths) <= MOST_FILES else ()))


def _small(path: str) -> str:
    """Return what a small regular file has, or nothing; nothing is waited for."""
    return (read_small(path, LARGEST_FILE) or b"").decode("utf-8", "surrogateescape")


def _changed(path: str) -> str:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{status.st_mtime_ns}.{status.st_size}"
