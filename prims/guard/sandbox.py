"""Running a shell line in the strongest sandbox that the machine has, and saying which that was.

With bubblewrap a command reads the system and writes in the root alone; what may not be reached is not there, what
makes other programs run code is read-only, and there is no network. With Landlock the root is reachable as a whole.
Without either, the line runs as the person would run it. Every kind runs it with a clean environment and ends all of
it.

What appears in the root while a line runs, and has no placeholder, is seen by that line, as is a file that replaces a
placeholder by being renamed over it; the next line sees neither.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from itertools import islice
from typing import Literal, NamedTuple

from nodwyn.prims import processes
from nodwyn.prims.directories import main_worktree
from nodwyn.prims.environment import clean_environment, find_program, is_within, search_path
from nodwyn.prims.git_personal import personal_configuration, personal_environment
from nodwyn.prims.guard import bubblewrap, landlock, repositories, seatbelt
from nodwyn.prims.guard.confinement import TEMPORARY, Confinement, PathCheck, covered, homes
from nodwyn.prims.guard.denylist import Identities
from nodwyn.prims.guard.placeholders import Placeholders
from nodwyn.prims.guard.readable import Readable, Shown
from nodwyn.prims.guard.sandbox_toml import FILE, SETTING, SettingError
from nodwyn.prims.guard.survey import Surveyor
from nodwyn.prims.guard.unseen import MOST_TOLD, unseen
from nodwyn.prims.private import NotPrivate
from nodwyn.prims.processes import DEFAULT_LIMITS, CannotRun, Finished, Limits, OnChunk

Kind = Literal["bubblewrap", "landlock", "seatbelt", "none"]

TRIAL_SECONDS = 10.0

HOW_TO_SHOW = (
    f"commands see such a directory if the person names it in {SETTING} of {FILE} in the configuration directory"
)
"""What is said after what a line did not see."""

Trial = Callable[[list[str]], str | None]
"""Tries a kind with programs of these directories; returns why it is not to be had, or None."""

LARGEST_IGNORED = 1 << 16
"""Characters of the person's own file of ignored names that are passed on."""

_PROMISES: dict[Kind, str] = {
    "bubblewrap": "writes only inside the root, no network, secrets hidden, hooks and configuration read-only",
    "landlock": "writes only inside the root and no network; in the root, secrets, hooks and configuration stay open",
    "seatbelt": "writes only inside the root, no network, secrets hidden, hooks and configuration read-only",
    "none": "unsandboxed: with all rights of the person who started nodwyn",
}


class Offer(NamedTuple):
    """The sandbox of this machine."""

    kind: Kind
    missing: tuple[str, ...]
    """Why each stronger kind that the system could have is not to be had."""

    @property
    def promise(self) -> str:
        """What holds for a command in it."""
        return _PROMISES[self.kind]

    @property
    def keeps_root_safe(self) -> bool:
        """Whether secrets, hooks and configuration in the root are out of a command's reach; else each command asks."""
        return self.kind in ("bubblewrap", "seatbelt")


class Ran(NamedTuple):
    """How a line ended, and what it did that the person must hear of."""

    finished: Finished
    kind: Kind
    changes: tuple[repositories.Change, ...]
    """What makes git run programs and was made, changed or removed meanwhile."""
    hidden: tuple[str, ...]
    """What the line could not reach in the root, placeholders not included."""
    newly_hidden: tuple[str, ...]
    """What it made in the root that later commands cannot reach."""
    asked: tuple[str, ...]
    """What it made, changed or removed in the root that is written only after a question of its own."""
    newly_frozen: tuple[str, ...]
    """What it made in the root that makes other programs run commands."""
    unseen: tuple[str, ...]
    """Which programs it could not start that are there, but not for it, in words."""


def offer(root: str | None = None) -> Offer:
    """Return the strongest sandbox that works here, found by starting a program in it once.

    root: a directory whose own programs are not used: a repository could bring a ``bwrap``.
    """
    return _offered(tuple(search_path(os.environ, root)))


@cache
def _offered(path: tuple[str, ...]) -> Offer:
    missing: list[str] = []
    tried: list[tuple[Kind, Trial]] = [("bubblewrap", _try_bubblewrap), ("landlock", _try_landlock)]
    if sys.platform == "darwin":
        tried = [("seatbelt", _try_seatbelt)]
    for kind, attempt in tried:
        reason = attempt(list(path))
        if reason is None:
            return Offer(kind, tuple(missing))
        missing.append(f"{kind}: {reason}")
    return Offer("none", tuple(missing))


class Sandbox:
    """Runs the lines of a session."""

    def __init__(
        self,
        root: str,
        *,
        is_denied: PathCheck,
        is_unwritable: PathCheck = lambda path: None,
        is_asked: PathCheck = lambda path: None,
        identities: Callable[[], Identities] = Identities,
        future: Sequence[str] = (),
        outside: Sequence[str] = (),
        readable: Readable | None = None,
        environment: Mapping[str, str] | None = None,
        offered: Offer | None = None,
    ) -> None:
        """Prepare for lines that run in ``root``.

        root: an absolute directory. is_denied: why a path may neither be read nor written. is_unwritable: why a path
            may not be written. is_asked: why writing a path is a question of its own. identities: returns what
            files elsewhere are that are protected under their names in the root, too.
        future: absolute paths in the root that may not be reached and may not exist yet.
        outside: absolute paths outside of the root and of homes that may not be reached.
        readable: what in the homes may be read; nothing when not given. environment: the person's, this process's when
            not given; what of it is passed on is an allowlist. offered: the kind to use, the machine's when not given.
        """
        self.root = os.path.realpath(root)
        self._is_denied = is_denied
        self._surveyor = Surveyor(self.root, is_denied, is_unwritable, is_asked, identities=identities)
        self._future = tuple(future)
        self._outside = tuple(outside)
        self._readable = readable
        self._environment = dict(os.environ if environment is None else environment)
        self.offer = offered or offer(self.root)

    def run(
        self,
        line: str,
        *,
        cwd: str | None = None,
        writes: bool = True,
        writes_git: bool = False,
        network: bool = False,
        limits: Limits = DEFAULT_LIMITS,
        on_chunk: OnChunk | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
        is_late: Callable[[], bool] = lambda: False,
    ) -> Ran:
        """Run a shell line to its end.

        cwd: the directory it runs in, the root when not given; no other than the root or one in it.
        writes: whether it may write in the root; a line that only reads finds no programs of the root by bare names.
        writes_git: whether it may write what git keeps. network: whether it may use the network. The rest as for
            ``processes.run``.

        Raises: CannotRun. What ``on_chunk`` and ``is_cancelled`` raise.
        """
        folder = self._folder(cwd or self.root)
        before = self._surveyor.look()
        known = [*before.repositories, *_outer_repository(self.root)]
        parts = [part for repository in known for part in repositories.decisive_parts(repository, self.root)]
        frozen = [*before.frozen, *self._surveyor.other_names(parts)]
        frozen += (part for part in parts if writes_git or not covered(part, known))
        snapshot = repositories.take(known, self.root)
        run = partial(
            processes.run, cwd=folder, limits=limits, on_chunk=on_chunk, is_cancelled=is_cancelled, is_late=is_late
        )
        with self._shown() as shown, Placeholders(self._names_to_hold(parts, writes_git)) as placeholders:
            confinement = Confinement(
                root=self.root,
                cwd=folder,
                writes=writes,
                writes_git=writes_git,
                network=network,
                repositories=tuple(known),
                frozen=tuple(frozen),
                hidden=(*self._within_reach(before.hidden), *self._outside, *placeholders.standing, *shown.hidden),
                readable=shown.held,
            )
            finished = self._run_confined(line, confinement, run)
        after = self._surveyor.look()
        now = repositories.take([*after.repositories, *_outer_repository(self.root)], self.root)
        return Ran(
            finished,
            self.offer.kind,
            tuple(repositories.compare(snapshot, now)),
            self._within_reach(before.hidden),
            self._within_reach(_new_in(after.hidden, before.hidden)),
            tuple(sorted({path for path, _ in before.asked.items() ^ after.asked.items()})),
            _new_in(after.frozen, before.frozen),
            tuple(self._unseen(finished, folder)),
        )

    @contextmanager
    def _shown(self) -> Iterator[Shown]:
        """Hold open what a line may read of homes.

        Raises: CannotRun when the person's settings cannot be used.
        """
        if self._readable is None or self.offer.kind == "none":
            yield Shown()
            return
        with ExitStack() as stack:
            try:
                shown = stack.enter_context(self._readable.shown())
            except (SettingError, NotPrivate, OSError) as error:
                raise CannotRun(str(error)) from None
            yield shown

    def shows(self, path: str) -> bool:
        """Return whether a line sees what is at an absolute path, as far as its name tells."""
        if self.offer.kind == "none":
            return True
        if is_within(path, self.root):
            return not self.offer.keeps_root_safe or self._is_denied(path) is None
        if self._readable and covered(path, self._readable.paths):
            return self._is_denied(path) is None
        return not covered(path, (*TEMPORARY, *homes()))

    def _within_reach(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Return those that a line would reach if they were not hidden.

        A link of the root may name anything: nothing is to show whether that is there.
        """
        shown = (self.root, *(self._readable.paths if self._readable else ()))
        private = (*TEMPORARY, *homes())
        return tuple(path for path in paths if covered(path, shown) or not covered(path, private))

    def _unseen(self, finished: Finished, cwd: str) -> Iterator[str]:
        """Yield in words what a line could not start because it does not see it, and how that would be seen."""
        if not finished.status or self.offer.kind == "none":
            return
        found = unseen(
            finished.errors.text(),
            finished.status,
            cwd=cwd,
            root=self.root,
            path=search_path(self._environment, self.root),
            shows=self.shows,
        )
        may_be_named = False
        for said, path in islice(found, MOST_TOLD):
            yield said
            may_be_named |= not is_within(path, self.root)
        if may_be_named:
            yield HOW_TO_SHOW

    def _folder(self, cwd: str) -> str:
        folder = os.path.realpath(cwd)
        if not is_within(folder, self.root):
            raise CannotRun(f"a line runs in {self.root} or beneath it, not in {folder}")
        return folder

    def environment(self, writes: bool) -> dict[str, str]:
        """Return the variables that a line is given; some kinds name a directory for temporary files besides.

        writes: as for ``run``.
        """
        environment = clean_environment(self._environment, None if writes else self.root)
        if self.offer.kind == "none":
            return environment
        # The file that says who the person is lies in a home, and homes are out of reach.
        if self.offer.kind != "bubblewrap":
            return environment | personal_environment(self._environment, root=self.root)
        personal = personal_environment(self._environment, ignored=bubblewrap.IGNORED, root=self.root)
        return {**environment, **personal, "TMPDIR": "/tmp"}

    def _ignored(self) -> str:
        """Return what git is to ignore: what the person has it ignore, and placeholders, which it would add."""
        theirs = personal_configuration(self._environment, self.root).excludes_file
        lines = list(map(os.path.basename, self._future))
        try:
            if theirs:
                with open(theirs, encoding="utf-8", errors="surrogateescape") as file:
                    lines.insert(0, file.read(LARGEST_IGNORED))
        except OSError:
            pass
        return "\n".join([*lines, ""])

    def _names_to_hold(self, parts: list[str], writes_git: bool) -> list[str]:
        """Return the names at which placeholders stand while a line runs."""
        if not self.offer.keeps_root_safe:
            return []
        # Git refuses a repository whose commondir is empty, and a gitdir has a meaning in worktrees alone.
        held = [part for part in parts if writes_git and os.path.basename(part) not in ("commondir", "gitdir")]
        return [*self._future, *held]

    def _run_confined(self, line: str, confinement: Confinement, run: Callable[..., Finished]) -> Finished:
        environment = self.environment(confinement.writes)
        path = search_path(self._environment, self.root)
        shell = find_program("bash", path)
        if shell is None:
            raise CannotRun(f"bash is needed to run a line, and is not in {':'.join(path)}")
        command = [shell, "--noprofile", "--norc", "-c", "--", line]
        if self.offer.kind == "none":
            return run(command, environment=environment)
        if self.offer.kind == "bubblewrap":
            program = find_program("bwrap", path)
            if program is None:
                raise CannotRun(f"bwrap is gone from {':'.join(path)}")
            return bubblewrap.run_in(program, command, confinement, environment, self._ignored(), run)
        temporary = os.path.realpath(tempfile.mkdtemp(prefix="nodwyn-"))
        try:
            environment["TMPDIR"] = temporary
            if self.offer.kind == "seatbelt":
                command = [seatbelt.PROGRAM, "-p", seatbelt.profile(confinement, temporary), *command]
                return run(command, environment=environment)
            return run(command, environment=environment, confine=partial(landlock.restrict, confinement, temporary))
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _outer_repository(root: str) -> list[str]:
    """Return the directory of git of a worktree that was added to a repository elsewhere.

    Only a repository that knows the worktree counts: a ``.git`` file can name any directory.
    """
    if not os.path.isfile(os.path.join(root, ".git")):
        return []
    from pathlib import Path

    main = str(main_worktree(Path(root)))
    for folder in (os.path.join(main, ".git"), main):
        if not is_within(folder, root) and os.path.isfile(os.path.join(folder, "HEAD")):
            return [folder]
    return []


def _new_in(after: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(set(after) - set(before)))


def _try_bubblewrap(path: list[str]) -> str | None:
    program = find_program("bwrap", path)
    if program is None:
        return f"the program bwrap (package bubblewrap) is not in {':'.join(path)}"
    return _try([program, *bubblewrap.ISOLATION, *bubblewrap.SYSTEM, "--tmpfs", "/tmp", "--"], path)


def _try_landlock(path: list[str]) -> str | None:
    reason = landlock.missing()
    if reason:
        return reason
    temporary = os.path.realpath(tempfile.mkdtemp(prefix="nodwyn-"))
    try:
        confinement = Confinement(temporary, temporary)
        return _try([], path, partial(landlock.restrict, confinement, temporary))
    finally:
        os.rmdir(temporary)


def _try_seatbelt(path: list[str]) -> str | None:
    if not os.path.exists(seatbelt.PROGRAM):
        return f"{seatbelt.PROGRAM} is missing"
    return _try([seatbelt.PROGRAM, "-p", "(version 1) (allow default)"], path)


def _try(before: list[str], path: list[str], confine: Callable[[], None] | None = None) -> str | None:
    """Start ``true`` behind the given words; return why that failed, or None."""
    program = find_program("true", path)
    if program is None:
        return f"it could not be tried: the program true is not in {':'.join(path)}"
    environment = clean_environment(os.environ)
    try:
        finished = processes.run(
            [*before, program], cwd="/", environment=environment, limits=Limits(TRIAL_SECONDS), confine=confine
        )
    except (CannotRun, OSError) as error:
        return str(error)
    if finished.status == 0:
        return None
    said = finished.errors.text().strip().partition("\n")[0]
    return said or f"a trial {finished.ending} with status {finished.status}"
