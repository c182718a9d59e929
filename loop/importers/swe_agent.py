"""Trajectories of SWE-agent (``.traj``) and mini-SWE-agent (``.traj.json``): one JSON object with one task.

``history``, in mini-SWE-agent ``messages``, has what the model was told and what it said. What a command printed comes
as a message of the user or of a tool. There are no times in SWE-agent's, and no directory of this machine in either.
The first versions of mini-SWE-agent wrote the messages alone, as an array.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from nodwyn.loop.importers.lines import count_in, dollars_in, parsed, text_in, time_of
from nodwyn.loop.importers.recorder import How, Recorder
from nodwyn.loop.importers.survey import Survey

PROGRAM: Final = "swe-agent"

LARGEST: Final = 256 << 20
"""Bytes of a file: it is one object, and is read whole."""

COMMAND: Final = "bash"
"""What a call is called whose action is a line for a shell."""

_fenced = re.compile(r"```[a-z_]*\n(.*?)\n?```", re.DOTALL)


def survey(trajectory: dict[str, Any]) -> Survey | None:
    """Return what a file says of its session; None when it is no trajectory."""
    if not _messages(trajectory):
        return None
    times = (_time(message) for message in _messages(trajectory))
    return Survey(PROGRAM, text_in(trajectory.get("instance_id")), "", next(filter(None, times), ""))


def load(path: Path) -> dict[str, Any] | None:
    """Return the object that a file holds, an array being that of its messages; None for something else, or too much.

    Raises: OSError.
    """
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST or not data.lstrip().startswith((b"{", b"[")):
        return None
    text = data.decode("utf-8", "surrogateescape")
    return parsed(text if text.lstrip().startswith("{") else f'{{"messages": {text}}}')


def read(trajectory: dict[str, Any], recorder: Recorder) -> None:
    """Tell a recorder what a trajectory holds."""
    reader = Reader(recorder, trajectory)
    for number, message in enumerate(_messages(trajectory), 1):
        reader.take(number, message)
    reader.end()


class Reader:
    """Takes the messages of a trajectory, one after the other."""

    def __init__(self, recorder: Recorder, trajectory: dict[str, Any]) -> None:
        self._recorder = recorder
        self._trajectory = trajectory
        info = trajectory.get("info")
        self._info: dict[str, Any] = info if isinstance(info, dict) else {}
        self._waiting: list[str] = []
        """The ids of the calls that have no result yet."""
        self._is_asked = False
        replies = [number for number, m in enumerate(_messages(trajectory), 1) if m.get("role") == "assistant"]
        self._last_reply = replies[-1] if replies else 0

    def take(self, number: int, message: dict[str, Any]) -> None:
        """Take the next message."""
        self._recorder.when = _time(message) or self._recorder.when
        role, text = message.get("role"), _text(message.get("content"))
        if message.get("is_demo"):
            self._recorder.aside(text, "demonstration")
        elif role in ("system", "developer"):
            self._recorder.aside(text, "system")
        elif role == "assistant":
            self._reply(number, message, text)
        elif self._waiting and role in ("user", "tool"):
            self._observe(message, text)
        elif role == "user" and not self._is_asked:
            self._is_asked = True
            self._recorder.message(text)
        elif role in ("user", "tool", "exit"):
            self._recorder.aside(text, "exit" if role == "exit" else "program")
        else:
            self._recorder.keep(number, _whole(message), "messages without a known role")

    def end(self) -> None:
        """Take the end: what the last command printed, what was handed in, and how it ended."""
        steps = self._trajectory.get("trajectory")
        last = steps[-1] if isinstance(steps, list) and steps and isinstance(steps[-1], dict) else {}
        if self._waiting and isinstance(last.get("observation"), str):
            self._observe({}, last["observation"])
        submission = text_in(self._info.get("submission"))
        if submission.strip():
            self._recorder.note(f"handed in:\n{submission}")
        status = text_in(self._info.get("exit_status"))
        self._recorder.end_turn(_ending(status), "" if status.lower() == "submitted" else status)

    def _reply(self, number: int, message: dict[str, Any], text: str) -> None:
        """Record a reply with its calls; the cost of the whole task stands with the last one."""
        calls = list(_calls(number, message, text))
        thought = [block for block in _list(message.get("thinking_blocks")) if isinstance(block, dict)]
        content = [{**block, "type": "thinking"} for block in thought]
        content += [{"type": "text", "text": text}] if text else []
        given: dict[str, Any] = {}
        if number == self._last_reply:
            told = self._info.get("model_stats")
            stats = told if isinstance(told, dict) else {}
            sent, received = count_in(stats.get("tokens_sent")), count_in(stats.get("tokens_received"))
            usage = {name: tokens for name, tokens in (("input", sent), ("output", received)) if tokens}
            given = {"cost": dollars_in(stats.get("instance_cost")), "usage": usage}
        self._recorder.reply([*content, *calls], **given)
        self._waiting = [call["id"] for call in calls]

    def _observe(self, message: dict[str, Any], text: str) -> None:
        """Record what a call came to."""
        named = [*_list(message.get("tool_call_ids")), message.get("tool_call_id")]
        id = next((id for id in named if id in self._waiting), self._waiting[0])
        self._waiting.remove(id)
        extra = message.get("extra")
        status = extra.get("returncode") if isinstance(extra, dict) else None
        self._recorder.result(id, status in (None, 0), text)


def _messages(trajectory: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what was said, from whichever member has it; of an old file without any, its steps."""
    for name in ("history", "messages"):
        messages = trajectory.get(name)
        if isinstance(messages, list) and any(isinstance(item, dict) and "role" in item for item in messages):
            return [item for item in messages if isinstance(item, dict)]
    steps = [step for step in _list(trajectory.get("trajectory")) if isinstance(step, dict) and "action" in step]
    return [message for step in steps for message in _step(step)]


def _step(step: dict[str, Any]) -> list[dict[str, Any]]:
    said = {"role": "assistant", "content": text_in(step.get("response")), "action": text_in(step.get("action"))}
    return [said, {"role": "tool", "content": text_in(step.get("observation"))}]


def _calls(number: int, message: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the calls of a reply as blocks."""
    calls = []
    for place, call in enumerate(_list(message.get("tool_calls")), 1):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            given = text_in(function.get("arguments"))
            arguments = function["arguments"] if isinstance(function.get("arguments"), dict) else parsed(given)
            id = text_in(call.get("id")) or f"call {number}.{place}"
            value = given if arguments is None else arguments
            calls.append({"type": "call", "id": id, "name": function["name"], "arguments": value})
    line = "" if calls else _action(message, text).strip("\n")
    return (
        [{"type": "call", "id": f"step {number}", "name": COMMAND, "arguments": {"command": line}}] if line else calls
    )


def _action(message: dict[str, Any], text: str) -> str:
    """Return the line for a shell that a reply without calls asks for, or nothing."""
    if isinstance(message.get("action"), str):
        return str(message["action"])
    extra = message.get("extra")
    actions = _list(extra.get("actions")) if isinstance(extra, dict) else []
    if actions and isinstance(actions[0], dict):
        return text_in(actions[0].get("command"))
    fenced = _fenced.findall(text)
    return str(fenced[0]) if len(fenced) == 1 else ""


def _ending(status: str) -> How | None:
    """Return how a task ended that has this status; None when that is not said."""
    status = status.lower()
    if not status:
        return None
    if any(word in status for word in ("cost", "limit", "context", "timeout", "time")):
        return "budget"
    if "error" in status or "exception" in status:
        return "error"
    return "done" if "submitted" in status else "stopped"


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = [block for block in _list(content) if isinstance(block, dict)]
    return "\n".join(text_in(block.get("text")) for block in blocks if block.get("type") == "text")


def _time(message: dict[str, Any]) -> str:
    extra = message.get("extra")
    return time_of(message.get("timestamp")) or (time_of(extra.get("timestamp")) if isinstance(extra, dict) else "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(message: dict[str, Any]) -> str:
    import json

    return json.dumps(message, ensure_ascii=False)
