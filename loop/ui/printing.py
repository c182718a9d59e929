"""A client that prints: what is said as it comes, and every call as a line in words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

from nodwyn.loop.providers.base import Delta
from nodwyn.loop.ui import words
from nodwyn.loop.ui.colours import BOLD, FAINT, GREEN, RED, YELLOW, Paint
from nodwyn.prims import surrogates
from nodwyn.prims.guard.approvals import Answer, Asker, Question
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Event
from nodwyn.prims.log.names import MAIN

Members = Mapping[str, Any]
"""What an event's line holds."""

INDENT = "  "

CANCELLED = "cancelled"
"""How the reason begins for which a request came to no reply that was stopped: the end of the turn says by whom."""


class Printer:
    """Shows a conversation on a stream. Events may come from any thread.

    out: the stream. ask: puts questions. streams: whether replies are printed; otherwise only the words that a reply
    says beside its calls, and :attr:`answer` has the last one.
    """

    def __init__(self, out: TextIO, ask: Asker, paint: Paint, *, streams: bool) -> None:
        self.out = out
        self.answer = ""
        """What the last reply of the conversation's own agent said."""
        self._ask = ask
        self._paint = paint
        self._streams = streams
        self._calls: dict[int, Members] = {}
        self._builds: list[Members] = []
        """Updates of the index that a call made, to be told below its line."""
        self._told = ""
        """What was last said to have failed: the end of the turn need not say it again."""
        self._refusal = ""
        """Why a server did not answer the request that was sent again."""
        self._is_midline = False
        self._was_streamed = self._is_thinking = False
        self.failure: OSError | None = None
        """Why nothing more can be written on the stream, such as that its reader has gone."""
        self._lock = threading.RLock()

    def event(self, event: Event) -> None:
        """Show an event, if it is one that a person wants to see."""
        show = _SHOWN.get(event.kind)
        if show is not None:
            with self._lock:
                show(self, event.as_json())

    def delta(self, agent: str, delta: Delta) -> None:
        """Show a piece of a reply of the conversation's own agent; that it thinks, but not what."""
        if not self._streams or agent != MAIN or not delta.text:
            return
        with self._lock:
            if delta.kind == "thinking" and not self._is_thinking:
                self._is_thinking = True
                self.say(f"{INDENT}thinking")
            if delta.kind != "text":
                return
            self._was_streamed = True
            self._is_midline = not delta.text.endswith("\n")
            self._write(escape_unseen(delta.text))

    def progress(self, call: int, stream: str, text: str) -> None:
        """Pass over what a command prints: its line says how it ended, and the log has all of it."""

    def ask(self, question: Question) -> Answer:
        """Put a question to the person."""
        with self._lock:
            self.end_line()
        return self._ask(question)

    def say(self, text: str, style: str = FAINT) -> None:
        """Print words of the program's own on a line by themselves."""
        with self._lock:
            self.end_line()
            self._write(f"{self._paint(style, text)}\n")

    def echo(self) -> None:
        """Take note that a terminal has shown a Ctrl-C: what comes next begins a line. Safe in a signal's handler."""
        self._is_midline = self._is_midline or self.out.isatty()

    def note(self, text: str) -> None:
        """Take note of what somebody else wrote on the stream."""
        if text:
            self._is_midline = not text.endswith("\n")

    def end_line(self) -> None:
        """Begin a new line if one is not ended."""
        if self._is_midline:
            self._is_midline = False
            self._write("\n")

    def _write(self, text: str) -> None:
        """Write, as long as somebody reads: a turn does not fail for want of a reader."""
        if self.failure:
            return
        try:
            self.out.write(surrogates.escape(text))
            self.out.flush()
        except OSError as error:
            self.failure = error

    def _line(self, members: Members, text: str, style: str = FAINT) -> None:
        """Print what the agent does, below what it said."""
        agent = members.get("agent", MAIN)
        who = "" if agent == MAIN else f"{escape_unseen(agent)}: "
        self.say(f"{INDENT}{who}{text}", style)

    def _call(self, members: Members) -> None:
        if members["by"] != "model":
            return
        self._calls[members["seq"]] = members
        if members["name"] == "shell-exec":
            self._line(members, words.before(members["name"], members.get("arguments")))

    def _result(self, members: Members) -> None:
        call = self._calls.pop(members["call"], None)
        if call is None:
            return
        ok = members["ok"]
        text = words.after(call["name"], call.get("arguments"), ok, members.get("value"))
        self._line(call, text, FAINT if ok else YELLOW)
        self._tell_builds()

    def _interruption(self, members: Members) -> None:
        call = self._calls.pop(members["of"], None)
        if call is not None:
            told = words.before(call["name"], call.get("arguments"))
            self._line(call, f"interrupted: {told}: {escape_unseen(members['reason'])}", YELLOW)
            self._tell_builds()

    def _index(self, members: Members) -> None:
        self._builds.append(members)
        if not self._calls:
            self._tell_builds()

    def _tell_builds(self) -> None:
        for members in self._builds:
            self._line(members, words.index_line(members))
        self._builds.clear()

    def _request(self, members: Members) -> None:
        if members.get("agent", MAIN) == MAIN:
            self._was_streamed = self._is_thinking = False

    def _reply(self, members: Members) -> None:
        if members.get("agent", MAIN) != MAIN:
            return
        blocks = [block for block in members.get("content") or () if isinstance(block, dict)]
        text = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text").strip("\n")
        self.answer = text
        self._refusal = ""
        has_calls = any(block.get("type") == "call" for block in blocks)
        if text and (not self._was_streamed if self._streams else has_calls):
            self.say(escape_unseen(text), "" if self._streams else FAINT)
        self.end_line()

    def _retry(self, members: Members) -> None:
        self._was_streamed = False
        self._refusal = members["message"]
        seconds = members.get("wait", 0) / 1000
        self._line(members, f"asking again in {seconds:.1f} s: {escape_unseen(members['message'])}", YELLOW)

    def _failure(self, members: Members) -> None:
        if members["message"].startswith(CANCELLED):
            return
        self._fail(members, f"the request failed: {members['message']}")

    def _error(self, members: Members) -> None:
        place, message = f"{members.get('file', '')}:{members.get('line', 0)}:", members["message"]
        is_placed = not members.get("file") or message.startswith(place)
        self._fail(members, message if is_placed else f"{place} {message}")

    def _fail(self, members: Members, text: str) -> None:
        self._told = text
        self._line(members, escape_unseen(text), RED)

    def _note(self, members: Members) -> None:
        self._line(members, escape_unseen(members["text"]))

    def _plan(self, members: Members) -> None:
        for item in _objects(members.get("items")):
            mark = _MARKS.get(str(item.get("mark")), "?")
            self._line(members, f"{mark} {escape_unseen(str(item.get('text', '')))}")

    def _narrow(self, members: Members) -> None:
        said = f"the events {members['first']} to {members['through']} left the window; a note stands in their place"
        lost = len(list(_objects(members.get("lost"))))
        self._line(members, f"{said}; (note-list) shows {lost} of their things that it leaves out" if lost else said)

    def _agent_start(self, members: Members) -> None:
        self._line(members, f"{escape_unseen(members['name'])} begins: {words.brief(members['task'])}")

    def _agent_end(self, members: Members) -> None:
        answer = words.brief(members.get("answer", ""))
        answer = f": {answer}" if answer else ""
        self._line(members, f"a sub-agent ended ({members['how']}){answer}")

    def _turn_end(self, members: Members) -> None:
        self._calls.clear()
        is_told = members.get("reason", "") in self._told
        self._told = ""
        said = words.ending(members, is_told=is_told)
        if members["how"] == "budget" and self._refusal:
            said += f"; the last request had failed: {escape_unseen(self._refusal)}"
        self._refusal = ""
        self.say(said, GREEN if members["how"] == "done" else BOLD)


def _objects(value: Any) -> Iterable[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else ()


_MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]", "dropped": "[-]"}

_SHOWN: dict[str, Callable[[Printer, Members], None]] = {
    "tool.call": Printer._call,
    "tool.result": Printer._result,
    "interruption": Printer._interruption,
    "index.update": Printer._index,
    "llm.req": Printer._request,
    "llm.resp": Printer._reply,
    "llm.retry": Printer._retry,
    "llm.error": Printer._failure,
    "error": Printer._error,
    "note": Printer._note,
    "plan": Printer._plan,
    "context.narrow": Printer._narrow,
    "agent.start": Printer._agent_start,
    "agent.end": Printer._agent_end,
    "turn.end": Printer._turn_end,
}
