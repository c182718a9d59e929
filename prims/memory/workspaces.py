"""workspaces.toml in the configuration directory: what the person settled for each project on this computer.

    [projects."nodwyn-0123456789ab"]
    root = "/home/ann/nodwyn"
    earlier_tasks = true

The person's clients write it; no primitive can reach it. All else in the file, comments too, stays as it is: one line
is changed, the outcome is read again, and it is written only when nothing but that line means something else.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from nodwyn.prims import surrogates
from nodwyn.prims.directories import config_directory, kept_config
from nodwyn.prims.private import open_private, replace_file
from nodwyn.prims.small_files import NotToml, Unreadable, toml_of, written_text

FILE: Final = "workspaces.toml"


class WorkspacesError(Exception):
    """The file cannot be read, or not be changed; the message says why and what to do."""


def settings(key: str) -> dict[str, Any]:
    """Return what the person settled for a project, read now.

    key: the project's KEY.

    Raises: WorkspacesError, NotPrivate, OSError.
    """
    return _project(_parsed(_text(path())), key)


def settle(key: str, name: str, value: bool, *, root: Path) -> None:
    """Settle something for a project.

    key: the project's KEY. root: a directory of it, noted where the project has no entry yet.

    Raises: WorkspacesError, NotPrivate, OSError. The file is then unchanged.
    """
    with _alone():
        place = path()
        before = _text(place)
        setting = f"{name} = {'true' if value else 'false'}"
        wanted: dict[str, Any] = {name: value}
        after = _with_line(before, key, setting, name)
        if after is None:
            wanted["root"] = surrogates.escape(str(root))
            entry = [f'[projects."{key}"]', f"root = {_quoted(wanted['root'])}", setting]
            after = (f"{before.rstrip()}\n\n" if before.strip() else "") + "\n".join(entry) + "\n"
        if not _is_right(_parsed(before), after, key, wanted):
            raise WorkspacesError(
                f"{place} is written in a way that cannot be changed safely. Put this line into its table"
                f' [projects."{key}"]: {setting}'
            )
        replace_file(place, after.encode(), durable=True)


def _is_right(before: dict[str, Any], after: str, key: str, wanted: dict[str, Any]) -> bool:
    """Return whether a text means what was there before, and for one project what is wanted."""
    projects = before.setdefault("projects", {})
    project = projects.setdefault(key, {}) if isinstance(projects, dict) else None
    if not isinstance(project, dict):
        return False
    project.update(wanted)
    try:
        return _parsed(after) == before
    except WorkspacesError:
        return False


def path() -> Path:
    """Return the file's path; a link that the person put there is followed.

    Raises: NotPrivate, OSError.
    """
    return Path(os.path.realpath(kept_config() / FILE))


def _text(place: Path) -> str:
    try:
        return written_text(place)
    except FileNotFoundError:
        return ""
    except Unreadable as error:
        raise WorkspacesError(str(error)) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return toml_of(text)
    except NotToml as error:
        raise WorkspacesError(f"{FILE} in the configuration directory is no TOML: {error}") from None


def _project(parsed: dict[str, Any], key: str) -> dict[str, Any]:
    projects = parsed.get("projects")
    project = projects.get(key) if isinstance(projects, dict) else None
    return project if isinstance(project, dict) else {}


def _with_line(text: str, key: str, line: str, name: str) -> str | None:
    """Return the text with a line in the table of a project, or None when it has no such table."""
    headers = {f'[projects."{key}"]', f"[projects.'{key}']", f"[projects.{key}]"}
    lines = text.split("\n")
    begin = next((number for number, each in enumerate(lines) if _bare(each) in headers), None)
    if begin is None:
        return None
    for number in range(begin + 1, len(lines)):
        each = lines[number]
        if each.lstrip().startswith("["):
            break
        left, equals, right = each.partition("=")
        if equals and left.strip() == name:
            _, mark, comment = right.partition("#")
            lines[number] = f"{line}  #{comment}" if mark else line
            return "\n".join(lines)
    lines.insert(begin + 1, line)
    return "\n".join(lines)


def _bare(line: str) -> str:
    """Return a table's header without spaces and comment."""
    return line.partition("#")[0].replace(" ", "").replace("\t", "").rstrip("\r")


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other writers out meanwhile."""
    descriptor = open_private(config_directory() / f".{FILE}.lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
