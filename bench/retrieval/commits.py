"""Commits of a repository as queries whose answers are known: the source files that each edited."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCES = frozenset(
    """c cc cpp cxx h hh hpp hxx cs go rs py pyi js jsx mjs cjs ts tsx mts vue svelte java kt kts scala rb php swift m
    mm scm sld ss rkt lisp el clj cljs ex exs erl hs ml mli lua pl pm sh bash zsh fish sql dart zig nim r jl
    proto""".split()
)
"""Endings of source files."""

MOST_FILES = 20
"""Source files that a commit may edit; of more, any ranking finds one."""

FEWEST_WORDS = 3

DAYS_LEFT_OUT = 14
"""How many days of history before a commit a ranking does not see: what led up to the commit says its words."""

_AUTOMATIC = re.compile(
    r"^(?:merge|revert|bump|release|version|chore\(deps|chore: release|build\(deps|v?\d+\.\d)", re.IGNORECASE
)
_TRAILER = re.compile(r"^[A-Za-z-]+-by: .*$", re.MULTILINE)
_CODE_LIKE = re.compile(
    r"`[^`]*`"  # quoted as code
    r"|\S*(?:[_/\\{}\[\]<>=#@$&|*~^+\d]|::|->|\(\)|\w[.:(]\w)\S*"  # what no prose has, or has in names alone
    r"|\S*[a-z][A-Z]\S*"  # camelCase
)
"""What a person who does not know the code would not write."""


class Commit(NamedTuple):
    """A commit, its message as queries, and what answers them."""

    hash: str
    parent: str
    at: int
    """When it was committed, in seconds."""
    subject: str
    body: str
    """The first paragraph behind the subject."""
    edited: frozenset[str]

    @property
    def queries(self) -> dict[str, str]:
        """The subject; with the first paragraph; and that without all that looks like code."""
        both = f"{self.subject}\n{self.body}"
        return {"S": self.subject, "SB": both, "NL": _CODE_LIKE.sub(" ", both)}


class Past(NamedTuple):
    """A commit that a ranking may learn from."""

    hash: str
    at: int
    message: str
    paths: tuple[str, ...]


def git(checkout: Path, *words: str, given: str = "") -> str:
    """Run git and return what it writes."""
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *words],
        cwd=checkout,
        input=given.encode(),
        capture_output=True,
        check=True,
    )
    return done.stdout.decode(errors="surrogateescape")


def is_source(path: str) -> bool:
    """Whether a path is a source file's, by its ending."""
    return path.rpartition(".")[2].lower() in SOURCES


def commits(checkout: Path, number: int, *, before: str = "HEAD") -> list[Commit]:
    """Return the latest commits that make good queries, newest first.

    A merge is none, nor a commit that a program wrote, nor one whose subject has fewer than three words.
    """
    found: list[Commit] = []
    log = git(
        checkout, "log", "--no-merges", "--no-renames", "--diff-filter=M", "--name-only", "-z",
        "--format=%x01%H%x02%P%x02%ct%x02%s%x02%b%x02", before,
    )  # fmt: skip
    for record in log.split("\x01")[1:]:
        name, parent, at, subject, body, names = record.split("\x02", 5)
        edited = frozenset(path for path in names.strip("\n\0").split("\0") if is_source(path.lstrip("\n")))
        if not parent or " " in parent or not 1 <= len(edited) <= MOST_FILES:
            continue
        if _AUTOMATIC.match(subject) or len(subject.split()) < FEWEST_WORDS:
            continue
        edited = frozenset(path.lstrip("\n") for path in edited)
        paragraph = _TRAILER.sub("", body).strip().partition("\n\n")[0]
        found.append(Commit(name, parent, int(at), subject, paragraph, edited))
        if len(found) == number:
            break
    return found


def past(checkout: Path, number: int) -> Iterator[Past]:
    """Yield the commits up to now that touched files, newest first."""
    log = git(
        checkout, "log", "--no-merges", "--no-renames", "--name-only", "-z", f"--max-count={number}",
        "--format=%x01%H%x02%ct%x02%B%x02",
    )  # fmt: skip
    for record in log.split("\x01")[1:]:
        name, at, message, names = record.split("\x02", 3)
        yield Past(name, int(at), message, tuple(path.lstrip("\n") for path in names.split("\0") if path.strip("\n")))
