"""Stand-in until nodwyn.prims.guard.paths lands."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from nodwyn.prims.guard.proposal import Finding


class Opened(NamedTuple):
    descriptor: int
    path: str
    status: os.stat_result
    findings: tuple[Finding, ...]
    outside: bool


class Version(NamedTuple):
    data: bytes
    mode: int


class Places:
    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.added: list[str] = []

    def absolute(self, name: str) -> str:
        return os.path.normpath(os.path.join(self.root, os.path.expanduser(name)))

    def shown(self, path: str) -> str:
        return os.path.relpath(path, self.root) if path.startswith(self.root + "/") or path == self.root else path

    def denied(self, path: str) -> str | None:
        base = os.path.basename(path).lower()
        if base == ".env" or base.endswith(".pem") or "/.ssh" in path:
            return "secrets are neither read nor written"
        return None

    def unwritable(self, path: str) -> str | None:
        return "it makes git run programs" if "/.git/hooks" in path or path.endswith("/.git/config") else None

    def _judge(self, path: str) -> tuple[tuple[Finding, ...], bool]:
        outside = not (path + "/").startswith(self.root + "/")
        if outside and not any((path + "/").startswith(added + "/") for added in self.added):
            return (Finding("deny", "pin", f"it is outside of {self.root}"),), True
        reason = self.denied(path)
        return ((Finding("deny", "denylist", reason),) if reason else ()), outside

    def open(self, name: str, directory: bool = False) -> Opened:
        path = os.path.realpath(self.absolute(name))
        findings, outside = self._judge(path)
        if findings:
            return Opened(-1, path, os.stat("/"), findings, outside)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        status = os.fstat(descriptor)
        return Opened(descriptor, path, status, (), outside)

    def judge_write(self, name: str) -> Opened:
        path = os.path.realpath(self.absolute(name))
        findings, outside = self._judge(path)
        reason = self.unwritable(path)
        if reason:
            findings += (Finding("deny", "denylist", reason),)
        return Opened(-1, path, os.stat("/"), findings, outside)

    def version(self, path: str) -> Version | None:
        try:
            with open(path, "rb") as file:
                return Version(file.read(), stat.S_IMODE(os.fstat(file.fileno()).st_mode))
        except FileNotFoundError:
            return None

    def replace(self, path: str, data: bytes | None, expected: Version | None, mode: int | None) -> None:
        if self.version(path) != expected:
            raise ValueError("changed")
        if data is None:
            os.unlink(path)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
            if mode is not None:
                os.chmod(path, mode)

    def add(self, name: str) -> str:
        path = os.path.realpath(self.absolute(name))
        self.added.append(path)
        return path

    def forget_added(self) -> None:
        self.added.clear()
