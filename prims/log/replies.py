"""What a recorded reply is made of, whoever recorded it."""

from __future__ import annotations

from typing import Any

from nodwyn.prims.log.record import Event

Block = dict[str, Any]
"""An object with a type: text, thinking or call."""


def blocks_of(reply: Event) -> list[Block]:
    """Return the blocks of a reply that are blocks, in their order; another program may have recorded others.

    reply: an event of any kind; of one that has no content there are none.
    """
    content = getattr(reply, "content", None)
    return [
        block
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict) and isinstance(block.get("type"), str)
    ]
