"""Sessions of pi: ``~/.pi/agent/sessions/DIRECTORY/TIME_ID.jsonl``.

The first line is the session's; each other one is an entry, and most carry a message. Entries form a tree by ``id`` and
``parentId``: branches that were left stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from nodwyn.loop.importers.lines import Line, count_in, dollars_in, text_in, time_of
from nodwyn.loop.importers.recorder import Picture, Recorder, picture_of
from nodwyn.loop.importers.survey import Survey, surveyed

PROGRAM: Final = "pi"

STOPS: Final = {"stop": "end", "length": "length", "toolUse": "calls"}


def survey(lines: list[Line]) -> Survey | None:
    """Return what the first lines of a file say of its session; None when they are not pi's."""
    objects = [line.value for line in lines if line.value is not None]
    if not objects or objects[0].get("type") != "session" or "id" not in objects[0]:
        return None
    return surveyed(PROGRAM, objects[:1], "id", time_of(objects[0].get("timestamp")))


def read(lines: Iterable[Line], recorder: Recorder, path: Path) -> None:
    """Tell a recorder what a file holds."""
    reader = Reader(recorder)
    for line in lines:
        reader.take(line)


class Reader:
    """Takes the lines of a file, one after the other."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._first: dict[str, int] = {}
        """The number of the first event of each entry."""
        self._continued: set[str] = set()
        """The entries that another one follows."""

    def take(self, line: Line) -> None:
        """Take the next line."""
        value = line.value
        if value is None:
            self._recorder.keep(line.number, line.text, "broken lines")
            return
        kind, id = text_in(value.get("type")), text_in(value.get("id"))
        if kind == "session":
            self._recorder.when = time_of(value.get("timestamp")) or self._recorder.when
            return
        if id and id in self._first:
            self._recorder.repeated += 1
            return
        self._recorder.when = time_of(value.get("timestamp")) or self._recorder.when
        self._first[id or f"line {line.number}"] = self._recorder.next_seq
        if not self._entry(kind, value):
            self._recorder.keep(line.number, line.text, kind or "lines without a type")
        parent = text_in(value.get("parentId"))
        if parent:
            self._continued.add(parent)

    def _entry(self, kind: str, value: dict[str, Any]) -> bool:
        """Take an entry; return False when not all of it is understood."""
        message = value.get("message")
        if kind == "message" and isinstance(message, dict):
            return self._message(message, value)
        if kind == "compaction" and isinstance(value.get("summary"), str):
            kept = self._first.get(text_in(value.get("firstKeptEntryId")), 0)
            self._recorder.compacted(value["summary"], kept - 1 if kept > 1 else 0)
            return True
        if kind == "branch_summary" and isinstance(value.get("summary"), str):
            self._recorder.aside(value["summary"], "branch")
            return True
        if kind == "custom_message":
            return self._aside(value.get("content"), text_in(value.get("customType")) or "program")
        if kind == "session_info" and isinstance(value.get("name"), str):
            self._recorder.name(value["name"])
            return True
        return False

    def _message(self, message: dict[str, Any], value: dict[str, Any]) -> bool:
        role = message.get("role")
        if role == "user":
            return self._user(message, value)
        if role == "assistant":
            return self._reply(message)
        if role == "toolResult":
            texts, pictures, is_whole = _content(message.get("content"))
            ok, id = message.get("isError") is not True, text_in(message.get("toolCallId"))
            return self._recorder.result(id, ok, "\n".join(texts), pictures) and is_whole
        if role == "bashExecution":
            line, output = text_in(message.get("command")), text_in(message.get("output"))
            self._recorder.aside(f"$ {line}\n{output}\n[exit {message.get('exitCode')}]", "command")
            return True
        if role in ("compactionSummary", "branchSummary"):
            return self._aside(message.get("summary"), "handover" if role == "compactionSummary" else "branch")
        return self._aside(message.get("content"), text_in(message.get("customType"))) if role == "custom" else False

    def _user(self, message: dict[str, Any], value: dict[str, Any]) -> bool:
        texts, pictures, is_whole = _content(message.get("content"))
        if not texts and not pictures:
            return False
        if text_in(value.get("parentId")) in self._continued:
            self._recorder.note("The person goes on from an earlier message: what follows is another branch.")
        self._recorder.message("\n".join(texts), pictures)
        return is_whole

    def _reply(self, message: dict[str, Any]) -> bool:
        blocks = message.get("content") if isinstance(message.get("content"), list) else []
        known = [block for block in map(_known_block, blocks or ()) if block is not None]
        stop = text_in(message.get("stopReason"))
        usage = message.get("usage") if isinstance(message.get("usage"), dict) else {}
        cost = usage.get("cost") if usage else None
        if known:
            self._recorder.reply(
                known,
                stop=STOPS.get(stop, stop),
                model=text_in(message.get("model")),
                usage=_usage(usage),
                cost=dollars_in(cost.get("total")) if isinstance(cost, dict) else None,
            )
        if stop in ("error", "aborted"):
            self._recorder.failed(text_in(message.get("errorMessage")) or f"the reply was {stop}")
        return len(known) == len(blocks or ()) and (bool(known) or stop in ("error", "aborted"))

    def _aside(self, content: Any, purpose: str) -> bool:
        texts, _, is_whole = _content(content)
        if texts:
            self._recorder.aside("\n".join(texts), purpose or "program")
        return is_whole and bool(texts)


def _content(content: Any) -> tuple[list[str], list[Picture], bool]:
    """Return the texts and pictures of a message's content, and whether that is all of it."""
    if isinstance(content, str):
        return [content], [], True
    texts, pictures, is_whole = [], [], isinstance(content, list)
    for block in content if isinstance(content, list) else ():
        picture = None
        if isinstance(block, dict) and block.get("type") == "image":
            picture = picture_of(block.get("mimeType"), block.get("data"))
        if picture is not None:
            pictures.append(picture)
        elif isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            texts.append(block["text"])
        else:
            is_whole = False
    return texts, pictures, is_whole


def _known_block(block: Any) -> dict[str, Any] | None:
    """Return a block of a reply as llm.resp has it, or None when it is not known."""
    if not isinstance(block, dict):
        return None
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return {"type": "text", "text": block["text"]}
    if kind == "thinking":
        return block
    if kind == "toolCall" and isinstance(block.get("id"), str) and isinstance(block.get("name"), str):
        arguments = block.get("arguments") or {}
        return {"type": "call", "id": block["id"], "name": block["name"], "arguments": arguments}
    return None


def _usage(usage: Any) -> dict[str, int]:
    if not isinstance(usage, dict):
        return {}
    names = {"input": "input", "output": "output", "cache_read": "cacheRead", "cache_write": "cacheWrite"}
    return {ours: count for ours, theirs in names.items() if (count := count_in(usage.get(theirs)))}
