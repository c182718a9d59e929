"""Sessions of Claude Code: ``~/.claude/projects/DIRECTORY/SESSION.jsonl``.

Each line has a type. ``user`` and ``assistant`` lines carry a message of the Anthropic API; a reply comes in a line for
each block, all with one ``message.id``, and results of tools come as messages of the user. ``isSidechain`` marks a
sub-agent's lines. Lines form a tree by ``uuid`` and ``parentUuid``: what the person took back is a branch, and stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from nodwyn.loop.importers.lines import Line, count_in, dollars_in, read_lines, text_in, time_of
from nodwyn.loop.importers.recorder import Picture, Recorder, picture_of
from nodwyn.loop.importers.survey import LINES_LOOKED_AT, Survey, surveyed
from nodwyn.prims.log.names import MAIN

PROGRAM: Final = "claude-code"

CONVERSATION: Final = ("user", "assistant")
"""The types of lines after which a message of the person goes back to an earlier one."""

INTERRUPTED: Final = "[Request interrupted by user"

NOT_SAID: Final = {
    "<command-name>": "command",
    "<command-message>": "command",
    "<local-command-": "command",
    "<bash-": "command",
    "<system-reminder>": "reminder",
    "<task-notification>": "notification",
    "<user-memory-input>": "command",
    "Caveat: The messages below": "command",
}
"""How texts begin that come as messages of the user and are none, and what they are."""

TITLES: Final = {"custom-title": "customTitle", "ai-title": "aiTitle"}
"""The types of lines that name the session, and the member that has the name."""

STOPS: Final = {"end_turn": "end", "tool_use": "calls", "max_tokens": "length", "refusal": "refusal"}

SYNTHETIC: Final = "<synthetic>"
"""The model of replies that the program wrote itself."""


def survey(lines: list[Line]) -> Survey | None:
    """Return what the first lines of a file say of its session; None when they are not Claude Code's."""
    objects = [line.value for line in lines if line.value is not None]
    if not any(_is_ours(line) for line in objects):
        return None
    began = next((time for line in objects if (time := time_of(line.get("timestamp")))), "")
    found = surveyed(PROGRAM, objects, "sessionId", began)
    agent = _whose_file(objects)
    return found._replace(session=f"{found.session}/agent-{agent}") if agent else found


def _is_ours(line: dict[str, Any]) -> bool:
    kind = line.get("type")
    if kind in ("user", "assistant"):
        return isinstance(line.get("message"), dict) and ("uuid" in line or "sessionId" in line)
    return (kind == "summary" and "leafUuid" in line) or (kind in ("system", "queue-operation") and "sessionId" in line)


def _whose_file(objects: Iterable[dict[str, Any]]) -> str:
    """Return the id of the sub-agent whose own file has these lines; nothing for the file of a session."""
    said = (line for line in objects if line.get("type") in CONVERSATION)
    ids = {text_in(line.get("agentId")) if line.get("isSidechain") is True else "" for line in said}
    return ids.pop() if len(ids) == 1 else ""


def read(lines: Iterable[Line], recorder: Recorder, path: Path) -> None:
    """Tell a recorder what a file holds, and what its sub-agents' files beside it do."""
    rest = iter(lines)
    first = list(islice(rest, LINES_LOOKED_AT))
    # A sub-agent's own file has nothing but its lines: there they are the conversation.
    is_own = bool(_whose_file(line.value for line in first if line.value is not None))
    reader = Reader(recorder, path, follows_sidechains=not is_own)
    for line in chain(first, rest):
        reader.take(line)
    reader.end()


class Reader:
    """Takes the lines of a file, one after the other."""

    def __init__(self, recorder: Recorder, path: Path, *, follows_sidechains: bool) -> None:
        self._recorder = recorder
        self._follows_sidechains = follows_sidechains
        self._beside = path.parent
        self._subagents = path.with_suffix("") / "subagents"
        """Where sub-agents of this session may have files of their own; before version 2.1 they are beside it."""
        self._agents: dict[str, str] = {}
        """The context that each line of the tree belongs to, by its uuid."""
        self._continued: set[str] = set()
        """The lines that another one follows."""
        self._replies: dict[str, Reply] = {}
        """The reply of each context that may still gain a line."""
        self._summaries: list[Line] = []
        self._begun: set[str] = set()
        """The sub-agents that have begun."""
        self._sidechains = 0

    def take(self, line: Line) -> None:
        """Take the next line."""
        value = line.value
        if value is None:
            self._recorder.keep(line.number, line.text, "broken lines")
            return
        uuid = text_in(value.get("uuid"))
        if uuid and uuid in self._agents:
            self._recorder.repeated += 1
            return
        self._include(value.get("toolUseResult"))
        self._recorder.when = time_of(value.get("timestamp")) or self._recorder.when
        agent = self._agent_of(value)
        kind = text_in(value.get("type"))
        if kind == "summary" and "leafUuid" in value:
            self._summaries.append(line)
        elif not self._understand(kind, value, agent):
            self._complete()
            self._recorder.keep(line.number, line.text, kind or "lines without a type")
        if uuid:
            self._follow(value, uuid, agent)

    def end(self) -> None:
        """Take the end of the file. A summary of another session's lines, which files have too, is no name of this."""
        if self._follows_sidechains:
            # Those that no result names: the session ended before they did, or another sub-agent started them.
            for path in sorted(self._subagents.rglob("agent-*.jsonl")):
                self._take_in(path)
        self._complete()
        for line in self._summaries:
            value = line.value or {}
            if text_in(value["leafUuid"]) in self._agents:
                self._recorder.name(text_in(value.get("summary")))
            else:
                self._recorder.keep(line.number, line.text, "summary")

    def _understand(self, kind: str, value: dict[str, Any], agent: str) -> bool:
        """Record what a line says; return False when not all of it is understood."""
        message = value.get("message")
        if kind in TITLES:
            self._recorder.name(text_in(value.get(TITLES[kind])))
            return True
        if kind == "assistant" and isinstance(message, dict):
            return self._gain(message, value, agent)
        if kind == "user" and isinstance(message, dict):
            return self._user(message, value, agent)
        if kind == "system" and text_in(value.get("content")) and agent == MAIN:
            self._complete()
            self._recorder.note(value["content"])
            return True
        return kind == "attachment" and self._queued(value.get("attachment"))

    def _include(self, result: Any) -> None:
        """Take the file of the sub-agent that has come to this result, if it has one."""
        id = text_in(result.get("agentId")) if isinstance(result, dict) else ""
        if id.replace("-", "").isalnum():
            for directory in (self._subagents, self._beside):
                self._take_in(directory / f"agent-{id}.jsonl")

    def _take_in(self, path: Path) -> None:
        """Take a sub-agent's file, if it is there and was not taken."""
        if path.stem in self._begun:
            return
        before = self._recorder.when
        try:
            with open(path, "rb") as file:
                for line in read_lines(file, str(path)):
                    self.take(line if line.value is None else line._replace(value=_aside(line.value, path.stem)))
        except FileNotFoundError:
            return
        self._recorder.when = before

    def _agent_of(self, value: dict[str, Any]) -> str:
        """Return the context that a line belongs to; a sub-agent begins with its first line."""
        if not (value.get("isSidechain") is True and self._follows_sidechains):
            return MAIN
        named = text_in(value.get("agentId"))
        agent = f"agent-{named}" if named else self._agents.get(text_in(value.get("parentUuid")), MAIN)
        if agent == MAIN:
            self._sidechains += 1
            agent = f"sidechain-{self._sidechains}"
        if agent not in self._begun:
            self._begun.add(agent)
            self._complete()
            self._recorder.agent(agent, _plain(value.get("message")))
        return agent

    def _follow(self, value: dict[str, Any], uuid: str, agent: str) -> None:
        """Take up a line's place in the tree."""
        self._agents[uuid] = agent
        parent = text_in(value.get("parentUuid"))
        if parent and value.get("type") in CONVERSATION:
            self._continued.add(parent)

    def _gain(self, message: dict[str, Any], value: dict[str, Any], agent: str) -> bool:
        """Take a line of a reply; return False when nothing of it is understood."""
        blocks = _blocks(message.get("content"))
        known = [block for block in map(_known_block, blocks) if block is not None]
        if not known:
            return False
        if value.get("isApiErrorMessage") is True or message.get("model") == SYNTHETIC:
            self._complete()
            self._recorder.failed("\n".join(str(block.get("text", "")) for block in known))
            return len(known) == len(blocks)
        id = text_in(message.get("id"))
        reply = self._replies.get(agent)
        if reply is None or not id or reply.id != id:
            self._complete()
            reply = self._replies[agent] = Reply(id)
        reply.gain(known, message, dollars_in(value.get("costUSD")), self._recorder.when)
        return len(known) == len(blocks)

    def _complete(self) -> None:
        """Record the replies that are complete, as something else follows: when they came, not when that does."""
        now = self._recorder.when
        for agent, reply in self._replies.items():
            self._recorder.when = reply.when
            reply.record(self._recorder, agent)
        self._recorder.when = now
        self._replies.clear()

    def _user(self, message: dict[str, Any], value: dict[str, Any], agent: str) -> bool:
        """Take a message of the user, or results of tools; return False when not all of it is understood."""
        self._complete()
        texts, pictures = [], []
        is_understood = True
        for block in _blocks(message.get("content")):
            picture = _picture(block)
            if block.get("type") == "tool_result":
                is_understood &= self._result(block, agent)
            elif block.get("type") == "text" and isinstance(block.get("text"), str):
                texts.append(block["text"])
            elif picture is not None:
                pictures.append(picture)
            else:
                is_understood = False
        text = "\n".join(texts)
        if text.strip() or pictures:
            self._said(text, pictures, value, agent)
        return is_understood and message.get("content") is not None

    def _said(self, text: str, pictures: list[Picture], value: dict[str, Any], agent: str) -> None:
        """Record what a message says, as what it is."""
        purpose = next((what for beginning, what in NOT_SAID.items() if text.lstrip().startswith(beginning)), "")
        if agent != MAIN:
            self._recorder.aside(text, "task", agent)
        elif value.get("isCompactSummary") is True:
            self._recorder.compacted(text)
        elif text.startswith(INTERRUPTED):
            self._recorder.aside(text, "interruption")
            self._recorder.end_turn("stopped", "the person interrupted it")
        elif value.get("isMeta") is True or purpose:
            self._recorder.aside(text, purpose or "program")
        else:
            if text_in(value.get("parentUuid")) in self._continued:
                self._recorder.note("The person goes on from an earlier message: what follows is another branch.")
            self._recorder.message(text, pictures)

    def _result(self, block: dict[str, Any], agent: str) -> bool:
        """Record what a call came to; return False when the file has no such call or not all is understood."""
        id, parts = text_in(block.get("tool_use_id")), _blocks(block.get("content"))
        if not self._recorder.waits_for(id, agent):
            return False
        pictures = [picture for picture in map(_picture, parts) if picture is not None]
        texts = [text_in(part.get("text")) for part in parts if part.get("type") == "text"]
        self._recorder.result(id, block.get("is_error") is not True, "\n".join(texts), pictures, agent)
        return len(texts) + len(pictures) == len(parts)

    def _queued(self, attachment: Any) -> bool:
        """Record what the person said while a turn went on; return False when it is another attachment."""
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            return False
        text = _plain({"content": attachment.get("prompt")})
        if not text.strip() or attachment.get("commandMode", "prompt") != "prompt" or text.lstrip().startswith("<"):
            return False
        self._complete()
        self._recorder.message(text, joins=True)
        return True


class Reply:
    """A reply, as far as its lines have come."""

    def __init__(self, id: str) -> None:
        self.id = id
        self._content: list[dict[str, Any]] = []
        self._message: dict[str, Any] = {}
        self._cost: int | None = None
        self.when = ""
        """When the last line of it came."""

    def gain(self, blocks: list[dict[str, Any]], message: dict[str, Any], cost: int | None, when: str) -> None:
        """Take up a line of it. The usage in each is that of the whole reply."""
        self.when = when
        self._content += blocks
        self._message = message
        self._cost = cost

    def record(self, recorder: Recorder, agent: str) -> None:
        """Tell a recorder the whole."""
        stop = text_in(self._message.get("stop_reason"))
        recorder.reply(
            self._content,
            stop=STOPS.get(stop, stop),
            agent=agent,
            model=text_in(self._message.get("model")),
            id=self.id,
            usage=_usage(self._message.get("usage")),
            cost=self._cost,
        )


def _blocks(content: Any) -> list[dict[str, Any]]:
    """Return the blocks of a message's content; a text is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [block if isinstance(block, dict) else {"type": "text", "text": block} for block in content]


def _known_block(block: dict[str, Any]) -> dict[str, Any] | None:
    """Return a block of a reply as llm.resp has it, or None when it is not known."""
    kind = text_in(block.get("type"))
    if kind == "text" and isinstance(block.get("text"), str):
        return {"type": "text", "text": block["text"]}
    if kind in ("thinking", "redacted_thinking"):
        return {**block, "type": "thinking"}
    if kind.endswith("tool_use") and isinstance(block.get("id"), str) and isinstance(block.get("name"), str):
        return {"type": "call", "id": block["id"], "name": block["name"], "arguments": block.get("input") or {}}
    return None


def _picture(block: dict[str, Any]) -> Picture | None:
    source = block.get("source")
    if block.get("type") not in ("image", "document") or not isinstance(source, dict):
        return None
    return picture_of(source.get("media_type"), source.get("data")) if source.get("type") == "base64" else None


def _aside(value: dict[str, Any], agent: str) -> dict[str, Any]:
    """Return a line as that of a sub-agent, which starts nobody whose file would be taken in its turn.

    agent: ``agent-ID``.
    """
    return {**value, "isSidechain": True, "agentId": agent.removeprefix("agent-"), "toolUseResult": None}


def _plain(message: Any) -> str:
    """Return the texts of a message."""
    blocks = _blocks(message.get("content")) if isinstance(message, dict) else []
    return "\n".join(text_in(block.get("text")) for block in blocks if block.get("type") == "text")


def _usage(usage: Any) -> dict[str, int]:
    if not isinstance(usage, dict):
        return {}
    names = {
        "input": "input_tokens",
        "output": "output_tokens",
        "cache_read": "cache_read_input_tokens",
        "cache_write": "cache_creation_input_tokens",
    }
    return {ours: count for ours, theirs in names.items() if (count := count_in(usage.get(theirs)))}
