"""A small maker of sessions, with the real log and the real events."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from nodwyn.prims.log import Event, Log
from nodwyn.prims.log.events import (
    LoopMessage,
    ModelRequest,
    ModelResponse,
    Plan,
    Recipe,
    SessionEnd,
    SessionStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    UserMessage,
)

How = Literal["done", "stopped", "budget", "error", "unanswered"]


def as_it_is(text: str) -> str:
    """A redactor that finds nothing."""
    return text


class Maker:
    """Writes the log of one session."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.path = log.path
        self._turn = 0
        self._calls = 0

    @property
    def has_turn(self) -> bool:
        """Whether a turn was begun."""
        return self._turn > 0

    def add(self, event: Event) -> int:
        """Append an event."""
        return self.log.append(event)

    def ask(self, text: str, **limits: int) -> int:
        """Have the person say something, and a turn begin; return the message."""
        message = self.add(UserMessage(text=text))
        self._turn = self.add(TurnStart(message=message))
        return message

    def reply(self, text: str, *calls: tuple[str, Any], agent: str = "main", thinking: str = "", **given: Any) -> int:
        """Have a model answer, and call tools; return the reply."""
        if not any(self.log.seqs("recipe")):
            self.add(Recipe(version=1, system="", tools=[], policy={}, provider="scripted", model="m"))
        recipe = next(self.log.seqs("recipe"))
        request = self.add(ModelRequest(recipe=recipe, digest="0" * 64, agent=agent))
        blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": thinking}] if thinking else []
        blocks += [{"type": "text", "text": text}] if text else []
        for name, arguments in calls:
            self._calls += 1
            blocks.append({"type": "call", "id": f"call_{self._calls}", "name": name, "arguments": arguments})
        stop = "calls" if calls else "end"
        return self.add(ModelResponse(request=request, content=blocks, stop=stop, agent=agent, **given))

    def call(
        self, name: str, arguments: Any, value: Any, *, ok: bool = True, agent: str = "main", text: str = ""
    ) -> int:
        """Have a model call a tool and get a result; return the result."""
        reply = self.reply("", (name, arguments), agent=agent)
        id = f"call_{self._calls}"
        seq = self.add(ToolCall(name=name, arguments=arguments, by="model", reply=reply, id=id, agent=agent))
        return self.add(ToolResult(call=seq, ok=ok, value=value, agent=agent))

    def shell(self, line: str, output: str, *, exit: int = 0, errors: str = "") -> int:
        """Have a model run a command; return the result."""
        value = {"exit": exit, "output": output, "errors": errors, "notes": []}
        return self.call("shell-exec", {"line": line}, value)

    def end(self, how: How = "done", *, reason: str = "", milliseconds: int = 1500) -> int:
        """End the turn."""
        return self.add(TurnEnd(turn=self._turn, how=how, reason=reason, milliseconds=milliseconds))

    def turn(self, asked: str, answer: str, *calls: tuple[str, Mapping[str, Any], Any]) -> int:
        """Make a whole turn; return its message."""
        message = self.ask(asked)
        for name, arguments, value in calls:
            self.call(name, arguments, value)
        self.reply(answer)
        self.end()
        return message

    def plan(self, *items: tuple[str, str]) -> int:
        """Record a plan. items: mark and text of each."""
        return self.add(Plan(items=[{"mark": mark, "text": text} for mark, text in items]))

    def remind(self, text: str, agent: str = "main") -> int:
        """Have the loop say something to a model."""
        return self.add(LoopMessage(text=text, agent=agent))

    def close(self) -> Path:
        """End the session; return the log's path."""
        self.add(SessionEnd())
        self.log.close()
        return self.path


def new_session(directory: Path, **start: Any) -> Maker:
    """Begin a session in a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    begin = SessionStart(program="nodwyn 0", root="/work/app", **start)
    return Maker(Log.create(directory, begin, redact=as_it_is))


def reopened(path: Path) -> Maker:
    """Go on with a session."""
    return Maker(Log.open(path, redact=as_it_is))
