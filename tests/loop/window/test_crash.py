"""A crash at any moment of a turn: the session goes on with a request that a provider takes."""

from __future__ import annotations

import shutil
from pathlib import Path

from nodwyn.loop.window.replay import rebuild_all
from nodwyn.prims.log import Log, read
from tests.loop.window.conftest import Story, as_it_is, assert_sound, roles, said

KEPT = next((Path(__file__).parents[2] / "logs").glob("*.jsonl"))


BEGUN = 5
"""The lines after which a turn is under way: its recipe and its message are there."""


def test_after_every_event_the_next_request_is_sound(tmp_path: Path) -> None:
    lines = KEPT.read_bytes().splitlines(keepends=True)
    for place in range(BEGUN, len(lines) + 1):
        path = tmp_path / KEPT.name
        path.write_bytes(b"".join(lines[:place]) + b"".join(lines[place : place + 1])[: 40 * (place % 2)])
        path.with_suffix(".idx").unlink(missing_ok=True)
        with Log.open(path, redact=as_it_is) as log:
            story = Story(log)
            story.recipe = max(log.seqs("recipe", agent="main"))
            story.say("go on")
            built = story.ask()
            assert roles(built)[-1] == "user"
            for each in rebuild_all(log):
                assert_sound(each.built)


def test_a_crash_between_parallel_calls_says_what_became_of_each(tmp_path: Path) -> None:
    """In the kept log the program ended while the second of three calls ran."""
    path = Path(shutil.copy(KEPT, tmp_path))
    seq = next(event.seq for event in read(path) if event.kind == "session.resume")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: seq - 3]))
    with Log.open(path, redact=as_it_is) as log:
        assert [log.event(seq).kind for seq in log.interrupted] == ["tool.call", "turn.start"]
        story = Story(log)
        story.recipe = max(log.seqs("recipe", agent="main"))
        shown = said(story.ask())
    assert "PRICES" in shown
    assert "This call was interrupted and has no result: the program ended before this did" in shown
    assert "This call was not run." in shown
