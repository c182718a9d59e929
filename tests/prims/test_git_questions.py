"""Asking git: what is answered, and that nothing of the repository's is run, whatever it configures."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.prims import git_personal
from nodwyn.prims.git_command import GitError, run
from nodwyn.prims.git_personal import personal_environment
from nodwyn.prims.git_questions import diff, latest_commits, listed, log, messages, show, status

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

IDENTITY = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")

ASKING: dict[str, Callable[[str], object]] = {
    "status": status,
    "diff": diff,
    "diff of what is staged": lambda root: diff(root, staged=True),
    "diff of revisions": lambda root: diff(root, revisions=["HEAD~1", "HEAD"]),
    "diff in short": lambda root: diff(root, summary=True),
    "log": lambda root: log(root, files=True),
    "show": lambda root: show(root, "HEAD"),
    "show of a file": lambda root: show(root, "HEAD:kept.txt"),
    "show of a staged file": lambda root: show(root, ":kept.txt"),
    "list of files": listed,
    "list of commits": lambda root: latest_commits(root, 10),
    "messages": lambda root: messages(root, latest_commits(root, 10)),
}


def names(root: str, *, untracked: bool = True) -> list[str]:
    """Return the names of the files that git lists."""
    return [name for name, _ in listed(root, untracked=untracked)]


def git(folder: Path, *arguments: str, **variables: str) -> str:
    """Run git as a person without a configuration would."""
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        **variables,
    }
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *IDENTITY, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture(autouse=True)
def a_person_without_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    git_personal._personal.cache_clear()
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository of two commits, with a change that is staged, one that is not, and a new file."""
    root = tmp_path.resolve() / "app"
    root.mkdir()
    git(root, "init", "-q")
    (root / "kept.txt").write_text("one\n")
    (root / ".env").write_text("SECRET=1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "First\n\nWith a body.")
    (root / "kept.txt").write_text("one\ntwo\n")
    (root / ".env").write_text("SECRET=22\n")
    (root / "sub").mkdir()
    (root / "sub" / "naïve.txt").write_text("x\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Second")
    (root / "sub" / "staged.txt").write_text("staged\n")
    git(root, "add", "sub/staged.txt")
    (root / "kept.txt").write_text("one\ntwo\nthree\n")
    (root / ".env").write_text("SECRET=333\n")
    (root / "new.txt").write_text("new\n")
    return root


def no_environment_files(path: str) -> str | None:
    return "a secret" if os.path.basename(path) == ".env" else None


# What is answered


def test_status_names_the_branch_and_what_differs(root: Path) -> None:
    assert status(str(root)) == "## main\n M .env\n M kept.txt\nA  sub/staged.txt\n?? new.txt\n"


def test_diff_shows_what_is_not_staged(root: Path) -> None:
    text = diff(str(root), paths=["kept.txt"])
    assert text.startswith("diff --git a/kept.txt b/kept.txt\n")
    assert text.endswith(" two\n+three\n")


def test_diff_shows_what_is_staged_or_lies_between_revisions(root: Path) -> None:
    assert "+staged" in diff(str(root), staged=True)
    assert "+two" in diff(str(root), revisions=["HEAD~1..HEAD"])
    assert "-two" in diff(str(root), revisions=["HEAD", "HEAD~1"])
    assert "sub/naïve.txt | 1 +" in diff(str(root), revisions=["HEAD~1", "HEAD"], summary=True)


def test_a_secret_is_left_out_of_changes_and_named(root: Path) -> None:
    for text in (
        diff(str(root), is_denied=no_environment_files),
        diff(str(root), revisions=["HEAD~1"], is_denied=no_environment_files),
        show(str(root), "HEAD", is_denied=no_environment_files),
    ):
        assert "SECRET" not in text
        assert text.endswith("[not shown: .env]\n")
        assert "kept.txt" in text


# What a repository may set for the names in a difference, or for their order.
NAMING = {
    "diff.relative": "true",
    "diff.noPrefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.renames": "copies",
    "diff.orderFile": ".env",
    "diff.submodule": "diff",
    "diff.dstPrefix": "",
    "core.quotePath": "true",
    "core.ignoreCase": "true",
    "core.precomposeUnicode": "true",
    "log.follow": "true",
    "i18n.logOutputEncoding": "UTF-16",
}


@pytest.mark.parametrize(("setting", "value"), NAMING.items(), ids=NAMING)
def test_a_secret_below_a_root_within_a_repository_is_left_out_whatever_that_configures(
    root: Path, setting: str, value: str
) -> None:
    below = root / "sub"
    (below / ".env").write_text("SECRET=1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Third")
    (below / ".env").write_text("SECRET=22\n")
    (below / "staged.txt").write_text("changed\n")
    git(root, "config", setting, value)
    for text in (
        diff(str(below), is_denied=no_environment_files),
        diff(str(below), summary=True, is_denied=no_environment_files),
        diff(str(below), revisions=["HEAD~1"], is_denied=no_environment_files),
        show(str(below), "HEAD", is_denied=no_environment_files),
    ):
        assert "SECRET" not in text
        assert "sub/.env" in text.rpartition("[not shown: ")[2]
        assert "sub/staged.txt" in text
        assert ".env" not in text.rpartition("[not shown: ")[0]


@pytest.mark.parametrize("name", ["HEAD:.env", ":.env", ":0:.env", "HEAD:./.env", "HEAD:sub/../.env", "HEAD~1:.env"])
def test_a_secret_is_not_shown_as_it_was(root: Path, name: str) -> None:
    with pytest.raises(GitError, match="may not be shown: a secret"):
        show(str(root), name, is_denied=no_environment_files)


def test_a_secret_is_not_shown_by_its_hash(root: Path) -> None:
    blob = git(root, "rev-parse", "HEAD:.env").strip()
    with pytest.raises(GitError):
        show(str(root), blob, is_denied=no_environment_files)


def test_a_secret_is_not_shown_for_a_path_that_is_asked_for(root: Path) -> None:
    with pytest.raises(GitError, match=r"\.env may not be shown"):
        diff(str(root), paths=[".env"], is_denied=no_environment_files)


def test_log_tells_commits_from_the_newest(root: Path) -> None:
    lines = log(str(root)).splitlines()
    assert lines[0] == f"commit {git(root, 'rev-parse', 'HEAD').strip()}"
    assert lines[1] == "author Somebody <somebody@example.org>"
    assert [line.strip() for line in lines if line.startswith("    ")] == ["Second", "First", "", "With a body."]


def test_log_is_narrowed(root: Path) -> None:
    assert log(str(root), limit=1).count("commit ") == 1
    assert "First" in log(str(root), skip=1)
    assert "Second" not in log(str(root), revision="HEAD~1")
    assert log(str(root), paths=["sub"]).count("commit ") == 1
    assert "A\tsub/naïve.txt" in log(str(root), files=True)


def test_show_shows_a_commit_a_file_and_a_directory(root: Path) -> None:
    assert "+two" in show(str(root), "HEAD")
    assert show(str(root), "HEAD~1:kept.txt") == "one\n"
    assert "naïve.txt" in show(str(root), "HEAD:sub")


def test_what_is_known_and_what_is_new_is_listed(root: Path) -> None:
    assert set(names(str(root))) == {".env", "kept.txt", "new.txt", "sub/naïve.txt", "sub/staged.txt"}
    assert "new.txt" not in names(str(root), untracked=False)


def test_a_root_within_a_repository_is_answered_for_itself(root: Path) -> None:
    assert names(str(root / "sub")) == ["naïve.txt", "staged.txt"]
    assert "staged.txt" in diff(str(root / "sub"), staged=True, paths=["staged.txt"])


def test_a_worktree_and_a_submodule_are_answered_for(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert "kept.txt" in names(str(tmp_path / "tree"))
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(root), "inner")
    assert "kept.txt" in names(str(outer / "inner"))
    assert "A  inner" in status(str(outer))


def test_the_names_of_files_may_be_any_bytes(root: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n.txt")
    (root / name).write_text("x")
    assert name in names(str(root))


# What is refused


@pytest.mark.parametrize("revision", ["nosuch", ":/nosuch", "HEAD~99", "HEAD^{tree}"])
def test_what_names_no_commit_is_said_so(root: Path, revision: str) -> None:
    with pytest.raises(GitError, match="names no commit here"):
        show(str(root), revision)


@pytest.mark.parametrize("revision", ["--output=/tmp/x", "-O", "", "a\0b", "a\nb", "--upload-pack=x"])
def test_an_option_is_no_revision(root: Path, revision: str) -> None:
    asking: list[Callable[[], str]] = [
        lambda: diff(str(root), revisions=[revision]),
        lambda: log(str(root), revision=revision),
        lambda: show(str(root), revision),
        lambda: str(messages(str(root), [revision])),
    ]
    for ask in asking:
        with pytest.raises(GitError, match="is no revision"):
            ask()


@pytest.mark.parametrize("path", ["../other", "/etc/passwd", "sub/../../other"])
def test_a_path_outside_is_refused(root: Path, path: str) -> None:
    with pytest.raises(GitError, match=f"{path} is outside"):
        log(str(root), paths=[path])


@pytest.mark.parametrize("path", [":(top)kept.txt", ":!kept.txt", "*", "--output=x"])
def test_a_path_stands_for_itself(root: Path, path: str) -> None:
    assert diff(str(root), paths=[path]) == ""


def test_what_git_says_is_passed_on(root: Path, tmp_path: Path) -> None:
    with pytest.raises(GitError, match=r"git log failed: .*nowhere"):
        log(str(root), revision="nowhere")
    (tmp_path / "plain").mkdir()
    with pytest.raises(GitError, match=r"is in no git repository\. `git init` makes one"):
        status(str(tmp_path / "plain"))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("kill -9 $$", "git status was killed by SIGKILL. Ask for less, or once more."),
        ("exit 3", "git status failed: it exited with 3"),
        ("echo fatal: no >&2; exit 3", "git status failed: no"),
    ],
)
def test_how_git_ended_is_said(tmp_path: Path, script: str, said: str) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(GitError) as caught:
        run([str(program), "-c", "a.b=c", "status"], "/", {"PATH": os.environ["PATH"]})
    assert str(caught.value) == said


def test_git_is_not_taken_from_the_repository(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "git").write_text("#!/bin/sh\ntouch ran\n")
    (root / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}:.")
    with pytest.raises(GitError, match="git is not in"):
        status(str(root))
    assert not (root / "ran").exists()


# Hostile repositories

# Each setting names a program to run; `{}` is a line of shell that leaves a mark.
HOSTILE = [
    "core.fsmonitor={}",
    "core.pager={}",
    "core.editor={}",
    "core.sshCommand={}",
    "core.askPass={}",
    "core.alternateRefsCommand={}",
    "credential.helper=!{}",
    "diff.external={}",
    "diff.evil.command={}",
    "diff.evil.textconv={}",
    "filter.evil.clean={}",
    "filter.evil.smudge={}",
    "filter.evil.process={}",
    "filter.evil.required=true",
    "filter.Evil Twin.clean={}",
    "gpg.program={}",
    "gpg.ssh.program={}",
    "gpg.format=ssh",
    "log.showSignature=true",
    "pager.log={}",
    "pager.diff={}",
    "alias.status=!{}",
    "alias.log=!{}",
    "interactive.diffFilter={}",
    "protocol.ext.allow=always",
    "protocol.file.allow=always",
    "status.submoduleSummary=true",
    "diff.submodule=log",
    "submodule.recurse=true",
]


def make_hostile(root: Path, mark: Path) -> None:
    """Configure everything that runs a program, and give it an occasion."""
    script = root.parent / "evil.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> "{mark}"\ncat\n')
    script.chmod(0o755)
    for setting in HOSTILE:
        name, _, value = setting.partition("=")
        git(root, "config", name, value.format(script))
    (root / ".gitattributes").write_text("*.txt filter=evil diff=evil\nsub/*.txt filter=Evil\\ Twin\n")
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(script, hooks / hook)
    for file in root.rglob("*.txt"):
        os.utime(file, (1, 1))  # git must look at the content, through the filters


@pytest.mark.parametrize("question", ASKING)
def test_nothing_that_a_repository_configures_is_run(root: Path, tmp_path: Path, question: str) -> None:
    mark = tmp_path / "mark"
    make_hostile(root, mark)
    assert ASKING[question](str(root)) is not None
    assert not mark.exists(), mark.read_text()


def test_the_hostile_repository_is_hostile(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    make_hostile(root, mark)
    git(root, "status")
    assert mark.exists()


@pytest.mark.parametrize("place", ["included", "worktree"])
def test_settings_from_other_files_are_turned_off_too(root: Path, tmp_path: Path, place: str) -> None:
    mark = tmp_path / "mark"
    evil = f'[core]\n\tfsmonitor = "touch {mark}; false"\n[filter "evil"]\n\tclean = touch {mark}\n'
    (root / ".gitattributes").write_text("*.txt filter=evil\n")
    if place == "included":
        (root / "extra.config").write_text(evil)
        git(root, "config", "include.path", "../extra.config")
    else:
        git(root, "config", "extensions.worktreeConfig", "true")
        (root / ".git" / "config.worktree").write_text(evil)
    (root / "kept.txt").touch()
    assert "kept.txt" in status(str(root))
    diff(str(root))
    assert not mark.exists()


def test_a_filter_in_a_submodule_is_not_run(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    git(root, "submodule", "--quiet", "add", str(root), "inner")
    git(root / "inner", "config", "filter.inner.clean", f"touch {mark}")
    (root / "inner" / ".gitattributes").write_text("* filter=inner\n")
    (root / "inner" / "kept.txt").write_text("changed\n")
    status(str(root))
    diff(str(root), revisions=["HEAD"])
    assert not mark.exists()


def test_the_index_is_not_rewritten(root: Path) -> None:
    before = (root / ".git" / "index").read_bytes()
    os.utime(root / "sub" / "naïve.txt", (1, 1))
    status(str(root))
    assert (root / ".git" / "index").read_bytes() == before


def test_objects_that_are_missing_are_not_fetched(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    partial = tmp_path / "partial"
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{root}", str(partial))
    for name, value in (("protocol.file.allow", "always"), ("protocol.ext.allow", "always")):
        git(partial, "config", name, value)
    git(partial, "config", "remote.origin.url", f"ext::sh -c 'touch {mark}'")
    with pytest.raises(GitError):
        show(str(partial), "HEAD:kept.txt")
    git(partial, "config", "remote.origin.url", f"file://{root}")
    git(partial, "config", "remote.origin.uploadpack", f"touch {mark}; git-upload-pack")
    with pytest.raises(GitError):
        show(str(partial), "HEAD:kept.txt")
    assert not mark.exists()


@pytest.mark.parametrize(
    "variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS", "GIT_PAGER"]
)
def test_variables_of_git_do_not_count(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    mark = tmp_path / "mark"
    value = f"'core.fsmonitor'='touch {mark}'" if variable == "GIT_CONFIG_PARAMETERS" else f"touch {mark}"
    monkeypatch.setenv(variable, value)
    assert "kept.txt" in status(str(root))
    assert "+three" in diff(str(root))
    assert not mark.exists()


def test_an_embedded_bare_repository_is_not_used(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    embedded = root / "docs"
    git(root, "init", "-q", "--bare", "docs")
    git(embedded, "config", "core.fsmonitor", f"touch {mark}; false")
    git(embedded, "config", "core.bare", "false")
    git(embedded, "config", "core.worktree", str(root))
    with pytest.raises(GitError, match="looks like a bare repository"):
        status(str(embedded))
    (embedded / "sub").mkdir()
    with pytest.raises(GitError, match="looks like a bare repository"):
        status(str(embedded / "sub"))
    status(str(root))
    assert not mark.exists()


@pytest.mark.parametrize("elsewhere", ["home", "/", "../.."])
def test_a_work_tree_that_lies_elsewhere_is_refused(root: Path, elsewhere: str) -> None:
    git(root, "config", "core.worktree", str(root.parent / elsewhere) if elsewhere == "home" else elsewhere)
    with pytest.raises(GitError, match=r"core\.worktree leads to"):
        status(str(root))


def test_a_filter_that_cannot_be_named_is_refused(root: Path) -> None:
    git(root, "config", "filter.a=b.clean", "touch mark")
    with pytest.raises(GitError, match="cannot be turned off"):
        status(str(root))


# The person's own configuration


def test_the_persons_own_ignored_files_are_ignored(root: Path, a_person_without_configuration: Path) -> None:
    home = a_person_without_configuration
    (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/ignored\n")
    (home / "ignored").write_text("new.txt\n")
    assert "new.txt" not in status(str(root))
    assert "new.txt" not in names(str(root))


def test_the_usual_place_for_ignored_files_counts_too(root: Path, a_person_without_configuration: Path) -> None:
    folder = a_person_without_configuration / ".config" / "git"
    folder.mkdir(parents=True)
    (folder / "ignore").write_text("new.txt\n")
    assert "new.txt" not in status(str(root))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory to another user")
def test_a_repository_of_another_user_is_read_when_the_person_trusts_it(
    root: Path, a_person_without_configuration: Path
) -> None:
    for path in (root, root / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(GitError, match="dubious ownership"):
        status(str(root))
    git_personal._personal.cache_clear()
    (a_person_without_configuration / ".gitconfig").write_text(f"[safe]\n\tdirectory = {root}\n")
    assert "## main" in status(str(root))


def test_a_repository_cannot_trust_itself(root: Path) -> None:
    git(root, "config", "core.excludesFile", str(root / "kept.txt"))
    assert "excludesfile" in git(root, "config", "--list")
    assert "new.txt" in status(str(root))


def test_nothing_else_of_the_persons_counts(root: Path, tmp_path: Path, a_person_without_configuration: Path) -> None:
    mark = tmp_path / "mark"
    (a_person_without_configuration / ".gitconfig").write_text(f"[core]\n\tfsmonitor = touch {mark}\n")
    status(str(root))
    assert not mark.exists()


def test_a_git_of_the_root_is_not_run(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "git").write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\n")
    (root / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}:{os.environ['PATH']}")
    status(str(root))
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize(
    "written", ["[user\n\tname = x\n", "no section\n", "[core]\n\texcludesFile\n\tbare = perhaps ]\n="]
)
def test_a_configuration_that_git_cannot_read_counts_for_nothing(
    root: Path, a_person_without_configuration: Path, written: str
) -> None:
    home = a_person_without_configuration
    (home / ".gitconfig").write_text(written)
    assert personal_environment({"HOME": str(home), "PATH": os.environ["PATH"]})["GIT_CONFIG_COUNT"] == "0"
    assert "## main" in status(str(root))
    (home / ".gitconfig").write_text("[user]\n\tname = Some Body\n")
    mended = personal_environment({"HOME": str(home), "PATH": os.environ["PATH"]})
    assert mended["GIT_CONFIG_VALUE_0"] == "Some Body"


def test_a_command_is_given_the_persons_name(a_person_without_configuration: Path, tmp_path: Path) -> None:
    home = a_person_without_configuration
    (home / ".gitconfig").write_text("[user]\n\tname = Some Body\n\temail = s@example.org\n[alias]\n\tx = !id\n")
    variables = personal_environment({"HOME": str(home), "PATH": os.environ["PATH"]})
    environment = {"PATH": os.environ["PATH"], **variables}
    listed = subprocess.check_output(["git", "config", "--list"], cwd=tmp_path, env=environment, text=True)
    assert "user.name=Some Body\nuser.email=s@example.org\n" in listed
    assert "alias" not in listed


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "name", [".git", ".git/HEAD", ".git/config", ".git/index", ".git/commondir", "kept/packed-refs"]
)
def test_a_repository_that_git_would_wait_for_is_refused_at_once(root: Path, name: str) -> None:
    if name.startswith("kept"):
        (root / ".git").rename(root / "kept")
        (root / ".git").write_text("gitdir: kept\n")
    elif name == ".git":
        shutil.rmtree(root / name)
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    with pytest.raises(GitError, match=f"{name} is a pipe, where git expects a file"):
        status(str(root))


def test_an_error_has_its_advice_apart(root: Path) -> None:
    os.mkfifo(root / ".git" / "commondir")
    with pytest.raises(GitError) as caught:
        status(str(root))
    what = f"{root}/.git/commondir is a pipe, where git expects a file"
    assert (str(caught.value), caught.value.what) == (f"{what}. Remove it to use git here.", what)
