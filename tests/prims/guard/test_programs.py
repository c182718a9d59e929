"""Programs in homes: what of what tools keep there is read by commands though nobody has named it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.prims.guard.programs import filled_by_hand, tool_caches


def lay(home: Path, *names: str) -> None:
    for name in names:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")


def shown(home: Path) -> set[str]:
    return {os.path.relpath(path, home.resolve()) for path in tool_caches(str(home))}


@pytest.mark.parametrize(
    ("tool", "has", "beside"),
    [
        ("cargo", ".cargo/bin .cargo/registry", ".cargo/credentials.toml .cargo/config.toml"),
        ("rustup", ".rustup", ""),
        ("ghcup", ".ghcup/bin .ghcup/ghc", ".ghcup/config.yaml .ghcup/logs/x"),
        ("gradle", ".gradle/caches/modules-2", ".gradle/gradle.properties .gradle/caches/8.5/cc-keystore/x.keystore"),
        ("maven", ".m2/repository", ".m2/settings.xml"),
        ("ivy", ".ivy2/cache", ".ivy2/.credentials"),
        ("npm", ".npm/_cacache", ".npm/_logs/x .npmrc"),
        ("opam", ".opam/5.1/bin .opam/5.1/lib", ".opam/log/x.env .opam/config .opam/5.1/.opam-switch/environment"),
        ("uv", ".local/share/uv/python", ".local/share/uv/credentials/credentials.toml"),
        ("uv tool", ".local/share/uv/tools/a/bin", ".local/share/uv/tools/a/uv-receipt.toml"),
        ("pnpm", ".local/share/pnpm/global .local/share/pnpm/nodejs/20/bin", ".local/share/pnpm/nodejs/20/etc/npmrc"),
        ("pipx", ".local/share/pipx/venvs/a/lib", ".local/share/pipx/venvs/a/pipx_metadata.json"),
        (
            "pip",
            ".local/lib/python3.12/site-packages",
            ".local/lib/tool/credentials .config/pip/pip.conf .pip/pip.conf",
        ),
        ("pyenv", ".pyenv/shims .pyenv/versions/3/lib .pyenv/version", ".pyenv/versions/3/pip.conf"),
        ("rbenv", ".rbenv/versions/3/bin", ".rbenv/versions/3/etc/gemrc .gem/credentials"),
        ("nvm", ".nvm/versions/node/v20/lib", ".nvm/versions/node/v20/etc/npmrc"),
        ("sdkman", ".sdkman/candidates/java", ".sdkman/candidates/maven/3/conf/settings.xml"),
        ("none that is known", "", "miniconda3/bin/x bin/x .fly/bin/x .asdf/shims/x .rvm/log/x .volta/bin/x"),
        ("some that keep more beside", "", ".docker/bin/x .foundry/bin/x .aws/x .config/x/bin/x Documents/x"),
    ],
)
def test_what_tools_keep_is_shown_without_what_they_keep_credentials_in(
    tmp_path: Path, tool: str, has: str, beside: str
) -> None:
    lay(tmp_path, *beside.split(), *(name if name.endswith("/version") else f"{name}/x" for name in has.split()))
    assert shown(tmp_path) == set(has.split())


@pytest.mark.parametrize("link", [".cargo", ".cargo/bin", ".nvm/versions/node/v20", ".nvm/versions/node/v20/lib"])
def test_no_link_is_followed(tmp_path: Path, link: str) -> None:
    lay(tmp_path, ".ssh/bin/id", ".ssh/lib/id")
    (tmp_path / link).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / link).symlink_to(tmp_path / ".ssh")
    assert shown(tmp_path) == set()


def test_a_home_that_is_reached_by_a_link_is_shown_by_its_real_path(tmp_path: Path) -> None:
    lay(tmp_path, "real/.cargo/bin/x")
    (tmp_path / "home").symlink_to("real")
    assert tool_caches(str(tmp_path / "home")) == (str(tmp_path.resolve() / "real/.cargo/bin"),)


def test_what_people_put_programs_into_is_known(tmp_path: Path) -> None:
    lay(tmp_path, ".local/bin/x", "go/bin/x", ".rbenv/bin/x", ".nvm/versions/node/v20/bin/x", "go/pkg/x")
    found = filled_by_hand(tool_caches(str(tmp_path)))
    assert {os.path.relpath(path, tmp_path.resolve()) for path in found} == {".local/bin", "go/bin"}
