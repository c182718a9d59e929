"""Where tools keep programs and packages in a home: what commands read of it though nobody has named it.

Credentials lie in all places of a home, and beside programs too. So it is only what tools fill themselves, and of an
installation only its parts: its settings lie beside them, and hold what a registry of packages is asked with.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

TOOL_CACHES = (
    ".bun/bin .cargo/bin .cargo/git .cargo/registry .deno/bin .elan/bin .elan/settings.toml .elan/toolchains"
    " .ghcup/bin .ghcup/ghc .ghcup/hls .gradle/caches/modules-2 .gradle/wrapper/dists .ivy2/cache"
    " .jenv/bin .jenv/libexec .jenv/shims .jenv/version .jenv/versions"
    " .local/bin .local/lib/python*/site-packages .local/share/fnm/aliases .local/share/pnpm/bin"
    " .local/share/pnpm/global .local/share/pnpm/store .local/share/uv/python"
    " .m2/repository .nodenv/bin .nodenv/libexec .nodenv/shims .nodenv/version .npm/_cacache .npm/_npx"
    " .pyenv/bin .pyenv/libexec .pyenv/shims .pyenv/version .rbenv/bin .rbenv/libexec .rbenv/shims .rbenv/version"
    " .rustup .sdkman/candidates/java .sdkman/candidates/kotlin .sdkman/candidates/scala"
    " .cache/go-build .cache/pip .cache/uv .cache/yarn go/bin go/pkg"
).split()
"""In a home, relative to it, where programs and downloaded packages lie, and no credentials; ``*`` is in one name."""

INSTALLATIONS = (
    ".local/pipx/venvs/* .local/share/fnm/node-versions/*/installation .local/share/pipx/venvs/*"
    " .local/share/pnpm/nodejs/* .local/share/uv/tools/* .nodenv/versions/* .nvm/versions/node/* .opam/*"
    " .pyenv/versions/* .rbenv/versions/*"
).split()
"""Where known tools put an installation: settings such as ``pip.conf`` and ``etc/npmrc`` are in it too."""

SETTINGS = (".local/share/uv/python/*/pip.conf",)
"""What is hidden in what is shown as a whole, since links in it lead from one installation to another."""

PARTS = ("bin", "include", "lib", "libexec", "pyvenv.cfg", "share")
"""What of an installation has no credentials in it."""


def tool_caches(home: str | None = None) -> tuple[str, ...]:
    """Return what a home has of TOOL_CACHES, and of the parts of INSTALLATIONS, as absolute paths without links.

    home: the person's own when not given.
    """
    home = os.path.realpath(home or os.path.expanduser("~"))
    parts = (f"{installation}/{part}" for installation in INSTALLATIONS for part in PARTS)
    return tuple(path for pattern in (*TOOL_CACHES, *parts) for path in _found(home, pattern))


def settings_in_caches(home: str | None = None) -> tuple[str, ...]:
    """Return what a home has of SETTINGS, as :func:`tool_caches` does."""
    home = os.path.realpath(home or os.path.expanduser("~"))
    return tuple(path for pattern in SETTINGS for path in _found(home, pattern))


def filled_by_hand(paths: Iterable[str]) -> tuple[str, ...]:
    """Return which of the caches people put programs of their own into: there may be more in them than tools put."""
    return tuple(path for path in paths if path.endswith(("/.local/bin", "/.bun/bin", "/.deno/bin", "/go/bin")))


def _found(folder: str, pattern: str) -> Iterator[str]:
    """Yield the paths in a directory that a pattern stands for, in order; none with a link on it."""
    first, _, rest = pattern.partition("/")
    names = [first]
    if "*" in first:
        try:
            names = sorted(name for name in os.listdir(folder) if fnmatchcase(name, first))
        except OSError:
            return
    for name in names:
        path = os.path.join(folder, name)
        if os.path.lexists(path) and not os.path.islink(path):
            yield from _found(path, rest) if rest else [path]
