"""What a person sees of a conversation, line by line."""

from __future__ import annotations

import io
from typing import Any

import pytest

from nodwyn.loop.providers.base import Delta
from nodwyn.loop.ui.colours import Paint
from nodwyn.loop.ui.printing import Printer
from nodwyn.prims.guard.approvals import Answer, Question, nobody
from nodwyn.prims.log import Event
from nodwyn.prims.log.record import restore


def happened(seq: int, kind: str, **members: Any) -> Event:
    return restore({"seq": seq, "at": "2026-01-02T03:04:05.678Z", "kind": kind, "agent": "main", **members})


def printed(*events: Event, streams: bool = True) -> str:
    out = io.StringIO()
    printer = Printer(out, nobody, Paint(False), streams=streams)
    for event in events:
        printer.event(event)
    return out.getvalue()


def ended(how: str, reason: str) -> Event:
    return happened(9, "turn.end", turn=2, how=how, reason=reason, milliseconds=100)


CALL = happened(3, "tool.call", name="fs-read", arguments={"path": "a.py"}, by="model")
RUN = happened(3, "tool.call", name="shell-exec", arguments={"line": "make"}, by="model")


@pytest.mark.parametrize(
    ("events", "shown"),
    [
        ([CALL], ""),
        ([CALL, happened(4, "tool.result", call=3, ok=True, value="x")], "  read a.py\n"),
        ([CALL, happened(4, "tool.result", call=3, ok=False, value="fs-read: no")], "  could not read a.py: no\n"),
        ([RUN, happened(4, "tool.result", call=3, ok=True, value={"exit": 0})], "  run make\n  ran make: exit 0\n"),
        (
            [CALL, happened(4, "interruption", of=3, reason="the person stopped it")],
            "  interrupted: read a.py: the person stopped it\n",
        ),
        ([happened(3, "tool.call", name="undo", arguments={}, by="person")], ""),
        ([happened(4, "tool.result", call=3, ok=True, value="")], ""),
        (
            [happened(3, "index.update", files=4, read=1, refused=["a.py"])],
            "  index: 4 files, 1 read, 1 refused\n",
        ),
        (
            [happened(3, "llm.retry", request=2, message="the server is busy", wait=1500)],
            "  asking again in 1.5 s: the server is busy\n",
        ),
        ([happened(3, "llm.error", request=2, message="no key")], "  the request failed: no key\n"),
        ([happened(3, "error", message="boom", file="init.scm", line=4)], "  init.scm:4: boom\n"),
        ([happened(3, "error", message="a.scm:4:2: boom", file="a.scm", line=4)], "  a.scm:4:2: boom\n"),
        (
            [happened(3, "llm.error", request=2, message="no key"), ended("error", "no key")],
            "  the request failed: no key\nfailed (0.1 s)\n",
        ),
        (
            [
                happened(3, "llm.error", request=2, message="cancelled while waiting"),
                ended("stopped", "the person stopped it"),
            ],
            "stopped: the person stopped it (0.1 s)\n",
        ),
        (
            [
                happened(3, "llm.retry", request=2, message="the server is busy", wait=0),
                ended("budget", "the turn's 2 rounds are used up"),
            ],
            "  asking again in 0.0 s: the server is busy\n"
            "stopped at a limit: the turn's 2 rounds are used up (0.1 s); the last request had failed:"
            " the server is busy\n",
        ),
        (
            [
                happened(3, "llm.retry", request=2, message="the server is busy", wait=0),
                happened(4, "llm.resp", request=2, stop="end", content=[]),
                ended("budget", "the turn's 2 rounds are used up"),
            ],
            "  asking again in 0.0 s: the server is busy\n"
            "stopped at a limit: the turn's 2 rounds are used up (0.1 s)\n",
        ),
        (
            [happened(3, "llm.error", request=2, message="too long"), ended("stopped", "it cannot be made smaller")],
            "  the request failed: too long\nstopped: it cannot be made smaller (0.1 s)\n",
        ),
        (
            [happened(3, "plan", items=[{"text": "look", "mark": "done"}, {"text": "mend", "mark": "doing"}])],
            "  [x] look\n  [>] mend\n",
        ),
        ([happened(3, "turn.end", turn=2, how="done", milliseconds=100)], "done (0.1 s)\n"),
        ([happened(3, "something.new", text="x")], ""),
    ],
)
def test_events_are_lines(events: list[Event], shown: str) -> None:
    assert printed(*events) == shown


def test_a_build_is_a_line_under_the_call_that_made_it_and_marks_it_in_no_way() -> None:
    search = happened(3, "tool.call", name="index-search", arguments={"query": "retry", "scope": "repo"}, by="model")
    update = happened(5, "index.update", files=40, read=40, refused=["secret.env"])
    result = happened(6, "tool.result", call=3, ok=True, value=[])
    refused = happened(
        4, "guard.decision", effect="read", subject="secret.env", decision="deny", layer="denylist", reason="x"
    )
    assert printed(search, refused, update, result) == (
        "  searched “retry” in the repository\n  index: 40 files, 40 read, 1 refused\n"
    )


def reply(text: str, *calls: str) -> Event:
    content = [{"type": "text", "text": text}, *({"type": "call", "id": name, "name": name} for name in calls)]
    return happened(5, "llm.resp", request=4, content=content, stop="calls" if calls else "end")


def test_a_reply_is_shown_as_it_arrives_and_only_once_and_of_thinking_only_that_it_does() -> None:
    out = io.StringIO()
    printer = Printer(out, nobody, Paint(False), streams=True)
    printer.event(happened(4, "llm.req", recipe=1, digest=""))
    printer.delta("main", Delta("thinking", "hm"))
    printer.delta("main", Delta("thinking", ", so"))
    printer.delta("explorer", Delta("text", "not ours"))
    printer.delta("main", Delta("text", "Hel"))
    printer.delta("main", Delta("text", "lo\x1b[2J"))
    printer.event(reply("Hello\x1b[2J"))
    assert out.getvalue() == "  thinking\nHello⟨U+001B⟩[2J\n"
    assert printer.answer == "Hello\x1b[2J"


def test_a_reply_that_did_not_arrive_in_pieces_is_shown_whole() -> None:
    assert printed(happened(4, "llm.req", recipe=1, digest=""), reply("Hello")) == "Hello\n"


def test_without_streaming_the_answer_is_kept_and_only_words_beside_calls_are_shown() -> None:
    assert printed(reply("I look.", "fs-list"), streams=False) == "I look.\n"
    assert printed(reply("Done."), streams=False) == ""


def test_a_sub_agents_calls_name_it_and_its_replies_are_not_shown() -> None:
    call = restore({**CALL.as_json(), "agent": "explorer"})
    result = happened(4, "tool.result", call=3, ok=True, value="x")
    said = restore({**reply("found").as_json(), "agent": "explorer"})
    assert printed(call, result, said) == "  explorer: read a.py\n"


def test_a_question_begins_on_a_line_of_its_own() -> None:
    out = io.StringIO()

    def ask(question: Question) -> Answer:
        out.write("May I?")
        return Answer(True, "person")

    printer = Printer(out, ask, Paint(False), streams=True)
    printer.delta("main", Delta("text", "I write"))
    assert printer.ask(Question("", "", (), "")).yes
    assert out.getvalue() == "I write\nMay I?"


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_reader_that_has_gone_fails_nothing() -> None:
    printer = Printer(Closed(), nobody, Paint(False), streams=True)
    printer.event(reply("Hello"))
    assert isinstance(printer.failure, BrokenPipeError)
