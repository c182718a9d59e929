"""What is told of programs that commands do not see, and that it shows nothing of what lies outside of the root."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.denylist import Denylist
from nodwyn.prims.guard.unseen import unseen

Lay = Callable[..., None]

UNSEEN = "which commands in the sandbox do not see"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path.resolve() / "home"
    home.mkdir()
    return home


@pytest.fixture
def root(home: Path) -> Path:
    root = home / "src" / "app"
    root.mkdir(parents=True)
    return root


@pytest.fixture
def lay(home: Path) -> Lay:
    """Return what makes programs in the home."""

    def make(*names: str, text: str = "#!/bin/sh\n") -> None:
        for name in names:
            file = home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)

    return make


def told(errors: str, status: int, home: Path, root: Path, *path: str) -> list[str]:
    secret = Denylist((), str(home)).secret

    def shows(path: str) -> bool:
        if is_within(path, str(root)) or is_within(path, str(home / "shown")):
            return secret(path) is None
        return not is_within(path, str(home))

    named = [str(home / entry) for entry in path]
    found = list(unseen(errors, status, cwd=str(root), root=str(root), path=named, shows=shows))
    assert all(hidden in said for said, hidden in found)
    return [said for said, _ in found]


@pytest.mark.parametrize(
    ("errors", "status", "says"),
    [
        ("bash: line 1: tool: command not found", 127, True),
        ("bash: Zeile 1: tool: Kommando nicht gefunden.", 127, True),
        ("env: ‘tool’: No such file or directory", 127, True),
        ("bash: line 1: other: command not found", 127, False),
        ("bash: line 1: notes: command not found", 127, False),
        ("folder .. . .env: command not found", 127, False),
        ("tool failed", 1, False),
    ],
)
def test_a_program_that_is_not_found_is_told_where_it_is(
    home: Path, root: Path, lay: Lay, errors: str, status: int, says: bool
) -> None:
    lay("scripts/tool", "scripts/notes", "scripts/folder/x", "scripts/.env")
    for name in ("notes", ".env"):
        (home / "scripts" / name).chmod(0o644)
    assert told(errors, status, home, root, "scripts") == [f"tool is in {home}/scripts, {UNSEEN}"] * says


@pytest.mark.parametrize("there", [True, False])
def test_a_link_in_a_directory_of_path_that_is_seen_is_told_by_its_own_words(
    home: Path, root: Path, lay: Lay, there: bool
) -> None:
    lay("shown/other", *["hidden/tool"] * there)
    (home / "shown" / "tool").symlink_to("../hidden/tool")
    (home / "shown" / "fine").symlink_to("other")
    assert told("tool: not found; fine: not found", 127, home, root, "shown") == [
        f"tool is in {home}/hidden/tool, {UNSEEN}"
    ]


@pytest.mark.parametrize("through", ["file", "chain", "directory", "script"])
def test_a_link_of_the_root_that_leads_out_is_told_by_its_own_words(
    home: Path, root: Path, lay: Lay, through: str
) -> None:
    lay("hidden/bin/python3.12")
    (home / "hidden" / "bin" / "python3").symlink_to("python3.12")
    (home / "hidden" / "bin" / "python").symlink_to("python3")
    (root / ".venv").mkdir()
    leads = "python3"
    if through == "directory":
        (root / ".venv" / "bin").symlink_to("../../../hidden/bin")
        leads = "python"
    elif through == "file":
        lay("src/app/.venv/bin/x")
        (root / ".venv/bin/python").symlink_to(home / "hidden/bin/python3")
    else:
        lay("src/app/.venv/bin/python", text=f"#!{root}/.venv/bin/python3 -E\n")
        (root / ".venv/bin/python3").symlink_to(home / "hidden/bin/python3")
        if through == "chain":
            (root / ".venv/bin/python").unlink()
            (root / ".venv/bin/python").symlink_to("python3")
    assert told("bash: line 1: .venv/bin/python: No such file or directory", 127, home, root) == [
        f".venv/bin/python needs {home}/hidden/bin/{leads}, {UNSEEN}"
    ]


def test_a_script_of_the_root_whose_interpreter_is_hidden_is_told(home: Path, root: Path, lay: Lay) -> None:
    lay("src/app/pip", text=f"#!{home}/hidden/python -E\n")
    errors = f"bash: line 1: ./pip: {home}/hidden/python: bad interpreter: No such file or directory"
    assert told(errors, 126, home, root) == [f"./pip needs {home}/hidden/python, {UNSEEN}"]


# What a repository may try: each link of the root, by its text, and what is told of it; {home} and {root} are replaced.
LINKS = {
    "key": ("../../.ssh/id_rsa", "{home}/.ssh/id_rsa"),
    "absolute": ("{home}/.ssh/id_rsa", "{home}/.ssh/id_rsa"),
    "two slashes": ("//{home}/.ssh/id_rsa", "{home}/.ssh/id_rsa"),
    "slashes": ("///{home}//.ssh/./id_rsa", "{home}/.ssh/id_rsa"),
    "folder": ("../..", "{home}/inner"),
    "script": ("{home}/script", "{home}/script"),
    "hop": ("{home}/hop", "{home}/hop"),
    "proc": ("/proc/self/root{home}/script", None),
    "cwd": ("/proc/self/cwd/../../script", None),
    "descriptor": ("/dev/fd/3/script", None),
    "up": ("/usr/../{home}/script", "{home}/script"),
    "system": ("/etc/shadow", None),
    "through": ("{root}/hops", "{home}/.ssh/id_rsa"),
    "round": ("round", None),
    "secret": (".env", "{root}/.env"),
    "back": ("../../../home/src/app/hops", "{home}/.ssh/id_rsa"),
}


@pytest.fixture(params=[True, False], ids=["there", "not there"])
def hostile(request: pytest.FixtureRequest, home: Path, root: Path, lay: Lay) -> Path:
    """Return a root with such links, with and without what they lead to."""
    if request.param:
        lay(".ssh/id_rsa", "inner/x")
        lay("script", text=f"#!{home}/words-of-the-script\n")
        (home / "hop").symlink_to(home / "second")
    (root / "hops").symlink_to("../../.ssh/id_rsa")
    lay("src/app/.env", text=f"#!{home}/secret-word\n")
    for name, (text, _) in LINKS.items():
        (root / name.replace(" ", "-")).symlink_to(text.format(home=home, root=root))
    return root


@pytest.mark.parametrize("name", LINKS)
def test_a_hostile_link_is_told_by_its_words_whatever_is_there(home: Path, hostile: Path, name: str) -> None:
    word = f"./{name.replace(' ', '-')}" + "/inner" * (name == "folder")
    tells = LINKS[name][1]
    expected = [] if tells is None else [f"{word} needs {tells.format(home=home, root=hostile)}, {UNSEEN}"]
    for status in (1, 126, 127):
        assert told(f"{word}: no", status, home, hostile, "bin") == expected


def test_nothing_outside_of_the_root_is_opened_or_looked_at(
    home: Path, hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[str] = []

    def watched(name: str) -> None:
        real = getattr(os, name)

        def call(path: object, *rest: object, dir_fd: int | None = None, **given: object) -> object:
            base = os.readlink(f"/proc/self/fd/{dir_fd}") if dir_fd is not None and name != "readlink" else ""
            touched.append(os.path.normpath(os.path.join(base, os.fsdecode(path)))) if isinstance(path, str) else None
            return real(path, *rest, **({} if dir_fd is None else {"dir_fd": dir_fd}), **given)

        monkeypatch.setattr(os, name, call)

    for name in ("open", "stat", "lstat", "listdir", "scandir"):
        watched(name)
    told(" ".join(f"./{name.replace(' ', '-')}/x" for name in LINKS), 127, home, hostile)
    assert touched
    assert [path for path in touched if os.path.isabs(path) and not is_within(path, str(hostile))] == []


def test_words_of_a_command_ask_for_nothing_outside_of_the_root(home: Path, root: Path, lay: Lay) -> None:
    lay(".ssh/id_rsa", "bin/x")
    asked = f"x: {home}/.ssh/id_rsa ../../.ssh/id_rsa ~/.ssh/id_rsa id_rsa //etc/shadow ../.ssh/id_rsa a/\0b"
    assert told(asked, 127, home, root, "bin/none") == []


def test_a_secret_of_the_root_is_not_looked_into(home: Path, root: Path, lay: Lay) -> None:
    lay("src/app/.env", "src/app/.ssh/x", text=f"#!{home}/hidden/secret-word\n")
    (root / "same").hardlink_to(root / ".env")
    assert told("./.env .ssh/x ./same: no", 126, home, root) == []
