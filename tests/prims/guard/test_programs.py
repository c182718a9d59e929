"""Programs in homes: which directories commands are shown because of the person's PATH, and what they are told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard import programs
from nodwyn.prims.guard.denylist import Denylist
from nodwyn.prims.guard.programs import MOST_TOLD, tool_directories, unseen
from nodwyn.prims.guard.sandbox import Sandbox, offer

safe = pytest.mark.skipif(not offer().keeps_root_safe, reason="no sandbox that keeps the root safe")

Lay = Callable[..., None]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path.resolve() / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def root(home: Path) -> Path:
    root = home / "src" / "app"
    root.mkdir(parents=True)
    return root


@pytest.fixture
def lay(home: Path) -> Lay:
    """Return what makes programs and other files in the home."""

    def make(*names: str, text: str = "#!/bin/sh\necho it runs\n") -> None:
        for name in names:
            file = home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)

    return make


def denied(home: Path) -> Callable[[str], str | None]:
    return Denylist((str(home / ".local/share/nodwyn"),), str(home)).secret


def shown(home: Path, root: Path, *path: str) -> set[str]:
    """Return what is shown of a home because of PATH, relative to it."""
    named = [str(home / entry) for entry in path]
    found = tool_directories(named, root=str(root), is_denied=denied(home))
    assert all(is_within(each, str(home)) for each in found)
    return {os.path.relpath(each, home) for each in found}


@pytest.mark.parametrize(
    ("entry", "files", "sees"),
    [
        (
            "miniconda3/bin",
            ["lib/x", "conda-meta/x", "ssl/x", ".condarc", "etc/x"],
            {"bin", "lib", "conda-meta", "ssl"},
        ),
        ("miniconda3/envs/e/bin", ["lib/x", "conda-meta/x", "etc/x"], {"bin", "lib", "conda-meta"}),
        ("miniconda3/condabin", ["bin/x", "lib/x", "conda-meta/x"], {"condabin", "bin", "lib", "conda-meta"}),
        (".npm-global/bin", ["lib/x", "etc/npmrc"], {"bin", "lib"}),
        (".fly/bin", ["config.yml"], {"bin"}),
        (".foundry/bin", ["keystores/x", "share/x"], {"bin", "share"}),
        (".cabal/bin", ["config", "lib/x"], {"bin", "lib"}),
        (".docker/bin", ["config.json"], {"bin"}),
        ("tools/go/bin", ["src/x", "ssl/x", "opt/x", ".env"], {"bin"}),
        (".linuxbrew/sbin", ["Cellar/x", "opt/x", "var/x"], {"sbin", "Cellar", "opt"}),
        (".proto/shims", ["config.toml"], {"shims"}),
    ],
)
def test_what_path_names_is_shown_with_what_an_installation_has_and_nothing_else(
    home: Path, root: Path, lay: Lay, entry: str, files: list[str], sees: set[str]
) -> None:
    around = os.path.dirname(entry)
    lay(f"{entry}/tool", *(f"{around}/{file}" for file in files))
    assert shown(home, root, entry) == {f"{around}/{name}" for name in sees}


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "..",
        "src/app/bin",
        "src",
        "scripts",
        "Documents",
        ".ssh/bin",
        ".aws/bin",
        ".gnupg/bin",
        ".config/bin",
        ".config/composer/vendor/bin",
        ".CONFIG/x/bin",
        ".local/share/nodwyn/bin",
        ".local/share/keyrings/bin",
        "none/bin",
        "link/bin",
        "linked/bin",
    ],
)
def test_nothing_is_shown_because_of_any_other_entry(home: Path, root: Path, lay: Lay, entry: str) -> None:
    lay("real/bin/tool", ".ssh/id", ".config/x/x", "share/x", "lib/x")
    (home / "link").symlink_to("real")
    (home / "linked").mkdir()
    (home / "linked" / "bin").symlink_to("../real/bin")
    if not entry.startswith(("none", "link")):
        lay(f"{entry}/tool".lstrip("/"))
    assert shown(home, root, entry) == set()


def test_programs_of_the_home_itself_and_of_shared_places_are_shown_alone(home: Path, root: Path, lay: Lay) -> None:
    lay("bin/tool", "lib/x", "share/x", ".local/sbin/tool", ".local/share/x", ".local/lib/x", ".local/share/bin/tool")
    assert shown(home, root, "bin", ".local/sbin", ".local/share/bin") == {
        "bin",
        ".local/lib",
        ".local/sbin",
        ".local/share/bin",
    }


def test_links_beside_programs_are_not_followed(home: Path, root: Path, lay: Lay) -> None:
    lay("x/bin/tool", ".ssh/id_rsa")
    (home / "x" / "lib").symlink_to("../.ssh")
    assert shown(home, root, "x/bin") == {"x/bin"}


def test_a_directory_with_a_home_in_it_is_not_shown(
    home: Path, root: Path, lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay("x/bin/tool", "x/lib/me/.ssh/id_rsa", "y/bin/me/.ssh/id_rsa")
    mine = [str(home / "x/lib/me"), str(home / "y/bin/me"), str(home)]
    monkeypatch.setattr(programs, "_own_homes", lambda: mine)
    assert shown(home, root, "x/bin", "y/bin") == {"x/bin"}


@pytest.mark.parametrize("manager", [".asdf/shims", ".local/share/mise/shims", ".pyenv/shims", ".cargo/bin"])
def test_known_tools_are_shown_without_path(home: Path, root: Path, lay: Lay, manager: str) -> None:
    lay(f"{manager}/tool", ".cargo/credentials.toml")
    (seen,) = shown(home, root)
    assert is_within(manager, seen)
    assert shown(home, root, manager) == {seen}


def told(errors: str, status: int, home: Path, root: Path, *path: str) -> list[str]:
    named = [str(home / entry) for entry in path]
    places = tool_directories(named, root=str(root), is_denied=denied(home))

    def shows(path: str) -> bool:
        if is_within(path, str(root)):
            return denied(home)(path) is None
        return not is_within(path, str(home)) or any(is_within(path, each) for each in places)

    return list(unseen(errors, status, cwd=str(root), root=str(root), path=named, shows=shows))


@pytest.mark.parametrize(
    ("errors", "status", "says"),
    [
        ("bash: line 1: tool: command not found", 127, True),
        ("bash: Zeile 1: tool: Kommando nicht gefunden.", 127, True),
        ("env: ‘tool’: No such file or directory", 127, True),
        ("bash: line 1: other: command not found", 127, False),
        ("bash: line 1: notes: command not found", 127, False),
        ("tool failed", 1, False),
    ],
)
def test_a_program_that_is_not_found_is_told_where_it_is(
    home: Path, root: Path, lay: Lay, errors: str, status: int, says: bool
) -> None:
    lay("scripts/tool", "scripts/notes")
    (home / "scripts" / "notes").chmod(0o644)
    expected = [f"tool is in {home}/scripts, which commands in the sandbox do not see"] if says else []
    assert told(errors, status, home, root, "scripts") == expected


def test_a_program_that_is_shown_and_leads_to_what_is_not_is_told(home: Path, root: Path, lay: Lay) -> None:
    lay("hidden/tool", "x/bin/other")
    (home / "x" / "bin" / "tool").symlink_to("../../hidden/tool")
    assert told("bash: line 1: tool: command not found", 127, home, root, "x/bin") == [
        f"tool is in {home}/hidden/tool, which commands in the sandbox do not see"
    ]


@pytest.mark.parametrize("through", ["file", "chain", "directory"])
def test_a_link_of_the_root_that_leads_out_is_told_by_its_own_words(
    home: Path, root: Path, lay: Lay, through: str
) -> None:
    lay("hidden/bin/python3.12")
    (home / "hidden" / "bin" / "python3").symlink_to("python3.12")
    (root / ".venv").mkdir()
    if through == "directory":
        (root / ".venv" / "bin").symlink_to("../../../hidden/bin")
        (home / "hidden" / "bin" / "python").symlink_to("python3")
    else:
        (root / ".venv" / "bin").mkdir()
        first = root / ".venv" / "bin" / ("python" if through == "file" else "python3")
        first.symlink_to(home / "hidden/bin/python3")
        if through == "chain":
            (root / ".venv" / "bin" / "python").symlink_to("python3")
    leads = "python" if through == "directory" else "python3"
    assert told("bash: line 1: .venv/bin/python: No such file or directory", 127, home, root) == [
        f".venv/bin/python needs {home}/hidden/bin/{leads}, which commands in the sandbox do not see"
    ]


def test_a_script_of_the_root_whose_interpreter_is_hidden_is_told(home: Path, root: Path, lay: Lay) -> None:
    lay("hidden/python")
    lay("src/app/pip", text=f"#!{home}/hidden/python -E\n")
    errors = f"bash: line 1: ./pip: {home}/hidden/python: bad interpreter: No such file or directory"
    assert told(errors, 126, home, root) == [
        f"./pip needs {home}/hidden/python, which commands in the sandbox do not see"
    ]


@pytest.mark.parametrize("there", [True, False])
def test_what_is_told_does_not_say_what_there_is_in_a_home(home: Path, root: Path, lay: Lay, there: bool) -> None:
    if there:
        lay(".ssh/id_rsa", ".env")
    (root / "key").symlink_to("../../.ssh/id_rsa")
    asked = f"x: {home}/.ssh/id_rsa ../../.ssh/id_rsa ~/.ssh/id_rsa id_rsa key/ ./key"
    assert told(asked, 127, home, root, "bin") == [
        f"{word} needs {home}/.ssh/id_rsa, which commands in the sandbox do not see" for word in ("key/", "./key")
    ]


def test_a_secret_of_the_root_is_not_looked_into(home: Path, root: Path, lay: Lay) -> None:
    lay("src/app/.env", text=f"#!{home}/hidden/secret-word\n")
    (root / "link").symlink_to(".env")
    assert told("./.env: no", 126, home, root) == []
    assert told("./link: no", 126, home, root) == [
        f"./link needs {root}/.env, which commands in the sandbox do not see"
    ]


def test_links_that_go_round_end(home: Path, root: Path) -> None:
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    assert told("./a: Too many levels of symbolic links", 126, home, root) == []


def sandbox(home: Path, root: Path, *path: str) -> Sandbox:
    environment = {"HOME": str(home), "PATH": ":".join([*(str(home / entry) for entry in path), os.environ["PATH"]])}
    caches = tool_directories(environment["PATH"].split(":"), root=str(root), is_denied=denied(home))
    return Sandbox(str(root), is_denied=denied(home), caches=caches, environment=environment)


@safe
def test_a_program_on_the_path_runs_and_cannot_be_changed(home: Path, root: Path, lay: Lay) -> None:
    lay(".fly/bin/flow", ".fly/config.yml", ".fly/lib/x", ".ssh/id_rsa")
    line = "flow; ls -A ~ ~/.fly; echo x > ~/.fly/bin/flow; echo x > ~/.fly/lib/y; cat ~/.fly/config.yml"
    ran = sandbox(home, root, ".fly/bin").run(line)
    assert ran.finished.output.text() == f"it runs\n{home}:\n.fly\nsrc\n\n{home}/.fly:\nbin\nlib\n"
    assert "#!/bin/sh" in (home / ".fly/bin/flow").read_text()
    assert not (home / ".fly/lib/y").exists()


@safe
def test_what_a_line_could_not_start_is_told_and_of_much_only_the_first(home: Path, root: Path, lay: Lay) -> None:
    lay("scripts/flow", "hidden/python")
    own = sandbox(home, root, "scripts")
    assert own.run("flow").unseen == (f"flow is in {home}/scripts, which commands in the sandbox do not see",)
    assert own.run("true flow; echo flow >&2").unseen == ()
    for number in range(5):
        (root / f"python{number}").symlink_to("../../hidden/python")
    ran = own.run("for i in 0 1 2 3 4; do ./python$i; done")
    assert ran.finished.status == 127
    assert len(ran.unseen) == MOST_TOLD
