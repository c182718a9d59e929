"""``nodwyn doctor``: what this machine offers, and what is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nodwyn.loop.ui.cli import DONE, FAILED
from nodwyn.loop.ui.options import parser
from nodwyn.prims.directories import config_directory, data_directory, kept_config
from nodwyn.prims.environment import clean_environment, find_git, search_path
from nodwyn.prims.guard.display import escape_in_one_line
from nodwyn.prims.private import NotPrivate


class Finding(NamedTuple):
    """What was found about one thing."""

    what: str
    state: str
    """``ok``, ``missing`` (it works without) or ``fails``."""
    said: str


def run(arguments: Sequence[str]) -> int:
    """Say what there is; return the exit status: failure when nodwyn cannot work here."""
    parser("doctor", "Say what this machine offers and what is missing.", "nodwyn doctor").parse_args(arguments)
    found = list(findings())
    width = max(len(finding.what) for finding in found)
    for finding in found:
        sys.stdout.write(f"{finding.state:<7}  {finding.what:<{width}}  {escape_in_one_line(finding.said)}\n")
    return FAILED if any(finding.state == "fails" for finding in found) else DONE


def findings() -> Iterator[Finding]:
    """Yield what is found about this machine."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", f"{version} on {sys.platform}{_untested()}")
    yield _directory("data", data_directory, "NODWYN_DATA_DIR")
    yield _directory("configuration", config_directory, "NODWYN_CONFIG_DIR")
    yield from _sandbox()
    yield from _readable()
    yield _git()
    yield _keyring()
    yield _terminal()


def _untested() -> str:
    return "; nodwyn was not tried on this system" if sys.platform != "linux" else ""


def _directory(what: str, find: Callable[[], os.PathLike[str]], variable: str) -> Finding:
    try:
        path = os.fspath(find())
    except (NotPrivate, OSError) as error:
        return Finding(what, "fails", f"{error}; {variable} names another directory")
    if not os.access(path, os.W_OK):
        return Finding(what, "fails", f"{path} cannot be written; {variable} names another directory")
    return Finding(what, "ok", path)


def _sandbox() -> Iterator[Finding]:
    from nodwyn.prims.guard.sandbox import offer

    offered = offer(os.getcwd())
    state = "missing" if offered.kind == "none" else "ok"
    yield Finding("sandbox", state, f"{offered.kind}: {offered.promise}")
    for reason in offered.missing:
        yield Finding("sandbox", "missing", reason)


def _readable() -> Iterator[Finding]:
    """Yield what commands in the sandbox read of homes."""
    from nodwyn.prims.guard.paths import Places
    from nodwyn.prims.guard.programs import tool_caches
    from nodwyn.prims.guard.sandbox_toml import FILE, SETTING, SettingError, named, refusal

    root = os.path.realpath(os.getcwd())
    home = os.path.realpath(os.path.expanduser("~"))
    of_tools = ", ".join("~" + path.removeprefix(home) for path in tool_caches())
    yield Finding(SETTING, "ok", f"by commands in the sandbox, of tools: {of_tools or 'none in this home'}")
    try:
        file = kept_config() / FILE
        directories = named(file, root)
        denied = Places(root).denied
    except SettingError as error:
        yield Finding(SETTING, "fails", str(error))
        return
    except (NotPrivate, OSError):
        return  # of the directories themselves it is told already
    if not directories:
        yield Finding(SETTING, "ok", f"by commands in the sandbox, of yours: what {file} names, which is nothing")
    for each in directories:
        reason = refusal(each.path, denied)
        if reason is not None:
            yield Finding(SETTING, "fails", f"{file} names {each.written}, but {reason}")
        elif not os.path.isdir(each.path):
            yield Finding(SETTING, "missing", f"{file} names {each.written}, which is not there")
        else:
            yield Finding(SETTING, "ok", f"by commands in the sandbox: {each.path}, which {file} names")


def _git() -> Finding:
    program = find_git(os.environ, os.getcwd())
    if program is None:
        path = search_path(os.environ, os.getcwd())
        return Finding("git", "missing", f"not in {':'.join(path)}; the git primitives need it, all else works without")
    from nodwyn.prims.processes import CannotRun, Limits
    from nodwyn.prims.processes import run as run_program

    try:
        finished = run_program(
            [program, "--version"], cwd="/", environment=clean_environment(os.environ), limits=Limits(10.0)
        )
    except CannotRun as error:
        return Finding("git", "fails", str(error))
    return Finding("git", "ok", finished.output.text().strip())


def _keyring() -> Finding:
    from importlib.util import find_spec

    if find_spec("keyring") is None:
        return Finding("keyring", "missing", "the package keyring is not installed; keys come from the environment")
    return Finding("keyring", "ok", "keys may lie in the system's keyring")


def _terminal() -> Finding:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("terminal", "missing", "none here: a question is a no unless --approve answers it")
    return Finding("terminal", "ok", f"{os.environ.get('TERM', 'unknown')}, {sys.stdout.encoding}")
