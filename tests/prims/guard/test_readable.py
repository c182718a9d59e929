"""What commands read of homes, in real sandboxes: what is named and no secret in it, and what was checked alone."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims.environment import search_path
from nodwyn.prims.guard import bubblewrap, sandbox
from nodwyn.prims.guard.denylist import Denylist
from nodwyn.prims.guard.readable import LinkOnPath, Readable, hold
from nodwyn.prims.guard.sandbox import HOW_TO_SHOW, Kind, Offer, Sandbox
from nodwyn.prims.guard.sandbox_toml import FILE, readable
from nodwyn.prims.guard.unseen import MOST_TOLD
from nodwyn.prims.processes import CannotRun

Lay = Callable[..., None]
Open = Callable[..., Sandbox]

UNSEEN = "which commands in the sandbox do not see"


@pytest.fixture(scope="session")
def why_not() -> dict[Kind, str | None]:
    """Return for each kind of sandbox why it cannot be tried here, or None."""
    path = search_path(os.environ)
    return {"bubblewrap": sandbox._try_bubblewrap(path), "landlock": sandbox._try_landlock(path)}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path.resolve() / "home"
    (home / ".config" / "nodwyn").mkdir(parents=True)
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


@pytest.fixture
def opened(home: Path, root: Path, why_not: dict[Kind, str | None]) -> Open:
    """Return what opens a sandbox for a person whose sandbox.toml names these directories."""

    def make(*named: str, kind: Kind = "bubblewrap", path: tuple[str, ...] = ()) -> Sandbox:
        if why_not[kind]:
            pytest.skip(f"{kind} cannot run here: {why_not[kind]}")
        file = home / ".config" / "nodwyn" / FILE
        file.write_text(f"readable = {list(named)}\n")
        denied = Denylist((str(home / ".config/nodwyn"),), str(home)).secret
        shows = Readable(str(root), is_denied=denied, settings=lambda: readable(file, str(root), denied))
        searched = ":".join([*(str(home / each) for each in path), os.environ["PATH"]])
        return Sandbox(
            str(root),
            is_denied=denied,
            readable=shows,
            outside=[str(home / ".config/nodwyn")],
            environment={"HOME": str(home), "PATH": searched},
            offered=Offer(kind, ()),
        )

    return make


both = pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])


def said(own: Sandbox, line: str) -> str:
    finished = own.run(line).finished
    return finished.output.text() + finished.errors.text()


# Shown by PATH

BESIDE_PATH = [
    ("bin", "bin/.env"),
    ("bin", "bin/.ssh/id"),
    ("bin", "bin/credentials"),
    ("tool/bin", "tool/lib/credentials"),
    ("tool/bin", "tool/share/x"),
    ("tool/sbin", "tool/sbin/x"),
    ("miniconda3/condabin", "miniconda3/conda-meta/x"),
    (".fly/bin", ".fly/config.yml"),
    (".foundry/bin", ".foundry/share/x"),
    (".linuxbrew/bin", ".linuxbrew/opt/x"),
]


@both
@pytest.mark.parametrize(("entry", "file"), BESIDE_PATH)
def test_path_shows_nothing(lay: Lay, opened: Open, kind: Kind, entry: str, file: str) -> None:
    lay(f"{entry}/tool", file, text="SECRET\n")
    assert "SECRET" not in said(opened(kind=kind, path=(entry,)), f"cat ~/{file} ~/{entry}/tool; ls -a ~/{entry}")


# What is named is read

HIDDEN = """.env .env.local .ssh/id lib/.aws/config key.pem lib/.npmrc etc/npmrc pip.conf .condarc lib/credentials
lib/credentials.toml .git/.env bare/.env .git-credentials
lib/python/.netrc share/.config/gh/hosts.yml auth.json keys/id_rsa other-name"""


@both
@pytest.mark.parametrize("file", HIDDEN.split())
def test_a_secret_in_a_directory_that_is_named_stays_hidden(
    home: Path, lay: Lay, opened: Open, kind: Kind, file: str
) -> None:
    lay("tool/bare/HEAD", "tool/bare/objects/x", "tool/bare/refs/x")
    lay("tool/bin/tool", "tool/lib/credentials-of/code.py", "tool/lib/js/credentials/index.js")
    lay("tool/key.pem" if file == "other-name" else f"tool/{file}", text="SECRET\n")
    if file == "other-name":
        (home / "tool" / file).hardlink_to(home / "tool/key.pem")
    own = opened("~/tool", kind=kind)
    assert "SECRET" not in said(own, f"cat ~/tool/{file}; grep -rs . ~/tool; cp -r ~/tool /tmp/x; cat /tmp/x/{file}")
    assert (
        said(own, "~/tool/bin/tool; cat ~/tool/lib/credentials-of/code.py ~/tool/lib/js/credentials/index.js").count(
            "it runs"
        )
        == 3
    )


@both
def test_a_secret_that_comes_while_the_session_runs_is_hidden(home: Path, lay: Lay, opened: Open, kind: Kind) -> None:
    lay("tool/lib/x")
    own = opened("~/tool", kind=kind)
    own.run("true")
    lay("tool/lib/.env", "tool/new/id_rsa", text="SECRET\n")
    assert "SECRET" not in said(own, "cat ~/tool/lib/.env ~/tool/new/id_rsa")


@both
def test_what_is_named_runs_and_cannot_be_changed(home: Path, lay: Lay, opened: Open, kind: Kind) -> None:
    lay("tool/bin/tool", "other/x", ".ssh/id_rsa")
    line = "tool; echo x > ~/tool/bin/tool; touch ~/tool/y; rm -r ~/tool; cat ~/other/x ~/.ssh/id_rsa"
    assert opened("~/tool", kind=kind, path=("tool/bin",)).run(line).finished.output.text() == "it runs\n"
    assert "it runs" in (home / "tool/bin/tool").read_text()
    assert not (home / "tool/y").exists()


def test_nothing_beside_it_is_there(lay: Lay, opened: Open, home: Path) -> None:
    lay("tool/bin/tool", "tool/.env", ".ssh/id_rsa", "other/x")
    listed = opened("~/tool/bin").run("ls -A ~ ~/tool").finished.output.text()
    assert listed == f"{home}:\n.config\nsrc\ntool\n\n{home}/tool:\nbin\n"


@both
def test_a_virtual_environment_in_a_home_works_when_it_is_named_with_its_python(
    home: Path, lay: Lay, opened: Open, kind: Kind
) -> None:
    base = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin")
    if base is None:
        pytest.skip("no Python outside of the homes")
    (home / "miniconda3/bin").mkdir(parents=True)
    (home / "miniconda3/bin/python3").symlink_to(base)
    subprocess.run([base, "-m", "venv", "--without-pip", str(home / "venvs/v")], check=True)
    (home / "venvs/v/bin/python").unlink()
    (home / "venvs/v/bin/python").symlink_to(home / "miniconda3/bin/python3")
    site = next((home / "venvs/v/lib").glob("python*/site-packages"))
    (site / "own_package.py").write_text("name = 'it is imported'\n")
    line = "~/venvs/v/bin/python -c 'import own_package, sys; print(own_package.name, sys.prefix)'"
    assert said(opened("~/venvs", "~/miniconda3", kind=kind), line) == f"it is imported {home}/venvs/v\n"
    assert "it is imported" not in said(opened("~/venvs/v/bin", "~/miniconda3", kind=kind), line)


@both
def test_what_holds_the_root_may_be_named(lay: Lay, opened: Open, kind: Kind, root: Path) -> None:
    lay("src/other/x", "src/other/.env", *(f"src/{number}.pem" for number in range(120)))
    own = opened("~/src", kind=kind)
    assert own.run(
        "cat ~/src/other/x; touch made; touch ~/src/other/y; cat ~/src/other/.env ~/src/1.pem"
    ).finished.output.text() == ("#!/bin/sh\necho it runs\n")
    assert (root / "made").exists()
    assert not (root.parent / "other/y").exists()


@both
def test_programs_that_people_put_beside_those_of_tools_hide_their_secrets(lay: Lay, opened: Open, kind: Kind) -> None:
    lay(".local/bin/tool", ".cargo/bin/cargo")
    lay(".local/bin/.env", ".local/bin/.ssh/id", ".local/bin/credentials", text="SECRET\n")
    own = opened(kind=kind)
    assert "SECRET" not in said(own, "cat ~/.local/bin/.env ~/.local/bin/.ssh/id ~/.local/bin/credentials")
    assert said(own, "~/.local/bin/tool; ~/.cargo/bin/cargo") == "it runs\nit runs\n"


@both
def test_settings_of_an_installation_that_is_shown_as_a_whole_are_hidden(
    home: Path, lay: Lay, opened: Open, kind: Kind
) -> None:
    python = ".local/share/uv/python"
    lay(f"{python}/3.12.5/bin/tool")
    lay(f"{python}/3.12.5/pip.conf", text="SECRET\n")
    (home / python / "3.12").symlink_to("3.12.5")
    assert said(opened(kind=kind), f"~/{python}/3.12/bin/tool") == "it runs\n"
    assert "SECRET" not in said(opened(kind=kind), f"cat ~/{python}/3.12/pip.conf ~/{python}/*/pip.conf")


def test_no_file_of_the_root_names_anything(root: Path, lay: Lay, opened: Open) -> None:
    lay(".ssh/id_rsa", "other/x", text="SECRET\n")
    own = opened()
    for place in (FILE, f".nodwyn/{FILE}", f".config/nodwyn/{FILE}"):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text('readable = ["~/other"]\n')
    assert "SECRET" not in said(own, "cat ~/other/x")


# Check and use


@both
@pytest.mark.parametrize("link", ["tool", "tool/lib", "over"])
def test_a_link_in_place_of_what_is_named_is_refused_before_the_next_command(
    home: Path, lay: Lay, opened: Open, kind: Kind, link: str
) -> None:
    lay("tool/lib/x", "over/tool/lib/x")
    lay(".ssh/lib/x", ".ssh/tool/lib/x", text="SECRET\n")
    own = opened("~/over/tool/lib" if link == "over" else "~/tool/lib", kind=kind)
    assert "it runs" in said(own, "cat ~/tool/lib/x ~/over/tool/lib/x")
    (home / link).rename(home / "gone")
    (home / link).symlink_to(home / ".ssh")
    with pytest.raises(CannotRun, match=f"{link} is a link; name the directory that it leads to") as refused:
        own.run("cat ~/tool/lib/x")
    assert FILE in str(refused.value)


@both
@pytest.mark.parametrize("swapped", ["tool", "tool/lib"])
def test_a_link_that_is_put_in_its_place_after_the_check_is_not_followed(
    home: Path, lay: Lay, opened: Open, kind: Kind, swapped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay("tool/lib/x")
    lay(".ssh/x", ".ssh/lib/x", text="SECRET\n")
    own = opened("~/tool/lib", kind=kind)

    def swap(*given: object, real: Callable[..., object] = own._run_confined) -> object:
        (home / swapped).rename(home / "gone")
        (home / swapped).symlink_to(home / ".ssh")
        return real(*given)

    monkeypatch.setattr(own, "_run_confined", swap)
    assert "SECRET" not in (shown := said(own, "cat ~/tool/lib/x ~/.ssh/x"))
    # Landlock has no other name for it, bubblewrap shows what was checked.
    assert ("it runs" in shown) == (kind == "bubblewrap")
    assert (home / swapped).is_symlink()


@both
def test_a_link_in_what_is_named_leads_commands_nowhere(home: Path, lay: Lay, opened: Open, kind: Kind) -> None:
    lay("tool/x", "hidden/x")
    lay(".ssh/id_rsa", text="SECRET\n")
    for name, text in {
        "a": "../.ssh",
        "b": str(home / ".ssh/id_rsa"),
        "c": "..",
        "d": "/proc/self/root/" + str(home),
    }.items():
        (home / "tool" / name).symlink_to(text)
    line = "cat ~/tool/a/id_rsa ~/tool/b ~/tool/c/.ssh/id_rsa ~/tool/d/.ssh/id_rsa; ls ~/tool/c/hidden"
    assert "SECRET" not in said(opened("~/tool", kind=kind), line)


def test_no_descriptor_of_it_is_left_to_the_command(lay: Lay, opened: Open, home: Path) -> None:
    lay("tool/x", ".ssh/id_rsa")
    listed = said(opened("~/tool"), "readlink /proc/self/fd/* /proc/1/fd/*")
    assert str(home) not in listed


def test_a_bwrap_without_descriptors_binds_by_the_path(lay: Lay, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_binds_descriptors", lambda program: False)
    lay("tool/bin/tool")
    assert said(opened("~/tool"), "~/tool/bin/tool") == "it runs\n"


def test_descriptors_are_closed_again(lay: Lay, opened: Open) -> None:
    lay("tool/bin/tool", ".cargo/bin/x")
    own = opened("~/tool")
    own.run("true")
    before = len(os.listdir("/proc/self/fd"))
    own.run("true")
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_mistake_of_the_person_is_no_failed_line(home: Path, opened: Open) -> None:
    own = opened("~/.ssh")
    with pytest.raises(CannotRun, match=r"sandbox.toml: readable has ~/.ssh, but .ssh holds secrets.*; take it out"):
        own.run("true")
    (home / ".config/nodwyn" / FILE).unlink()
    assert own.run("true").finished.status == 0


@pytest.mark.parametrize(("path", "link"), [("a/b", "a"), ("b", "b"), ("a", "a")])
def test_what_is_held_has_no_link_on_its_path(tmp_path: Path, path: str, link: str) -> None:
    tmp_path = tmp_path.resolve()
    (tmp_path / "real" / "b").mkdir(parents=True)
    (tmp_path / link).symlink_to("real")
    with pytest.raises(LinkOnPath) as error:
        hold(str(tmp_path / path))
    assert (error.value.path, error.value.text) == (str(tmp_path / link), "real")


def test_what_is_no_directory_and_no_file_is_not_held(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, number in {"pipe": errno.ENOTDIR, "none": errno.ENOENT}.items():
        with pytest.raises(OSError) as error:
            hold(str(tmp_path.resolve() / name))
        assert error.value.errno == number


# What is told


def test_what_a_line_could_not_start_is_told_and_how_it_would_be_seen(
    home: Path, root: Path, lay: Lay, opened: Open
) -> None:
    lay("scripts/flow", "hidden/python")
    own = opened(path=("scripts",))
    assert own.run("flow").unseen == (f"flow is in {home}/scripts, {UNSEEN}", HOW_TO_SHOW)
    assert own.run("true flow; echo flow >&2").unseen == ()
    for number in range(5):
        (root / f"python{number}").symlink_to("../../hidden/python")
    ran = own.run("for i in 0 1 2 3 4; do ./python$i; done")
    assert ran.finished.status == 127
    assert len(ran.unseen) == MOST_TOLD + 1
    assert opened("~/hidden").run("./python1").finished.output.text() == "it runs\n"


def test_a_secret_of_the_root_is_not_said_to_be_shown_by_a_setting(root: Path, lay: Lay, opened: Open) -> None:
    lay("src/app/.env", text="#!/bin/sh\n")
    (root / "link").symlink_to(".env")
    assert opened().run("./link").unseen == (f"./link needs {root}/.env, {UNSEEN}",)


@pytest.mark.parametrize("there", [True, False])
def test_no_link_that_a_line_makes_shows_whether_its_target_is_there(
    home: Path, root: Path, lay: Lay, opened: Open, there: bool
) -> None:
    if there:
        lay(".ssh/id_rsa", ".aws/credentials")
    own = opened()
    ran = own.run("ln -s ~/.ssh/id_rsa a; ln -s ~/.aws b; ./a")
    assert (ran.newly_hidden, ran.hidden) == ((), ())
    assert ran.unseen[0] == f"./a needs {home}/.ssh/id_rsa, {UNSEEN}"
    assert "cannot access" in own.run("ls -la ~/.ssh ~/.aws").finished.errors.text()
