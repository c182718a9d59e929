"""Which names are secrets, which make programs run code, which ask; and in how many ways one name can be written."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from nodwyn.prims.guard.denylist import Denylist, folded

HOME = "/home/ann"
OWN = ("/home/ann/.local/share/nodwyn", "/home/ann/.config/nodwyn")


@pytest.fixture
def denylist() -> Denylist:
    return Denylist(OWN, HOME)


SECRETS = [
    "/home/ann/.ssh/id_ed25519",
    "/home/ann/.ssh/known_hosts",
    "/home/ann/.ssh",
    "/home/ann/.aws/credentials",
    "/home/ann/.gnupg/private-keys-v1.d/x.key",
    "/home/ann/.netrc",
    "/home/ann/.npmrc",
    "/home/ann/.config/gh/hosts.yml",
    "/home/ann/.docker/config.json",
    "/home/ann/.kube/config",
    "/home/ann/.bash_history",
    "/home/ann/.local/share/nodwyn/projects/x/sessions/y.jsonl",
    "/home/ann/.config/nodwyn/config.toml",
    "/home/ann/.local/share/nodwyn",
    "/w/app/.env",
    "/w/app/.env.local",
    "/w/app/.env.production",
    "/w/app/.envrc",
    "/w/app/deep/down/.ENV",
    "/w/app/server.pem",
    "/w/app/cacert.pem",
    "/home/ann/.ssh/certifi/cacert.pem",
    "/w/app/tls/server.KEY",
    "/w/app/id_rsa",
    "/w/app/config/master.key",
    "/w/app/release.keystore",
    "/w/app/.git-credentials",
    "/w/app/terraform.tfstate",
    "/proc/1/environ",
    "/proc/self/root/etc/passwd",
    "/sys/kernel/x",
    "/dev/sda",
    "/etc/shadow",
]

ORDINARY = [
    "/w/app/.env.example",
    "/w/app/.env.sample",
    "/w/app/.env.template",
    "/w/app/.environment",
    "/w/app/environment.py",
    "/w/app/.env/lib/python3.11/site-packages/x.py",
    "/w/app/id_rsa.pub",
    "/w/app/keys.py",
    "/w/app/.npmrc",
    "/w/app/.venv/lib/python3.11/site-packages/certifi/cacert.pem",
    "/w/app/ssh/config",
    "/w/app/pem",
    "/w/app/.gitignore",
    "/w/app/secrets.py",
    "/home/ann/.config/nodwyn-other/x",
    "/dev/shm/app/main.c",
    "/w/app/README",
]


@pytest.mark.parametrize("path", SECRETS)
def test_a_secret_is_neither_read_nor_written(path: str, denylist: Denylist) -> None:
    reason = denylist.secret(path)
    assert reason is not None
    assert reason.endswith("neither read nor written")


@pytest.mark.parametrize("path", ORDINARY)
def test_what_only_looks_like_one_is_ordinary(path: str, denylist: Denylist) -> None:
    assert denylist.secret(path) is None


PROGRAMS = [
    "/w/app/.git/hooks/pre-commit",
    "/w/app/.git/config",
    "/w/app/.git/config.worktree",
    "/w/app/.git/info/attributes",
    "/w/app/.git/modules/lib/hooks/post-checkout",
    "/w/app/.git/modules/lib/config",
    "/w/app/.git/worktrees/x/gitdir",
    "/w/app/.git",
    "/w/app/vendor/lib.git/hooks/update",
    "/w/app/.vscode/tasks.json",
    "/w/app/.idea/workspace.xml",
    "/w/app/.devcontainer/devcontainer.json",
    "/w/app/.husky/pre-commit",
    "/w/app/.nodwyn/scripts/loop.scm",
    "/w/app/.mcp.json",
    "/w/app/.claude/settings.json",
    "/w/app/sitecustomize.py",
    "/w/app/.venv/lib/python3.11/site-packages/x.pth",
    "/home/ann/.bashrc",
    "/home/ann/.zshenv",
    "/home/ann/.profile",
    "/home/ann/.gitconfig",
    "/home/ann/.config/systemd/user/x.service",
    "/home/ann/Library/LaunchAgents/x.plist",
]

WRITABLE = [
    "/w/app/.git/HEAD",
    "/w/app/.git/refs/heads/config",
    "/w/app/.git/refs/heads/hooks",
    "/w/app/.git/info/exclude",
    "/w/app/hooks/pre-commit",
    "/w/app/config",
    "/w/app/.gitignore",
    "/w/app/.gitattributes",
    "/w/app/.vscode/notes.txt",
    "/w/app/x.pth",
    "/w/app/.github/workflows/ci.yml",
    "/w/app/main.py",
]


@pytest.mark.parametrize("path", PROGRAMS)
def test_what_makes_programs_run_code_is_not_written(path: str, denylist: Denylist) -> None:
    reason = denylist.program(path)
    assert reason is not None
    assert reason.endswith("is not written")
    assert denylist.secret(path) is None


@pytest.mark.parametrize("path", WRITABLE)
def test_what_does_not_is_written(path: str, denylist: Denylist) -> None:
    assert denylist.program(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "/w/app/.github/workflows/ci.yml",
        "/w/app/.GitHub/Workflows/ci.yml",
        "/w/app/.gitlab-ci.yml",
        "/w/app/.circleci/config.yml",
        "/w/app/Jenkinsfile",
        "/w/app/.pre-commit-config.yaml",
    ],
)
def test_what_integration_runs_asks(path: str, denylist: Denylist) -> None:
    assert "run commands" in (denylist.asks(path) or "")
    assert denylist.secret(path) is denylist.program(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "/w/app/AGENTS.md",
        "/w/app/pkg/agents.MD",
        "/w/app/CLAUDE.md",
        "/w/app/CLAUDE.local.md",
        "/w/app/GEMINI.md",
        "/w/app/.cursorrules",
        "/w/app/.cursor/rules/style.mdc",
        "/w/app/.windsurfrules",
        "/w/app/.clinerules/a.md",
        "/w/app/.github/copilot-instructions.md",
        "/w/app/.github/instructions/x.instructions.md",
        "/w/app/.claude/commands/x.md",
        "/w/app/.claude/skills/x/SKILL.md",
        "/w/app/.junie/guidelines.md",
    ],
)
def test_what_tells_agents_what_to_do_asks(path: str, denylist: Denylist) -> None:
    assert "tells agents what to do" in (denylist.asks(path) or "")
    assert denylist.instructs(path)
    assert denylist.secret(path) is denylist.program(path) is None


@pytest.mark.parametrize("path", ["/w/app/.git/HEAD", "/w/app/.Git/index", "/w/app/lib/.git/objects/info/alternates"])
def test_what_git_keeps_asks(path: str, denylist: Denylist) -> None:
    assert "best left to git" in (denylist.asks(path) or "")
    assert not denylist.instructs(path)


@pytest.mark.parametrize(
    "path", ["/w/app/.github/CODEOWNERS", "/w/app/.gitignore", "/w/app/x.git/README", "/w/app/my-agents.md"]
)
def test_other_files_do_not_ask(path: str, denylist: Denylist) -> None:
    assert denylist.asks(path) is None


WAYS = [
    ("/w/.GIT/hooks/x", "/w/.git/hooks/x"),
    ("/w/.Git/HOOKS/x", "/w/.git/hooks/x"),
    ("/w/.g\u200cit/hooks/x", "/w/.git/hooks/x"),
    ("/w/.git\u200d/hooks/x", "/w/.git/hooks/x"),
    ("/w/.git./hooks/x", "/w/.git/hooks/x"),
    ("/w/.git /hooks/x", "/w/.git/hooks/x"),
    ("/w/.git/hooks /x", "/w/.git/hooks/x"),
    ("/w/.env.", "/w/.env"),
    ("/w/.ENV", "/w/.env"),
    ("/w/.\u212aube/x", "/w/.kube/x"),
    ("/w/Cafe\u0301", "/w/caf\u00e9"),
    ("/w/stra\u00dfe", "/w/strasse"),
]


@pytest.mark.parametrize(("path", "same"), WAYS)
def test_a_name_is_the_same_however_it_is_written(path: str, same: str) -> None:
    assert folded(path) == folded(same)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_own_directories_are_known_in_composed_and_decomposed_form(form: str) -> None:
    home = "/home/Andr\u00e9"
    denylist = Denylist((f"{home}/data",), home)
    path = unicodedata.normalize("NFD" if form == "NFC" else "NFC", f"{home}/data/log")
    assert denylist.secret(path) is not None
    assert denylist.secret(f"{home}/database") is None


@pytest.mark.parametrize("path", ["/w/.git~1/hooks/x", "/w/GIT~1/hooks/x", "/w/GIT~1/config"])
def test_the_short_names_of_windows_are_known(path: str, denylist: Denylist) -> None:
    assert denylist.program(path) is not None


def test_another_name_of_a_secret_is_known_by_what_it_is(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "root"
    (home / ".ssh" / "keys").mkdir(parents=True)
    root.mkdir()
    denylist = Denylist((), str(home))
    for secret in (home / ".ssh" / "id_rsa", home / ".ssh" / "keys" / "mine", home / ".netrc", root / ".env"):
        secret.write_text("secret")
        alias = root / "notes.txt"
        os.link(secret, alias)
        denylist = Denylist((), str(home))
        assert denylist.is_alias(alias.stat(), (str(root),)), secret
        alias.unlink()


def test_another_name_of_an_ordinary_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    os.link(tmp_path / "a", tmp_path / "b")
    assert not Denylist((), str(tmp_path)).is_alias((tmp_path / "b").stat(), (str(tmp_path),))


@pytest.mark.parametrize(
    ("path", "what"),
    [
        (".ssh/id_rsa", "secrets"),
        (".ssh/keys/deep", "secrets"),
        (".netrc", "secrets"),
        (".config/gh/hosts.yml", "secrets"),
        (".cargo/credentials.toml", "secrets"),
        (".bashrc", "programs"),
        (".config/fish/config.fish", "programs"),
        (".local/bin/tool", "programs"),
        ("notes.txt", ""),
    ],
)
def test_what_is_protected_in_a_home_is_known_by_what_it_is(tmp_path: Path, path: str, what: str) -> None:
    file = tmp_path / "home" / path
    file.parent.mkdir(parents=True)
    file.write_text("text")
    os.link(file, tmp_path / "other name")
    found = Denylist((), str(tmp_path / "home")).identities()
    identity = (file.stat().st_dev, file.stat().st_ino)
    assert [name for name, files in found._asdict().items() if identity in files] == [what] * bool(what)
