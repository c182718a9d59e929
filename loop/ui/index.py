"""``nodwyn index``: what the index of this project's repository holds, bringing it up to date, and forgetting it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from nodwyn.loop.ui.asking import has_terminal, is_confirmed
from nodwyn.loop.ui.calling import call_primitive
from nodwyn.loop.ui.cli import DONE, FAILED
from nodwyn.loop.ui.options import add_approve, parser
from nodwyn.prims.counting import counted
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.retrieval.about import Status, added, forget, status

MEBIBYTE = 1 << 20


def run(arguments: Sequence[str]) -> int:
    """Show, update or forget the index; return the exit status."""
    line = parser(
        "index",
        "Say what the index of this project's repository holds, bring it up to date, or forget it.",
        "nodwyn index update third_party",
    )
    what = line.add_subparsers(required=True, metavar="status|update|forget")
    shown = what.add_parser(
        "status", help="files, size, when it changed, and of which working trees", allow_abbrev=False
    )
    shown.set_defaults(do=_show)
    updated = what.add_parser("update", help="read what changed, for a minute at most", allow_abbrev=False)
    updated.add_argument("path", nargs="?", help="a directory or file to index from now on, whatever git ignores")
    add_approve(updated)
    updated.set_defaults(do=_update)
    forgotten = what.add_parser("forget", help="remove it; the next search builds it anew", allow_abbrev=False)
    kept = forgotten.add_mutually_exclusive_group()
    kept.add_argument("--paths", action="store_true", default=None, help="forget the paths that were added, too")
    kept.add_argument("--keep-paths", dest="paths", action="store_false", help="keep them")
    forgotten.set_defaults(do=_forget)
    given = line.parse_args(arguments)
    sys.stdout.write(f"{escape_unseen(given.do(given))}\n")
    return DONE


def described(found: Status) -> str:
    """Return what an index holds, in lines."""
    lines = [
        f"{counted(found.contents, 'text')} in {counted(found.chunks, 'chunk')},"
        f" {found.size / MEBIBYTE:.1f} MiB in {found.directory}",
        *(f"{counted(tree.files, 'file')} of {tree.root}, changed {_day(tree.changed)}" for tree in found.trees),
    ]
    if found.added:
        lines.append(f"covered whatever git ignores: {', '.join(found.added)}")
    return "\n".join(lines)


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _show(given: argparse.Namespace) -> str:
    found = status(Path.cwd())
    if found is not None:
        return described(found)
    paths = added(Path.cwd())
    more = f" It will cover, whatever git ignores: {', '.join(paths)}" if paths else ""
    return f"This project has no index yet; the first search builds it.{more}"


def _update(given: argparse.Namespace) -> str:
    asked = {"path": given.path}
    return str(call_primitive("index-update", asked, client="index", approve=given.approve, failed=FAILED))


def _forget(given: argparse.Namespace) -> str:
    paths = added(Path.cwd())
    forgets = bool(paths) and (_asked(paths) if given.paths is None else given.paths)
    was = forget(Path.cwd(), paths=forgets)
    said = "The index is removed; the next search builds it anew." if was else "There was no index."
    if not paths:
        return said
    what = "are forgotten, too" if forgets else "stay added; --paths forgets them"
    return f"{said} These paths {what}: {', '.join(paths)}"


def _asked(paths: Sequence[str]) -> bool:
    """Return whether the person wants added paths forgotten; where nobody can be asked they are kept."""
    if not has_terminal():
        return False
    said = escape_unseen(f"These paths were added, and are indexed whatever git ignores: {', '.join(paths)}")
    return bool(is_confirmed(f"{said}\nForget them, too? [y/N] ", sys.stderr))
