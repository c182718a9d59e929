"""What a search of the repository shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodwyn.interp import SchemeError
from nodwyn.prims.calling import call_from_model, offered_tools, perform
from nodwyn.prims.declare import ArgumentError, PrimitiveError
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.retrieval import index as index_module
from nodwyn.prims.retrieval import searching
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events
from tests.prims.retrieval.conftest import Git, call, found, put, reads, search, settle, update, updates
from tests.prims.retrieval.test_refreshing import KEY, Objecting

MODULE = """import os


def read_settings(path):
    \"\"\"Return the settings of a person.\"\"\"
    with open(path) as file:
        return parse_settings(file.read())


def parse_settings(text):
    return dict(line.split("=") for line in text.splitlines())
"""


@pytest.fixture(autouse=True)
def tree(root: Path) -> Path:
    put(
        root,
        src__settings_py=MODULE,
        docs__guide_md="# A guide\n\nSettings are read at the start.\n",
        other_py="x = 1\n",
    )
    settle()
    return root


def test_a_result_is_where_it_is_its_first_line_and_its_best_lines_numbered(session: Session) -> None:
    assert search(session, "parse settings", 1).split("\n") == [
        "ranked 3 chunks of 3 files",
        "",
        "src/settings.py:1-11: import os",
        "  4: def read_settings(path):",
        "  7:         return parse_settings(file.read())",
        "  10: def parse_settings(text):",
    ]


def test_results_stand_under_their_files_best_first_and_at_most_two_of_each(session: Session, tree: Path) -> None:
    body = "".join(f"def okapi{number}():\n" + "    okapi()\n" * 25 for number in range(6))
    put(tree, many_py=body, few_py="def okapi():\n    pass\n")
    text = search(session, "okapi", 20)
    places = [block.split(":")[:2] for block in text.split("\n\n")[1:]]
    assert [path for path, _ in places].count("many.py") == 2
    assert {path for path, _ in places} == {"many.py", "few.py"}
    assert search(session, "okapi", 1).count("\n\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": "x"}, "scope is missing"),
        ({"scope": "repo"}, "query is missing"),
        ({"query": "x", "scope": "all"}, "scope must be .*repo.*conversation.*earlier"),
        ({"query": "x", "scope": "repo", "limit": 0}, "limit must be a number of results from 1 to 20, got 0"),
        ({"query": "x", "scope": "repo", "limit": 21}, "limit must be a number of results from 1 to 20, got 21"),
        ({"query": "", "scope": "repo"}, "query must be words"),
        ({"query": "x", "scope": "conversation", "path": "src"}, 'path narrows a search of "repo"'),
    ],
)
def test_wrong_arguments_are_said(session: Session, arguments: dict[str, object], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        call(session, "index-search", **arguments)


def test_a_query_without_a_word_is_an_error(session: Session) -> None:
    with pytest.raises(PrimitiveError, match="query has no word"):
        search(session, "!?")


def test_no_match_is_an_ordinary_result(session: Session) -> None:
    assert search(session, "hippopotamus") == (
        "ranked 3 chunks of 3 files\nNo file has any of these words. index-grep finds parts of words and patterns."
    )


def test_nothing_is_asked_and_nobody_is_there(begin: Begin) -> None:
    person = Person()
    assert found(search(begin(ask=person), "settings"))
    assert person.questions == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [("src", ["src/settings.py"]), ("docs/guide.md", ["docs/guide.md"]), ("other.py", []), (".", None)],
)
def test_a_path_narrows_to_a_directory_or_file(session: Session, path: str, expected: list[str] | None) -> None:
    text = search(session, "settings", path=path)
    if expected is None:
        assert set(found(text)) == {"src/settings.py", "docs/guide.md"}
    else:
        assert found(text) == expected
        assert ("No file there has any of these words" in text) == (not expected)


def test_a_path_may_lead_through_links(session: Session, tree: Path, tmp_path: Path) -> None:
    (tree / "link").symlink_to("src")
    (tree / "one.py").symlink_to("src/settings.py")
    (tmp_path / "elsewhere").mkdir()
    session.places.add(str(tmp_path / "elsewhere"))
    for path in ("link", "one.py", "link/settings.py", "docs/../link", str(tree / "link")):
        assert found(search(session, "settings", path=path)) == ["src/settings.py"]
    with pytest.raises(PrimitiveError, match="the index is of that alone"):
        search(session, "settings", path=str(tmp_path / "elsewhere"))


def test_a_path_must_exist_inside(session: Session) -> None:
    with pytest.raises(PrimitiveError, match="missing: there is no such file or directory"):
        search(session, "settings", path="missing")
    with pytest.raises(Refused, match="outside of"):
        search(session, "settings", path="/etc")


@pytest.mark.parametrize(
    ("scope", "label"), [("repo", "external:file"), ("conversation", "external:log"), ("earlier", "external:log")]
)
def test_results_carry_where_they_came_from(session: Session, scope: str, label: str) -> None:
    primitive = session.primitives["index-search"]
    outcome = perform(session, primitive, primitive.bind_json({"query": "settings", "scope": scope}), "person")
    assert outcome.labels == {label}
    assert events(session, "tool.result")[-1].as_json()["labels"] == [label]


def test_a_command_made_of_results_is_asked_about_as_what_they_are(begin: Begin) -> None:
    person = Person(False)
    session = begin(ask=person)
    with pytest.raises(SchemeError):
        session.evaluate('(shell-exec (string-append "echo " (index-search "settings" "repo")))')
    said = " ".join(person.questions[0].reasons)
    assert "a file (external:file)" in said
    assert "external:log" not in said


def test_what_is_shown_is_read_now_through_the_guard_and_redacted(
    session: Session, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search(session, "nothing")
    before = len(reads(session))
    original = index_module.Index.messages

    def edited(*given: object) -> object:
        put(tree, src__settings_py=f"settings = 2\nkey = '{KEY}'  # settings\n" + "#\n" * 20)
        return original(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(index_module.Index, "messages", edited)
    text = search(session, "settings", 1)
    assert "src/settings.py:1-11: settings = 2" in text
    assert KEY not in text
    assert "[redacted:" in text
    assert reads(session)[before:] == ["src/settings.py"]
    (result,) = (event.as_json() for event in events(session, "tool.result")[-1:])
    assert session.log.event(result["decisions"][-1]).as_json()["subject"] == "src/settings.py"


def test_a_chunk_whose_lines_are_gone_is_left_out(
    session: Session, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search(session, "nothing")
    original = index_module.Index.messages

    def truncated(*given: object) -> object:
        put(tree, src__settings_py="")
        return original(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(index_module.Index, "messages", truncated)
    assert found(search(session, "settings")) == ["docs/guide.md"]


def test_a_refusal_at_that_read_is_the_answer_and_drops_the_file(session: Session) -> None:
    assert "src/settings.py" in found(search(session, "settings"))
    session.guard.checkers = Objecting("deny", "settings.py")
    with pytest.raises(Refused, match=r"src/settings\.py: it may not be read"):
        search(session, "settings")
    text = search(session, "settings")
    assert found(text) == ["docs/guide.md"]
    assert "would ask: src/settings.py" in text


def test_a_question_at_that_read_is_a_refusal(begin: Begin) -> None:
    person = Person(True)
    session = begin(ask=person)
    search(session, "settings")
    session.guard.checkers = Objecting("confirm", "settings.py")
    with pytest.raises(Refused):
        search(session, "settings")
    assert person.questions == []


def test_what_the_denylist_refuses_now_never_ranks(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "src/settings.py" in found(search(begin(), "settings"))
    session = begin()
    denied = session.places.denied
    monkeypatch.setattr(
        session.places, "denied", lambda path: "it holds secrets" if path.endswith("settings.py") else denied(path)
    )
    assert found(search(session, "settings")) == ["docs/guide.md"]


def test_what_leads_out_of_the_root_now_never_ranks(begin: Begin, tree: Path, git: Git, tmp_path: Path) -> None:
    git("add", ".")
    assert "src/settings.py" in found(search(begin(), "settings"))
    os.rename(tree / "src", tmp_path / "moved")
    (tree / "src").symlink_to(tmp_path / "moved")
    assert "src/settings.py" not in found(search(begin(), "settings"))


def test_the_checks_of_pin_and_denylist_run_once_for_a_file_in_its_state(
    session: Session, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    denied = session.places.denied

    def denied_noted(path: str) -> str | None:
        checked.append(path)
        return denied(path)

    monkeypatch.setattr(session.places, "denied", denied_noted)
    index = index_module.index_of(session)
    search(session, "nothing")
    after_build = len(checked)
    settle()
    search(session, "nothing")
    walked = len(checked) - after_build
    assert index._is_denied is session.places.denied
    put(tree, other_py="y = 2\n")
    search(session, "nothing")
    assert len(checked) - after_build - walked == walked + 1


def test_what_paths_and_history_say_counts(session: Session, tree: Path, git: Git) -> None:
    put(tree, zebra__a_py="x\n", b_py="y\n")
    git("add", "b.py")
    git("commit", "-qm", "Teach giraffes")
    settle()
    assert found(search(session, "zebra")) == ["zebra/a.py"]
    assert found(search(session, "giraffe")) == ["b.py"]


def test_history_follows_a_rebase_and_a_detached_head(session: Session, tree: Path, git: Git) -> None:
    git("add", ".")
    git("commit", "-qm", "Begin")
    put(tree, other_py="x = 2\n")
    git("commit", "-qam", "Giraffe")
    assert found(search(session, "giraffe")) == ["other.py"]
    git("commit", "-q", "--amend", "-m", "Okapi")
    assert found(search(session, "giraffe")) == []
    assert found(search(session, "okapi")) == ["other.py"]
    git("checkout", "-q", "--detach", "HEAD~1")
    assert found(search(session, "okapi")) == []
    git("pack-refs", "--all")
    git("checkout", "-q", "main")
    assert found(search(session, "okapi")) == ["other.py"]


def test_history_is_redacted_and_says_nothing_of_people(session: Session, tree: Path, git: Git, tmp_path: Path) -> None:
    git("add", ".")
    git("commit", "-qm", f"Begin with {KEY}\n\nCo-authored-by: Hippolyta <h@example.org>")
    assert found(search(session, "begin")) != []
    assert found(search(session, "hippolyta")) == []
    for file in tmp_path.glob("data/projects/*/index/*"):
        assert KEY.lower().encode() not in file.read_bytes().lower()


def test_an_explanation_gives_each_part_of_the_score(session: Session, tree: Path, git: Git) -> None:
    git("add", ".")
    git("commit", "-qm", "Parse settings")
    explained = call(session, "index-explain", query="parse settings", limit=1)
    (result,) = explained["results"]
    parts = [result[name] for name in ("text", "path-part", "definitions", "coverage", "history")]
    assert all(part > 0 for part in parts)
    assert result["score"] == pytest.approx(sum(parts), abs=0.001)
    assert result["matched"] == ["parse", "settings"]
    assert explained["header"].startswith("ranked 3 chunks of 3 files")


def test_without_a_place_for_it_there_is_no_index_and_the_rest_works(session: Session, tmp_path: Path) -> None:
    (project,) = (tmp_path / "data" / "projects").iterdir()
    (project / "index").write_text("in the way")
    with pytest.raises(PrimitiveError, match=r"the repository has no index: .*index-grep searches without one"):
        search(session, "settings")
    with pytest.raises(PrimitiveError, match="the repository has no index"):
        update(session)
    assert call(session, "fs-read", path="other.py") == "x = 1\n"
    (project / "index").unlink()
    assert found(search(session, "settings"))


@pytest.mark.parametrize("obstacle", ["a file", "a link", "a directory that is read-only"])
def test_without_a_place_for_it_no_model_is_offered_to_update_it(
    session: Session, tmp_path: Path, obstacle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "index-update" in offered_tools(session)
    (project,) = (tmp_path / "data" / "projects").iterdir()
    if obstacle == "a file":
        (project / "index").write_text("in the way")
    elif obstacle == "a link":
        (project / "index").symlink_to(tmp_path)
    else:
        (project / "index").mkdir()
        # Whoever runs the tests may write everywhere.
        monkeypatch.setattr(os, "access", lambda place, mode: place != project / "index")
    assert "index-update" not in offered_tools(session)
    assert {"index-search", "index-grep", "fs-find"} <= set(offered_tools(session))


def test_a_full_disk_is_said(session: Session) -> None:
    search(session, "settings")
    index = index_module.index_of(session)
    with index.store.database.transaction(writes=False) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    body = "\n".join(f"word{number}" for number in range(20_000))
    put(Path(session.root), large_py=body)
    with pytest.raises(PrimitiveError, match=r"the repository has no index: .*full"):
        search(session, "settings")
    assert updates(session)


def test_a_name_with_line_ends_cannot_pass_for_a_result(session: Session, tree: Path, git: Git) -> None:
    (tree / "x\n\nother.py:1-1: okapi").write_text("okapi okapi\n")
    (tree / "y\nz.pem").write_text("okapi\n")
    text = search(session, "okapi")
    assert text.count("\n\n") == 1
    assert "x⟨U+000A⟩⟨U+000A⟩other.py:1-1: okapi:1-1: okapi okapi\n" in text
    assert "y⟨U+000A⟩z.pem" in text.partition("\n\n")[0]
    assert "y⟨U+000A⟩z.pem" in update(session)


def test_a_long_line_is_cut_and_its_number_stays(session: Session, tree: Path) -> None:
    put(tree, long_py="okapi " * 1000 + "\nokapi\n")
    text = search(session, "okapi")
    assert len(max(text.split("\n"), key=len)) < 300
    assert f"\n  1: {('okapi ' * 1000)[: searching.LONGEST_LINE - 1]}…\n  2: okapi" in text


def test_a_model_searches_and_nothing_is_asked(begin: Begin) -> None:
    person = Person()
    session = begin(ask=person)
    arguments = {"query": "parse settings", "scope": "repo", "limit": 1}
    result = session.log.event(call_from_model(session, "index-search", arguments)).as_json()
    assert result["ok"]
    assert "src/settings.py:1-11: import os" in result["value"]
    assert result["labels"] == ["external:file", "external:model"]
    assert person.questions == []
