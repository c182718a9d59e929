"""A repository that can be asked without running anything of its own.

A repository can name programs in its configuration: monitors, filters, converters, hooks, signature checkers,
transports. Each is turned off by a fixed argument, a variable, or by name; the person's own configuration is not read
but for ``safe.directory`` and ``core.excludesFile``. A work tree that the configuration moves elsewhere is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from nodwyn.prims.environment import find_git, is_within, search_path
from nodwyn.prims.git_command import LARGEST_OUTPUT, SECONDS, GitError, run, settings_in
from nodwyn.prims.git_personal import Personal, personal_configuration
from nodwyn.prims.guard.confinement import PathCheck
from nodwyn.prims.processes import Limits
from nodwyn.prims.small_files import read_small

_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=false",
    "core.sshCommand=false",
    "core.quotePath=false",
    "color.ui=false",
    "credential.helper=",
    "diff.external=",
    "diff.submodule=short",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
)

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # decides over protocol.NAME.allow, which a repository may set
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
}

LARGEST_POINTER = 4096
"""Bytes of a file that leads to a directory of git's."""

_OPENED = (
    *("HEAD", "commondir", "config", "config.worktree", "gitdir", "index", "packed-refs", "shallow"),
    *("info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout", "objects/info/alternates"),
)
"""Files of a repository that git opens unasked."""


class SafeRepository:
    """A repository that is safe to ask."""

    def __init__(self, root: str, *, reads_contents: bool = True) -> None:
        """Look at the configuration first: what it names decides what must be turned off by name.

        reads_contents: whether git will look at what files have. If not, no filter is run whatever is configured, and
            the configuration is not looked at; git is told where the work tree is.

        Raises: GitError.
        """
        self.root = os.path.realpath(root)
        path = search_path(os.environ, self.root)
        program = find_git(os.environ, self.root)
        if program is None:
            raise GitError(f"git is not in {':'.join(path)}", "Install it, or add its directory to PATH.")
        self.top = _find_top(self.root)
        _refuse_pipes(self.top)
        self._environment = {**_ENVIRONMENT, "PATH": ":".join(path)}
        self._command = [program, "--no-pager"]
        personal = personal_configuration(os.environ, self.root)
        for setting in (*_SETTINGS, *_passed_on(personal)):
            self._command += ["-c", setting]
        if reads_contents:
            self._turn_off_by_name(settings_in(self.ask("config", "--list", "-z")))
        else:
            self._environment["GIT_WORK_TREE"] = self.top

    def ask(self, *arguments: str, given: str = "", largest: int = LARGEST_OUTPUT, seconds: float = SECONDS) -> str:
        """Run git; return what it prints.

        given: what it reads. largest: how many characters it may print. seconds: how long it may take.

        Raises: GitError.
        """
        text = run([*self._command, *arguments], self.root, self._environment, given, Limits(seconds, largest, 1))
        if text is None:
            raise GitError(f"git {arguments[0]} printed more than {largest} characters", "Ask for less.")
        return text

    def pathspecs(self, paths: Sequence[str], is_denied: PathCheck) -> list[str]:
        """Return git's form of paths relative to the root.

        Raises: GitError for one that is outside, or may not be shown.
        """
        specs = []
        for path in paths:
            absolute = os.path.normpath(os.path.join(self.root, path))
            if not is_within(absolute, self.root):
                raise GitError(f"{path} is outside of {self.root}")
            _refuse(absolute, path, is_denied)
            specs.append(f":(top,literal){os.path.relpath(absolute, self.top)}")
        return [spec for spec in specs if spec != ":(top,literal)."]

    def denied(self, names: str, is_denied: PathCheck) -> list[str]:
        """Return those of NUL-terminated names, relative to the top, that may not be shown."""
        return [name for name in dict.fromkeys(names.split("\0")) if name and is_denied(os.path.join(self.top, name))]

    def file_at(self, tree: str, path: str, is_denied: PathCheck) -> str:
        """Return the name of a file in a tree or in the index, checked.

        Raises: GitError.
        """
        if not tree and path[:2] in ("0:", "1:", "2:", "3:"):
            path = path[2:]
        base = self.root if path.startswith(("./", "../")) else self.top
        absolute = os.path.normpath(os.path.join(base, path.lstrip("/")))
        if not is_within(absolute, self.top):
            raise GitError(f"{path} is outside of {self.top}")
        _refuse(absolute, path, is_denied)
        relative = os.path.relpath(absolute, self.top)
        return f"{tree}:{'' if relative == '.' else relative}"

    def _turn_off_by_name(self, settings: list[tuple[str, str]]) -> None:
        """Empty every filter that is configured, and refuse a work tree that lies elsewhere.

        Raises: GitError.
        """
        filters = {name.rpartition(".")[0] for name, _ in settings if name.startswith("filter.")}
        for driver in sorted(filters):
            if "=" in driver or "\n" in driver:
                raise GitError(f"the repository configures {driver!r}, which cannot be turned off", "Remove it.")
            for part in ("clean", "smudge", "process"):
                self._command += ["-c", f"{driver}.{part}="]
            self._command += ["-c", f"{driver}.required=false"]
        if any(name == "core.worktree" for name, _ in settings):
            top = self.ask("rev-parse", "--show-toplevel").rstrip("\n")
            if os.path.realpath(top) != self.top:
                raise GitError(f"the repository's core.worktree leads to {top}", "Unset it to use git here.")


def _find_top(root: str) -> str:
    """Return the directory at or above ``root`` that has a repository.

    Raises: GitError.
    """
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        if all(os.path.lexists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs")):
            # Git before 2.38 would use it, and has no setting against that.
            raise GitError(
                f"{folder} looks like a bare repository, whose configuration is not trusted", "Name a work tree."
            )
        if folder == os.path.dirname(folder):
            raise GitError(f"{root} is in no git repository", "`git init` makes one.")
        folder = os.path.dirname(folder)
    return folder


def _refuse_pipes(top: str) -> None:
    """Refuse a repository that git would wait for in vain: it opens these files whatever it is asked.

    Raises: GitError.
    """
    folder = os.path.join(top, ".git")
    pointed = os.fsdecode(read_small(folder, LARGEST_POINTER) or b"")
    if pointed.startswith("gitdir: "):
        folder = os.path.join(top, pointed.removeprefix("gitdir: ").rstrip("\n"))
    common = os.fsdecode(read_small(os.path.join(folder, "commondir"), LARGEST_POINTER) or b"").rstrip("\n")
    bases = [folder, os.path.join(folder, common)] if common else [folder]
    for path in (os.path.join(top, ".git"), *(f"{base}/{name}" for base in bases for name in _OPENED)):
        try:
            is_pipe = stat.S_ISFIFO(os.stat(path).st_mode)
        except (OSError, ValueError):
            continue
        if is_pipe:
            raise GitError(f"{path} is a pipe, where git expects a file", "Remove it to use git here.")


def _passed_on(personal: Personal) -> list[str]:
    excludes = [f"core.excludesFile={personal.excludes_file or ''}"]
    return [f"safe.directory={directory}" for directory in personal.safe_directories] + excludes


def _refuse(absolute: str, path: str, is_denied: PathCheck) -> None:
    if reason := is_denied(absolute):
        raise GitError(f"{path} may not be shown: {reason}")
