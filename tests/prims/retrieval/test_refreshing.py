"""Keeping the index fresh: what is read, when, through what, and what is put on record."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.guard.checkers import Checkers
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.proposal import Call, Finding, Proposal
from nodwyn.prims.redact import Match
from nodwyn.prims.retrieval import refreshing, searching
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events
from tests.prims.retrieval.conftest import call, found, put, reads, search, settle, update, updates

KEY = "AKIA" + "QWERTYUIOPASDFGH"


@pytest.fixture(autouse=True)
def tree(root: Path) -> Path:
    """Return the root with two files that were not changed just now."""
    put(root, a_py="def zebra():\n    pass\n", b_py="giraffe\n")
    settle()
    return root


class Objecting(Checkers):
    """Checkers that have something against files of a name."""

    def __init__(self, verdict: str, name: str) -> None:
        super().__init__()
        self._finding = Finding("deny" if verdict == "deny" else "confirm", "checker test", "it may not be read")
        self._name = name

    def __bool__(self) -> bool:
        return True

    def findings(self, proposal: Proposal, call: Call) -> list[Finding]:
        return [self._finding] if proposal.path.endswith(self._name) else []


def test_the_first_search_builds_and_every_read_is_guarded_and_recorded(session: Session) -> None:
    assert reads(session) == []
    search(session, "nothing")
    assert reads(session) == ["a.py", "b.py"]
    (record,) = updates(session)
    assert {name: record[name] for name in ("files", "read", "removed", "skipped", "left")} == {
        "files": 2, "read": 2, "removed": 0, "skipped": 0, "left": 0,
    }  # fmt: skip
    assert not any("zebra" in str(value) for value in record.values())


def test_an_unchanged_search_reads_and_records_nothing(session: Session) -> None:
    search(session, "nothing")
    search(session, "nothing")
    assert len(reads(session)) == 2
    assert len(updates(session)) == 1


def test_an_update_is_always_recorded(session: Session) -> None:
    update(session)
    assert (
        update(session) == "The index holds 2 files. Read 0, removed 0; 0 are binary, not UTF-8 or larger than 1 MiB."
    )
    assert len(updates(session)) == 2


def _edited(path: Path) -> None:
    path.write_text("okapi okapi okapi\n")


def _replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_text("def okapi():\n    pass\n")
    os.rename(other, path)


def _of_the_same_size_and_time(path: Path) -> None:
    before = path.stat()
    path.write_text("def okapi():\n    pass\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


@pytest.mark.parametrize("change", [_edited, _replaced, _of_the_same_size_and_time])
def test_a_search_finds_what_changed_just_before(session: Session, tree: Path, change: object) -> None:
    assert found(search(session, "zebra")) == ["a.py"]
    change(tree / "a.py")  # type: ignore[operator]
    assert found(search(session, "okapi")) == ["a.py"]
    assert found(search(session, "zebra")) == []


def test_an_edit_within_the_tick_of_the_clock_after_a_search_is_found(
    session: Session, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refreshing, "TICK", 10**12)
    monkeypatch.setattr(refreshing, "COARSE_TICK", 10**12)
    search(session, "nothing")
    search(session, "nothing")
    assert reads(session) == ["a.py", "b.py"] * 2


def test_a_deleted_file_is_dropped(session: Session, tree: Path) -> None:
    search(session, "zebra")
    (tree / "a.py").unlink()
    assert found(search(session, "zebra")) == []
    assert updates(session)[-1]["removed"] == 1


def test_what_is_no_text_or_too_large_is_skipped_and_counted(session: Session, tree: Path) -> None:
    (tree / "binary").write_bytes(b"zebra\0")
    (tree / "latin").write_bytes(b"zebra \xe4\n")
    (tree / "large").write_text("zebra\n" * 200_000)
    with open(tree / "huge", "wb") as file:
        file.truncate(2 << 30)
    settle()
    assert found(search(session, "zebra")) == ["a.py"]
    assert updates(session)[0]["skipped"] == 4
    assert "large" not in reads(session)
    search(session, "zebra")
    assert len(updates(session)) == 1


@pytest.mark.parametrize("verdict", ["deny", "confirm"])
def test_what_the_guard_refuses_or_would_ask_is_left_out_named_and_no_question(begin: Begin, verdict: str) -> None:
    person = Person(True)
    session = begin(ask=person)
    session.guard.checkers = Objecting(verdict, "b.py")
    text = search(session, "giraffe")
    assert found(text) == []
    assert "Left out, because the guard refuses or would ask: b.py" in text
    assert person.questions == []
    assert updates(session)[0]["refused"] == ["b.py"]
    if verdict == "confirm":
        (answer,) = (event.as_json() for event in events(session, "approval"))
        assert (answer["answer"], answer["actor"]) == ("no", "not asked")
    search(session, "giraffe")
    assert reads(session) == ["a.py", "b.py"]


def test_what_was_refused_is_tried_again_once_the_checker_is_gone(session: Session) -> None:
    checkers = session.guard.checkers
    session.guard.checkers = Objecting("deny", "b.py")
    assert found(search(session, "giraffe")) == []
    session.guard.checkers = checkers
    text = search(session, "giraffe")
    assert found(text) == ["b.py"]
    assert "Left out" not in text


def test_what_was_refused_is_tried_again_in_another_session(begin: Begin) -> None:
    first = begin()
    first.guard.checkers = Objecting("deny", "b.py")
    assert found(search(first, "giraffe")) == []
    assert found(search(begin(), "giraffe")) == ["b.py"]


def test_a_secret_is_redacted_before_the_text_is_cut(session: Session, tree: Path, tmp_path: Path) -> None:
    padding = "def filler():\n" + "    pass\n" * 78
    (tree / "keys.py").write_text(f"{padding}key = '{KEY}'\n")
    (tree / "pem.py").write_text(
        "x\n" * 70 + "-----BEGIN PRIVATE KEY-----\n" + f"{'QUJD' * 16}\n" * 20 + "-----END PRIVATE KEY-----\nokapi\n"
    )
    text = search(session, "okapi")
    assert "  93: okapi" in text
    for file in tmp_path.glob("data/projects/*/index/*"):
        data = file.read_bytes()
        assert KEY.lower().encode() not in data
        assert b"qujdqujd" not in data.lower()
        assert b"def zebra" not in data


def test_reads_count_against_the_limits_of_the_turn_and_are_no_actions(session: Session) -> None:
    with session.guard.within(Budget({"actions": 0, "reads": 10})):
        assert found(search(session, "zebra")) == ["a.py"]
        assert session.guard.budget.used["reads"] >= 3
        assert session.guard.budget.used["actions"] == 0


def test_the_limits_of_the_turn_end_a_build_and_the_next_goes_on(session: Session, tree: Path) -> None:
    put(tree, c_py="c", d_py="d")
    settle()
    with session.guard.within(Budget({"reads": 2})), pytest.raises(Refused, match="the turn's 2 reads are used up"):
        search(session, "zebra")
    assert updates(session)[0]["read"] == 2
    search(session, "zebra")
    assert updates(session)[1]["read"] == 2


def test_a_cancelled_build_goes_on_later(session: Session) -> None:
    answers = iter([False] * 3)
    session.is_cancelled = lambda: next(answers, True)
    with pytest.raises(PrimitiveError, match="it was cancelled"):
        search(session, "zebra")
    session.is_cancelled = lambda: False
    assert found(search(session, "zebra")) == ["a.py"]
    assert sum(int(str(record["read"])) for record in updates(session)) == 2


def test_what_there_is_no_time_for_is_said_and_read_later(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = session.redactor.find

    def slow(text: str) -> list[Match]:
        time.sleep(0.5 if "\n" in text else 0)  # paths and reasons, which are recorded, have one line
        return reading(text)

    monkeypatch.setattr(session.redactor, "find", slow)
    monkeypatch.setattr(searching, "SEARCH_SECONDS", 0.4)
    text = search(session, "zebra")
    assert "1 file that is new or changed could not be read in time; the next search goes on" in text
    assert updates(session)[0]["left"] == 1
    assert found(search(session, "giraffe")) == ["b.py"]
    assert found(search(session, "zebra")) == ["a.py"]


def test_a_build_does_not_mark_its_call(session: Session) -> None:
    session.guard.checkers = Objecting("deny", "b.py")
    search(session, "zebra")
    (result,) = (event.as_json() for event in events(session, "tool.result"))
    decisions = [session.log.event(seq).as_json() for seq in result["decisions"]]
    assert all(decision["decision"] == "allow" for decision in decisions)
    assert result["ok"]


def test_nothing_is_indexed_between_calls(session: Session, tree: Path) -> None:
    search(session, "zebra")
    before = session.log.last
    put(tree, c_py="zebra")
    assert call(session, "fs-read", path="c.py") == "zebra"
    kinds = [session.log.event(seq).kind for seq in range(before + 1, session.log.last + 1)]
    assert kinds == ["tool.call", "guard.decision", "tool.result"]
