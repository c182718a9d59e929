"""The judge of shell lines: what it says only reads is run by a real Bash, in a sandbox, and must have changed nothing.

What is said to write must have changed nothing but the paths that were named; and neither must have read a file that is
a secret or outside of the root, but for what goes through directories. Case: a line.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from target import Case, Target, changed, holds, literals

from nodwyn.prims.environment import clean_environment
from nodwyn.prims.guard.commands import READ_ONLY, VERDICTS, WRITES, judge
from nodwyn.prims.guard.read_only import _COMMANDS, _FIND_TESTS

FILES = {
    "notes.txt": "one\ntwo\nthree\n",
    "a": "a\n",
    "b c": "spaced\n",
    "sub/x.py": "def f(): pass\n",
    "sub/deep/y.json": '{"name": [1, 2]}\n',
    "-n": "dash\n",
    ".env": "KEY=1\n",
    "../beside/z": "outside\n",
}
OPERATORS = "; && || | |& \n > >> 2> 2>&1 >&2 < &> >| <<< << & ( ) { } $( ` # ! \\\n >/dev/null <> >& <&".split(" ")
WORDS = (
    ".env .env @notes.txt --color --context --unified ../beside/z %n PATH "
    "notes.txt a 'b c' sub sub/x.py sub/deep/y.json -- - -n . .. ../beside/z new new/x x=1 HOME=. $HOME ~ * ? [a] "
    "{a,b} 'x y' \"q r\" \\  1 2 0 1,2p 3p $p '2,$p' %s %d %n x y s/a/b/ .name . -exec -delete -o -w -i "
    "--output=new -o new -fprint +%s -s -d '\\'' \"\\\"\" $'\\n' é = ~x 1> 2 rm\\ a touch "
    "if then fi time eval exec source . set alias [ "
    "[[ test - /dev/null /dev/stdout !! ^a^b w 1w 'w new' e r\tx \x01"
).split(" ")
MOST_SECONDS = 3
LONG_AGO = 1_700_000_000 * 10**9
"""When the files were changed, in nanoseconds. They were read last before that; a reader is noticed, as most
systems mount their disks."""

THROUGH_DIRECTORIES = re.compile(r"\b(rg|grep|egrep|fgrep|diff|du|find|tree|ls|wc|file|stat)\b")


def is_denied(path: str) -> str | None:
    return "a secret" if os.path.basename(path).startswith(".env") else None


class Lines(Target):
    """See the module."""

    anew = 0.5

    def __init__(self, workspace: Path) -> None:
        self.top = workspace.resolve() / "top"
        self.root = self.top / "app"
        names = sorted(_COMMANDS)
        flags = set(_FIND_TESTS)
        for text in literals("prims/guard/read_only.py"):
            parts = text.split()
            flags.update(part for part in parts if part.startswith("-"))
            if len(parts) == 1 and text.isascii() and text.isalnum():
                flags.update(f"-{letter}" for letter in text)
        self.names, self.flags = names, sorted(flags)
        self.tokens = [
            *(f"{word} " for word in (*names, *self.flags, *WORDS)),
            *(f" {each} " for each in OPERATORS),
            *OPERATORS,
        ]
        self.before: dict[str, str] = {}
        self._make()

    def _make(self) -> None:
        shutil.rmtree(self.top, ignore_errors=True)
        for name, text in FILES.items():
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            os.utime(file, ns=(LONG_AGO - 10**9, LONG_AGO))
        (self.root / "link").symlink_to("notes.txt")
        (self.root / "out").symlink_to("../beside")
        self.before = state(self.top)

    def seeds(self) -> Iterator[Case]:
        yield from literals("tests/prims/guard/test_commands.py", "tests/prims/guard/test_shell_plain.py")

    def create(self, chance: random.Random) -> Case:
        parts = []
        for _ in range(chance.choice((1, 1, 2, 3))):
            words = [chance.choice(self.names)]
            words += chance.choices(self.flags, k=chance.choice((0, 0, 1, 2)))
            words += chance.choices(WORDS, k=chance.choice((0, 1, 2, 3)))
            parts += [" ".join(words), chance.choice(OPERATORS)]
        return " ".join(parts[:-1] if chance.random() < 0.8 else parts)

    def change(self, chance: random.Random, case: Case, other: Case) -> Case:
        return changed(chance, case, other, self.tokens)

    def check(self, line: Case) -> object:
        judgement = judge(
            line, root=str(self.root), cwd=str(self.root), is_denied=is_denied, home=str(self.top / "home")
        )
        holds(judgement.verdict in VERDICTS, "a line is judged")
        holds("judging the line failed" not in judgement.reason, "the judge does not fail")
        if judgement.verdict in (READ_ONLY, WRITES):
            self._check_run(line, judgement.verdict, judgement.writes)
        commands = tuple(command.verdict for command in judgement.commands)[:5]
        names = line.split()[:1] if judgement.verdict in (READ_ONLY, WRITES) else ()
        return judgement.verdict, judgement.reason[:24], commands, tuple(names)

    def _check_run(self, line: str, verdict: str, writes: tuple[str, ...]) -> None:
        self._read(".env"), self._read("../beside/z")
        said = run(line, self.top, self.root)
        secret = self._read(".env") and not THROUGH_DIRECTORIES.search(line)
        outside = self._read("../beside/z")
        after = state(self.top)
        differing = {path for path in self.before.keys() | after.keys() if self.before.get(path) != after.get(path)}
        if differing:
            self._make()
        holds(
            not re.search(r"^bash: -c: line \d+: (syntax error|unexpected EOF)", said, re.M),
            f"Bash can read what is judged {verdict}",
        )
        if verdict == READ_ONLY:
            holds(not differing, "what only reads changes nothing")
            holds(not secret, "what only reads does not read a secret")
            holds(not outside, "what only reads in the root does not read outside of it")
        else:
            allowed = tuple(os.path.relpath(path, self.top) for path in writes)
            # A directory changes with what is made in it.
            stray = {path for path in differing if not path.endswith("/") and not _is_below(path, allowed)}
            holds(not stray, "what writes changes what was named")

    def _read(self, name: str) -> bool:
        """Return whether a file was read, and have it look as if it had not been."""
        file = self.root / name
        was_read = os.lstat(file).st_atime_ns >= os.lstat(file).st_mtime_ns
        os.utime(file, ns=(LONG_AGO - 10**9, LONG_AGO))
        return was_read


def _is_below(path: str, allowed: tuple[str, ...]) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in allowed)


def state(top: Path) -> dict[str, str]:
    """Return what there is below a directory: names, kinds, modes, times of change, contents."""
    found = {}
    for folder, folders, files in os.walk(top):
        for name in folders:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, top) + "/"] = str(os.lstat(path).st_mode)
        for name in files:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = ""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    content = sha256(file.read(1 << 20)).hexdigest()
            found[os.path.relpath(path, top)] = f"{status.st_mode} {status.st_mtime_ns} {status.st_size} {content}"
    return found


def run(line: str, top: Path, root: Path) -> str:
    """Run a line by Bash, which can change nothing outside of ``top``; return the beginning of what it complains of."""
    sandbox = [
        "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--tmpfs",
        "/var/tmp",
        "--bind",
        str(top),
        str(top),
    ]
    sandbox += ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--chdir", str(root)]
    limits = ["prlimit", "--as=1500000000", "--fsize=1000000", "--nproc=4000", "--cpu=3"]
    environment = {**clean_environment(os.environ), "HOME": str(top / "home"), "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [*sandbox, *limits, "bash", "--noprofile", "--norc", "-c", line.encode("utf-8", "surrogateescape")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    try:
        return process.communicate(timeout=MOST_SECONDS)[1][:4000].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ""


def make(workspace: Path) -> Target:
    """Return the target."""
    return Lines(workspace)
