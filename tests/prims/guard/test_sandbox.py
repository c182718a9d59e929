"""Running lines in a sandbox: what they reach, what they cannot, and what is told of them, for each kind of sandbox."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from nodwyn.prims.environment import search_path
from nodwyn.prims.guard import sandbox
from nodwyn.prims.guard.confinement import homes, sockets
from nodwyn.prims.guard.readable import Readable
from nodwyn.prims.guard.sandbox import Kind, Offer, Ran, Sandbox, offer
from nodwyn.prims.processes import CannotRun, Limits


@pytest.fixture(scope="session")
def why_not() -> dict[Kind, str | None]:
    """Return for each kind of sandbox why it cannot be tried here, or None."""
    path = search_path(os.environ)
    return {"bubblewrap": sandbox._try_bubblewrap(path), "landlock": sandbox._try_landlock(path), "none": None}


def is_denied(path: str) -> str | None:
    name = os.path.basename(path)
    return "a secret" if name.endswith(".pem") or (name.startswith(".env") and name != ".env.example") else None


def is_unwritable(path: str) -> str | None:
    return "makes other programs run code" if path.endswith("/.vscode/tasks.json") else None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository in a directory that is no temporary one: those are private in a sandbox."""
    root = tmp_path.resolve() / "app"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".env").write_text("SECRET=1\n")
    (root / ".env.example").write_text("SECRET=\n")
    (root / "sub").mkdir()
    (root / "sub" / "key.pem").write_text("SECRET\n")
    (root / "sub" / "also-a-key").hardlink_to(root / "sub" / "key.pem")
    (root / "to-key").symlink_to("sub/key.pem")
    (root / "notes.txt").write_text("notes\n")
    return root


def sandbox_of(kind: Kind, root: Path, why_not: dict[Kind, str | None], **options: object) -> Sandbox:
    if why_not[kind]:
        pytest.skip(f"{kind} cannot run here: {why_not[kind]}")
    future = [str(root / name) for name in (".envrc", ".vscode/tasks.json")]
    return Sandbox(
        str(root),
        is_denied=is_denied,
        is_unwritable=is_unwritable,
        future=future,
        offered=Offer(kind, ()),
        **options,  # type: ignore[arg-type]
    )


@pytest.fixture
def bubblewrap(root: Path, why_not: dict[Kind, str | None]) -> Sandbox:
    return sandbox_of("bubblewrap", root, why_not)


@pytest.fixture
def landlock(root: Path, why_not: dict[Kind, str | None]) -> Sandbox:
    return sandbox_of("landlock", root, why_not)


@pytest.fixture(params=["bubblewrap", "landlock"])
def confined(request: pytest.FixtureRequest, root: Path, why_not: dict[Kind, str | None]) -> Sandbox:
    """Return a sandbox of each kind that confines."""
    return sandbox_of(request.param, root, why_not)


@pytest.fixture(params=["bubblewrap", "landlock", "none"])
def each(request: pytest.FixtureRequest, root: Path, why_not: dict[Kind, str | None]) -> Sandbox:
    """Return a sandbox of each kind, the missing one included."""
    return sandbox_of(request.param, root, why_not)


def said(ran: Ran) -> str:
    return ran.finished.output.text() + ran.finished.errors.text()


# What holds with every kind, and with none


def test_a_line_runs_in_the_root(each: Sandbox, root: Path) -> None:
    ran = each.run("pwd -P; cat notes.txt | tr a-z A-Z; exit 3")
    assert (ran.finished.status, ran.finished.output.text()) == (3, f"{root}\nNOTES\n")


def test_a_line_runs_where_it_is_told_to(each: Sandbox, root: Path) -> None:
    assert each.run("pwd -P", cwd=str(root / "sub")).finished.output.text() == f"{root}/sub\n"


def test_a_line_runs_nowhere_else(each: Sandbox, root: Path) -> None:
    (root / "out").symlink_to(root.parent)
    for cwd in ("/", str(root.parent), str(root / "out"), f"{root}-private"):
        with pytest.raises(CannotRun, match=r"a line runs in .* or beneath it, not in "):
            each.run("true", cwd=cwd)


def test_a_line_is_no_option_of_the_shell(each: Sandbox) -> None:
    assert each.run("-i").finished.status == 127


def test_a_line_writes_in_the_root(each: Sandbox, root: Path) -> None:
    each.run("mkdir new && echo text > new/file && mv notes.txt new")
    assert (root / "new" / "file").read_text() == "text\n"
    assert (root / "new" / "notes.txt").exists()


def test_a_line_has_a_directory_for_temporary_files(each: Sandbox) -> None:
    assert each.run('file=$(mktemp) && echo x > "$file" && cat "$file"').finished.output.text() == "x\n"


def test_the_environment_is_an_allowlist(
    root: Path, each: Sandbox, why_not: dict[Kind, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "LD_PRELOAD", "BASH_ENV", "GIT_DIR", "BASH_FUNC_ls%%"):
        monkeypatch.setenv(name, "planted")
    ran = sandbox_of(each.offer.kind, root, why_not).run("env; cat /proc/self/environ | tr '\\0' '\\n'")
    assert "planted" not in said(ran)


def test_the_environment_can_be_shown_beforehand(each: Sandbox) -> None:
    said_by_env = dict(
        line.partition("=")[::2] for line in each.run("/usr/bin/env").finished.output.text().splitlines()
    )
    shown = each.environment(writes=True)
    added = {"_", "PWD", "SHLVL", "OLDPWD"} | ({"TMPDIR"} if each.offer.kind == "landlock" else set())
    assert {name: value for name, value in said_by_env.items() if name not in added} == shown


def test_a_line_that_takes_too_long_is_ended_with_all_that_it_started(each: Sandbox) -> None:
    marker = f"6{time.monotonic_ns() % 10**8}"
    ran = each.run(f"sleep {marker} & setsid sleep {marker} & sleep {marker}", limits=Limits(0.5))
    assert ran.finished.ending == "timed out"
    assert ran.finished.seconds < 5
    time.sleep(0.05)
    assert subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, check=False).stdout == b""


def test_nothing_in_the_background_outlives_a_line(each: Sandbox) -> None:
    marker = f"6{time.monotonic_ns() % 10**8}"
    ran = each.run(f"nohup sleep {marker} > /dev/null 2>&1 & setsid nohup sleep {marker} > /dev/null 2>&1 & sleep 0.2")
    assert (ran.finished.ending, ran.finished.status) == ("exited", 0)
    time.sleep(0.05)
    assert subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, check=False).stdout == b""


def test_a_line_is_cancelled_while_its_output_streams(each: Sandbox) -> None:
    pieces: list[str] = []
    ran = each.run(
        "echo first; sleep 60", on_chunk=lambda _, text: pieces.append(text), is_cancelled=lambda: bool(pieces)
    )
    assert (ran.finished.ending, pieces) == ("cancelled", ["first\n"])


def test_a_change_of_what_git_runs_is_told(each: Sandbox, root: Path) -> None:
    ran = each.run("git init -q nested && printf '[alias]\\n\\tx = !id\\n' >> nested/.git/config")
    changed = {(os.path.relpath(change.path, root), change.what) for change in ran.changes}
    assert ("nested/.git/config", "made") in changed


def test_what_is_unchanged_is_not_told(each: Sandbox) -> None:
    assert each.run("git status > /dev/null; touch x").changes == ()


def test_a_secret_that_a_line_makes_is_told(each: Sandbox, root: Path) -> None:
    assert each.run("echo x > new.pem").newly_hidden == (str(root / "new.pem"),)


def test_a_program_of_the_root_is_no_program_for_a_line_that_only_reads(
    root: Path, each: Sandbox, why_not: dict[Kind, str | None]
) -> None:
    (root / "bin").mkdir()
    (root / "bin" / "ls").write_text("#!/bin/sh\necho planted\n")
    (root / "bin" / "ls").chmod(0o755)
    environment = {"PATH": f"{root}/bin:{os.environ['PATH']}"}
    own = sandbox_of(each.offer.kind, root, why_not, environment=environment)
    assert "planted" in said(own.run("ls"))
    assert "planted" not in said(own.run("ls", writes=False))


# What holds where a line is confined


def test_nothing_outside_of_the_root_is_written(confined: Sandbox, root: Path) -> None:
    (root.parent / "app-private").mkdir()
    for place in ("/etc", "/usr", "/var", root.parent, root.parent / "app-private", Path.home()):
        confined.run(f"echo x > '{place}/nodwyn-test'; touch '{place}/nodwyn-test'; mkdir '{place}/nodwyn-test'")
        assert not (Path(place) / "nodwyn-test").exists()


def test_a_link_leads_nowhere_else(confined: Sandbox, root: Path) -> None:
    outside = root.parent / "outside.txt"
    outside.write_text("kept\n")
    confined.run(f"ln -s '{outside}' link; echo x > link; ln '{outside}' hard; echo x > hard")
    assert outside.read_text() == "kept\n"


def test_homes_are_empty(confined: Sandbox) -> None:
    for home in homes():
        listed = confined.run(f"ls -A '{home}' 2>/dev/null").finished.output.text().split()
        assert not set(listed) & {".bashrc", ".profile", ".ssh", ".cache", ".config", ".pyenv"}
    ran = confined.run("cat ~/.bashrc ~/.profile ~/.ssh/id_rsa ~/.gitconfig")
    assert ran.finished.output.text() == ""
    assert ran.finished.status != 0


def test_a_line_only_reads_when_it_may_not_write(confined: Sandbox, root: Path) -> None:
    ran = confined.run("cat notes.txt; echo x > notes.txt; touch new; rm notes.txt; echo x > /dev/null", writes=False)
    assert ran.finished.output.text() == "notes\n"
    assert (root / "notes.txt").read_text() == "notes\n"
    assert not (root / "new").exists()


def test_the_environment_of_other_processes_is_not_seen(confined: Sandbox) -> None:
    with subprocess.Popen(["sleep", "60"], env={"PLANTED": "planted"}) as other:
        files = " ".join(f"/proc/{process}/environ" for process in (1, os.getpid(), other.pid))
        ran = confined.run(f"cat {files} | tr '\\0' '\\n'")
        other.kill()
    assert "planted" not in ran.finished.output.text()
    assert "PYTEST" not in ran.finished.output.text()


UDP = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))"
TCP = "import socket; socket.create_connection(('127.0.0.1', {port}), 3)"
UNIX = "import socket; socket.socket(socket.AF_UNIX).connect('{path}')"
NAMES = "import socket; socket.getaddrinfo('localhost.example.org', 80)"


def python(program: str) -> str:
    return f'{shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin") or "python3"} -c "{program}"'


needs_system_python = pytest.mark.skipif(
    shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin") is None, reason="no Python outside of the homes"
)


@needs_system_python
def test_no_packet_leaves(confined: Sandbox) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, socket.socket() as tcp:
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(0.3)
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        tcp.settimeout(0.3)
        confined.run(python(UDP.format(port=udp.getsockname()[1])))
        with pytest.raises(TimeoutError):
            udp.recv(10)
        assert confined.run(python(TCP.format(port=tcp.getsockname()[1]))).finished.status != 0
        assert confined.run(f"exec 3<>/dev/tcp/127.0.0.1/{tcp.getsockname()[1]}").finished.status != 0
        with pytest.raises(TimeoutError):
            tcp.accept()
    assert confined.run(python(NAMES)).finished.status != 0


@needs_system_python
def test_the_network_is_there_when_it_is_allowed(confined: Sandbox) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(5)
        ran = confined.run(python(UDP.format(port=udp.getsockname()[1])), network=True)
        assert udp.recv(10) == b"x", said(ran)


@needs_system_python
@pytest.mark.parametrize("place", ["root", "run", "abstract"])
def test_programs_outside_are_not_spoken_to(confined: Sandbox, root: Path, place: str) -> None:
    name = f"nodwyn-test-{os.getpid()}"
    path = {"root": str(root / "s"), "run": f"/run/{name}", "abstract": f"\0{name}"}[place]
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.bind(path)
        except OSError as error:
            pytest.skip(f"no socket can be made at {path!r}: {error}")
        try:
            server.listen()
            server.settimeout(0.3)
            ran = confined.run(python(UNIX.format(path=path.replace("\0", "\\0"))))
            assert ran.finished.status != 0
            with pytest.raises(TimeoutError):
                server.accept()
        finally:
            if not path.startswith("\0"):
                os.unlink(path)


def test_signals_reach_no_process_outside(confined: Sandbox) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        confined.run(f"kill -9 {other.pid}; kill -9 {os.getppid()}")
        assert other.poll() is None
        other.kill()


def test_git_works_with_the_persons_name(root: Path, confined: Sandbox, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Some Body\n\temail = s@example.org\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    own = Sandbox(str(root), is_denied=is_denied, environment=environment, offered=confined.offer)
    ran = own.run("git add notes.txt && git commit -qm first && git log --format=%an:%ae", writes_git=True)
    assert ran.finished.output.text() == "Some Body:s@example.org\n", said(ran)


# What only bubblewrap keeps


def test_secrets_in_the_root_are_hidden_under_every_name(bubblewrap: Sandbox, root: Path) -> None:
    ran = bubblewrap.run("cat .env sub/key.pem sub/also-a-key to-key; cp .env copy; cat copy; cat .env.example")
    assert ran.finished.output.text() == "SECRET=\n"
    assert set(ran.hidden) == {str(root / name) for name in (".env", "sub/key.pem", "sub/also-a-key")}


def test_secrets_can_be_neither_changed_nor_moved_away(bubblewrap: Sandbox, root: Path) -> None:
    bubblewrap.run("echo x > .env; rm -f .env; mv .env other; ln .env other; mv other .env; echo x >> sub/key.pem")
    assert (root / ".env").read_text() == "SECRET=1\n"
    assert (root / "sub" / "key.pem").read_text() == "SECRET\n"


def test_a_hidden_directory_is_empty(root: Path, why_not: dict[Kind, str | None]) -> None:
    if why_not["bubblewrap"]:
        pytest.skip(f"bubblewrap cannot run here: {why_not['bubblewrap']}")
    (root / ".aws").mkdir()
    (root / ".aws" / "credentials").write_text("SECRET\n")
    own = Sandbox(str(root), is_denied=lambda path: "keys" if path.endswith(".aws") else None)
    ran = own.run("ls .aws; cat .aws/credentials; echo x > .aws/config")
    assert ran.finished.output.text() == ""
    assert os.listdir(root / ".aws") == ["credentials"]


def test_what_does_not_exist_yet_cannot_be_made(bubblewrap: Sandbox, root: Path) -> None:
    ran = bubblewrap.run("echo x > .envrc; mkdir -p .vscode; echo x > .vscode/tasks.json; ls -A > listing; touch ok")
    assert not (root / ".envrc").exists()
    assert not (root / ".vscode").exists()
    assert (root / "ok").exists()
    assert ran.newly_hidden == ()


def test_a_secret_that_appears_while_a_line_runs_is_not_seen(bubblewrap: Sandbox, root: Path) -> None:
    def write_when_started(_: str, text: str) -> None:
        (root / ".envrc").write_text("SECRET=1\n")
        (root / "go").touch()

    line = "echo started; until [ -e go ]; do sleep 0.02; done; cat .envrc"
    ran = bubblewrap.run(line, on_chunk=write_when_started, limits=Limits(10))
    assert ran.finished.output.text() == "started\n"
    assert (root / ".envrc").read_text() == "SECRET=1\n"


def test_a_secret_that_appears_between_two_lines_is_hidden(bubblewrap: Sandbox, root: Path) -> None:
    bubblewrap.run("true")
    (root / "sub" / "late.pem").write_text("SECRET\n")
    assert "SECRET" not in said(bubblewrap.run("cat sub/late.pem"))


def test_nothing_outlives_a_session_that_is_killed(bubblewrap: Sandbox, root: Path) -> None:
    marker = f"6{time.monotonic_ns() % 10**8}"
    program = (
        "import sys; from nodwyn.prims.guard.sandbox import Sandbox;"
        f"Sandbox(sys.argv[1], is_denied=lambda path: None).run('echo x > started; setsid sleep {marker}')"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(root)]) as session:
        until = time.monotonic() + 10
        while not (root / "started").exists() and time.monotonic() < until:
            time.sleep(0.01)
        session.kill()
    time.sleep(0.2)
    assert (root / "started").exists()
    assert subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, check=False).stdout == b""


def test_what_git_keeps_is_read_only(bubblewrap: Sandbox, root: Path) -> None:
    config = (root / ".git" / "config").read_text()
    ran = bubblewrap.run(
        "echo x > .git/hooks/pre-commit; git config a.b c; git add notes.txt; rm -rf .git; mv .git elsewhere;"
        " git status --short"
    )
    assert "?? notes.txt" in ran.finished.output.text()
    assert (root / ".git" / "config").read_text() == config
    assert not (root / ".git" / "hooks" / "pre-commit").exists()
    assert ran.changes == ()


def test_a_line_that_may_write_what_git_keeps_leaves_hooks_and_configuration(bubblewrap: Sandbox, root: Path) -> None:
    config = (root / ".git" / "config").read_text()
    ran = bubblewrap.run(
        "git add notes.txt; git -c user.name=a -c user.email=b commit -qm first; git log --oneline | wc -l;"
        "echo x > .git/hooks/pre-commit; git config a.b c; echo x > .git/config; echo x > .git/config.worktree;"
        "mv .git elsewhere; mv .git/hooks .git/other; rm -rf .git/hooks; ln -sf /etc .git/hooks; true",
        writes_git=True,
    )
    assert ran.finished.output.text().strip() == "1", said(ran)
    assert (root / ".git" / "config").read_text() == config
    assert not (root / ".git" / "config.worktree").exists()
    assert not (root / ".git" / "hooks" / "pre-commit").exists()
    assert ran.changes == ()


def test_a_way_round_the_configuration_is_told(bubblewrap: Sandbox, root: Path) -> None:
    ran = bubblewrap.run("mkdir evil && echo ../evil > .git/commondir", writes_git=True)
    assert [(change.path, change.what) for change in ran.changes] == [(str(root / ".git/commondir"), "made")]


def test_hooks_that_lie_elsewhere_in_the_root_are_read_only_too(bubblewrap: Sandbox, root: Path) -> None:
    (root / ".husky").mkdir()
    (root / ".husky" / "pre-commit").write_text("true\n")
    (root / "shared.config").write_text("[user]\n")
    subprocess.run(["git", "-C", root, "config", "core.hooksPath", ".husky"], check=True)
    subprocess.run(["git", "-C", root, "config", "include.path", "../shared.config"], check=True)
    bubblewrap.run("echo evil > .husky/pre-commit; echo evil > .husky/post-commit; echo evil > shared.config")
    assert os.listdir(root / ".husky") == ["pre-commit"]
    assert (root / ".husky" / "pre-commit").read_text() == "true\n"
    assert (root / "shared.config").read_text() == "[user]\n"


def test_repositories_within_the_root_are_kept_too(bubblewrap: Sandbox, root: Path) -> None:
    subprocess.run(["git", "init", "-q", root / "sub" / "nested"], check=True)
    subprocess.run(["git", "init", "-q", "--bare", root / "bare"], check=True)
    ran = bubblewrap.run("echo x >> sub/nested/.git/config; echo x >> bare/config; echo x > bare/hooks/post-update")
    assert ran.finished.errors.text().count("Read-only file system") == 3
    assert ran.changes == ()


def test_a_worktree_elsewhere_is_read_and_written_through_its_repository(
    root: Path, tmp_path: Path, why_not: dict[Kind, str | None]
) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=b"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], check=True)
    own = sandbox_of("bubblewrap", tmp_path / "tree", why_not)
    assert "first" in said(own.run("git log --oneline; git config x.y z"))
    ran = own.run("git -c user.name=a -c user.email=b commit -q --allow-empty -m second", writes_git=True)
    assert ran.finished.status == 0, said(ran)
    assert "x.y" not in (root / ".git" / "config").read_text()


def test_a_file_cannot_name_a_directory_to_be_shown(
    root: Path, tmp_path: Path, why_not: dict[Kind, str | None]
) -> None:
    (tmp_path / "private" / ".git").mkdir(parents=True)
    (tmp_path / "private" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / ".git").write_text(f"gitdir: {tmp_path}/private/.git\n")
    own = sandbox_of("bubblewrap", tmp_path / "evil", why_not)
    assert "refs/heads" not in said(own.run(f"cat '{tmp_path}/private/.git/HEAD'"))


def test_programs_in_homes_are_reached_when_their_place_is_allowed(
    root: Path, bubblewrap: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "somebody"
    (home / ".cargo" / "bin").mkdir(parents=True)
    (home / ".cargo" / "credentials.toml").write_text("SECRET\n")
    (home / ".cargo" / "bin" / "tool").write_text("#!/bin/sh\necho it runs\n")
    (home / ".cargo" / "bin" / "tool").chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    shown = Readable(str(root), is_denied=is_denied)
    own = Sandbox(str(root), is_denied=is_denied, readable=shown, offered=bubblewrap.offer)
    ran = own.run("~/.cargo/bin/tool; cat ~/.cargo/credentials.toml; echo x > ~/.cargo/bin/tool; ls -A ~/.cargo")
    assert ran.finished.output.text() == "it runs\nbin\n"


def test_lines_side_by_side_share_what_stands_in_for_files_to_come(bubblewrap: Sandbox, root: Path) -> None:
    def run_long() -> None:
        bubblewrap.run("touch started; until [ -e go ]; do sleep 0.02; done; echo x > .envrc", limits=Limits(10))

    thread = threading.Thread(target=run_long)
    thread.start()
    until = time.monotonic() + 5
    while not (root / "started").exists() and time.monotonic() < until:
        time.sleep(0.01)
    bubblewrap.run("true")
    assert (root / ".envrc").exists()
    (root / "go").touch()
    thread.join()
    assert not (root / ".envrc").exists()


def test_a_directory_of_very_many_secrets_is_hidden_as_a_whole(bubblewrap: Sandbox, root: Path) -> None:
    (root / "certificates").mkdir()
    for number in range(2000):
        (root / "certificates" / f"{number}.pem").write_text("SECRET\n")
    ran = bubblewrap.run("ls certificates; cat certificates/1.pem")
    assert ran.finished.output.text() == ""
    assert str(root / "certificates") in ran.hidden


# What the machine offers


def test_a_machine_without_bwrap_has_the_next_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "true").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = offer()
    assert found.kind in ("landlock", "none")
    assert found.missing[0].startswith("bubblewrap: the program bwrap (package bubblewrap) is not in ")


def test_a_bwrap_that_may_not_make_namespaces_is_found_out_by_a_trial(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert offer().missing[0] == "bubblewrap: bwrap: No permissions to create new namespace"


def test_programs_of_the_root_are_not_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("bwrap", "true"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    Sandbox(str(tmp_path), is_denied=is_denied)
    assert not (tmp_path / "mark").exists()


def test_a_machine_without_any_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_try_bubblewrap", lambda path: "not installed")
    monkeypatch.setattr(sandbox, "_try_landlock", lambda path: "not in the kernel")
    monkeypatch.setenv("PATH", "/nowhere")
    found = offer()
    assert found == Offer("none", ("bubblewrap: not installed", "landlock: not in the kernel"))
    assert found.promise.startswith("unsandboxed")
    assert not found.keeps_root_safe


def test_a_sandbox_that_cannot_be_set_up_is_no_failed_line(
    bubblewrap: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: Can not mount' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    own = Sandbox(
        bubblewrap.root,
        is_denied=is_denied,
        environment={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        offered=bubblewrap.offer,
    )
    with pytest.raises(CannotRun, match="the sandbox could not be set up: bwrap: Can not mount"):
        own.run("true")


def test_the_sockets_of_this_machine_are_found(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert str(tmp_path / "s") in sockets()
