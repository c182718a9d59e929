"""What file primitives and commands do not reach whatever was allowed: two classes of names, and files that ask.

*Secrets* are neither read nor written. *What makes other programs run code* is not written: git's hooks and
configuration, shell start-up files, what editors and other agents run. Writing what a continuous integration or a
commit runs is a question, and so is writing what tells agents what to do: it speaks in every later session.

A path is judged by the real name of the object that was opened, component by component, in the form in which file
systems that fold names hold two for the same; a file with several names also by what it is (:meth:`Denylist.is_alias`).
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from nodwyn.prims.guard.repositories import FILES


def _places(words: str) -> tuple[str, ...]:
    """Return what paths hold, with a slash at their end, that name these files or something in these directories."""
    return tuple(f"/{place}/" for place in words.split())


_SECRET_DIRECTORIES = frozenset(
    ".ssh .aws .azure .gnupg .kube .password-store .gcloud .oci .bluemix .chef .vault .terraform.d .keychain".split()
)
"""Their content, wherever they are."""

_SECRET_PLACES = _places(
    """.config/gcloud .config/gh .config/glab-cli .config/hub .config/op .config/sops .config/rclone .config/doctl
    .config/configstore .config/google-chrome .config/chromium .config/1password .local/share/keyrings
    .mozilla/firefox library/keychains .docker/config.json .cargo/credentials .cargo/credentials.toml
    .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties
    .jupyter/jupyter_server_config.json etc/shadow etc/gshadow etc/sudoers etc/ssl/private"""
)
"""Files and directories by the end or the middle of their path."""

_SECRET_NAMES = frozenset(
    """.env .envrc .netrc _netrc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd .pypirc .dockercfg
    .dockerconfigjson .boto .s3cfg .vault-token .vault_pass .vault_pass.txt .vault-password
    .ansible_vault_password .rhosts .esmtprc .msmtprc id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk
    id_ed25519_sk identity.age master.key kubeconfig credentials.json client_secret.json client_secrets.json
    service-account.json serviceaccount.json application_default_credentials.json secrets.yml secrets.yaml
    secrets.json secrets.toml terraform.tfstate terraform.tfstate.backup .bash_history .zsh_history
    .sh_history .ash_history .fish_history .python_history .psql_history .mysql_history .node_repl_history
    .rediscli_history .irb_history""".split()
)
"""Files of these names, wherever they are."""

_SECRETS_OF_A_HOME = (".npmrc", ".yarnrc.yml", ".config/pip/pip.conf", ".pip/pip.conf", ".gitconfig.local")
"""Files that hold secrets in a home, and none in a repository."""

_SECRET_ENDINGS = frozenset(
    "pem key p12 pfx p8 jks keystore kdbx kdb ppk ovpn kubeconfig keytab agekey tfvars secret pkcs12 bks".split()
)
"""Files whose names end so, behind a dot."""

_PUBLIC_PLACES = _places("certifi/cacert.pem botocore/cacert.pem ssl/cacert.pem")
"""Certificates of public authorities, by the end of their path: without them no client of TLS of Python can be made."""

_TEMPLATES = frozenset("example sample template dist defaults tmpl tpl".split())
"""Endings of ``.env.…`` files that hold no secrets: they show which ones there are."""

_START_UP_NAMES = frozenset(
    """.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
    .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xinitrc .xprofile .xsession .xsessionrc
    .gitconfig .hgrc .vimrc .gvimrc .exrc .nvimrc .nvim.lua .emacs .dir-locals.el .gdbinit .lldbinit
    .rprofile .irbrc .pryrc .guile .mcp.json .yarnrc .yarnrc.yml .pythonrc .pythonrc.py .pdbrc
    sitecustomize.py usercustomize.py .wgetrc .curlrc .screenrc .tmux.conf .perldb .psqlrc .sqliterc .nodwyn
    .husky""".split()
)
"""Files that programs run, or that name what they run, when they start or when git or an editor does something."""

_START_UP_PLACES = _places(
    """.vscode/tasks.json .vscode/launch.json .vscode/settings.json .vscode/mcp.json .vscode/extensions.json .idea
    .fleet .zed .devcontainer devcontainer.json .claude/settings.json .claude/settings.local.json
    .claude/hooks .cursor/mcp.json .cursor/hooks.json .codex/config.toml .gemini/settings.json .nodwyn
    .husky .config/fish .config/git .config/nvim .config/systemd .config/autostart .config/environment.d
    .config/pip .config/direnv .local/bin .cargo/config .cargo/config.toml .cargo/bin .emacs.d .vim .nvim
    library/launchagents library/launchdaemons"""
)

_ASKING_PLACES = _places(
    """.github/workflows .github/actions .circleci .buildkite .woodpecker .teamcity .gitlab-ci.yml .gitlab/ci
    .travis.yml .drone.yml .appveyor.yml appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml
    cloudbuild.yaml cloudbuild.yml buildspec.yml jenkinsfile .cirrus.yml .semaphore .pre-commit-config.yaml
    .pre-commit-hooks.yaml .gitmodules lefthook.yml .lefthook.yml .lefthook .overcommit.yml"""
)

_INSTRUCTING_NAMES = frozenset(
    """agents.md agents.override.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md
    .cursorrules .windsurfrules .clinerules .roorules .goosehints .rules copilot-instructions.md""".split()
)
"""Files, or directories with all in them, that agents read for what they are to do, wherever they are."""

_INSTRUCTING_PLACES = _places(
    """.github/instructions .github/prompts .github/chatmodes .github/agents .claude/agents .claude/commands
    .claude/skills .claude/rules .agents .cursor/rules .cursor/commands .windsurf/rules .windsurf/workflows .roo/rules
    .roo/commands .kiro/steering .kiro/hooks .junie/guidelines.md .continue/rules .continue/prompts .augment/rules
    .augment-guidelines .trae/rules .amazonq/rules .codex/prompts .gemini/commands .opencode/agent .opencode/command
    .aider.conf.yml"""
)

_GIT_DIRECTORIES = ("git~1", ".git")
_GIT_ITSELF = frozenset(_GIT_DIRECTORIES)
_GIT_DECISIVE = frozenset(("hooks", *FILES))
_GIT_INNER = ("modules", "worktrees")

INSTRUCTS = "tells agents what to do, in later sessions and other programs"
"""How the reason ends for which writing a file is a question that agents read for what they are to do."""

_PLACES_OF_A_HOME = sorted(
    {"", *(os.path.dirname(place.strip("/")) for place in (*_SECRET_PLACES, *_START_UP_PLACES) if place[1] == ".")}
)
"""Directories of a home, and itself, in which something that is protected lies beside what is not."""

_OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/")

# Characters that HFS+ leaves out when it compares names.
_IGNORED = dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])

_FRESH_SECONDS = 1.0
"""For how long the identities of secret files are not looked up again."""

_MOST_FILES = 10_000

_MOST_JUDGED = 1 << 14
"""Paths whose judgement is kept."""


class Identities(NamedTuple):
    """Files, by device and number, that are protected under whatever name."""

    secrets: frozenset[tuple[int, int]] = frozenset()
    programs: frozenset[tuple[int, int]] = frozenset()
    """What makes other programs run commands."""


class Denylist:
    """Judges absolute real paths."""

    def __init__(self, own: tuple[str, ...], home: str) -> None:
        """Make a list.

        own: the directories of nodwyn itself, absolute and real. home: the person's.
        """
        self._own = tuple(folded(path).rstrip("/") + "/" for path in own)
        self._roots = own
        self._home = home
        self._of_home = frozenset(f"{folded(home)}/{name}/" for name in _SECRETS_OF_A_HOME)
        self._identities = Identities()
        self._looked_up = float("-inf")
        # It rests on the path alone, and a search asks twice for each of thousands.
        self.secret: Callable[[str], str | None] = lru_cache(maxsize=_MOST_JUDGED)(self._why_secret)
        """Return why a path is neither read nor written, or None when it may be."""

    def _why_secret(self, path: str) -> str | None:
        whole = folded(path) + "/"
        name = whole[whole.rfind("/", 0, -1) + 1 : -1]
        if name in _SECRET_NAMES or (_has_secret_ending(name) and not whole.endswith(_PUBLIC_PLACES)):
            return _secret(name)
        if whole.startswith(_OF_THE_SYSTEM) and not whole.startswith("/dev/shm/"):
            return "it shows or steers what the system and its processes do, and is neither read nor written"
        if whole.startswith(self._own):
            return "nodwyn keeps its own data there, which is neither read nor written"
        # A search judges all the files of a directory, and what their directory says is the same for all.
        if reason := _secret_above(whole[: -len(name) - 1]):
            return reason
        if name in _SECRET_DIRECTORIES or whole in self._of_home:
            return _secret(name)
        if whole.endswith(_SECRET_PLACES):
            return _secret(next(place for place in _SECRET_PLACES if whole.endswith(place)).strip("/"))
        return None

    def program(self, path: str) -> str | None:
        """Return why a path is not written, though it may be read, or None when it may be written."""
        whole = folded(path) + "/"
        parts = whole.split("/")
        name = parts[-2]
        if name in _START_UP_NAMES or (name.endswith(".pth") and "site-packages" in parts):
            return _program(name)
        for number, part in enumerate(parts):
            if part.endswith(_GIT_DIRECTORIES) and _decides_for_git(parts[number + 1 : -1]):
                return "it makes git run programs, or says what git reads, and is not written"
        for place in _START_UP_PLACES:
            if place in whole:
                return _program(place.strip("/"))
        return None

    def asks(self, path: str) -> str | None:
        """Return why writing a path is a question of its own, or None when it is none."""
        whole = folded(path) + "/"
        return _why_run(whole) or _why_instructing(whole)

    def instructs(self, path: str) -> bool:
        """Whether writing a path is a question because it tells agents what to do."""
        whole = folded(path) + "/"
        return _why_run(whole) is None and _why_instructing(whole) is not None

    def is_alias(self, status: os.stat_result, beside: tuple[str, ...]) -> bool:
        """Whether a file with several names is a secret by another of them.

        beside: directories whose secrets are looked at, besides the known places of secrets.
        """
        identity = (status.st_dev, status.st_ino)
        if identity in self.identities().secrets:
            return True
        return any(
            (found.st_dev, found.st_ino) == identity
            for directory in beside
            for entry in _entries(directory)
            if self.secret(entry.path) and (found := _status(entry))
        )

    def identities(self) -> Identities:
        """Return what the files of several names in the known places of a home are that are protected there."""
        now = time.monotonic()
        if now - self._looked_up > _FRESH_SECONDS:
            self._identities = self._looked_for()
            self._looked_up = now
        return self._identities

    def _looked_for(self) -> Identities:
        secrets, programs = set[tuple[int, int]](), set[tuple[int, int]]()
        places = deque([*self._roots, *(os.path.join(self._home, place) for place in _PLACES_OF_A_HOME), "/etc"])
        left = _MOST_FILES
        while places and left:
            for entry in _entries(places.popleft()):
                left -= 1
                found = secrets if self.secret(entry.path) else programs if self.program(entry.path) else None
                if found is not None and entry.is_dir(follow_symlinks=False):
                    places.append(entry.path)
                elif found is not None and (status := _status(entry)):
                    found.add((status.st_dev, status.st_ino))
                if not left:
                    break
        return Identities(frozenset(secrets), frozenset(programs))


@lru_cache(maxsize=4096)
def _secret_above(directory: str) -> str | None:
    """Return why nothing in a directory is read, or None. directory: folded, with a slash at its end."""
    for part in _SECRET_DIRECTORIES.intersection(directory.split("/")):
        return _secret(part)
    for place in _SECRET_PLACES:
        if place in directory:
            return _secret(place.strip("/"))
    return None


def folded(path: str) -> str:
    """Return the form of a path that it has in common with all that name the same file where names are folded.

    Case, composition, characters that HFS+ ignores, and the dots and spaces that Windows drops from an end are gone.
    """
    if not path.isascii():
        import unicodedata

        path = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path.translate(_IGNORED)).casefold())
    path = path.lower()
    if ". " in path or "./" in path or " /" in path or path.endswith((".", " ")):
        return "/".join(part.rstrip(". ") or part for part in path.split("/"))
    return path


def _decides_for_git(inside: list[str]) -> bool:
    """Return whether what git runs, or reads, is decided by a path inside a directory of git, or by its own name."""
    if not inside:
        return True
    if inside[0] in _GIT_INNER:
        return not _GIT_DECISIVE.isdisjoint(inside)
    return inside[0] in _GIT_DECISIVE or "/".join(inside) in _GIT_DECISIVE


def _has_secret_ending(name: str) -> bool:
    if name.startswith(".env."):
        return name.rpartition(".")[2] not in _TEMPLATES
    before, dot, ending = name.rpartition(".")
    return bool(dot) and ending in _SECRET_ENDINGS and bool(before)


def _secret(name: str) -> str:
    return f"{name} holds secrets, and is neither read nor written"


def _program(name: str) -> str:
    return f"{name} makes other programs run commands, and is not written"


def _why_run(whole: str) -> str | None:
    """Return why writing a path, folded and with a slash behind it, is a question: what it makes run, or is git's."""
    for place in _ASKING_PLACES:
        if place in whole:
            return f"{place.strip('/')} makes other machines, or the next commit, run commands"
    if not _GIT_ITSELF.isdisjoint(whole.split("/")):
        return "git keeps its own data there, which is best left to git"
    return None


def _why_instructing(whole: str) -> str | None:
    """Return what of such a path tells agents what to do, in a sentence, or None."""
    places = (place.strip("/") for place in _INSTRUCTING_PLACES if place in whole)
    name = next(places, None) or next(iter(_INSTRUCTING_NAMES.intersection(whole.split("/"))), None)
    return name and f"{name} {INSTRUCTS}"


def _entries(directory: str) -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(directory) as scan:
        yield from scan


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return what a file is when it has several names; with one it cannot be another's alias."""
    with suppress(OSError):
        found = entry.stat(follow_symlinks=False)
        if found.st_nlink > 1 and stat.S_ISREG(found.st_mode):
            return found
    return None
