"""The environment that programs are started with: an allowlist, never what happens to be set."""

from __future__ import annotations

import os
from collections.abc import Mapping

PASSED_ON = ("HOME", "LANG", "LANGUAGE", "LOGNAME", "SHELL", "TERM", "TZ", "USER")
"""Variables that programs are given as the person has them. Those of the locale (LC_…) are too."""

FALLBACK_PATH = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")

# Programs must neither wait for somebody at a terminal nor page what they say.
_WITHOUT_TERMINAL = {
    "GIT_EDITOR": "false",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "MANPAGER": "cat",
    "PAGER": "cat",
}


def search_path(environment: Mapping[str, str], root: str | None = None) -> list[str]:
    """Return the directories that programs are looked for in.

    environment: holds PATH. Its relative and empty entries are dropped: they would mean the directory a program runs
        in.
    root: a directory whose own programs are left out: a repository could name one ``ls``.
    """
    named = [os.path.normpath(entry) for entry in environment.get("PATH", "").split(":") if os.path.isabs(entry)]
    found = named or list(FALLBACK_PATH)
    if root is None:
        return found
    return [entry for entry in found if not is_within(os.path.realpath(entry), os.path.realpath(root))]


def clean_environment(environment: Mapping[str, str], root: str | None = None) -> dict[str, str]:
    """Return the environment of a command: what PASSED_ON names, a PATH of absolute directories, and no terminal.

    environment: the person's. root: a directory whose own programs are not found by their bare names.
    """
    passed = {name: value for name, value in environment.items() if name in PASSED_ON or name.startswith("LC_")}
    # A function that Bash exports, and a value that nothing sane has, are no part of a clean environment.
    clean = {name: value for name, value in passed.items() if not value.startswith("()") and "\n" not in value}
    return {**clean, **_WITHOUT_TERMINAL, "PATH": ":".join(search_path(environment, root))}


def find_program(name: str, path: list[str]) -> str | None:
    """Return the file of a program, looked for in the directories of ``path`` alone, or None."""
    for folder in path:
        file = os.path.join(folder, name)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            return file
    return None


def find_git(environment: Mapping[str, str], root: str | None) -> str | None:
    """Return the file of the git that is asked, by whatever part of the program, or None.

    environment: the person's. root: a directory whose own programs are not used: a repository could bring a ``git``.
    """
    return find_program("git", search_path(environment, root))


def is_within(path: str, folder: str) -> bool:
    """Return whether ``path`` is ``folder`` or in it, by their names: components, not characters, are compared."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
