"""The project's other tasks: read with the person's leave, and as one collection."""

from __future__ import annotations

import os
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.context import Context
from nodwyn.prims.directories import project_key, sessions_directory
from nodwyn.prims.effects import Effect
from nodwyn.prims.guard.proposal import Call
from nodwyn.prims.guard.sandbox import offer
from nodwyn.prims.log import delete_session
from nodwyn.prims.log.events import SessionArchive, SessionTitle, UserMessage
from nodwyn.prims.memory import earlier, searching, workspaces
from nodwyn.prims.memory.earlier import Forbidden, leave, set_leave, tasks
from nodwyn.prims.memory.searching import find_in, search_earlier, search_tasks
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin
from tests.prims.memory.making import Maker, new_session, reopened


@pytest.fixture
def directory(root: Path) -> Path:
    """Return the directory of the logs of the project that the root is."""
    return sessions_directory(root)


@pytest.fixture
def allowed(root: Path) -> None:
    set_leave(root, True)


def task(directory: Path, asked: str, name: str, **start: Any) -> Maker:
    """Make a task with a name of its own, since two begun in one second have no order."""
    maker = new_session(directory, **start)
    maker.turn(asked, "yes", ("fs-read", {"path": "a.py"}, f"one\ntwo {asked}\nthree"))
    path = maker.close()
    new = path.with_name(f"{name}.jsonl")
    for beside in path.parent.glob(f"{path.stem}.*"):
        beside.rename(beside.with_name(beside.name.replace(path.stem, name)))
    maker.path = new
    return maker


OLD, NEW = "20260101T000000Z-00000001", "20260202T000000Z-00000002"


def searched(session: Session, query: str) -> str:
    return search_earlier(Context(session, Call(0, "index-search", "model", {}), Effect.READ), query, 8)


def recalled(session: Session, seq: int, name: str, *range: int) -> dict[str, Any]:
    start, count = range or (0, 0)
    arguments = {"seq": seq, "start": start, "count": count, "task": name}
    return session.log.event(call_from_model(session, "recall", arguments)).as_json()


def test_it_is_off_until_the_person_turns_it_on(session: Session, directory: Path) -> None:
    task(directory, "the okapi", OLD)

    with pytest.raises(Forbidden, match="is off for this project") as refused:
        searched(session, "okapi")
    result = recalled(session, 2, OLD)

    assert not result["ok"]
    for said in (str(refused.value), result["value"]):
        assert "`nodwyn earlier on`" in said
        assert "/earlier on" in said
        assert "Only the person" in said


def test_it_is_read_at_each_call(session: Session, directory: Path, root: Path) -> None:
    task(directory, "the okapi", OLD)
    for state in (True, False, True):
        set_leave(root, state)
        assert recalled(session, 2, OLD)["ok"] is state
        if state:
            assert "okapi" in searched(session, "okapi")
        else:
            with pytest.raises(Forbidden):
                searched(session, "okapi")


def test_settings_that_cannot_be_read_forbid_it(session: Session, root: Path, allowed: None) -> None:
    workspaces.path().write_text("[projects\n")
    with pytest.raises(Forbidden, match=r"because its settings cannot be read: .*is no TOML"):
        searched(session, "okapi")


@pytest.mark.usefixtures("allowed")
def test_each_turn_names_its_task(session: Session, directory: Path) -> None:
    task(directory, "the okapi", OLD)
    titled = reopened(task(directory, "an okapi too", NEW).path)
    titled.add(SessionTitle(title="Zoo"))
    titled.add(SessionArchive(archived=True))
    titled.close()

    said = searched(session, "okapi")

    day = r"\d{4}-\d\d-\d\d"
    assert re.search(rf'^turn 2-\d+ of task {OLD} \("the okapi", {day}\), done, 1.5 s, \$0.00; asked: the', said, re.M)
    assert re.search(rf'^turn 2-\d+ of task {NEW} \("Zoo", {day}, archived\), done', said, re.M)
    assert said.startswith('The best 4 of 8 events of 2 tasks of this project; (recall SEQ 0 0 "TASK") returns one')
    assert "    2: two the okapi" in said


@pytest.mark.usefixtures("allowed")
def test_only_this_projects_other_tasks(session: Session, directory: Path, root: Path, tmp_path: Path) -> None:
    task(directory, "the okapi", OLD)
    task(directory, "a hidden okapi", NEW, hidden=True)
    other = tmp_path / "other"
    other.mkdir()
    foreign = task(sessions_directory(other), "a foreign okapi", "20260303T000000Z-00000003")
    session.log.append(UserMessage(text="my own okapi"))

    said = searched(session, "okapi")

    assert "the okapi" in said
    for absent in ("hidden", "foreign", "my own", NEW, session.name):
        assert absent not in said
    for name in (foreign.path.stem, NEW):
        result = recalled(session, 2, name)
        assert not result["ok"]
        assert f"no task of this project is named '{name}'" in result["value"]


def test_a_worktree_made_by_hand_is_the_same_project(root: Path, begin: Begin, tmp_path: Path) -> None:
    repository, tree = root / ".git", tmp_path / "tree"
    (repository / "worktrees" / "tree").mkdir(parents=True)
    (repository / "HEAD").write_text("ref: refs/heads/main\n")
    (repository / "worktrees/tree/commondir").write_text("../..\n")
    (repository / "worktrees/tree/gitdir").write_text(f"{tree}/.git\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {repository}/worktrees/tree\n")
    task(sessions_directory(tree), "the okapi", OLD)
    set_leave(tree, True)

    assert project_key(tree) == project_key(root)
    assert "the okapi" in searched(begin(), "okapi")


@pytest.mark.usefixtures("allowed")
def test_a_deleted_task_is_gone_with_all_that_was_derived(session: Session, directory: Path) -> None:
    gone = task(directory, "the okapi", OLD)
    assert OLD in searched(session, "okapi")

    delete_session(gone.path)

    assert "Nothing in 0 tasks" in searched(session, "okapi")
    assert list(directory.glob(f"*{OLD}*")) == []


def test_a_task_deleted_in_between_is_left_out(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, stays = task(directory, "the okapi", OLD), task(directory, "the okapi", NEW)

    def delete_first(*given: Any) -> Any:
        found = find_in(*given)
        delete_session(gone.path)
        return found

    monkeypatch.setattr(searching, "find_in", delete_first)

    said = search_tasks([stays.path, gone.path], "okapi", 8)

    assert NEW in said
    assert OLD not in said


def test_a_task_that_runs_elsewhere_and_grew_is_read_again(directory: Path) -> None:
    running = new_session(directory)
    running.turn("first", "yes")
    assert find_in([running.path], ["okapi"], 8).found == []
    seq = running.ask("the okapi")

    assert [each.seq for each in find_in([running.path], ["okapi"], 8).found] == [seq]


def test_the_newer_of_equal_tasks_comes_first(directory: Path) -> None:
    task(directory, "the okapi", OLD)
    task(directory, "the okapi", NEW)

    found = find_in(tasks(directory), ["okapi"], 2).found

    assert [each.path.stem for each in found] == [NEW, OLD]


@pytest.mark.usefixtures("allowed")
def test_an_event_of_a_task_is_recalled_with_ranges(session: Session, directory: Path) -> None:
    task(directory, "the okapi", OLD)

    assert "[its turn, events 2-" in recalled(session, 2, OLD)["value"]
    assert recalled(session, 8, OLD, 2, 1)["value"].split("\n")[1:] == ["[lines 2-2 of 3]", "two the okapi"]
    assert recalled(session, 8, OLD[:12], 3, 9)["value"].split("\n")[1:] == ["[lines 3-3 of 3]", "three"]
    assert "external:log" in recalled(session, 2, OLD)["labels"]
    assert "the events are 1 to" in recalled(session, 999, OLD)["value"]


@pytest.mark.usefixtures("allowed")
def test_a_long_event_of_a_task_says_how_to_go_on_in_it(session: Session, directory: Path) -> None:
    maker = new_session(directory)
    maker.ask("go")
    seq = maker.call("fs-read", {}, "word\n" * 10_000)
    maker.close()

    said = recalled(session, seq, maker.path.stem)["value"]

    assert re.search(rf'\[cut here: \(recall {seq} \d+ 0 "{maker.path.stem}"\) goes on\]$', said)


def test_no_file_tool_reaches_the_leave(session: Session, root: Path) -> None:
    set_leave(root, False)
    place = workspaces.path()
    before = place.read_bytes()
    for expression in (
        f'(fs-write "{place}" "[projects]")',
        f'(fs-edit "{place}" "false" "true")',
        f'(fs-read "{place}")',
    ):
        with pytest.raises(SchemeError):
            session.evaluate(expression)

    assert place.read_bytes() == before


@pytest.mark.skipif(not offer().keeps_root_safe, reason="no sandbox here")
def test_no_command_in_the_sandbox_reaches_the_leave(session: Session, root: Path) -> None:
    set_leave(root, False)
    place = workspaces.path()

    line = f"a={place.parent.parent} b=conf; echo x >> $a/${{b}}ig/{place.name}; rm -rf $a/${{b}}ig; true"
    with suppress(SchemeError):
        session.evaluate(f'(shell-exec "{line}")')

    assert leave(project_key(root)) is False
    assert "earlier_tasks = false\n" in place.read_text()


words_of_events = st.lists(st.sampled_from(["okapi", "zebra", "lion", "ant"]), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(words_of_events, min_size=1, max_size=6), min_size=1, max_size=4), st.booleans())
def test_scores_are_those_of_one_joined_log(
    tmp_path_factory: pytest.TempPathFactory, logs: list[list[str]], ended: bool
) -> None:
    directory = tmp_path_factory.mktemp("logs")
    joined = new_session(directory / "joined")
    paths = []
    for number, texts in enumerate(logs):
        maker = new_session(directory / str(number))
        for text in texts:
            for each in (maker, joined):
                each.ask(text)
                if ended:
                    each.end()
        paths.append(maker.path)
        maker.log.close()

    several = find_in(paths, ["okapi", "ant"], 100).found
    one = find_in([joined.path], ["okapi", "ant"], 100).found

    assert [each.score for each in several] == [each.score for each in one]


def test_many_tasks_leave_no_file_open(directory: Path) -> None:
    chance = random.Random(1)
    for number in range(30):
        task(directory, f"okapi {chance.random()}", f"20260101T000000Z-{number:08x}")
    before = len(os.listdir("/proc/self/fd"))

    search_tasks(tasks(directory), "okapi", 20)

    assert len(os.listdir("/proc/self/fd")) == before


def test_a_name_that_begins_several_tasks_is_refused(session: Session, directory: Path, allowed: None) -> None:
    task(directory, "a", OLD)
    task(directory, "b", NEW)

    assert "2 tasks of this project have names that begin with '2026" in recalled(session, 2, "20260")["value"]


def test_where_there_are_many_hidden_sessions_none_is_opened(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier, "FEWEST", 2)
    seen = task(directory, "the okapi", OLD)
    task(directory, "a hidden okapi", NEW, hidden=True)

    assert tasks(directory) == [seen.path]
