"""A client that is another process: the protocol's messages as lines of JSON."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from typing import TextIO

from nodwyn.loop.protocol import (
    Answered,
    Arrived,
    Asked,
    Cancelled,
    Happened,
    Message,
    NotAMessage,
    Progressed,
    Refused,
    Said,
    from_line,
    to_line,
)
from nodwyn.loop.providers.base import Delta
from nodwyn.loop.ui.cli import complain
from nodwyn.prims.guard.approvals import Answer, Question, Standing, nobody, standing
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import Interruption, ToolResult, TurnEnd
from nodwyn.prims.redact import Redactor, Stream

READ_SIZE = 65_536

STOPPED = Answer(False, "person")
"""The answer to a question during which the person stops the turn."""


class JsonLines:
    """Shows a conversation as lines on a stream, and takes messages from another.

    out: where lines are written. approve: the person's standing answer; what it leaves is asked when a client
    listens, and is a no when none does. redactor: takes secrets out of what commands say: lines are kept, where a
    terminal's are not. cancel: stops the turn.
    """

    def __init__(self, out: TextIO, approve: Standing | None, *, listens: bool, redactor: Redactor) -> None:
        self.cancel: Callable[[], None] = lambda: None
        self.is_gone = False
        """Whether whoever read the lines has gone."""
        self.has_refused = False
        """Whether a line that came was no message."""
        self._out = out
        self._redactor = redactor
        self._progress: dict[tuple[int, str], Stream] = {}
        self._ask = standing(approve or "ask", self._put if listens else nobody)
        self._said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # The simple kind: a signal's handler may put an answer while this very thread waits for one.
        self._answers: queue.SimpleQueue[tuple[int, Answer] | None] = queue.SimpleQueue()
        self._questions = 0
        self._unfinished = 0
        """Messages whose turn has not ended."""
        self._is_stopped = False
        self._lock = threading.RLock()

    def event(self, event: Event) -> None:
        """Write an event; before the end of a call, what is left of its progress."""
        if isinstance(event, ToolResult | Interruption):
            self._finish(event.call if isinstance(event, ToolResult) else event.of)
        if isinstance(event, TurnEnd):
            with self._lock:
                self._unfinished -= 1
                self._is_stopped = False
        self._write(Happened(event))

    def delta(self, agent: str, delta: Delta) -> None:
        """Write a piece of a reply."""
        self._write(Arrived(agent, delta.kind, delta.text))

    def progress(self, call: int, stream: str, text: str) -> None:
        """Write what a running call said, as far as it is sure what is secret in it."""
        with self._lock:
            sure = self._progress.setdefault((call, stream), Stream(self._redactor)).feed(text)
            if sure:
                self._write(Progressed(call, stream, sure))

    def _finish(self, call: int) -> None:
        with self._lock:
            for key in [key for key in self._progress if key[0] == call]:
                rest = self._progress.pop(key).finish()
                if rest:
                    self._write(Progressed(*key, rest))

    def ask(self, question: Question) -> Answer:
        """Put a question to the person."""
        return self._ask(question)

    def say(self, text: str) -> None:
        """Take a message, to be returned by :meth:`next_message`."""
        with self._lock:
            self._unfinished += 1
        self._said.put(text)

    def is_stopped(self) -> bool:
        """Return whether the turn was stopped that is under way, or that the next message begins."""
        return self._is_stopped

    def stop(self) -> None:
        """Stop the turn, or that of a message that came just before. Where there is neither, there is nothing to stop.

        A question that waits is answered with no, and so is every further one of the turn.
        """
        if self._unfinished:
            self._stop_at_once()

    def _stop_at_once(self) -> None:
        self._is_stopped = True
        self._answers.put((self._questions, STOPPED))
        self.cancel()

    def listen(self, descriptor: int) -> None:
        """Take the messages that come on a descriptor, in a thread of its own, until its end."""
        threading.Thread(target=self._listen, args=(descriptor,), daemon=True).start()

    def next_message(self) -> str | None:
        """Return what the person says next; None when nothing more can come."""
        return self._said.get()

    def _put(self, question: Question) -> Answer:
        if self._is_stopped:
            return STOPPED
        self._questions += 1
        self._write(Asked(self._questions, question.text, question.digest, question.reasons, question.kind))
        while (answered := self._answers.get()) is not None:
            if self._is_stopped:  # also just before this question had its number
                return STOPPED
            if answered[0] == self._questions:
                return answered[1]
        self._answers.put(None)
        return Answer(False, "not asked: the client has gone")

    def _write(self, message: Message) -> None:
        line = to_line(message)
        with self._lock:
            if self.is_gone:
                return
            try:
                self._out.write(line)
                self._out.flush()
                return
            except BrokenPipeError:
                self.is_gone = True
        # Nobody sees what is done from here on.
        self._stop_at_once()

    def _listen(self, descriptor: int) -> None:
        # Not through a stream of Python's: its lock would be held by this thread when the program ends.
        begun: list[bytes] = []
        while data := self._read(descriptor):
            *ends, rest = data.split(b"\n")
            for end in ends:
                self._take(b"".join([*begun, end]))
                begun.clear()
            begun.append(rest)
        self._take(b"".join(begun))
        self._said.put(None)
        self._answers.put(None)

    def _read(self, descriptor: int) -> bytes:
        """Return what came; nothing at the end of input, and where it cannot be read."""
        try:
            return os.read(descriptor, READ_SIZE)
        except OSError as error:
            self._refuse(f"standard input cannot be read: {error.strerror}; what follows is taken for its end")
            return b""

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = from_line(line.decode("utf-8", "replace"))
        except NotAMessage as error:
            self._refuse(str(error))
            return
        if isinstance(message, Said) and not message.text.strip():
            self._refuse("the text of this message is empty: nothing was asked for")
        elif isinstance(message, Said):
            self.say(message.text)
        elif isinstance(message, Answered):
            self._answers.put((message.question, Answer(message.yes, "person", message.lasts, message.kind)))
        elif isinstance(message, Cancelled):
            self.stop()
        else:
            self._refuse("a client sends messages of type message, answer and cancel")

    def _refuse(self, why: str) -> None:
        self.has_refused = True
        complain(why)
        self._write(Refused(why))
