"""The environment of programs: an allowlist, and where programs are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from nodwyn.prims.environment import FALLBACK_PATH, clean_environment, find_program, is_within, search_path


@pytest.mark.parametrize(
    "name",
    "AWS_SECRET_ACCESS_KEY BASH_ENV ENV GIT_DIR GIT_SSH_COMMAND LD_PRELOAD LD_LIBRARY_PATH PYTHONPATH PYTHONSTARTUP"
    " NODE_OPTIONS PERL5OPT RUBYOPT RIPGREP_CONFIG_PATH SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR LESSOPEN"
    " PROMPT_COMMAND PS4 IFS BASH_FUNC_ls%% SHELLOPTS BASHOPTS CDPATH OPENAI_API_KEY NODWYN_DATA_DIR".split(),
)
def test_what_is_not_on_the_list_is_not_passed_on(name: str) -> None:
    assert name not in clean_environment({name: "value", "PATH": "/bin"})


def test_what_programs_need_is_passed_on() -> None:
    given = {"HOME": "/home/x", "LANG": "C.UTF-8", "LC_TIME": "C", "TERM": "xterm", "USER": "x", "PATH": "/bin"}
    assert given.items() <= clean_environment(given).items()


@pytest.mark.parametrize("value", ["() { :; }; id", "a\nb"])
def test_a_value_that_nothing_sane_has_is_dropped(value: str) -> None:
    assert "LANG" not in clean_environment({"LANG": value, "PATH": "/bin"})


def test_nobody_is_asked_and_nothing_is_paged() -> None:
    clean = clean_environment({"PAGER": "less", "GIT_EDITOR": "vi"})
    assert (clean["PAGER"], clean["GIT_EDITOR"], clean["GIT_TERMINAL_PROMPT"]) == ("cat", "false", "0")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/usr/bin:/bin", ["/usr/bin", "/bin"]),
        (".:/bin::bin:../x", ["/bin"]),
        ("", list(FALLBACK_PATH)),
        ("/w/app/.venv/bin:/bin", ["/bin"]),
        ("/w/app/../app/bin:/bin", ["/bin"]),
        ("/w/app-tools/bin:/bin", ["/w/app-tools/bin", "/bin"]),
    ],
)
def test_programs_are_looked_for_in_absolute_directories_out_of_the_root(path: str, found: list[str]) -> None:
    assert search_path({"PATH": path}, "/w/app") == found


def test_a_link_into_the_root_is_in_the_root(tmp_path: Path) -> None:
    (tmp_path / "root" / "bin").mkdir(parents=True)
    (tmp_path / "bin").symlink_to(tmp_path / "root" / "bin")
    assert search_path({"PATH": f"{tmp_path}/bin:/bin"}, str(tmp_path / "root")) == ["/bin"]


def test_a_program_is_a_file_that_can_be_run(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "tool").touch()
    (tmp_path / "two" / "tool").touch(0o755)
    path = [str(tmp_path / "one"), str(tmp_path / "two")]
    assert find_program("tool", path) == str(tmp_path / "two" / "tool")
    assert find_program("other", path) is None


@pytest.mark.parametrize(
    ("path", "folder", "within"),
    [
        ("/w/app", "/w/app", True),
        ("/w/app/x", "/w/app", True),
        ("/w/app-private", "/w/app", False),
        ("/w", "/w/app", False),
        ("/x", "/", True),
    ],
)
def test_a_prefix_of_characters_is_no_directory(path: str, folder: str, within: bool) -> None:
    assert is_within(path, folder) is within
