"""A session's events as a person reads them: one entry an event, with its number, nothing left out that was said."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Event

INDENT = "        "

Members = Mapping[str, Any]
"""What an event's line holds."""


def entry(event: Event) -> str:
    """Return an event as lines: a heading with its number and kind, and below it the texts that it holds."""
    members = event.as_json()
    head, body = _FORMS.get(event.kind, _any)(members)
    agent = f" ({members['agent']})" if members.get("agent", "main") != "main" else ""
    lines = [f"{members['seq']:>6}  {event.kind}{agent}{f': {_line(head)}' if head else ''}"]
    if body:
        lines += [f"{INDENT}{line}" for line in escape_unseen(body).split("\n")]
    return "\n".join(lines) + "\n"


def value_text(value: Any) -> str:
    """Return JSON as text: a text as it is, an object as its members one below the other."""
    if isinstance(value, str):
        return value.rstrip("\n")
    if isinstance(value, dict):
        return "\n".join(_member(name, item) for name, item in value.items())
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False)


def _member(name: str, value: Any) -> str:
    text = value_text(value)
    if "\n" not in text:
        return f"{name}: {text}"
    return "\n".join([f"{name}:", *(f"  {line}" for line in text.split("\n"))])


def _line(text: str) -> str:
    return escape_unseen(text).replace("\n", " ⏎ ")


def _said(members: Members) -> tuple[str, str]:
    return "", str(members.get("text", ""))


def _call(members: Members) -> tuple[str, str]:
    return f"{members['name']}, by the {members['by']}", value_text(members.get("arguments"))


def _result(members: Members) -> tuple[str, str]:
    return f"of {members['call']}{'' if members['ok'] else ', failed'}", value_text(members.get("value"))


def _input(members: Members) -> tuple[str, str]:
    return "", str(members["text"])


def _value(members: Members) -> tuple[str, str]:
    return "" if members["ok"] else "an error", str(members["text"])


def _decision(members: Members) -> tuple[str, str]:
    what = f"{members['decision']} {members['effect']} of {members['subject']}"
    return f"{what}: {members['reason']} ({members['layer']})", ""


def _approval(members: Members) -> tuple[str, str]:
    return f"{members['answer']}, {members['actor']}", str(members["question"])


def _reply(members: Members) -> tuple[str, str]:
    parts = []
    for block in members.get("content") or ():
        if isinstance(block, dict) and block.get("type") == "text":
            parts.append(str(block.get("text", "")))
        else:
            parts.append(json.dumps(block, ensure_ascii=False))
    return f"to {members['request']}, ended by {members['stop']}", "\n".join(parts)


def _any(members: Members) -> tuple[str, str]:
    """Return the fields of an event that has no form of its own: short ones in its heading, long ones below."""
    short: list[str] = []
    long: list[str] = []
    for name, value in members.items():
        if name in ("seq", "at", "kind", "agent", "barrier"):
            continue
        text = value_text(value)
        (long if "\n" in text or len(text) > 80 else short).append(f"{name}: {text}")
    return "; ".join(short), "\n".join(long)


_FORMS: dict[str, Callable[[Members], tuple[str, str]]] = {
    "user.msg": _said,
    "loop.msg": _said,
    "note": _said,
    "tool.call": _call,
    "tool.result": _result,
    "scheme.input": _input,
    "scheme.value": _value,
    "guard.decision": _decision,
    "approval": _approval,
    "llm.resp": _reply,
}
