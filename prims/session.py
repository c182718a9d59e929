"""A session that this process owns: its log, its guard, its files, its primitives, and the person's Scheme in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from nodwyn.interp.data import Value
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import write
from nodwyn.prims.calling import binding
from nodwyn.prims.declare import Primitive, named
from nodwyn.prims.directories import (
    config_directory,
    data_directory,
    kept_config,
    kept_projects,
    project_directory,
    project_key,
    sessions_directory,
)
from nodwyn.prims.effects import Caller
from nodwyn.prims.fs.versions import Versions
from nodwyn.prims.guard.approvals import Asker, nobody
from nodwyn.prims.guard.decide import POLICY_VERSION, Guard
from nodwyn.prims.guard.paths import Places
from nodwyn.prims.guard.placeholders import take_leftovers
from nodwyn.prims.guard.proposal import Call
from nodwyn.prims.kinds import labels_of
from nodwyn.prims.log import Log, find_session
from nodwyn.prims.log.events import Error, SchemeInput, SchemeValue, SessionEnd, SessionResume, SessionStart
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.redact import POLICY_VERSION as REDACTION_VERSION
from nodwyn.prims.redact import Redactor
from nodwyn.prims.version import PROGRAM

if TYPE_CHECKING:
    from nodwyn.interp import Interpreter
    from nodwyn.prims.guard.sandbox import Sandbox
    from nodwyn.prims.scheme_host import GuardedHost

SECRET_ENDINGS = ("KEY", "PASSWORD", "SECRET", "TOKEN")
"""Variables of the environment with such names hold what is never recorded."""

FUTURE_SECRETS = (".env",)
"""Files of the root that a command must not reach even if they appear while it runs."""

SYSTEM_SECRETS = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private")

LONGEST_CHECK = 10.0
"""Seconds that a checker may take to judge one effect: one that goes round for ever would hold up every later one."""

SHORT_TEXT = 200
KEPT_SHORT_TEXTS = 8192


def held_values(environment: Mapping[str, str]) -> list[str]:
    """Return the secrets that the environment holds."""
    return [value for name, value in environment.items() if name.upper().endswith(SECRET_ENDINGS)]


def own_redactor() -> Redactor:
    """Return what replaces secrets in this process: all that has the shape of one, and what its environment holds."""
    return Redactor(held_values(os.environ))


def recording(redactor: Redactor) -> Callable[[str], str]:
    """Return what redacts texts for the log: short ones, such as paths and reasons, come again and again."""

    @lru_cache(maxsize=KEPT_SHORT_TEXTS)
    def short(text: str, held: int) -> str:
        return redactor.redact(text)

    return lambda text: short(text, redactor.held) if len(text) <= SHORT_TEXT else redactor.redact(text)


def _future_secrets(root: str) -> list[str]:
    return [os.path.join(root, name) for name in FUTURE_SECRETS]


class Session:
    """An open session. A resumed one has no approvals, no checkers and a fresh Scheme."""

    def __init__(self, root: Path, log: Log, redactor: Redactor, primitives: Iterable[Primitive], ask: Asker) -> None:
        """Take up an open log. :meth:`start` and :meth:`resume` do."""
        self.root = os.path.realpath(root)
        self.log = log
        self.redactor = redactor
        self.primitives = named(primitives)
        self.guard = Guard(log, ask=ask)
        self.places = Places(self.root)
        self.versions = Versions(project_directory(root) / "versions")
        self.scheme_caller: Caller = "person"
        """As whom Scheme calls now."""
        self.agent = MAIN
        """The context in which Scheme calls now."""
        self.driver: Any = None
        """What drives the session's turns, if anything does; its own primitives find it here."""
        self.on_progress: Callable[[Call, str, str], None] = lambda call, stream, text: None
        self.is_cancelled: Callable[[], bool] = lambda: False
        self.is_late: Callable[[], bool] = lambda: False
        """Whether what is cancelled is so because the time of its turn is over."""
        self.written_undo = "(undo {})"
        """How the person, who is told to take back an event first, writes that for its number."""
        self._is_open = True
        take_leftovers(_future_secrets(self.root))

    @classmethod
    def start(
        cls,
        root: Path,
        *,
        client: str,
        primitives: Iterable[Primitive] | None = None,
        ask: Asker = nobody,
        hidden: bool = False,
    ) -> Self:
        """Begin a session in a directory.

        client: what begins it, such as ``eval``. primitives: those that it has; all when not given. ask: puts the
        guard's questions. hidden: whether lists leave it out.

        Raises: LogError, NotPrivate, OSError.
        """
        redactor = own_redactor()
        start = SessionStart(
            program=PROGRAM,
            project=project_key(root),
            root=os.path.realpath(root),
            client=client,
            redactor=str(REDACTION_VERSION),
            guard=str(POLICY_VERSION),
            hidden=hidden,
        )
        log = Log.create(sessions_directory(root), start, redact=recording(redactor))
        return cls(root, log, redactor, _all() if primitives is None else primitives, ask)

    @classmethod
    def resume(cls, name: str, *, client: str, ask: Asker = nobody) -> Self:
        """Go on with a session, named by the beginning of its name, in the directory that it began in.

        Raises: NoSuchSession, OwnedElsewhere, Damaged, NewerFormat, LogError.
        """
        redactor = own_redactor()
        log = Log.open(find_session(name, kept_projects()), redact=recording(redactor))
        log.append(
            SessionResume(program=PROGRAM, client=client, redactor=str(REDACTION_VERSION), guard=str(POLICY_VERSION))
        )
        return cls(Path(log.overview.root), log, redactor, _all(), ask)

    @property
    def name(self) -> str:
        """The session's name."""
        return self.log.path.stem

    @cached_property
    def sandbox(self) -> Sandbox:
        """What shell lines run in."""
        from nodwyn.prims.guard.readable import Readable
        from nodwyn.prims.guard.sandbox import Sandbox
        from nodwyn.prims.guard.sandbox_toml import FILE, readable

        denied, identities = self.places.denied, self.places.denylist.identities
        own = data_directory(), config_directory()
        return Sandbox(
            self.root,
            is_denied=denied,
            is_unwritable=self.places.unwritable,
            is_asked=self.places.denylist.asks,
            identities=identities,
            future=_future_secrets(self.root),
            outside=list(filter(os.path.exists, (*map(str, own), *SYSTEM_SECRETS))),
            readable=Readable(
                self.root,
                is_denied=denied,
                identities=identities,
                settings=lambda: readable(kept_config() / FILE, self.root, denied),
            ),
        )

    def extend(self, primitives: Iterable[Primitive]) -> None:
        """Give the session further primitives, before its Scheme is used.

        Raises: ValueError when one has the name of another.
        """
        self.primitives = named([*self.primitives.values(), *primitives])

    @cached_property
    def scheme(self) -> Interpreter:
        """The Scheme of this session, every primitive bound in it."""
        from nodwyn.interp import Interpreter

        scheme = Interpreter(host=self._host)
        for primitive in self.primitives.values():
            scheme.programs.define(primitive.name, binding(self, primitive))
        self.guard.checkers.use(self.check)
        return scheme

    @cached_property
    def _host(self) -> GuardedHost:
        from nodwyn.prims.scheme_host import GuardedHost

        return GuardedHost(self)

    def show(self, text: str) -> None:
        """Write a text for the person to the standard output of the session's Scheme."""
        self._host.standard_output().write(f"{text}\n")

    def apply(self, procedure: Value, *arguments: Value) -> Value:
        """Call a procedure of the session's Scheme.

        Raises: SchemeError.
        """
        runtime = self.scheme.runtime
        try:
            return runtime.call(procedure, *arguments)
        except Exception as error:
            from nodwyn.interp.runtime.conditions import condition_of

            raise SchemeError(condition_of(runtime.tc, error)) from error

    def check(self, procedure: Value, effect: Value) -> Value:
        """Call a checker, out of reach of the handlers of the program that wants the effect.

        Raises: SchemeError, also when it takes too long.
        """
        from nodwyn.interp.limits import Limits, Stop, within

        state = self.scheme.runtime.tc
        before = state.handlers, state.winders, state.bindings
        state.handlers = None
        try:
            return within(Limits(LONGEST_CHECK), lambda: self.apply(procedure, effect))
        except Stop as stop:
            raise SchemeError(stop.condition) from None
        finally:
            state.handlers, state.winders, state.bindings = before

    def evaluate(self, text: str) -> Value:
        """Evaluate the person's Scheme, on record; return the last form's value.

        Raises: SchemeError, LogError. What stops the program.
        """
        entered = self.log.append(SchemeInput(text=text))
        # Compiled code is kept on disk as it is: a text with a secret in it is not.
        is_harmless = self.redactor.redact(text) == text
        try:
            value = self.scheme.eval_scheme(text, "<scheme>", keep=is_harmless)
        except SchemeError as error:
            self.log.append(SchemeValue(input=entered, ok=False, text=str(error)))
            raise
        labels = sorted(labels_of(value))
        self.log.append(SchemeValue(input=entered, ok=True, text=write(value), labels=labels))
        return value

    @contextmanager
    def calling_as(self, caller: Caller) -> Iterator[None]:
        """Have Scheme call as somebody else meanwhile."""
        before, self.scheme_caller = self.scheme_caller, caller
        try:
            yield
        finally:
            self.scheme_caller = before

    def close(self, reason: str = "") -> None:
        """End the session: what still runs is killed, and another process may own the log. Twice does nothing.

        Raises: LogError. OSError when a file could not be written that Scheme left open; the session is closed all
        the same.
        """
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._write_open_files()
        finally:
            try:
                if "sandbox" in self.__dict__:
                    from nodwyn.prims.processes import end_all

                    end_all()
                self.log.append(SessionEnd(reason=reason))
            finally:
                self.log.close()

    def _write_open_files(self) -> None:
        """Write what files still lack that Scheme left open.

        Raises: OSError, once it is on record.
        """
        if "scheme" in self.__dict__:
            try:
                self._host.close()
            except OSError as error:
                self.log.append(Error(message=f"{error.filename}: {error.strerror}"))
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _all() -> Iterable[Primitive]:
    from nodwyn.prims.families import ALL

    return ALL
