"""``nodwyn import``: other agents' sessions as sessions of a project here."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from nodwyn.loop.importers.importing import Imported, import_file
from nodwyn.loop.ui.cli import DONE, FAILED, complain
from nodwyn.loop.ui.options import parser
from nodwyn.prims.counting import counted
from nodwyn.prims.guard.display import escape_in_one_line
from nodwyn.prims.log import LogError
from nodwyn.prims.session import own_redactor, recording

MOST_KINDS = 20
MOST_OF_KIND = 60
"""Characters."""


def run(arguments: Sequence[str]) -> int:
    """Import files; return the exit status: failure when one of them could not be imported."""
    line = parser(
        "import",
        "Read sessions of Claude Code and pi (.jsonl) and of SWE-agent (.traj) as finished sessions of a project here:"
        " they are listed, shown, searched and recalled as others are. Importing a file again changes nothing.",
        "nodwyn import ~/.claude/projects/-home-me-app/*.jsonl",
    )
    line.add_argument("file", nargs="+", type=Path)
    line.add_argument("--project", type=Path, metavar="DIR", help="whose sessions they are, if not what the file names")
    given = line.parse_args(arguments)
    redact = recording(own_redactor())
    status = DONE
    for path in given.file:
        try:
            imported = import_file(path, given.project, redact)
        except OSError as error:
            complain(f"{path}: {error.strerror or error}")
            status = FAILED
        except LogError as error:
            complain(error)
            status = FAILED
        else:
            sys.stdout.write(f"{escape_in_one_line(f'{imported.session}  {path}: {_said(imported)}')}\n")
            sys.stdout.flush()
    return status


def _said(imported: Imported) -> str:
    if not imported.is_new:
        return "already imported"
    words = [f"{counted(imported.turns, 'turn')}, {counted(imported.events, 'event')}"]
    if imported.kept:
        words.append(f"kept as they were: {_kinds(imported.kept)}")
    if imported.replaces:
        archived = "" if imported.is_archived else ", which is open and was not archived"
        words.append(f"in place of {imported.replaces}{archived}")
    return "; ".join(words)


def _kinds(kept: Mapping[str, int]) -> str:
    """Return how many lines of each kind were kept. The file names the kinds: they may be long, and many."""
    kinds = [f"{kind[:MOST_OF_KIND]} ({number})" for kind, number in sorted(kept.items())]
    more = [f"{len(kinds) - MOST_KINDS} other kinds"] if len(kinds) > MOST_KINDS else []
    return ", ".join((*kinds[:MOST_KINDS], *more))
