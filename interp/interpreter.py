"""The interpreter: what embeds it sees of the engine."""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from collections.abc import Callable, Iterable
from typing import Any

from nodwyn.interp.conversion import from_python, to_python
from nodwyn.interp.data import Symbol, Value
from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.host import ClosedHost, Host
from nodwyn.interp.library_path import standard_library
from nodwyn.interp.limits import Limits
from nodwyn.interp.programs import Programs
from nodwyn.interp.runtime import Runtime
from nodwyn.interp.stopping import run_limited, with_conditions
from nodwyn.interp.syntax import Source


class Interpreter:
    """A Scheme of its own: its definitions, libraries and dynamic state are shared with no other.

    limits: bounds on every evaluation (:class:`Limits`); none by default but on depth. host: the door to files,
    environment and standard ports (:class:`Host`); by default one that opens nothing. library_path: directories to
    search for libraries before the standard ones. program_directory: one to search after them, "" for none.

    One thread may use an interpreter at a time. Whatever runs a program raises :class:`SchemeError` for every error of
    it, and for a stop at a limit or by Ctrl-C; :class:`Exit` if the program calls ``exit``. Afterwards the interpreter
    can be used on.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        host: Host | None = None,
        library_path: Iterable[str] = (),
        program_directory: str = "",
    ) -> None:
        self.limits = limits or Limits()
        self.runtime = Runtime(host or ClosedHost())
        last = [program_directory] if program_directory else []
        self.programs = Programs(self.runtime, [*library_path, standard_library(), *last])
        self._busy = allocate_lock()
        self._thread: int | None = None
        self._texts = 0

    def eval(self, text: str, name: str | None = None, *, keep: bool = False) -> Any:
        """Evaluate the forms of a text one after another, in the interaction environment.

        name: what errors call the text. keep: whether other processes will evaluate it too, so that its compiled code
        is worth keeping on disk, as that of files is. Returns the last form's value, as Python sees it (``to_python``).
        """
        return to_python(self.eval_scheme(text, name, keep=keep))

    def eval_scheme(self, text: str, name: str | None = None, *, keep: bool = False) -> Value:
        """Like :meth:`eval`, but return the Scheme value as it is."""
        _expect_text("eval", "the text of a program", text)
        self._texts += 1
        source = Source(name or f"<text {self._texts}>", text)
        return self._run(lambda: self.programs.evaluate(source, keep=keep))

    def load(self, path: str) -> Any:
        """Evaluate the forms of a file, read through the host, in the interaction environment."""
        _expect_text("load", "the name of a file", path)

        def work() -> Value:
            return self.programs.evaluate(self.programs.read(path), keep=True)

        return to_python(self._run(work))

    def run_program(self, source: Source) -> None:
        """Run a program of its own (section 5.1): its definitions are not those of the interaction environment."""
        self._run(lambda: self.programs.run(source))

    def define(self, name: str, value: Any) -> None:
        """Define a variable of the interaction environment. A Python function becomes a procedure."""
        _expect_text("define", "the name of a variable", name)
        self._run(lambda: self.programs.define(name, from_python(value, name)))

    def names(self) -> list[str]:
        """Return the names that mean something in the interaction environment, sorted."""
        bindings = self.programs.interaction.scope.bindings
        return sorted(symbol.name for symbol in bindings if isinstance(symbol, Symbol))

    def procedure(self, name: str) -> Callable[..., Any]:
        """Return a Python function that calls the procedure that ``name`` is then bound to."""
        _expect_text("procedure", "the name of a procedure", name)

        def call(*arguments: Any) -> Any:
            return self._call(lambda: self.programs.lookup(name), name, arguments)

        return call

    def call(self, procedure: Value, *arguments: Any) -> Any:
        """Call a Scheme procedure, such as one that :meth:`eval` returned; the result is as Python sees it."""
        return self._call(lambda: procedure, "the value", arguments)

    def _call(self, find: Callable[[], Value], name: str, arguments: tuple[Any, ...]) -> Any:
        def work() -> Value:
            procedure = find()
            if not callable(procedure):
                raise SchemeError(Condition("type", f"{name} is not a procedure"))
            return self.runtime.call(procedure, *map(from_python, arguments))

        return to_python(self._run(work))

    def _run(self, work: Callable[[], Value]) -> Value:
        me = get_ident()
        if self._thread == me:
            # A Python function that a program calls uses the interpreter in turn.
            return with_conditions(self.runtime, work)
        if not self._busy.acquire(blocking=False):
            message = "the interpreter is in use by another thread; give each thread its own"
            raise SchemeError(Condition("control", message))
        self._thread = me
        try:
            return run_limited(self.runtime, self.limits, work)
        finally:
            self._thread = None
            self._busy.release()


def _expect_text(method: str, what: str, given: object) -> None:
    """Raise TypeError for what is no ``str``: a mistake of the program that embeds, not of the one that it runs."""
    if not isinstance(given, str):
        raise TypeError(f"Interpreter.{method} takes {what} as a str, not {type(given).__name__}")
