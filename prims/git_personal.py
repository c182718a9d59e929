"""What of the person's own configuration of git counts: who they are, whom they trust, what they ignore."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from nodwyn.prims.environment import find_git
from nodwyn.prims.git_command import GitError, run, settings_in

# In which of a person's variables git finds the person's own configuration.
_PERSONAL_VARIABLES = (
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "HOME",
    "PATH",
    "XDG_CONFIG_HOME",
)


class Personal(NamedTuple):
    """What of the person's own configuration counts."""

    safe_directories: tuple[str, ...] = ()
    excludes_file: str | None = None
    name: str | None = None
    email: str | None = None


def personal_configuration(environment: Mapping[str, str], root: str | None = None) -> Personal:
    """Return what of the person's configuration is passed on.

    environment: the person's. root: a directory whose own programs are not used. Nothing is passed on when git is
    missing, or cannot read what the person has configured.
    """
    program = find_git(environment, root)
    variables = tuple((name, environment[name]) for name in _PERSONAL_VARIABLES if name in environment)
    try:
        return _personal(program, variables) if program else Personal()
    except GitError:
        return Personal()


def personal_environment(
    environment: Mapping[str, str], *, ignored: str | None = None, root: str | None = None
) -> dict[str, str]:
    """Return variables that give any git the person's name, address and trusted directories, and no more of theirs.

    environment: the person's. ignored: a file with names that git takes no notice of. root: a directory whose own
    programs are not used.
    """
    personal = personal_configuration(environment, root)
    settings = [("safe.directory", directory) for directory in personal.safe_directories]
    settings += [
        (name, value) for name, value in (("user.name", personal.name), ("user.email", personal.email)) if value
    ]
    settings += [("core.excludesFile", ignored)] if ignored else []
    variables = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings):
        variables |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


@lru_cache(maxsize=8)
def _personal(program: str, variables: tuple[tuple[str, str], ...]) -> Personal:
    environment = dict(variables)
    # No repository is there, so that only the person's and the system's files are read.
    outside = {**environment, "GIT_DIR": "/dev/null"}
    listed = run([program, "config", "--list", "-z"], "/", outside)
    settings = settings_in(listed) if listed is not None else []
    last = dict(settings)
    excludes = last.get("core.excludesfile") or os.path.join(
        environment.get("XDG_CONFIG_HOME") or "~/.config", "git", "ignore"
    )
    if excludes.startswith("~/"):
        excludes = environment.get("HOME", "/nonexistent") + excludes[1:]
    return Personal(
        tuple(value for name, value in settings if name == "safe.directory"),
        excludes if os.path.isfile(excludes) else None,
        last.get("user.name"),
        last.get("user.email"),
    )
