"""A session's events as a person reads them: an entry for each, with its number, results below their calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from nodwyn.loop.ui import words
from nodwyn.loop.ui.colours import BOLD, CYAN, FAINT, GREEN, RED, YELLOW, Paint
from nodwyn.prims import surrogates
from nodwyn.prims.counting import counted
from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.log import Event
from nodwyn.prims.log.names import MAIN

INDENT = "        "

FIRST_LINES, LAST_LINES = 12, 4
"""How much is shown of a long text, unless all of it is wanted."""

LONGEST_LINE = 300

FEW = 3
"""How many decisions in a row that let something be read are shown one by one."""

NO_COLOURS = Paint(False)

Members = Mapping[str, Any]
"""What an event's line holds."""


def transcript(events: Iterable[Event], *, full: bool = False, paint: Paint = NO_COLOURS) -> Iterator[str]:
    """Yield the entries of a session's events.

    full: show long texts whole, and each of many decisions in a row that let something be read.
    """
    routine: list[Event] = []
    for event in _with_results_below(events):
        if not full and _is_routine(event):
            routine.append(event)
            continue
        yield from _few(routine, paint)
        routine.clear()
        yield entry(event, full=full, paint=paint)
    yield from _few(routine, paint)


def entry(event: Event, *, full: bool = True, paint: Paint = NO_COLOURS) -> str:
    """Return an event as lines: a heading with its number and kind, and below it the texts that it holds."""
    members = event.as_json()
    head, body = _FORMS.get(event.kind, _any)(members)
    agent = f" ({_line(members['agent'])})" if members.get("agent", MAIN) != MAIN else ""
    style = RED if _is_bad(members) else _STYLES.get(event.kind.partition(".")[0], FAINT)
    heading = paint(style, f"{event.kind}{agent}") + (f": {_line(head)}" if head else "")
    lines = [f"{members['seq']:>6}  {heading}"]
    if body:
        shown = escape_unseen(body).split("\n")
        lines += [f"{INDENT}{line}" for line in (shown if full else _shortened(shown, paint))]
    return surrogates.escape("\n".join(lines)) + "\n"


def _is_routine(event: Event) -> bool:
    members = event.as_json()
    return event.kind == "guard.decision" and members["decision"] == "allow" and members["effect"] in ("read", "other")


def _few(routine: list[Event], paint: Paint) -> Iterator[str]:
    """Yield the entries of some decisions of one sort; of many the first one, and how many follow."""
    many = len(routine) > FEW
    for event in routine[:1] if many else routine:
        yield entry(event, full=False, paint=paint)
    if many:
        mark = f"… {len(routine) - 1} more like this, to event {routine[-1].seq}; --full shows them"
        yield f"{INDENT}{paint(FAINT, mark)}\n"


def _with_results_below(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events in their order, but what belongs to one of several calls of a reply directly below that call."""
    groups: dict[int, list[Event]] = {}
    open_calls: set[int] = set()
    decided: dict[int, int] = {}
    reply = current = 0
    for event in events:
        members = event.as_json()
        if event.kind == "tool.call" and (not open_calls or members.get("reply") == reply):
            reply, current = members.get("reply", 0), event.seq
            groups[current] = []
            open_calls.add(current)
        elif not open_calls:
            yield event
            continue
        else:
            call = members.get("call", members.get("of", decided.get(members.get("decision", 0), current)))
            current = call if call in groups else current
        if event.kind == "guard.decision":
            decided[event.seq] = current
        groups[current].append(event)
        if event.kind in ("tool.result", "interruption"):
            open_calls.discard(members.get("call", members.get("of")))
        if not open_calls:
            yield from (each for group in groups.values() for each in group)
            groups.clear()
    yield from (each for group in groups.values() for each in group)


def _shortened(lines: list[str], paint: Paint) -> list[str]:
    """Return the start and the end of a long text, and what was left out between."""
    left = len(lines) - FIRST_LINES - LAST_LINES
    if left > 1:
        mark = paint(FAINT, f"… {left} more lines; --full shows them")
        lines = [*lines[:FIRST_LINES], mark, *lines[-LAST_LINES:]]
    return [line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…" for line in lines]


def _is_bad(members: Members) -> bool:
    return (
        members.get("ok") is False
        or members["kind"] in ("error", "llm.error", "interruption", "budget")
        or members.get("decision") == "deny"
    )


_STYLES = {"user": GREEN, "llm": CYAN, "tool": YELLOW, "turn": BOLD, "scheme": GREEN}


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


def _request(members: Members) -> tuple[str, str]:
    broken = members.get("broken", "")
    tokens = counted(members.get("tokens", 0), "token")
    return (
        f"{tokens} by our estimate, recipe {members['recipe']}, digest {members['digest']}"
        f"{f'; its beginning is new: {broken}' if broken else ''}"
    ), ""


def _reply(members: Members) -> tuple[str, str]:
    usage = members.get("usage") or {}
    counted = ", ".join(f"{name} {number}" for name, number in usage.items() if number)
    cost = f", ${members['cost'] / 1_000_000:.4f}" if members.get("cost") else ""
    to = f"to {members['request']}, " if "request" in members else ""
    head = f"{to}ended by {members['stop']}{f', tokens {counted}' if counted else ''}{cost}"
    return head, "\n".join(map(_block, members.get("content") or ()))


def _block(block: Any) -> str:
    if not isinstance(block, dict):
        return json.dumps(block, ensure_ascii=False)
    if block.get("type") == "text":
        return str(block.get("text", ""))
    if block.get("type") == "call":
        return f"→ {block.get('name')} {json.dumps(block.get('arguments'), ensure_ascii=False)}"
    return json.dumps(block, ensure_ascii=False)


def _recipe(members: Members) -> tuple[str, str]:
    given = members.get("tools")
    tools = given if isinstance(given, list) else []
    names = [str(tool.get("name")) for tool in tools if isinstance(tool, dict)]
    head = f"version {members['version']}, {members['provider']}/{members['model']}, {len(names)} tools"
    rest = {name: members[name] for name in ("policy", "parameters") if members.get(name)}
    return head, f"{members['system']}\ntools: {', '.join(names)}\n{value_text(rest)}"


def _start(members: Members) -> tuple[str, str]:
    named = f"{members.get('session', '')} in {members['root']}, begun by {members.get('client', 'terminal')}"
    return f"{named}, {members['program']}", ""


def _index(members: Members) -> tuple[str, str]:
    return words.index_line(members).removeprefix("index: "), ""


def _fold(members: Members) -> tuple[str, str]:
    rule = f" ({members['rule']})" if members.get("rule") else ""
    return f"from now on a model is shown {members['result']} like this{rule}", str(members["text"])


def _turn_end(members: Members) -> tuple[str, str]:
    return f"of {members['turn']}, {words.ending(members)}", ""


def _summary(members: Members) -> tuple[str, str]:
    return f"in place of {members['first']} to {members['through']}", str(members["text"])


def _summary_drop(members: Members) -> tuple[str, str]:
    return f"of {members['summary']}", ""


def _narrow(members: Members) -> tuple[str, str]:
    """Return a handover note, and below it what it leaves out."""
    lost = [entry for entry in members.get("lost") or () if isinstance(entry, dict)]
    told = [
        f"{number}. {entry.get('what')} (in {entry.get('seq')}): {entry.get('text')}"
        for number, entry in enumerate(lost, 1)
    ]
    parts = [str(members["note"]), *(["left out:", *told] if told else [])]
    return f"a note in place of {members['first']} to {members['through']}", "\n".join(parts)


def _narrow_drop(members: Members) -> tuple[str, str]:
    return f"of {members['narrow']}", ""


def _plan(members: Members) -> tuple[str, str]:
    items = members.get("items")
    steps = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return "" if steps else "none", "\n".join(f"[{step.get('mark')}] {step.get('text')}" for step in steps)


def _imported_line(members: Members) -> tuple[str, str]:
    return f"line {members['line']}", str(members["text"])


def _any(members: Members) -> tuple[str, str]:
    """Return the fields of an event without a form of its own: what is short in its heading, the rest below."""
    short: list[str] = []
    long: list[str] = []
    for name, value in members.items():
        if name in ("seq", "at", "kind", "agent", "barrier", "when") or value in (None, ""):
            continue
        text = _member(name, value)
        (long if "\n" in text or len(text) > 80 else short).append(text)
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
    "llm.req": _request,
    "llm.resp": _reply,
    "recipe": _recipe,
    "fold": _fold,
    "index.update": _index,
    "session.start": _start,
    "turn.end": _turn_end,
    "summary": _summary,
    "summary.drop": _summary_drop,
    "context.narrow": _narrow,
    "context.drop": _narrow_drop,
    "plan": _plan,
    "project.notes": _said,
    "import.line": _imported_line,
}
