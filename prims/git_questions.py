"""Questions to git about a repository, asked without running anything of the repository's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nodwyn.prims.git_command import SECONDS, GitError
from nodwyn.prims.git_safety import SafeRepository
from nodwyn.prims.guard.confinement import PathCheck

LARGEST_LISTING = 1 << 28
"""Characters that a list of all files, or of many commits, may have."""

LARGEST_KEPT = 1 << 23
"""Characters of a list of files that is kept for the next time."""

_PLAIN_DIFF = (
    *("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "--submodule=short"),
    "--no-relative",  # names are judged, and left out, from the top of the repository on
)
_PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")


def _nothing_denied(path: str) -> str | None:
    return None


def status(root: str) -> str:
    """Return the branch and what differs from its last commit: ``git status --porcelain --branch``.

    Raises: GitError.
    """
    return SafeRepository(root).ask("status", "--porcelain=v1", "--branch", "--ignore-submodules=dirty")


def diff(
    root: str,
    *,
    revisions: Sequence[str] = (),
    paths: Sequence[str] = (),
    staged: bool = False,
    summary: bool = False,
    is_denied: PathCheck = _nothing_denied,
) -> str:
    """Return what differs in the work tree, what is staged, or what lies between revisions.

    revisions: none, one (``HEAD``, ``main..topic``) or two. paths: files and directories that it is narrowed to,
        relative to the root. staged: compare what is staged. summary: lines changed by file instead of the changes.
    is_denied: why a file may not be shown; it is then left out, and named at the end.

    Raises: GitError.
    """
    repository = SafeRepository(root)
    chosen = [*(["--cached"] if staged else []), "--end-of-options", *map(_revision, revisions), "--"]
    wanted = repository.pathspecs(paths, is_denied)
    names = repository.ask("diff", *_PLAIN_DIFF, "--no-renames", "--name-only", "-z", *chosen, *wanted)
    left_out = repository.denied(names, is_denied)
    form = ["--stat"] if summary else _PREFIXES
    text = repository.ask("diff", *_PLAIN_DIFF, *form, *chosen, *wanted, *map(_excluded, left_out))
    return text + _said_of(left_out)


def log(
    root: str, *, revision: str = "HEAD", paths: Sequence[str] = (), limit: int = 20, skip: int = 0, files: bool = False
) -> str:
    """Return commits from a revision on, newest first: hash, author, date, message.

    revision: also a range. paths: only commits that touched these, relative to the root. limit, skip: how many of them.
    files: the names of the files that each changed, too.

    Raises: GitError.
    """
    repository = SafeRepository(root)
    return repository.ask(
        "log",
        *_PLAIN_DIFF,
        "--no-show-signature",
        "--no-decorate",
        "--no-notes",
        "--date=iso-strict",
        "--format=commit %H%nauthor %an <%ae>%ndate   %ad%n%n%w(0,4,4)%B",
        f"--max-count={int(limit)}",
        f"--skip={int(skip)}",
        *(["--name-status"] if files else []),
        "--end-of-options",
        _revision(revision),
        "--",
        *repository.pathspecs(paths, _nothing_denied),
    )


def show(root: str, revision: str, *, is_denied: PathCheck = _nothing_denied) -> str:
    """Return a commit with its changes, or with ``REVISION:PATH`` a file or directory as it was.

    is_denied: why a file may not be shown; a commit's change of it is left out and named at the end.

    Raises: GitError; for a file that may not be shown, too.
    """
    repository = SafeRepository(root)
    tree, colon, path = _revision(revision).partition(":")
    if colon and not revision.startswith(":/"):
        return repository.ask("show", "--no-textconv", "--end-of-options", repository.file_at(tree, path, is_denied))
    try:
        commit = repository.ask("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").strip()
    except GitError as error:
        raise GitError(f"{revision} names no commit here ({error})") from None
    plain = (*_PLAIN_DIFF, "--no-show-signature", "--no-notes", "--diff-merges=first-parent")
    names = repository.ask("show", *plain, "--no-renames", "--name-only", "-z", "--format=", commit, "--")
    left_out = repository.denied(names, is_denied)
    form = (*_PREFIXES, "--date=iso-strict", "--format=medium")
    # Without any path git would show everything.
    chosen = [":/", *map(_excluded, left_out)] if left_out else []
    return repository.ask("show", *plain, *form, commit, "--", *chosen) + _said_of(left_out)


def listed(root: str, *, untracked: bool = True, seconds: float = SECONDS) -> Sequence[tuple[str, bool]]:
    """Return files of the root, sorted and relative to it, and whether git knows each: all that it knows or may add.

    A directory among them, which ends in a slash, is a repository of its own.

    untracked: whether those are wanted that git neither knows nor ignores. seconds: how long git may take, which
    patterns of files to ignore can make for ever.

    Raises: GitError.
    """
    others = ["--others", "--exclude-standard"] if untracked else []
    asked = ["ls-files", "-z", "-t", "--cached", *others]
    names = SafeRepository(root, reads_contents=False).ask(*asked, largest=LARGEST_LISTING, seconds=seconds)
    return _last_entries(names) if len(names) <= LARGEST_KEPT else _entries(names)


def _entries(names: str) -> Sequence[tuple[str, bool]]:
    return sorted({(name[2:], name[0] != "?") for name in names.split("\0") if name})


# The list is mostly the same as the time before.
_last_entries = lru_cache(maxsize=1)(_entries)


def latest_commits(root: str, number: int, *, seconds: float = SECONDS) -> list[str]:
    """Return the hashes of the latest commits that are no merges, newest first.

    seconds: how long git may take.

    Raises: GitError; in a repository without a commit, too.
    """
    asked = ("rev-list", "--no-merges", f"--max-count={int(number)}", "HEAD", "--")
    return SafeRepository(root, reads_contents=False).ask(*asked, seconds=seconds).split()


def messages(root: str, hashes: Sequence[str], *, seconds: float = SECONDS) -> list[tuple[str, str, list[str]]]:
    """Return the hash, the message and the files of these commits, the files relative to the top.

    seconds: how long git may take.

    Raises: GitError.
    """
    text = SafeRepository(root, reads_contents=False).ask(
        "log",
        *_PLAIN_DIFF,
        "--no-walk=unsorted",
        "--no-show-signature",
        "--no-decorate",
        "--no-notes",
        "--no-renames",
        "--encoding=UTF-8",
        "--name-only",
        "-z",
        "--format=%x00%H%x00%B%x00",
        "--stdin",
        given="".join(f"{_revision(hash)}\n" for hash in hashes),
        largest=LARGEST_LISTING,
        seconds=seconds,
    )
    found: list[tuple[str, str, list[str]]] = []
    # A record is an empty field, the hash, the message, and the names, of which none is empty.
    fields = text.split("\0")
    place = 0
    while place < len(fields):
        if fields[place]:
            found[-1][2].append(fields[place].removeprefix("\n"))
            place += 1
        elif place + 2 < len(fields) and _is_hash(fields[place + 1]):
            found.append((fields[place + 1], fields[place + 2], []))
            place += 3
        else:
            place += 1
    return found


def _is_hash(field: str) -> bool:
    return len(field) in (40, 64) and all(character in "0123456789abcdef" for character in field)


def _revision(revision: str) -> str:
    """Return a revision that git cannot take for an option.

    Raises: GitError.
    """
    if not revision or revision.startswith("-") or not revision.isprintable():
        raise GitError(
            f"{revision!r} is no revision: it is empty, begins with - or has a character that is not printed"
        )
    return revision


def _excluded(name: str) -> str:
    return f":(top,exclude,literal){name}"


def _said_of(left_out: list[str]) -> str:
    return f"\n[not shown: {', '.join(left_out)}]\n" if left_out else ""
