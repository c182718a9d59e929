"""Calls in words, for a person who watches: ``read src/a.py``, ``ran make test: exit 0``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from nodwyn.prims.counting import counted
from nodwyn.prims.guard.display import brief as subject
from nodwyn.prims.guard.display import escape_unseen, spell_bytes

LONGEST = 100
"""Characters of what a call is about, and of what came of it, that a line shows."""

LONGEST_REASON = 240
"""Characters of why a call failed that a line shows: what to do about it stands at the end."""

LINES = ("shell-exec",)
"""Calls that are about what a shell reads, and no name of a file."""

Arguments = Mapping[str, Any]


class _Verb(NamedTuple):
    """How a call is told: ``done`` once it is, ``tried`` when it failed, and what it was about."""

    done: str
    tried: str
    about: Callable[[Arguments], str]


def before(name: str, arguments: Any) -> str:
    """Return a call that begins, in words: ``run make test``."""
    verb, about = _told(name, arguments)
    return f"{verb.tried}{about}"


def after(name: str, arguments: Any, ok: bool, value: Any) -> str:
    """Return a call that is over, in words.

    value: what it returned, or the error.
    """
    verb, about = _told(name, arguments)
    if not ok:
        return f"could not {verb.tried}{about}: {brief(_reason(name, _about(verb, arguments), value), LONGEST_REASON)}"
    outcome = _OUTCOMES.get(name, _nothing)(value)
    return f"{verb.done}{about}{f': {brief(outcome)}' if outcome else ''}"


def brief(text: str, longest: int = LONGEST) -> str:
    """Return the first line of a text, short enough for one, with nothing in it that moves a cursor."""
    first, _, rest = text.strip().partition("\n")
    if len(first) > longest:
        return f"{escape_unseen(first[: longest - 1])}…"
    return f"{escape_unseen(first)} …" if rest.strip() else escape_unseen(first)


def _told(name: str, arguments: Any) -> tuple[_Verb, str]:
    shown = brief(name)
    verb = _VERBS.get(name) or _Verb(f"called {shown}", f"call {shown}", _first)
    about = _about(verb, arguments)
    told = brief(about) if name in LINES else spell_bytes(brief(about))
    return verb, f" {told}" if about else ""


def _about(verb: _Verb, arguments: Any) -> str:
    return verb.about(arguments) if isinstance(arguments, Mapping) else ""


def _reason(name: str, about: str, value: Any) -> str:
    """Return an error without what begins it: the line has said what was called, and with what."""
    text = str(value).removeprefix(f"{name}: ")
    said = (about, subject(about), os.path.normpath(about) if about else "")
    return next((text.removeprefix(f"{each}: ") for each in said if each and text.startswith(f"{each}: ")), text)


def _first(arguments: Arguments) -> str:
    """Return what a call of a tool that is not known here is about: its first text."""
    return next((value for value in arguments.values() if isinstance(value, str) and value), "")


def _member(*names: str, default: str = "") -> Callable[[Arguments], str]:
    return lambda arguments: " ".join(str(arguments[name]) for name in names if arguments.get(name)) or default


def _read(arguments: Arguments) -> str:
    path, start, count = arguments.get("path", ""), arguments.get("start"), arguments.get("count")
    first = start if isinstance(start, int) else 1
    if isinstance(count, int):
        return f"{path}, lines {first} to {first + count - 1}"
    return f"{path}, from line {first}" if first != 1 else str(path)


def _find(arguments: Arguments) -> str:
    where = arguments.get("path") or "."
    return f"{arguments.get('glob') or 'all files'}{'' if where == '.' else f' in {where}'}"


def _grep(arguments: Arguments) -> str:
    where = arguments.get("path") or "."
    return f"“{arguments.get('pattern', '')}”{'' if where == '.' else f' in {where}'}"


def _search(arguments: Arguments) -> str:
    scope = str(arguments.get("scope", ""))
    return f"“{arguments.get('query', '')}” in {_SCOPES.get(scope, scope)}"


_SCOPES = {"repo": "the repository", "conversation": "the conversation", "earlier": "earlier tasks"}


def _recall(arguments: Arguments) -> str:
    task = arguments.get("task")
    return f"seq {arguments.get('seq', '')}{f' of {task}' if task else ''}"


_VERBS: dict[str, _Verb] = {
    "fs-read": _Verb("read", "read", _read),
    "fs-list": _Verb("listed", "list", _member("path", default=".")),
    "fs-find": _Verb("looked for", "look for", _find),
    "fs-write": _Verb("wrote", "write", _member("path")),
    "fs-edit": _Verb("edited", "edit", _member("path")),
    "shell-exec": _Verb("ran", "run", _member("line")),
    "git-status": _Verb("asked git what has changed", "ask git what has changed", _member()),
    "git-diff": _Verb("asked git for the changes", "ask git for the changes", _member()),
    "git-log": _Verb("asked git for the commits", "ask git for the commits", _member("revision")),
    "git-show": _Verb("asked git to show", "ask git to show", _member("revision", default="HEAD")),
    "index-grep": _Verb("searched for", "search for", _grep),
    "index-search": _Verb("searched", "search", _search),
    "index-update": _Verb("updated the index", "update the index", _member("path")),
    "recall": _Verb("recalled", "recall", _recall),
    "undo": _Verb("took changes back", "take changes back", _member()),
    "plan-set": _Verb("set the plan", "set the plan", _member()),
    "project-notes": _Verb("read the project's notes", "read the project's notes", _member()),
    "project-notes-save": _Verb("saved the project's notes", "save the project's notes", _member()),
}


def _nothing(value: Any) -> str:
    return ""


def _exit(value: Any) -> str:
    """Return how a command ended."""
    if not isinstance(value, Mapping):
        return ""
    notes = "; ".join(str(note) for note in value.get("notes") or ())
    status = value.get("exit")
    ended = f"exit {status}" if status is not None else ""
    return ", ".join(part for part in (ended, notes) if part)


def _count(one: str) -> Callable[[Any], str]:
    def told(value: Any) -> str:
        if not isinstance(value, list):
            return ""
        return counted(len(value), one)

    return told


_OUTCOMES: dict[str, Callable[[Any], str]] = {
    "shell-exec": _exit,
    "fs-find": _count("file"),
    "fs-list": _count("name"),
}


def ending(members: Mapping[str, Any], *, is_told: bool = False) -> str:
    """Return how a turn ended, in words. members: of its turn.end. is_told: whether the reason was just said."""
    how = {
        "done": "done",
        "stopped": "stopped",
        "budget": "stopped at a limit",
        "error": "failed",
        "unanswered": "stopped by a question that nobody answered",
        "idle": "ended without an answer",
    }.get(members["how"], escape_unseen(members["how"]))
    reason = "" if is_told else members.get("reason", "")
    return f"{how}{f': {escape_unseen(reason)}' if reason else ''}{_used(members)}"


def _used(members: Mapping[str, Any]) -> str:
    spent = members.get("spent") or {}
    parts = [f"{members.get('milliseconds', 0) / 1000:.1f} s"]
    if spent.get("rounds"):
        parts.append(counted(spent["rounds"], "request"))
    if spent.get("tokens"):
        parts.append(counted(spent["tokens"], "token"))
    if spent.get("cost"):
        parts.append(f"${spent['cost'] / 1_000_000:.4f}")
    return f" ({', '.join(parts)})"


def index_line(members: Mapping[str, Any]) -> str:
    """Return what an update of the repository's index did, in words. members: of its index.update."""
    changes = [f"{members.get('read', 0)} read"]
    changes += [f"{members[name]} {said}" for name, said in _CHANGES.items() if members.get(name)]
    if members.get("refused"):
        changes.append(f"{len(members['refused'])} refused")
    return f"index: {counted(members.get('files', 0), 'file')}, {', '.join(changes)}"


_CHANGES = {"removed": "dropped", "skipped": "left out", "left": "still to be read"}
