"""Where nodwyn keeps what it keeps: the data and configuration directories, and each project's part of them.

The data directory is NODWYN_DATA_DIR, else the platform's; the configuration directory is NODWYN_CONFIG_DIR, else the
platform's. A project is a repository and its worktrees; its KEY is a readable name and a hash of the real path of
the main worktree, without git of the root.

The main worktree is found by reading what git wrote, without running git: it costs nothing at start-up, gives the same
key where git is missing, and a folder cannot claim to be a worktree of a repository that does not know it, which git
itself would believe.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from nodwyn.prims.private import NotPrivate, check_private, private_directory
from nodwyn.prims.small_files import read_small

MAXIMUM_NAME = 40
GIT_FILE_LIMIT = 4096
CONFIGURATION_LIMIT = 1 << 20


def data_directory() -> Path:
    """Return the directory of logs and all that is derived from them, made when missing.

    Raises: NotPrivate when it is a link, not ours, or open to others. OSError.
    """
    return private_directory(data_path())


def data_path() -> Path:
    """Return where the data directory is or would be; nothing is made or looked at.

    Raises: NotPrivate when it is named by a relative path.
    """
    named = _named_by("NODWYN_DATA_DIR")
    if named is None:
        import platformdirs

        named = platformdirs.user_data_path("nodwyn", appauthor=False)
    return named


def config_directory() -> Path:
    """Return the directory of the person's settings and scripts, made when missing.

    It holds no keys, so that others may read one that the person made; what it holds is run, so that none may write.

    Raises: NotPrivate when it is a link, not ours, or others can write in it. OSError.
    """
    return private_directory(_config_path(), may_be_read=True)


def kept_config() -> Path:
    """Return the directory of the person's settings and scripts, to read what is there: nothing is made.

    Raises: NotPrivate, OSError.
    """
    return check_private(_config_path(), may_be_read=True)


def _config_path() -> Path:
    """Return where that directory is or would be.

    Raises: NotPrivate when it is named by a relative path.
    """
    named = _named_by("NODWYN_CONFIG_DIR")
    if named is None:
        import platformdirs

        named = platformdirs.user_config_path("nodwyn", appauthor=False)
    return named


def projects_directory() -> Path:
    """Return the directory that has a directory for each project, made when missing.

    Raises: NotPrivate, OSError.
    """
    return private_directory(data_directory() / "projects")


def kept_projects() -> Path:
    """Return the directory that has a directory for each project, to read what is there: nothing is made.

    Raises: NotPrivate, OSError.
    """
    return check_private(check_private(data_path()) / "projects")


def kept_sessions(root: Path) -> Path:
    """Return the directory of the logs of the project that ``root`` belongs to, to read them: nothing is made.

    Raises: NotPrivate, OSError.
    """
    return check_private(check_private(kept_projects() / project_key(root)) / "sessions")


def project_directory(root: Path) -> Path:
    """Return the directory of the project that ``root`` belongs to, made when missing.

    Raises: NotPrivate, OSError.
    """
    return private_directory(projects_directory() / project_key(root))


def sessions_directory(root: Path) -> Path:
    """Return the directory of the logs of the project that ``root`` belongs to, made when missing.

    Raises: NotPrivate, OSError.
    """
    return private_directory(project_directory(root) / "sessions")


def project_key(root: Path) -> str:
    """Return the name of the directory of the project that ``root`` belongs to: ``name-0123456789ab``.

    root: a directory, at the top of a working tree or anywhere in it.
    """
    main = main_worktree(root)
    name = main.name.removesuffix(".git")
    readable = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in name)
    digest = hashlib.sha256(os.fsencode(main)).hexdigest()[:12]
    return f"{readable.strip('.-')[:MAXIMUM_NAME] or 'root'}-{digest}"


def main_worktree(root: Path) -> Path:
    """Return the real path of the main worktree of the repository around ``root``, or without one of ``root``.

    A bare repository has no main worktree and stands for it.
    """
    root = Path(os.path.realpath(root))
    for folder in (root, *root.parents):
        if _is_repository(folder / ".git"):
            return folder
        target = _line_of(folder / ".git")
        if target is not None and target.startswith("gitdir: "):
            return _main_of(folder, Path(os.path.realpath(folder / target.removeprefix("gitdir: "))))
    return root


def _main_of(folder: Path, git_directory: Path) -> Path:
    """Return the main worktree of the repository of which ``folder`` says that git keeps it in ``git_directory``."""
    common = _line_of(git_directory / "commondir")
    known = _line_of(git_directory / "gitdir")
    if common is None or known is None:
        return folder  # a repository kept apart from its one worktree, such as a submodule
    if os.path.realpath(git_directory / known) != str(folder / ".git"):
        return folder  # the repository knows of another worktree, not of this one
    repository = Path(os.path.realpath(git_directory / common))
    if repository.name == ".git":
        return repository.parent
    submodule = _worktree_setting(repository)
    return Path(os.path.realpath(repository / submodule)) if submodule else repository


def _is_repository(path: Path) -> bool:
    return (path / "HEAD").is_file()


def _worktree_setting(repository: Path) -> str | None:
    """Return ``core.worktree`` of a repository, by which a submodule's knows its worktree."""
    text = read_small(repository / "config", CONFIGURATION_LIMIT)
    for line in os.fsdecode(text or b"").splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip().lower() == "worktree":
            return value.strip()
    return None


def _line_of(path: Path) -> str | None:
    """Return the only line of a small file that git wrote, or None when there is no such file."""
    text = read_small(path, GIT_FILE_LIMIT)
    return None if text is None else os.fsdecode(text).rstrip("\n")


def _named_by(variable: str) -> Path | None:
    """Return the absolute path that an environment variable names, or None when it is unset or empty.

    Raises: NotPrivate for a relative one: it would be another place in each directory, and one in the project.
    """
    value = os.environ.get(variable)
    if not value:
        return None
    path = os.path.expanduser(value)
    if not os.path.isabs(path):
        raise NotPrivate(f"{variable} is {value}, which is another place in each directory. Give it an absolute path.")
    return Path(os.path.abspath(path))
