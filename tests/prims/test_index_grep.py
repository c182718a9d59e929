"""index-grep: which files are searched, what is returned, and what the guard is asked."""

from __future__ import annotations

import gc
import json
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims import index_grep
from nodwyn.prims.calling import call_from_model
from nodwyn.prims.fs import walk
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.log.events import GuardDecision, ToolResult
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events


def grep(session: Session, *arguments: Any, **named: Any) -> dict[str, Any]:
    """Return what a model is given for a search."""
    given = dict(zip(("path", "pattern", "glob", "context"), arguments), **named)
    result = session.log.event(call_from_model(session, "index-grep", given))
    assert isinstance(result, ToolResult)
    if not result.ok:
        raise AssertionError(result.value)
    value: dict[str, Any] = result.value
    return value


def found(result: dict[str, Any]) -> list[str]:
    """Return matches as grep writes them."""
    return [f"{match['path']}:{match['line']}:{match['text']}" for match in result["matches"]]


def put(root: Path, *names: str, text: str = "needle\n") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def read_decisions(session: Session) -> list[str]:
    return [
        event.subject
        for event in events(session, "guard.decision")
        if isinstance(event, GuardDecision) and event.effect == "read"
    ]


def test_a_result_has_matches_files_skipped_and_truncated(session: Session, root: Path) -> None:
    put(root, "src/b.py", text="one\nneedle here\nthree\nneedle\n")
    put(root, "a.md", "c.md")
    assert grep(session, ".", "needle") == {
        "matches": [
            {"path": "a.md", "line": 1, "text": "needle"},
            {"path": "c.md", "line": 1, "text": "needle"},
            {"path": "src/b.py", "line": 2, "text": "needle here"},
            {"path": "src/b.py", "line": 4, "text": "needle"},
        ],
        "files": 3,
        "skipped": 0,
        "truncated": False,
    }


def test_in_scheme_it_is_an_association_list(session: Session, root: Path) -> None:
    put(root, "a.md")
    session.evaluate('(define r (index-grep "." "needle"))')
    assert session.evaluate("(cdr (assq 'line (car (cdr (assq 'matches r)))))") == 1
    assert session.evaluate("(cdr (assq 'files r))") == 1


def test_no_match_is_an_empty_list(session: Session, root: Path) -> None:
    put(root, "a.md")
    assert grep(session, ".", "hay") == {"matches": [], "files": 1, "skipped": 0, "truncated": False}


@pytest.mark.parametrize(
    ("line", "around", "before", "after"),
    [
        (1, 2, [], ["l2", "l3"]),
        (2, 2, ["l1"], ["l3", "l4"]),
        (3, 1, ["l2"], ["l4"]),
        (5, 5, ["l1", "l2", "l3", "l4"], []),
    ],
)
def test_context_is_the_lines_before_and_after(
    session: Session, root: Path, line: int, around: int, before: list[str], after: list[str]
) -> None:
    put(root, "a", text="l1\nl2\nl3\nl4\nl5\n")
    (match,) = grep(session, ".", f"^l{line}$", None, around)["matches"]
    assert (match["before"], match["after"]) == (before, after)


@pytest.mark.parametrize("around", ["6", "-1", "1.5", '"x"'])
def test_context_is_0_to_5(session: Session, around: str) -> None:
    with pytest.raises(SchemeError, match="context must be a number of lines from 0 to 5"):
        session.evaluate(f'(index-grep "." "x" #f {around})')


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        (".", "*.md", "docs/a.md docs/deep/b.md z.md"),
        (".", "docs/*.md", "docs/a.md"),
        ("docs", "docs/*.md", "docs/a.md"),
        ("docs", "deep", "docs/deep/b.md"),
        (".", "!*.md", "x.py"),
        ("docs/a.md", None, "docs/a.md"),
        ("docs/a.md", "*.py", ""),
        (".editorconfig", None, ".editorconfig"),
        (".hidden", None, ".hidden/h"),
    ],
)
def test_which_files_are_searched(session: Session, root: Path, path: str, glob: str | None, expected: str) -> None:
    put(root, "docs/a.md", "docs/deep/b.md", "z.md", "x.py", ".editorconfig", ".hidden/h", ".git/config")
    assert [match["path"] for match in grep(session, path, "needle", glob)["matches"]] == expected.split()


def test_hidden_entries_links_and_ignore_files_count_for_nothing(session: Session, root: Path) -> None:
    put(root, "a", "ignored.log", ".env", ".hidden/b", ".git/c")
    put(root, ".gitignore", ".ignore", ".rgignore", text="*.log\n")
    put(root.parent, "outside/o")
    (root / "file").symlink_to("a")
    (root / "out").symlink_to(root.parent / "outside")
    (root / "loop").symlink_to(".")
    result = grep(session, ".", "needle")
    assert found(result) == ["a:1:needle", "ignored.log:1:needle"]
    assert (result["files"], result["skipped"]) == (2, 0)


def test_what_cannot_be_searched_is_counted(session: Session, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a", "key.pem", "kubeconfig")
    (root / "large").write_bytes(b"needle\n" * 150_000)
    (root / "binary").write_bytes(b"needle\n\0")
    (root / "latin").write_bytes(b"needle \xe9\n")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(root)  # the name of a socket is short
        listener.bind("socket")
        result = grep(session, ".", "needle")
    assert found(result) == ["a:1:needle"]
    assert (result["files"], result["skipped"]) == (1, 7)
    assert read_decisions(session) == ["a", "binary", "latin"]


def test_what_the_glob_leaves_out_is_not_counted(session: Session, root: Path) -> None:
    put(root, "a.md", "key.pem")
    assert grep(session, ".", "needle", "*.md")["skipped"] == 0
    assert grep(session, ".", "needle", "*.pem")["skipped"] == 1


def test_a_file_of_exactly_a_mebibyte_is_searched(session: Session, root: Path) -> None:
    (root / "a").write_bytes(b"needle" + b"\n" * ((1 << 20) - 6))
    assert grep(session, ".", "needle")["files"] == 1


def test_a_byte_order_mark_is_no_part_of_a_line(session: Session, root: Path) -> None:
    (root / "a").write_bytes(b"\xef\xbb\xbfneedle\n")
    assert found(grep(session, ".", "^needle")) == ["a:1:needle"]


def test_paths_are_in_order_of_their_parts(session: Session, root: Path) -> None:
    put(root, "a/b", "a-b/c", "a.b", "B", "é")
    assert [match["path"] for match in grep(session, ".", "needle")["matches"]] == ["B", "a/b", "a-b/c", "a.b", "é"]


def test_names_that_are_no_text_can_be_read_again(session: Session, root: Path) -> None:
    (root / os.fsdecode(b"x\xff")).write_text("needle\n")
    (root / "two\nlines").write_text("needle\n")
    first, second = [match["path"] for match in grep(session, ".", "needle")["matches"]]
    assert first == "two\nlines"
    assert found(grep(session, second, "needle")) == [f"{second}:1:needle"]


def test_a_hundred_lines_are_all_and_a_hundred_and_one_are_truncated(session: Session, root: Path) -> None:
    put(root, "a", text="needle\n" * 60)
    put(root, "b", text="needle\n" * 40)
    result = grep(session, ".", "needle")
    assert (len(result["matches"]), result["truncated"]) == (100, False)
    put(root, "c")
    result = grep(session, ".", "needle")
    assert (len(result["matches"]), result["truncated"]) == (100, True)
    assert "narrow" in result["advice"]


def test_all_results_together_have_a_mebibyte_at_most(session: Session, root: Path) -> None:
    put(root, "a", text=("needle" + "x" * 100_000 + "\n") * 10)
    put(root, "b", text=("needle" + "x" * 100_000 + "\n") * 10)
    result = grep(session, ".", "needle")
    assert (len(result["matches"]), result["truncated"]) == (10, True)
    assert "advice" in result


def test_a_pattern_of_4096_bytes_passes_and_one_of_4097_does_not(session: Session, root: Path) -> None:
    put(root, "a", text="é" * 2048)
    assert found(grep(session, ".", "é" * 2048))
    with pytest.raises(SchemeError, match="pattern must be a string of at most 4096 bytes"):
        session.evaluate(f'(index-grep "." "{"é" * 2048}x")')


def test_a_wrong_pattern_is_an_error_that_a_model_sees(session: Session) -> None:
    result = session.log.event(call_from_model(session, "index-grep", {"path": ".", "pattern": "a(?=b)"}))
    assert isinstance(result, ToolResult)
    assert not result.ok
    assert result.value.endswith("look-around such as (?=, at character 2\n  a(?=b)\n   ^")


def test_3000_files_are_searched_and_3001_are_an_error_with_advice(session: Session, root: Path) -> None:
    for number in range(3000):
        (root / f"{number}.txt").touch()
    assert grep(session, ".", "x")["files"] == 3000
    put(root, "one.more")
    with pytest.raises(SchemeError, match="more than 3000 files match below"):
        session.evaluate('(index-grep "." "needle")')
    assert grep(session, ".", "needle", "*.more")["files"] == 1


def test_the_time_for_the_whole_search_is_bounded(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, *(f"d{number}/a" for number in range(10)))
    monkeypatch.setattr(walk, "MOST_SECONDS", 0.05)
    read = os.read

    def slowly(descriptor: int, size: int) -> bytes:
        time.sleep(0.02)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", slowly)
    with pytest.raises(SchemeError, match="seconds; name a directory further down"):
        session.evaluate('(index-grep "." "needle")')


def test_the_time_that_the_person_takes_is_not_counted(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a")
    monkeypatch.setattr(walk, "MOST_SECONDS", 0.2)

    def look(effect: Any) -> None:
        time.sleep(0.3)
        session.guard._seconds_answered += 0.3

    monkeypatch.setattr(session.log, "on_append", lambda event: look(event) if event.kind == "guard.decision" else None)
    assert grep(session, ".", "needle")["files"] == 1


@pytest.mark.parametrize("at", [1, 3])
def test_a_cancel_ends_the_search(session: Session, root: Path, at: int) -> None:
    put(root, "a", "b")
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked >= at

    session.is_cancelled = is_cancelled
    with pytest.raises(SchemeError, match="it was cancelled"):
        session.evaluate('(index-grep "." "needle")')


def test_a_large_directory_is_left_soon_after_a_cancel(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(600):
        (root / f".{number}").touch()
    asked = iter([False, False, True])
    session.is_cancelled = lambda: next(asked)
    with pytest.raises(SchemeError, match="it was cancelled"):
        session.evaluate('(index-grep "." "needle")')


def test_nothing_is_kept_between_searches(session: Session, root: Path) -> None:
    put(root, "a")
    assert found(grep(session, ".", "needle"))
    put(root, "a", text="hay")
    assert not found(grep(session, ".", "needle"))


def test_each_file_that_is_read_is_one_decision_of_the_call(session: Session, root: Path) -> None:
    put(root, "a", "b", "docs/c")
    grep(session, ".", "needle")
    assert read_decisions(session) == ["a", "b", "docs/c"]
    (result,) = events(session, "tool.result")
    assert isinstance(result, ToolResult)
    decisions = [session.log.event(seq) for seq in result.decisions]
    assert [decision.as_json()["effect"] for decision in decisions] == ["other", "read", "read", "read"]


def test_fs_find_names_the_same_files_and_decides_about_no_read(session: Session, root: Path) -> None:
    put(root, "a.py", "b/c.py", "key.pem", ".hidden/d.py")
    session.evaluate('(fs-find "." "*.py")')
    assert read_decisions(session) == []
    grep(session, ".", "x", "*.py")
    assert read_decisions(session) == ["a.py", "b/c.py"]


def test_a_refusal_of_a_checker_stops_the_search(begin: Begin, root: Path) -> None:
    put(root, "a.py", "b.md", "c.py", "key.pem")
    session = begin()
    session.evaluate("""(register-check 'closed (lambda (effect) "closed today") "md")""")
    with pytest.raises(SchemeError, match=r"index-grep: b\.md: closed today"):
        session.evaluate('(index-grep "." "needle")')
    assert read_decisions(session) == ["a.py", "b.md"]
    assert session.evaluate("""(cdr (assq 'skipped (index-grep "." "needle" "!*.md")))""") == 1


def test_a_budget_that_is_used_up_stops_the_search(session: Session, root: Path) -> None:
    put(root, "a", "b", "c")
    with session.guard.within(Budget({"reads": 2})), pytest.raises(SchemeError, match="reads are used up"):
        session.evaluate('(index-grep "." "needle")')


def test_a_file_of_several_names_is_skipped_unless_such_reads_are_allowed(begin: Begin, root: Path) -> None:
    put(root, "a")
    os.link(root / "a", root / "b")
    person = Person()
    session = begin(person)
    assert grep(session, ".", "needle")["skipped"] == 2
    assert person.questions == []
    session.evaluate("(allow 'reads)")
    assert grep(session, ".", "needle")["files"] == 2


def test_a_file_of_several_names_that_is_named_itself_is_a_question(begin: Begin, root: Path) -> None:
    put(root, "a")
    os.link(root / "a", root / "b")
    person = Person()
    assert found(grep(begin(person), "b", "needle")) == ["b:1:needle"]
    assert person.questions


def test_another_name_of_a_secret_is_skipped(session: Session, root: Path) -> None:
    put(root, ".env")
    os.link(root / ".env", root / "plain")
    session.evaluate("(allow 'all)")
    assert grep(session, ".", "needle")["files"] == 0


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("..", "outside"),
        ("/etc", "outside"),
        ("out", "outside"),
        (".env", "secrets"),
        ("missing", "there is no such file"),
        ("pipe", "no regular file"),
    ],
)
def test_a_path_that_may_not_be_searched_is_refused(session: Session, root: Path, path: str, said: str) -> None:
    put(root, ".env")
    os.mkfifo(root / "pipe")
    (root / "out").symlink_to("..")
    with pytest.raises(SchemeError, match=said):
        session.evaluate(f'(index-grep "{path}" "needle")')


def test_texts_carry_where_they_are_from(session: Session, root: Path) -> None:
    put(root, "a")
    labels = session.evaluate('(provenance (cdr (assq (quote matches) (index-grep "." "needle"))))')
    assert labels.car.text() == "external:file"


KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"[:36]


def test_a_key_in_a_line_is_not_recorded(session: Session, root: Path) -> None:
    put(root, "a", text=f"token = {KEY}\n")
    (match,) = grep(session, ".", "token")["matches"]
    assert KEY not in match["text"]
    assert "[redacted:" in match["text"]


def test_a_line_of_a_private_key_alone_is_not_shown(session: Session, root: Path) -> None:
    body = "\n".join(
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7" + str(number) * 12 for number in range(1, 9)
    )
    put(root, "a.txt", text=f"x\n-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\ny needle\n")
    session.evaluate('(index-grep "." "MIIE" #f 1)')
    assert "MIIE" not in json.dumps([event.as_json() for event in events(session, "tool.result")])
    assert found(grep(session, ".", "needle")) == ["a.txt:12:y needle"]


def test_a_file_that_changes_its_kind_meanwhile_is_skipped(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a", "b", "c")
    listed = walk.candidates

    def listed_and_changed(*arguments: Any) -> walk.Candidates:
        names = listed(*arguments)
        for name in "abc":
            (root / name).unlink()
        os.mkfifo(root / "a")
        (root / "b").symlink_to(root.parent / "outside")
        put(root.parent, "outside")
        return names

    monkeypatch.setattr(index_grep, "candidates", listed_and_changed)
    result = grep(session, ".", "needle")
    assert (result["files"], result["skipped"]) == (0, 3)


def test_no_descriptor_stays_open(session: Session, root: Path) -> None:
    put(root, "a", "key.pem", "d/e")
    grep(session, ".", "needle")
    gc.collect()  # what other tests have left open would be closed meanwhile
    before = len(os.listdir("/dev/fd"))
    grep(session, ".", "needle")
    with pytest.raises(AssertionError):
        grep(session, "key.pem", "needle")
    assert len(os.listdir("/dev/fd")) == before
