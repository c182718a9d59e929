"""Scripts for the loop that a repository brings: they run only after the person has trusted their very content."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nodwyn.loop.loading import Script
from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.directories import config_directory, kept_config
from nodwyn.prims.effects import Effect
from nodwyn.prims.files import FileError
from nodwyn.prims.fs.text import NotText, text_of
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.proposal import Call
from nodwyn.prims.json_text import parse
from nodwyn.prims.private import replace_file
from nodwyn.prims.small_files import MOST_WRITTEN, read_small

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

FOLDER: Final = ".nodwyn/loop"
STORE: Final = "trusted.json"
"""In the configuration directory: an object from each root to one from paths to the SHA-256 that is trusted."""


class Found(NamedTuple):
    """What a repository brings."""

    trusted: list[Script]
    untrusted: list[str]
    """The paths of those that are not trusted as they are now."""
    unread: list[str]
    """Those that cannot be read, each with the reason."""


def scripts(session: Session) -> Found:
    """Return the scripts in the repository's ``.nodwyn/loop``, each read through the guard."""
    read, unread = read_all(session)
    found = Found([], [], unread)
    known = trusted(session.root)
    for script in read:
        if known.get(script.name) == script.digest:
            found.trusted.append(script)
        else:
            found.untrusted.append(script.name)
    return found


def read_all(session: Session) -> tuple[list[Script], list[str]]:
    """Return all scripts that the repository brings, trusted or not, and why the others cannot be read."""
    read: list[Script] = []
    unread: list[str] = []
    if not os.path.isdir(os.path.join(session.root, FOLDER)):
        return read, unread
    files = Context(session, Call(0, "load", "loop", {}), Effect.READ).files
    try:
        names = [entry.name for entry in files.list(FOLDER) if entry.name.endswith(".scm") and not entry.is_directory]
    except (PrimitiveError, Refused) as error:
        return read, [str(error)]
    for name in sorted(names):
        path = f"{FOLDER}/{name}"
        try:
            read.append(Script(path, text_of(files.read(path, largest=MOST_WRITTEN)).removeprefix("\ufeff")))
        except NotText as error:
            unread.append(f"{path}: {error}")
        except (FileError, Refused) as error:
            unread.append(str(error))
    return read, unread


def trusted(root: str) -> dict[str, str]:
    """Return the digests that the person trusts in a root, by path."""
    digests = _stored().get(root, {})
    return digests if isinstance(digests, dict) else {}


def trust(root: str, found: list[Script]) -> None:
    """Trust scripts of a root as they are, and no others there."""
    stored = _stored()
    stored[root] = {script.name: script.digest for script in found}
    replace_file(config_directory() / STORE, json.dumps(stored, indent=2, sort_keys=True).encode(), durable=True)


def _stored() -> dict[str, Any]:
    try:
        stored = parse(read_small(kept_config() / STORE, MOST_WRITTEN) or b"")
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}
