"""Asking git about a repository without running anything of the repository's.

A repository can name programs in its configuration: monitors, filters, converters, hooks, signature checkers,
transports. Each is turned off by a fixed argument, a variable, or by name; the person's own configuration is not read
but for ``safe.directory`` and ``core.excludesFile``. A work tree that the configuration moves elsewhere is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from nodwyn.prims import processes
from nodwyn.prims.environment import find_program, is_within, search_path
from nodwyn.prims.guard.confinement import PathCheck
from nodwyn.prims.processes import CannotRun, Limits
from nodwyn.prims.small_files import read_small

SECONDS = 60.0
LARGEST_OUTPUT = 1 << 24
"""Characters that a command may print; more is an error, for half a list of files is none."""

LARGEST_LISTING = 1 << 28
"""Characters that a list of all files, or of many commits, may have."""

LARGEST_KEPT = 1 << 23
"""Characters of a list of files that is kept for the next time."""

_USUAL_LIMITS = Limits(SECONDS, LARGEST_OUTPUT, 1)

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

# In which of a person's variables git finds the person's own configuration.
_PERSONAL_VARIABLES = (
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "HOME",
    "PATH",
    "XDG_CONFIG_HOME",
)

_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "--submodule=short")
_PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")


LARGEST_POINTER = 4096
"""Bytes of a file that leads to a directory of git's."""

_OPENED = (
    *("HEAD", "commondir", "config", "config.worktree", "gitdir", "index", "packed-refs", "shallow"),
    *("info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout", "objects/info/alternates"),
)
"""Files of a repository that git opens unasked."""


class GitError(Exception):
    """Git cannot answer; the message says what was asked, why not, and what can be done."""


class Personal(NamedTuple):
    """What of the person's own configuration counts."""

    safe_directories: tuple[str, ...] = ()
    excludes_file: str | None = None
    name: str | None = None
    email: str | None = None


def _nothing_denied(path: str) -> str | None:
    return None


def status(root: str) -> str:
    """Return the branch and what differs from its last commit: ``git status --porcelain --branch``.

    Raises: GitError.
    """
    return _Repository(root).ask("status", "--porcelain=v1", "--branch", "--ignore-submodules=dirty")


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
    repository = _Repository(root)
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
    repository = _Repository(root)
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
    repository = _Repository(root)
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


def ls_files(root: str, *, untracked: bool = True) -> list[str]:
    """Return the files of the root that git knows, and those that it neither knows nor ignores, relative to the root.

    untracked: whether the latter are wanted.

    Raises: GitError.
    """
    others = ["--others", "--exclude-standard"] if untracked else []
    names = _Repository(root).ask("ls-files", "-z", "--cached", *others)
    return list(dict.fromkeys(name for name in names.split("\0") if name))


def listed(root: str, *, untracked: bool = True, seconds: float = SECONDS) -> Sequence[tuple[str, bool]]:
    """Return the files that :func:`ls_files` does, sorted, and whether git knows each; a directory ends in a slash.

    A directory among them is a repository of its own. seconds: how long git may take, which patterns of files to ignore
    can make for ever.

    Raises: GitError.
    """
    others = ["--others", "--exclude-standard"] if untracked else []
    asked = ["ls-files", "-z", "-t", "--cached", *others]
    names = _Repository(root, reads_contents=False).ask(*asked, largest=LARGEST_LISTING, seconds=seconds)
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
    return _Repository(root, reads_contents=False).ask(*asked, seconds=seconds).split()


def messages(root: str, hashes: Sequence[str], *, seconds: float = SECONDS) -> list[tuple[str, str, list[str]]]:
    """Return the hash, the message and the files of these commits, the files relative to the top.

    seconds: how long git may take.

    Raises: GitError.
    """
    text = _Repository(root, reads_contents=False).ask(
        "log",
        *_PLAIN_DIFF,
        "--no-walk=unsorted",
        "--no-show-signature",
        "--no-decorate",
        "--no-notes",
        "--no-renames",
        "--no-relative",
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


def resolve(root: str, revision: str) -> str:
    """Return the full hash that a revision has.

    Raises: GitError.
    """
    return _Repository(root).ask("rev-parse", "--verify", "--end-of-options", _revision(revision)).strip()


def top_level(root: str) -> str:
    """Return the top of the work tree around the root.

    Raises: GitError.
    """
    return _Repository(root).top


def personal_configuration(environment: Mapping[str, str], root: str | None = None) -> Personal:
    """Return what of the person's configuration is passed on.

    environment: the person's. root: a directory whose own programs are not used. Nothing is passed on when git is
    missing or fails.
    """
    program = find_program("git", search_path(environment, root))
    variables = tuple((name, environment[name]) for name in _PERSONAL_VARIABLES if name in environment)
    return _personal(program, variables) if program else Personal()


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
    listed = _run([program, "config", "--list", "-z"], "/", outside)
    settings = _settings(listed) if listed is not None else []
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


class _Repository:
    """A repository that is safe to ask."""

    def __init__(self, root: str, environment: Mapping[str, str] | None = None, *, reads_contents: bool = True) -> None:
        """Look at the configuration first: what it names decides what must be turned off by name.

        reads_contents: whether git will look at what files have. If not, no filter is run whatever is configured, and
            the configuration is not looked at; git is told where the work tree is.

        Raises: GitError.
        """
        environment = os.environ if environment is None else environment
        self.root = os.path.realpath(root)
        path = search_path(environment, self.root)
        program = find_program("git", path)
        if program is None:
            raise GitError(f"git is not in {':'.join(path)}. Install it, or add its directory to PATH.")
        self.top = _find_top(self.root)
        _refuse_pipes(self.top)
        self._environment = {**_ENVIRONMENT, "PATH": ":".join(path)}
        self._command = [program, "--no-pager"]
        personal = personal_configuration(environment, self.root)
        for setting in (*_SETTINGS, *_passed_on(personal)):
            self._command += ["-c", setting]
        if reads_contents:
            self._turn_off_by_name(_settings(self.ask("config", "--list", "-z")))
        else:
            self._environment["GIT_WORK_TREE"] = self.top

    def ask(self, *arguments: str, given: str = "", largest: int = LARGEST_OUTPUT, seconds: float = SECONDS) -> str:
        """Run git; return what it prints.

        given: what it reads. largest: how many characters it may print. seconds: how long it may take.

        Raises: GitError.
        """
        text = _run([*self._command, *arguments], self.root, self._environment, given, Limits(seconds, largest, 1))
        if text is None:
            raise GitError(f"git {arguments[0]} printed more than {largest} characters. Ask for less.")
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
                raise GitError(f"the repository configures {driver!r}, which cannot be turned off. Remove it.")
            for part in ("clean", "smudge", "process"):
                self._command += ["-c", f"{driver}.{part}="]
            self._command += ["-c", f"{driver}.required=false"]
        if any(name == "core.worktree" for name, _ in settings):
            top = self.ask("rev-parse", "--show-toplevel").rstrip("\n")
            if os.path.realpath(top) != self.top:
                raise GitError(f"the repository's core.worktree leads to {top}. Unset it to use git here.")


def _find_top(root: str) -> str:
    """Return the directory at or above ``root`` that has a repository.

    Raises: GitError.
    """
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        if all(os.path.lexists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs")):
            # Git before 2.38 would use it, and has no setting against that.
            raise GitError(
                f"{folder} looks like a bare repository, whose configuration is not trusted. Name a work tree."
            )
        if folder == os.path.dirname(folder):
            raise GitError(f"{root} is in no git repository. `git init` makes one.")
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
            raise GitError(f"{path} is a pipe, where git expects a file. Remove it to use git here.")


def _passed_on(personal: Personal) -> list[str]:
    excludes = [f"core.excludesFile={personal.excludes_file or ''}"]
    return [f"safe.directory={directory}" for directory in personal.safe_directories] + excludes


def _run(
    command: list[str],
    cwd: str,
    environment: Mapping[str, str],
    given: str = "",
    limits: Limits = _USUAL_LIMITS,
) -> str | None:
    """Run git; return what it prints, or None when that is too much.

    Raises: GitError.
    """
    asked = next((word for word in command[2:] if not word.startswith("-") and "=" not in word), "")
    try:
        finished = processes.run(command, cwd=cwd, environment=environment, limits=limits, stdin=given.encode())
    except CannotRun as error:
        raise GitError(str(error)) from None
    if finished.ending == "timed out":
        raise GitError(f"git {asked} took more than {limits.seconds:g} seconds and was stopped")
    if finished.status != 0:
        said = finished.errors.text().strip().removeprefix("fatal: ") or f"it {finished.ending} with {finished.status}"
        raise GitError(f"git {asked} failed: {said}")
    return None if finished.output.cut else finished.output.text()


def _settings(listed: str) -> list[tuple[str, str]]:
    """Return names and values of ``git config --list -z``; the names are in lower case but for their middle parts."""
    pairs = (entry.partition("\n") for entry in listed.split("\0") if entry)
    return [(name, value) for name, _, value in pairs]


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


def _refuse(absolute: str, path: str, is_denied: PathCheck) -> None:
    if reason := is_denied(absolute):
        raise GitError(f"{path} may not be shown: {reason}")
