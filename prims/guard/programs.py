"""Programs in homes: which of them a command sees, and what is said of one that it does not see.

A home is out of a command's reach, for credentials lie in all places of it. Shown is, and read-only: where known tools
keep programs and packages and no credentials; and what the person's PATH names as a directory of programs, with the
directories beside it that an installation has, but nothing else that lies beside it, where tools keep credentials. What
is shown rests on the person's environment and home alone. No file of a repository unlocks anything, whatever it links
to: that it leads to what is hidden is told, and no more of that than its path, which the repository has.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Iterator, Sequence

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.confinement import PathCheck, covered

TOOL_CACHES = (
    ".asdf .bun/bin .cargo/bin .cargo/git .cargo/registry .deno/bin .elan .ghcup .gradle/caches .gradle/wrapper"
    " .ivy2/cache .jenv .local/bin .local/lib .local/pipx .local/share/fnm .local/share/mise .local/share/pipx"
    " .local/share/pnpm .local/share/uv .m2/repository .nodenv .npm .nvm .opam .pyenv .rbenv .rustup .rvm"
    " .sdkman/candidates .volta .cache/go-build .cache/pip .cache/uv .cache/yarn go/bin go/pkg"
).split()
"""Directories in a home, relative to it, in which programs and downloaded packages lie, and no credentials."""

PROGRAM_FOLDERS = ("bin", "sbin", "shims", "condabin")
"""What a directory is called that has programs and nothing else. PATH may name any other, even a home."""

BESIDE = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share")
"""What an installation has beside a directory of programs; settings and credentials have other names."""

BESIDE_OF_KNOWN = (("conda-meta", "condabin", "pkgs", "shell", "ssl"), ("Cellar", "opt"))
"""What an installation of conda, and of Homebrew, has besides; the first of these shows it to be one."""

SHARED = (".local", ".local/share", ".local/state", ".cache", "Library")
"""Directories in a home in which every program keeps something: what is beside one's programs there is not its own."""

SETTINGS = ".config"
"""A directory in which nothing is shown, since credentials lie in it among all else."""

NOT_FOUND = 127
"""The status by which a shell says that there is no such program."""

MOST_LOOKED_AT = 8192
"""Characters of a command's errors, from the end, in which unseen programs are looked for."""

MOST_TOLD = 3
MOST_LINKS = 40

UNSEEN = "which commands in the sandbox do not see"

Shows = Callable[[str], bool]
"""Whether commands see an absolute path."""

_AROUND_WORDS = str.maketrans(dict.fromkeys("'\"`‘’“”:,;()[]", " "))


def tool_caches(home: str | None = None) -> tuple[str, ...]:
    """Return those of TOOL_CACHES that a home has; links are not among them, for they could lead anywhere.

    home: the person's own when not given.
    """
    home = os.path.realpath(home or os.path.expanduser("~"))
    return tuple(cache for name in TOOL_CACHES if _is_directory(cache := os.path.join(home, name)))


def tool_directories(path: Sequence[str], *, root: str, is_denied: PathCheck) -> tuple[str, ...]:
    """Return what commands see of homes: tool caches, and the installations whose programs PATH names.

    path: the person's PATH. root: that of the session, in which other rules hold. is_denied: why a path may not be
        read.
    """
    shown = list(tool_caches())
    for folder in path:
        if os.path.basename(folder) not in PROGRAM_FOLDERS or covered(folder, shown):
            continue
        for each in (folder, *_beside(folder)):
            if _may_be_shown(each, is_denied) and not covered(each, (*shown, root)):
                shown.append(each)
    return tuple(shown)


def unseen(errors: str, status: int, *, cwd: str, root: str, path: Sequence[str], shows: Shows) -> Iterator[str]:
    """Yield in words which programs a line named in its errors that are there, but not for commands.

    errors, status: what the line said and how it ended. cwd: where it ran. path: the person's PATH. shows: whether
        commands see an absolute path.
    """
    for word in dict.fromkeys(errors[-MOST_LOOKED_AT:].translate(_AROUND_WORDS).split()):
        if "/" in word:
            file = os.path.normpath(os.path.join(cwd, word))
            hidden = _behind(file, shows) if is_within(file, root) and shows(file) else None
            if hidden is not None:
                yield f"{word} needs {hidden}, {UNSEEN}"
        elif status == NOT_FOUND and (folder := _unseen_folder(word, path, shows)):
            yield f"{word} is in {folder}, {UNSEEN}"


def _beside(folder: str) -> Iterator[str]:
    """Yield what belongs to the programs of a directory, if it is there."""
    home, around = _home_around(folder), os.path.dirname(folder)
    if home is None or around == home or os.path.relpath(around, home) in SHARED:
        return
    known = [names for names in BESIDE_OF_KNOWN if os.path.isdir(os.path.join(around, names[0]))]
    yield from (os.path.join(around, name) for names in (BESIDE, *known) for name in names)


def _may_be_shown(folder: str, is_denied: PathCheck) -> bool:
    """Return whether a directory lies in a home, has no home in it, and is none of settings and credentials."""
    home = _home_around(folder)
    if home is None or not _is_directory(folder) or is_denied(folder):
        return False
    return SETTINGS not in folder.lower().split("/") and not any(is_within(own, folder) for own in _own_homes())


def _home_around(folder: str) -> str | None:
    """Return the home that a directory lies in; None for a home itself, and for what lies in none."""
    for home in (*_own_homes(), "/root"):
        if folder != home and is_within(folder, home):
            return home
    for homes in ("/home", "/Users"):
        name, slash, _ = folder.removeprefix(f"{homes}/").partition("/")
        if slash and is_within(folder, homes):
            return f"{homes}/{name}"
    return None


def _own_homes() -> list[str]:
    named = [os.path.expanduser("~")]
    try:
        named.append(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        pass
    return [home for home in map(os.path.realpath, named) if home != "/"]


def _is_directory(path: str) -> bool:
    """Return whether a path is that of a directory, and no link is on it."""
    return os.path.isdir(path) and os.path.realpath(path) == path


def _unseen_folder(name: str, path: Sequence[str], shows: Shows) -> str | None:
    """Return the directory of PATH, or the file, that would have a program of this name if commands saw it."""
    for folder in path:
        file = os.path.join(folder, name)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            return folder if not shows(folder) else _behind(file, shows)
    return None


def _behind(file: str, shows: Shows) -> str | None:
    """Return what commands do not see and a file that they see leads to, by links or as what runs it, or None."""
    for _ in range(MOST_LINKS):
        link = _first_link(file)
        if link is None:
            interpreter = _interpreter(file)
            return interpreter if interpreter and not shows(interpreter) else None
        target = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)))
        file = target + file.removeprefix(link)
        if not shows(file):
            return file
    return None


def _first_link(file: str) -> str | None:
    """Return the beginning of a path that is a link, or None when no link is on it."""
    end = 0
    while end < len(file):
        end = file.find("/", end + 1)
        end = len(file) if end < 0 else end
        if os.path.islink(file[:end]):
            return file[:end]
    return None


def _interpreter(file: str) -> str | None:
    """Return the absolute path of the program that a script names in its first line, or None."""
    if not (os.path.isfile(file) and os.access(file, os.X_OK)):
        return None
    try:
        with open(file, "rb") as opened:
            first = opened.readline(MOST_LOOKED_AT)
    except OSError:
        return None
    words = os.fsdecode(first.removeprefix(b"#!")).split() if first.startswith(b"#!") else []
    return words[0] if words and os.path.isabs(words[0]) else None
