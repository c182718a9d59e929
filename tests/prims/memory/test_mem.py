"""SESSION.mem: kept beside the log, checked, folded forward, and never needed for an answer."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodwyn.prims import system_calls
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.log import Reader
from nodwyn.prims.log.events import Attachment, Error, Narrow, Note, SessionEnd, ToolCall, UserMessage
from nodwyn.prims.log.line import seal
from nodwyn.prims.memory import fold, mem, remembered, writing
from nodwyn.prims.memory.cards import Card
from nodwyn.prims.memory.fold import Note as Kept
from nodwyn.prims.memory.mem import LAYOUT, SECTIONS, Unusable, mem_path
from nodwyn.prims.memory.recalled import recall_text
from nodwyn.prims.memory.remembered import remember
from nodwyn.prims.memory.searching import Found, distinct, find_in, search_tasks
from nodwyn.prims.memory.texts import RANKED
from tests.prims.memory.making import Maker, new_session, reopened

WORDS = distinct("pager wrap fix größe zebra absent")


class Answer(NamedTuple):
    """All that is asked of a memory."""

    cards: list[Card]
    notes: list[Kept]
    found: list[Found]
    text: str


def answer(path: Path) -> Answer:
    with remember(path) as known:
        cards, notes = known.cards(), known.notes()
    return Answer(cards, notes, find_in([path], WORDS, 100).found, search_tasks([path], " ".join(WORDS), 20))


def some_work(maker: Maker) -> None:
    """Make turns, a note and an unfinished turn."""
    maker.turn("fix the pager", "The wrap was wrong.", ("fs-read", {"path": "src/pager.py"}, "def wrap(größe):\n"))
    maker.ask("now the rest")
    maker.shell("make test", "zebra crossed\nwrap failed\n", exit=1)
    maker.add(Narrow(first=2, through=6, note="We fix the pager: wrap takes größe."))
    maker.end("stopped")
    maker.turn("again the pager", "Fixed.", ("fs-read", {"path": "pager.txt"}, "pager " * 300))
    maker.ask("last")
    maker.reply("A zebra in the turn that lasts.")


@pytest.fixture(autouse=True)
def no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing wait for the disk, where hundreds of logs are made."""
    monkeypatch.setattr(system_calls, "sync_data", lambda descriptor: None)
    monkeypatch.setattr(system_calls, "sync_directory", lambda path: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    maker = new_session(tmp_path)
    some_work(maker)
    maker.log.close()
    return maker.path


@pytest.fixture
def stores(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list to which each log is added whose memory is stored."""
    stored: list[Path] = []

    def store(path: Path, data: bytes) -> None:
        stored.append(path)
        mem.store(path, data)

    monkeypatch.setattr(remembered, "store", store)
    return stored


def test_it_is_made_once_and_is_ours_alone(path: Path, stores: list[Path]) -> None:
    assert answer(path) == answer(path)
    assert stores == [path]
    assert mem_path(path).stat().st_mode & 0o777 == 0o600


def test_it_reaches_to_the_end_of_the_last_whole_turn(path: Path) -> None:
    answer(path)
    header = json.loads(mem_path(path).read_bytes().split(b"\n")[1])
    lines = path.read_bytes()[: header["offset"]].split(b"\n")

    assert lines[-1] == b""
    last = json.loads(lines[-2])
    assert (last["kind"], last["seq"], last["sum"]) == ("turn.end", header["seq"], header["sum"])


def test_a_deleted_file_changes_nothing(path: Path) -> None:
    whole = answer(path)
    for beside in (mem_path(path), path.with_suffix(".idx")):
        beside.unlink(missing_ok=True)
        assert answer(path) == whole


def damaged(file: Path, whole: bytes, place: int, how: int) -> None:
    """Change one byte of a file, or leave out all from there on."""
    data = bytearray(whole)
    if how:
        data[place] ^= how
    else:
        del data[place:]
    file.write_bytes(data)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data())
@pytest.mark.parametrize("ending", [".mem", ".idx"])
def test_damage_at_any_byte_changes_nothing(path: Path, ending: str, data: st.DataObject) -> None:
    expected = answer(path)
    file = path.with_suffix(ending)
    whole = file.read_bytes()
    damaged(file, whole, data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 255)))

    assert answer(path) == expected
    answer(path)
    file.write_bytes(whole)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("ending", [".mem", ".idx"])
def test_every_byte_flipped_and_every_length(path: Path, ending: str) -> None:
    expected = answer(path)
    file = path.with_suffix(ending)
    whole = file.read_bytes()
    for place in range(len(whole)):
        for how in (0, 1, 0x80):
            damaged(file, whole, place, how)
            assert answer(path) == expected, (place, how)


def test_the_file_of_another_session_is_not_taken_for_this_ones(path: Path, tmp_path: Path) -> None:
    other = new_session(tmp_path / "other")
    some_work(other)
    other.turn("more zebra", "zebra")
    expected = answer(path)
    answer(other.path)

    mem_path(path).write_bytes(mem_path(other.path).read_bytes())

    assert answer(path) == expected


def test_a_log_that_was_cut_off_before_its_end_makes_it_anew(path: Path, tmp_path: Path) -> None:
    answer(path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:8]) + b"\n")
    short = answer(path)
    mem_path(path).unlink(missing_ok=True)

    assert short == answer(path)
    assert len(short.cards) == 1


class Reads(list[tuple[str, int, int]]):
    """Each read of a file by place: the file's ending, the offset, the bytes read."""

    def of(self, ending: str) -> list[tuple[int, int]]:
        return [(offset, size) for name, offset, size in self if name == ending]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    found = Reads()
    pread = os.pread

    def recording(descriptor: int, size: int, offset: int) -> bytes:
        data = pread(descriptor, size, offset)
        found.append((Path(os.readlink(f"/proc/self/fd/{descriptor}")).suffix, offset, len(data)))
        return data

    monkeypatch.setattr(os, "pread", recording)
    return found


def test_only_what_the_log_gained_is_read(path: Path, reads: Reads) -> None:
    answer(path)
    end = json.loads(mem_path(path).read_bytes().split(b"\n")[1])["line"]
    with_more = reopened(path)
    with_more.turn("one more", "pager")
    with_more.log.close()
    reads.clear()

    assert [each.seq for each in find_in([path], ["more"], 9).found] == [with_more.log.last - 4]
    assert min(offset for offset, size in reads.of(".jsonl") if size) >= end - 64


def test_a_search_reads_the_postings_of_its_words_alone(tmp_path: Path, reads: Reads) -> None:
    maker = new_session(tmp_path)
    chance = random.Random(1)
    for number in range(60):
        text = " ".join(f"word{chance.randrange(3000)}" for _ in range(120))
        maker.turn(f"ask {number}", f"zebra{number}", ("fs-read", {"path": "a"}, text))
    find_in([maker.path], ["zebra7"], 9)
    reads.clear()

    assert len(find_in([maker.path], ["zebra7"], 9).found) == 1
    assert sum(size for _, size in reads.of(".mem")) < 8000 < mem_path(maker.path).stat().st_size / 8


def test_folding_forward_gives_what_a_rebuild_gives(tmp_path: Path) -> None:
    chance = random.Random(3)
    maker = new_session(tmp_path)
    for _ in range(12):
        text = " ".join(chance.choices([*WORDS, *map(str, range(40))], k=chance.choice((5, 400))))
        maker.turn(text[:40], text[40:80], ("fs-read", {"path": text[:9]}, text))
        folded = answer(maker.path)
        forward = mem_path(maker.path).read_bytes()
        mem_path(maker.path).unlink()
        assert answer(maker.path) == folded
        assert mem_path(maker.path).read_bytes() == forward


STEPS: dict[str, Callable[[Maker], object]] = {
    "ask": lambda maker: maker.ask("fix the pager"),
    "say": lambda maker: maker.add(UserMessage(text="wrap it")),
    "attach": lambda maker: maker.add(Attachment(name="zebra.txt", text="größe", size=6)),
    "reply": lambda maker: maker.reply("The wrap is wrong.", ("fs-read", {"path": "pager"})),
    "call": lambda maker: maker.call("fs-read", {"path": "pager"}, "zebra wrap"),
    "begin a call": lambda maker: maker.add(ToolCall(name="shell-exec", arguments={"line": "fix"}, by="person")),
    "search": lambda maker: maker.call("recall", {"seq": 1}, "zebra zebra"),
    "compact": lambda maker: maker.add(Narrow(first=1, through=1, note="pager, größe")),
    "fail": lambda maker: maker.add(Error(message="wrap")),
    "end": lambda maker: maker.end(),
    "close": lambda maker: maker.add(SessionEnd()),
}


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*STEPS, "look", "crash"]), max_size=40))
def test_whatever_happens_in_whatever_order(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    maker = new_session(tmp_path_factory.mktemp("log"))
    try:
        for step in steps:
            if step == "look":
                answer(maker.path)
            elif step == "crash":
                maker.log.close()
                maker.log = reopened(maker.path).log
            elif step != "end" or maker.has_turn:
                STEPS[step](maker)
        folded = answer(maker.path)
        mem_path(maker.path).unlink(missing_ok=True)
        assert answer(maker.path) == folded
        for card, later in zip(folded.cards, folded.cards[1:]):
            assert card.through < later.first
        assert {each.seq for each in folded.found} <= set(maker.log.seqs(*(kind.kind for kind in RANKED)))
    finally:
        maker.log.close()


def test_a_turn_that_lasts_is_searched_without_being_stored(path: Path, stores: list[Path]) -> None:
    answer(path)
    log = reopened(path)
    log.ask("quokka")

    assert [each.seq for each in find_in([path], ["quokka"], 9).found] == [log.log.last - 1]
    assert stores == [path, path]  # opening the log again closed the turn that had lasted


def test_two_writers_leave_one_whole_file(path: Path) -> None:
    expected = answer(path)
    mem_path(path).unlink()
    answers: list[Answer] = []
    threads = [threading.Thread(target=lambda: answers.append(answer(path))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [expected] * 6
    assert [beside.name for beside in path.parent.glob(f".{path.stem}*")] == []


@pytest.mark.parametrize("call", ["rename", "write"])
def test_a_full_disk_costs_only_time(path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answer(path)
    mem_path(path).unlink()

    def fail(*_: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)

    assert answer(path) == expected
    assert not mem_path(path).exists()


def test_nothing_is_left_of_a_session_deleted_meanwhile(path: Path) -> None:
    with remember(path):
        pass
    data = mem_path(path).read_bytes()
    mem_path(path).unlink()
    path.unlink()

    mem.store(path, data)

    assert not mem_path(path).exists()


def test_counts_are_no_sizes(tmp_path: Path, stores: list[Path]) -> None:
    maker = new_session(tmp_path)
    maker.turn("run it", "done", ("shell-exec", {"line": "x"}, "ok " * 40_000))
    for _ in range(3):
        found = find_in([maker.path], ["ok"], 9).found

    assert len(found) == 1
    assert stores == [maker.path]
    assert mem_path(maker.path).stat().st_size < 3000


def test_long_words_take_no_room(tmp_path: Path) -> None:
    sizes = []
    for number, noise in enumerate(("", base64.b64encode(random.Random(1).randbytes(750_000)).decode())):
        line = noise.replace("/", "x").replace("+", "x")
        maker = new_session(tmp_path / str(number))
        maker.turn("fetch it", "done", ("fs-read", {"path": "a.js"}, f"begin {line} end"))
        answer(maker.path)
        sizes.append(mem_path(maker.path).stat().st_size)

    assert sizes[1] - sizes[0] < 10_000


def hostile_headers() -> Iterator[dict[str, Any]]:
    most = 2**62
    for number in range(len(SECTIONS)):
        yield {"sizes": [most if place == number else 0 for place in range(len(SECTIONS))]}
    yield {"buckets": most}
    yield {"buckets": 0}
    yield {"sizes": [-1] * len(SECTIONS)}
    yield {"sizes": []}
    yield {"sizes": "many"}
    yield {"sums": [1, 2]}
    yield {"offset": most}
    yield {"offset": "far", "line": None}
    yield {"line": -5}
    yield {"sum": 5}


@pytest.mark.parametrize("change", list(hostile_headers()), ids=str)
def test_a_hostile_header_allocates_nothing(path: Path, change: dict[str, Any]) -> None:
    expected = answer(path)
    first, text, rest = mem_path(path).read_bytes().split(b"\n", 2)
    header = json.dumps({**json.loads(text), **change}).encode()
    first = b"%b %b" % (LAYOUT, hashlib.sha256(header).hexdigest().encode())
    mem_path(path).write_bytes(b"\n".join((first, header, rest)))

    assert peak(lambda: answer(path)) < 20_000_000
    assert answer(path) == expected


@pytest.mark.parametrize("claim", [(2**31 - 1, 4, 4), (2**31 - 1, 255, 255), (0, 4, 4), (1, 3, 3), (1, 0, 0)])
def test_a_hostile_count_of_events_allocates_nothing(
    path: Path, claim: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answer(path)
    mem_path(path).unlink()
    with monkeypatch.context() as patch:
        patch.setattr(writing, "_packed", lambda numbers, counts: (*claim, b"12345678"))
        with suppress(Unusable):
            answer(path)
    assert mem_path(path).exists()

    assert peak(lambda: answer(path)) < 20_000_000
    assert answer(path) == expected


def test_counts_out_of_range_are_not_believed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answer(path)
    mem_path(path).unlink()
    with monkeypatch.context() as patch:
        patch.setattr(fold, "MOST_COUNT", 2**32 - 1)
        patch.setattr(fold, "counts", lambda text: {"pager": 2**32 - 1})
        with suppress(Unusable):
            answer(path)
    assert mem_path(path).exists()

    assert answer(path) == expected


class NoText(str):
    """A word that is written as bytes which are no UTF-8."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return b"\xff\xfe"


def test_a_word_that_is_no_text_is_not_believed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(fold, "counts", lambda text: {NoText("pager"): 1})
        answer(path)
    assert b"\xff\xfe" in mem_path(path).read_bytes()
    with_more = reopened(path)
    with_more.turn("one more", "pager")
    with_more.log.close()
    believed = answer(path)
    mem_path(path).unlink()
    assert believed == answer(path)


def test_a_file_far_larger_than_its_log_is_not_read(path: Path) -> None:
    expected = answer(path)
    with mem_path(path).open("r+b") as file:
        file.truncate(1 << 40)

    assert peak(lambda: answer(path)) < 20_000_000
    assert answer(path) == expected


def peak(function: Callable[[], object]) -> int:
    """Return the most bytes that a call had allocated."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_is_before_damage_in_the_log_is_found(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    place = len(lines) - 4
    path.write_bytes(b"\n".join([*lines[:place], lines[place].replace(b'"seq"', b'"sep"'), *lines[place + 1 :]]))

    with remember(path) as known:
        assert known.cards()[0].asked == "fix the pager"
        assert f"line {place + 1}" in known.damage
    assert "Not searched behind the damage" in search_tasks([path], "pager", 8)


def test_an_event_of_another_form_ends_the_search_of_its_log_and_of_no_other(path: Path, tmp_path: Path) -> None:
    odd = new_session(tmp_path / "odd")
    odd.turn("the okapi", "yes")
    odd.log.close()
    with odd.path.open("ab") as file:
        last = odd.path.read_bytes().rsplit(b'"sum":"', 1)[1][:32]
        members = {"seq": odd.log.last + 1, "at": "", "kind": "user.msg", "agent": "main", "text_": "okapi"}
        file.write(seal(members, last)[0])

    said = search_tasks([odd.path, path], "okapi pager", 20)

    assert f"line {odd.log.last + 1} " in said
    assert "no event as nodwyn records it: user.msg: text is missing" in said
    assert "the okapi" in said
    assert "fix the pager" in said
    with Reader(odd.path) as log, pytest.raises(PrimitiveError, match="no event"):
        recall_text(log, odd.log.last + 1, 0, 0, most=None)


def test_events_between_turns_are_kept_when_the_session_ends(tmp_path: Path) -> None:
    maker = new_session(tmp_path)
    maker.turn("first", "yes")
    maker.add(Narrow(first=2, through=4, note="okapi"))
    maker.add(Note(text="not ranked: okapi"))
    path = maker.close()

    found = find_in([path], ["okapi"], 9).found

    assert [each.seq for each in found] == [maker.log.last - 2]
    assert f"\n\nafter turn 2-{found[0].seq - 1} of" in search_tasks([path], "okapi", 8)
