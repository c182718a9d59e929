"""What a recorded reply is made of: blocks, and what another program put there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nodwyn.prims.log.events import ModelResponse, Note, UserMessage
from nodwyn.prims.log.replies import blocks_of
from nodwyn.prims.memory.cards import Turns
from nodwyn.prims.memory.recalled import recall_text
from nodwyn.prims.memory.texts import text_of
from tests.prims.memory.making import new_session

TEXT = {"type": "text", "text": "said"}


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ([TEXT, {"type": "call", "id": "a"}], [TEXT, {"type": "call", "id": "a"}]),
        ([TEXT, 5, None, "text", {"text": "no type"}, {"type": 5}], [TEXT]),
        (None, []),
        (5, []),
        (True, []),
        ("text", []),
        ({"type": "text"}, []),
    ],
)
def test_what_is_no_block_is_passed_over(content: Any, blocks: list[Any]) -> None:
    assert blocks_of(_replied(content)) == blocks


def test_what_is_no_reply_has_no_blocks() -> None:
    assert blocks_of(Note(text="x")) == []


@pytest.mark.parametrize("content", [None, 5, "text", {"type": "call"}, [5], [{"text": 5}]])
def test_whoever_reads_a_reply_reads_any(content: Any, tmp_path: Path) -> None:
    assert text_of(_replied(content)) == ""
    with new_session(tmp_path).log as log:
        log.append(UserMessage(text="asked"))
        reply = log.append(_replied(content))
        log.append(UserMessage(text="asked again"))
        turns = Turns()
        over = [turn for event in log.events() if (turn := turns.closes(event) or turns.add(event))]
        assert len(over) == 1
        assert recall_text(log, reply, 1, 10, most=None)


def _replied(content: Any) -> ModelResponse:
    return ModelResponse(content=content, stop="end")
