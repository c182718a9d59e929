"""What may import what, beyond the contracts in pyproject.toml, and what importing must not do."""

from __future__ import annotations

import ast
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = ("interp", "prims", "loop")

# The modules that reach processes, the network or foreign memory, and the only files that import them.
GUARDED: dict[str, set[str]] = {
    "_posixsubprocess": set(),
    "_socket": set(),
    "asyncio": set(),
    "cffi": set(),
    "ctypes": {"prims/linux.py"},
    "ftplib": set(),
    "http": set(),
    "httpx": set(),
    "httpx2": {"loop/providers/network.py"},
    "multiprocessing": set(),
    "pty": set(),
    "requests": set(),
    "smtplib": set(),
    "socket": {"loop/providers/network.py"},
    "socketserver": set(),
    "ssl": {"loop/providers/network.py"},
    "subprocess": {"prims/processes.py"},
    "telnetlib": set(),
    "urllib": set(),
    "urllib3": set(),
    "xmlrpc": set(),
}

# Each costs more than a millisecond at start-up, or pulls in one that does; lark costs fifty.
HEAVY = {
    "argparse",
    "asyncio",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "inspect",
    "json",
    "lark",
    "logging",
    "pathlib",
    "pickle",
    "random",
    "re",
    "tempfile",
    "traceback",
    "unittest",
}

# Runs before site-packages are set up, so that a module counts as loaded only when the engine loads it.
ISOLATED = [sys.executable, "-I", "-S", "-c"]
PREPARE = f"import sys; sys.path[:0] = [{str(ROOT / '.types')!r}, {sysconfig.get_path('purelib')!r}]\n"


def modules(*folders: str) -> Iterator[Path]:
    """Yield the Python files of these top folders, as paths from the root."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT)


@cache
def imports(path: Path) -> set[str]:
    """Return the full names of all modules that a file imports, at its top or within a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def top(module: str) -> str:
    return module.partition(".")[0]


def run_isolated(program: str) -> str:
    """Run a program in a new interpreter without site-packages' start-up hooks; return what it prints."""
    done = subprocess.run([*ISOLATED, PREPARE + program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("guarded", sorted(GUARDED))
def test_the_world_is_reached_in_the_files_meant_for_it_alone(guarded: str) -> None:
    importing = {path.as_posix() for path in modules(*CODE) if guarded in map(top, imports(path))}
    assert importing == GUARDED[guarded]


COMPUTED = {
    # A module of builtins, named in a list of this package, when a program first uses one of its procedures.
    "interp/builtins/__init__.py",
    # The class of an object in the user's own cache, within the engine's package.
    "interp/flatten.py",
    # The module of a subcommand, named in a table of the first file.
    "loop/ui/cli.py",
    "loop/ui/completions.py",
}


def test_modules_are_imported_by_a_computed_name_only_where_that_is_bounded() -> None:
    computed = {
        path.as_posix()
        for path in modules(*CODE)
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith(("__import__", "import_module"))
        and not (node.args and isinstance(node.args[0], ast.Constant))
    }
    assert computed == COMPUTED


def test_the_engine_depends_on_lark_and_the_standard_library_alone() -> None:
    allowed = sys.stdlib_module_names | {"lark"}
    foreign = {
        f"{path.as_posix()} imports {name}"
        for path in modules("interp")
        for name in imports(path)
        if top(name) not in allowed and not name.startswith("nodwyn.interp")
    }
    assert foreign == set()


def test_the_engine_starts_without_heavy_modules() -> None:
    # `typing` is let through, and before Python 3.13 it imports `enum` and `re`.
    program = "import typing; before = set(sys.modules); import nodwyn.interp; print(*set(sys.modules) - before)"
    assert HEAVY & set(run_isolated(program).split()) == set()


WATCH = """
import importlib
working = []
def watch(event, arguments):
    started = event in {"os.system", "os.exec", "os.fork", "os.posix_spawn", "os.mkdir", "os.remove", "os.rename"}
    read = event == "open" and not str(arguments[0]).endswith((".py", ".pyc"))
    if started or read or event.startswith(("socket.", "subprocess.", "_thread.", "signal.", "shutil.")):
        working.append((event, str(arguments)))
sys.dont_write_bytecode = True
sys.addaudithook(watch)
for name in NAMES:
    importlib.import_module(name)
    while working:
        print(name, *working.pop())
"""


def test_no_module_does_work_when_imported() -> None:
    names = [
        ".".join(("nodwyn", *path.with_suffix("").parts)).removesuffix(".__init__")
        for path in modules(*CODE)
        if path.name != "__main__.py"
    ]
    assert run_isolated(f"NAMES = {names!r}{WATCH}").splitlines() == []
