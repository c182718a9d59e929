"""Taking back file changes: exactly, by call or turn, and never over what somebody changed since."""

from __future__ import annotations

import os
import shutil
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.interp.printer import display
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.guard.approvals import standing
from nodwyn.prims.log.events import FileVersion, TurnEnd, TurnStart
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events


def write(session: Session, path: str, content: str) -> int:
    """Write a file as a model does; return the call's seq."""
    result = session.log.event(call_from_model(session, "fs-write", {"path": path, "content": content})).as_json()
    assert result["ok"], result["value"]
    return int(result["call"])


@pytest.fixture
def session(begin: Begin) -> Session:
    return begin(standing("edits"))


def contents(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_the_last_turn_is_taken_back_whole(session: Session, root: Path) -> None:
    (root / "a.txt").write_bytes(b"a\xff\r\n")
    (root / "a.txt").chmod(0o640)
    write(session, "before.txt", "x")
    turn = session.log.append(TurnStart())
    write(session, "a.txt", "b")
    write(session, "a.txt", "c")
    write(session, "new/b.txt", "new")
    session.log.append(TurnEnd(turn=turn, how="done"))
    value = session.evaluate("(undo)")
    assert str(value.car.cdr.car) in ("'new/b.txt'", "'a.txt'")
    assert (root / "a.txt").read_bytes() == b"a\xff\r\n"
    assert stat.S_IMODE((root / "a.txt").stat().st_mode) == 0o640
    assert not (root / "new/b.txt").exists()
    assert (root / "before.txt").exists()


def test_one_call_is_taken_back_by_its_number(session: Session, root: Path) -> None:
    session.log.append(TurnStart())
    call = write(session, "a.txt", "a")
    write(session, "b.txt", "b")
    session.evaluate(f"(undo {call})")
    assert contents(root) == {"b.txt": "b"}


def test_each_undo_goes_a_turn_further_back(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("0")
    for number in "123":
        turn = session.log.append(TurnStart())
        write(session, "a.txt", number)
        session.log.append(TurnEnd(turn=turn, how="done"))
    for number in "210":
        session.evaluate("(undo)")
        assert contents(root) == {"a.txt": number}
    with pytest.raises(SchemeError, match="undo: no file change in this session is left to be taken back"):
        session.evaluate("(undo)")


def test_what_the_person_entered_is_taken_back_together(session: Session, root: Path) -> None:
    session.evaluate('(fs-write "a.txt" "1")')
    session.evaluate('(begin (fs-write "a.txt" "2") (fs-write "b.txt" "2"))')
    session.evaluate("(undo)")
    assert contents(root) == {"a.txt": "1"}


def test_a_file_that_was_changed_since_is_a_conflict_that_is_shown(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("a\n")
    (root / "b.txt").write_text("b\n")
    session.evaluate('(begin (fs-write "a.txt" "mine\\n") (fs-write "b.txt" "mine\\n"))')
    (root / "a.txt").write_text("another's\n")
    entered, call = events(session, "scheme.input")[0].seq, events(session, "tool.call")[0].seq
    assert display(session.evaluate("(undo)")) == (
        "((restored b.txt) (unchanged) (conflicts ((path . a.txt)"
        f" (reason . it was changed since call {call} (fs-write) of what was entered at {entered} wrote it,"
        " by a command, another program or somebody)"
        " (differs . --- now\n+++ brought back\n@@ -1 +1 @@\n-another's\n+a\n)"
        f" (next . take that change back where it was made, then (undo {call}) again; or make by hand what is shown))))"
    )
    assert contents(root) == {"a.txt": "another's\n", "b.txt": "b\n"}
    (event,) = events(session, "undo")
    assert event.as_json()["conflicts"] == ["a.txt"]


def test_when_all_are_conflicts_undo_fails_and_says_so(session: Session, root: Path) -> None:
    session.evaluate('(fs-write "a.txt" "mine\\n")')
    (root / "a.txt").write_text("another's\n")
    with pytest.raises(
        SchemeError, match=r"nothing was taken back\na\.txt: it was changed since call \d+ \(fs-write\)"
    ):
        session.evaluate("(undo)")


def test_a_conflict_with_a_later_call_names_both_and_what_to_take_back_first(session: Session, root: Path) -> None:
    first = session.log.append(TurnStart())
    one = write(session, "a.txt", "one\n")
    second = session.log.append(TurnStart())
    two = write(session, "a.txt", "two\n")
    said = rf"a\.txt: call {two} \(fs-write\) of turn {second} wrote it after call {one} \(fs-write\) of turn {first}\n"
    with pytest.raises(SchemeError, match=rf"{said}[^…]*\n\(undo {two}\) takes that back; then \(undo {one}\) again"):
        session.evaluate(f"(undo {one})")
    for number in (two, one):
        session.evaluate(f"(undo {number})")
    assert contents(root) == {}


def test_a_conflict_after_a_later_call_names_that_call(session: Session, root: Path) -> None:
    one, two = write(session, "a.txt", "one\n"), write(session, "a.txt", "two\n")
    (root / "a.txt").write_text("three\n")
    with pytest.raises(SchemeError, match=rf"it was changed since call {two} \(fs-write\) wrote it"):
        session.evaluate(f"(undo {one})")


def test_a_long_difference_is_cut_and_says_so(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("".join(f"{number}\n" for number in range(500)))
    session.evaluate('(fs-write "a.txt" "mine\n")')
    (root / "a.txt").write_text("another's\n")
    with pytest.raises(SchemeError) as refused:
        session.evaluate("(undo)")
    said = str(refused.value)
    assert len(said.split("\n")) < 60
    assert "more lines differ" in said


def test_a_conflict_can_be_taken_back_once_it_is_solved(session: Session, root: Path) -> None:
    session.evaluate('(fs-write "a.txt" "mine\\n")')
    (root / "a.txt").write_text("another's\n")
    with pytest.raises(SchemeError):
        session.evaluate("(undo)")
    (root / "a.txt").write_text("mine\n")
    session.evaluate("(undo)")
    assert contents(root) == {}


def test_undo_goes_through_the_guard(session: Session, root: Path) -> None:
    session.evaluate('(fs-write "a.txt" "mine\\n")')
    session.evaluate('(register-check \'still (lambda (effect) "not now"))')
    with pytest.raises(SchemeError, match="not now"):
        session.evaluate("(undo)")
    assert contents(root) == {"a.txt": "mine\n"}


def test_versions_are_raw_apart_and_private(session: Session, root: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "Zk3vQ9xT7mBn2RcW8yLpD4sHfJ6gKa1eUoXi"
    (root / "a.txt").write_text(secret)
    session.evaluate('(fs-write "a.txt" "gone")')
    kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file() and secret in path.read_text("latin-1")]
    (version,) = kept
    assert version.parent.name == "versions"
    assert stat.S_IMODE(version.stat().st_mode) == 0o600
    assert stat.S_IMODE(version.parent.stat().st_mode) == 0o700
    session.evaluate("(undo)")
    assert (root / "a.txt").read_text() == secret


def test_an_unknown_number_is_said(session: Session) -> None:
    with pytest.raises(SchemeError, match="no file change by event 99 is left to be taken back"):
        session.evaluate("(undo 99)")


def test_a_version_that_is_no_longer_kept_is_a_conflict(session: Session, root: Path, tmp_path: Path) -> None:
    (root / "a.txt").write_text("old")
    session.evaluate('(fs-write "a.txt" "new")')
    for version in (tmp_path / "data").rglob("versions/*"):
        version.unlink()
    with pytest.raises(SchemeError, match="the version is no longer kept"):
        session.evaluate("(undo)")
    assert contents(root) == {"a.txt": "new"}


def test_a_link_in_the_place_of_a_new_file_is_a_conflict(session: Session, root: Path, tmp_path: Path) -> None:
    write(session, "a.txt", "new")
    (root / "a.txt").unlink()
    (root / "a.txt").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SchemeError, match="nothing was taken back"):
        session.evaluate("(undo)")
    assert (root / "a.txt").is_symlink()


def directories(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_dir()}


def test_directories_that_a_write_makes_are_recorded_before_it(session: Session, root: Path) -> None:
    (root / "a").mkdir()
    for name in ("a/b/c/d.txt", "a/b/e.txt", "f.txt"):
        write(session, name, "x")
    assert [event.as_json().get("directories", 0) for event in events(session, "file.version")] == [2, 0, 0]


def test_directories_that_were_made_go_with_their_file(session: Session, root: Path) -> None:
    (root / "kept").mkdir()
    write(session, "a/b/c/d.txt", "x")
    write(session, "kept/e.txt", "x")
    session.evaluate("(undo)")
    assert directories(root) == {"kept"}
    taken = {
        event.as_json()["path"]: event.as_json().get("directories", 0) for event in events(session, "file.version")
    }
    assert taken == {str(root / "a/b/c/d.txt"): 3, str(root / "kept/e.txt"): 0}


def test_the_person_is_shown_which_directories_go(begin: Begin, root: Path) -> None:
    person = Person(True)
    session = begin(person)
    session.evaluate('(fs-write "a/b/c.txt" "x")')
    session.evaluate("(register-check 'look (lambda (effect) (list 'confirm \"look\")))")
    session.evaluate("(undo)")
    said = "change: the file is deleted: it was not there before, and neither was what goes with it: a/b and a"
    assert said in person.questions[0].text


@pytest.mark.parametrize("what", ["file", "directory", "link"])
def test_a_directory_with_something_else_in_it_stays_and_so_do_those_around_it(
    session: Session, root: Path, what: str
) -> None:
    write(session, "a/b/c/d.txt", "x")
    other = root / "a/b/other"
    if what == "link":
        other.symlink_to("nowhere")
    elif what == "directory":
        other.mkdir()
    else:
        other.touch()
    session.evaluate("(undo)")
    assert not (root / "a/b/c").exists()
    assert os.path.lexists(other)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_writes_into_a_new_directory_the_last_that_is_taken_back_takes_it_away(
    session: Session, root: Path, order: tuple[int, int]
) -> None:
    calls = write(session, "a/b/one.txt", "1"), write(session, "a/b/two.txt", "2")
    session.evaluate(f"(undo {calls[order[0]]})")
    assert directories(root) == {"a", "a/b"}
    session.evaluate(f"(undo {calls[order[1]]})")
    assert directories(root) == set()


def test_two_writes_into_a_new_directory_are_taken_back_together(session: Session, root: Path) -> None:
    session.log.append(TurnStart())
    for name in ("a/b/one.txt", "a/two.txt", "a/c/three.txt"):
        write(session, name, "x")
    session.evaluate("(undo)")
    assert directories(root) == set()


def test_a_directory_that_a_change_made_stays_while_that_change_does(session: Session, root: Path) -> None:
    first = write(session, "a/one.txt", "1")
    second = write(session, "a/b/two.txt", "2")
    session.evaluate(f"(undo {second})")
    assert directories(root) == {"a"}
    (root / "a/one.txt").unlink()
    third = write(session, "a/three.txt", "3")
    session.evaluate(f"(undo {third})")
    assert directories(root) == {"a"}
    session.evaluate(f"(undo {first})")
    assert directories(root) == set()


def test_what_was_taken_back_can_be_written_and_taken_back_again(session: Session, root: Path) -> None:
    for _ in range(2):
        write(session, "a/b/c.txt", "x")
        assert directories(root) == {"a", "a/b"}
        session.evaluate("(undo)")
        assert directories(root) == set()


def test_a_directory_that_the_person_made_in_place_of_one_that_went_stays(session: Session, root: Path) -> None:
    write(session, "a/b.txt", "x")
    session.evaluate("(undo)")
    (root / "a").mkdir()
    write(session, "a/c.txt", "x")
    session.evaluate("(undo)")
    assert directories(root) == {"a"}


@pytest.mark.parametrize("by_hand", ["file", "directory", "nothing"])
def test_what_is_as_it_was_before_is_nothing_to_take_back(session: Session, root: Path, by_hand: str) -> None:
    (root / "old.txt").write_text("old")
    write(session, "old.txt", "new")
    write(session, "a/b/c.txt", "x")
    (root / "old.txt").write_text("old")
    if by_hand != "nothing":
        (root / "a/b/c.txt").unlink()
    if by_hand == "directory":
        (root / "a/b").rmdir()
    undone = session.evaluate("(undo)")
    assert "old.txt" in display(undone).partition("unchanged")[2].partition("conflicts")[0]
    assert contents(root) == {"old.txt": "old"}
    assert directories(root) == set()
    with pytest.raises(SchemeError, match="no file change in this session is left"):
        session.evaluate("(undo)")


LEFT_BY_KILLS = {
    "nothing was written": ({"old.txt": "old", "two.txt": "0"}, []),
    "a directory was made": ({"old.txt": "old", "two.txt": "0"}, ["a"]),
    "all directories were made": ({"old.txt": "old", "two.txt": "0"}, ["a/b"]),
    "the first was written": ({"old.txt": "new", "two.txt": "0"}, []),
    "the last was not written": ({"old.txt": "new", "a/b/c.txt": "x", "two.txt": "1"}, []),
    "the last is taken back": ({"old.txt": "new", "a/b/c.txt": "x", "two.txt": "0"}, []),
    "the new file is taken back": ({"old.txt": "new", "two.txt": "0"}, ["a/b"]),
    "a directory of it is gone": ({"old.txt": "new", "two.txt": "0"}, ["a"]),
    "all is taken back": ({"old.txt": "old", "two.txt": "0"}, []),
}
"""What is in the root after a kill among writes, or while they were taken back: files, and empty directories."""


@pytest.mark.parametrize("state", LEFT_BY_KILLS)
def test_undo_goes_on_from_wherever_a_kill_has_left_it(session: Session, root: Path, state: str) -> None:
    (root / "old.txt").write_text("old")
    (root / "two.txt").write_text("0")
    session.log.append(TurnStart())
    for name, text in (("old.txt", "new"), ("a/b/c.txt", "x"), ("two.txt", "1"), ("two.txt", "2")):
        write(session, name, text)
    files, folders = LEFT_BY_KILLS[state]
    shutil.rmtree(root / "a")
    for folder in folders:
        (root / folder).mkdir(parents=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    session.evaluate("(undo)")
    assert contents(root) == {"old.txt": "old", "two.txt": "0"}
    assert directories(root) == set()
    with pytest.raises(SchemeError, match="no file change in this session is left"):
        session.evaluate("(undo)")


def test_a_directory_that_became_a_link_is_named_as_recorded_and_not_followed(session: Session, root: Path) -> None:
    write(session, "a/b.txt", "x")
    (root / "a").rename(root / "moved")
    (root / "a").symlink_to("moved")
    with pytest.raises(SchemeError, match=r"a/b\.txt: a link leads from there to moved/b\.txt now"):
        session.evaluate("(undo)")
    assert contents(root) == {"moved/b.txt": "x"}
    (root / "a").unlink()
    (root / "moved").rename(root / "a")
    session.evaluate("(undo)")
    assert directories(root) == set()


def test_a_file_that_was_changed_since_keeps_its_directories(session: Session, root: Path) -> None:
    write(session, "a/b.txt", "x")
    (root / "a/b.txt").write_text("mine")
    with pytest.raises(SchemeError, match="nothing was taken back"):
        session.evaluate("(undo)")
    assert contents(root) == {"a/b.txt": "mine"}


def test_in_a_log_that_does_not_say_what_was_made_directories_stay(session: Session, root: Path) -> None:
    (root / "a").mkdir()
    (root / "a/b.txt").write_text("x")
    session.log.append(FileVersion(path=str(root / "a/b.txt"), after=sha256(b"x").hexdigest()))
    session.evaluate("(undo)")
    assert contents(root) == {}
    assert directories(root) == {"a"}


def test_a_file_that_is_deleted_by_scheme_leaves_its_directories_and_comes_back(session: Session, root: Path) -> None:
    session.evaluate('(fs-write "a/b.txt" "x")')
    session.evaluate('(delete-file "a/b.txt")')
    assert directories(root) == {"a"}
    (root / "a").rmdir()
    session.evaluate("(undo)")
    assert contents(root) == {"a/b.txt": "x"}
    session.evaluate("(undo)")
    assert directories(root) == set()
