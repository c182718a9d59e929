"""Signs of life for who watches from afar: what has been under way for a while, said from time to time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nodwyn.loop.ui import words
from nodwyn.prims.counting import counted
from nodwyn.prims.log.events import Interruption, ModelError, ModelRequest, ModelResponse, ToolCall, ToolResult

if TYPE_CHECKING:
    from nodwyn.loop.providers.base import Delta
    from nodwyn.loop.ui.printing import Printer
    from nodwyn.prims.guard.approvals import Answer, Question
    from nodwyn.prims.log import Event

EVERY = 30.0
"""Seconds without a word after which there is a sign."""

LATE = 5.0
"""Seconds after which the beginning of a reply is news."""

_LOOK = 0.5
"""Seconds between two looks at the clock."""


class Signs:
    """A client that passes all on to a printer, and has it say what takes long."""

    def __init__(self, printer: Printer, clock: Callable[[], float] = time.monotonic) -> None:
        self._printer = printer
        self._clock = clock
        self._lock = threading.Lock()
        self._begun: dict[int, tuple[float, str]] = {}
        """When what is under way began and what it is, by its seq; requests are said in other words."""
        self._arrived = 0
        """Characters of the reply under way."""
        self._quiet_since = clock()
        self._is_asking = False

    def event(self, event: Event) -> None:
        """Show an event, and take note of what begins and ends."""
        with self._lock:
            now = self._quiet_since = self._clock()
            match event:
                case ModelRequest():
                    self._begun[event.seq], self._arrived = (now, ""), 0
                case ToolCall():
                    self._begun[event.seq] = now, words.before(event.name, event.arguments)
                case ModelResponse() | ModelError():
                    self._begun.pop(event.request, None)
                case ToolResult():
                    self._begun.pop(event.call, None)
                case Interruption():
                    self._begun.pop(event.of, None)
        self._printer.event(event)

    def delta(self, agent: str, delta: Delta) -> None:
        """Take note of a piece of a reply; the first one that comes late is news."""
        with self._lock:
            is_first, self._arrived = not self._arrived, self._arrived + len(delta.text)
            seconds = self._clock() - min((begun for begun, what in self._begun.values() if not what), default=0.0)
            is_news = is_first and bool(self._arrived) and bool(self._begun) and seconds >= LATE
            if is_news:
                self._quiet_since = self._clock()
        if is_news:
            self._printer.say(f"  the model begins to answer ({seconds:.0f} s)")
        self._printer.delta(agent, delta)

    def progress(self, call: int, stream: str, text: str) -> None:
        """Pass on what a call prints."""
        self._printer.progress(call, stream, text)

    def ask(self, question: Question) -> Answer:
        """Put a question; while the person thinks there are no signs."""
        self._is_asking = True
        try:
            return self._printer.ask(question)
        finally:
            self._is_asking, self._quiet_since = False, self._clock()

    def look(self) -> None:
        """Give a sign, if it is time for one."""
        with self._lock:
            now = self._clock()
            if self._is_asking or not self._begun or now - self._quiet_since < EVERY:
                return
            self._quiet_since = now
            begun, what = max(self._begun.values())
            sign = f"  {what or self._of_request()} ({now - begun:.0f} s so far)"
        self._printer.say(sign)

    @contextmanager
    def given(self) -> Iterator[None]:
        """Give signs meanwhile."""
        is_over = threading.Event()

        def keep_looking() -> None:
            while not is_over.wait(_LOOK):
                self.look()

        thread = threading.Thread(target=keep_looking, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def _of_request(self) -> str:
        if not self._arrived:
            return "the model has not begun to answer"
        return f"the model is answering: {counted(self._arrived, 'character')}"
