"""What an index keeps: shared, whole after any crash, made anew when damaged, and nothing that nothing needs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from nodwyn.prims.retrieval import collecting, database
from nodwyn.prims.retrieval import index as index_module
from nodwyn.prims.retrieval import store as store_module
from nodwyn.prims.retrieval.about import forget
from nodwyn.prims.retrieval.collecting import KEPT, collect
from nodwyn.prims.retrieval.contents import analyse
from nodwyn.prims.retrieval.database import Damaged
from nodwyn.prims.retrieval.store import Batch, State, Store
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin
from tests.prims.retrieval.conftest import Git, call, found, put, reads, search, settle, update, updates

ANY = State(1, 1, 1, 1)


def hash_of(text: str) -> bytes:
    return sha256(text.encode()).digest()


def batch(**files: str) -> Batch:
    """Return a batch of files with these texts."""
    made = Batch()
    for path, text in files.items():
        if hash_of(text) not in made.layouts:
            made.add(hash_of(text), analyse(text), len(text))
        made.files[path] = (ANY, 1, hash_of(text))
    return made


def holding(store: Store, word: str) -> int:
    """Return in how many chunks a word is."""
    return sum(len(postings.body) // 3 for _, postings in store.postings([word]).get(word, ()))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "index")


def index_folder(tmp_path: Path) -> Path:
    (folder,) = (tmp_path / "data" / "projects").glob("*/index")
    return folder


def test_what_is_written_is_loaded_by_whoever_looks(store: Store) -> None:
    written = store.write("/r", batch(a="zebra", b="giraffe"))
    again = Store(store.database.directory).load("/r", None)
    assert again == written
    assert set(again.files) == {"a", "b"}
    assert store.load("/r", written) is written
    assert store.load("/other", None).files == {}


@pytest.mark.parametrize("between", ["nothing", "another process", "a collection", "a merge"])
def test_what_is_written_upon_what_is_known_is_what_there_is(
    store: Store, between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = store.write("/r", batch(a="zebra", b="giraffe", c="okapi", d="zebra"))
    if between == "another process":
        Store(store.database.directory).write("/r", batch(e="oryx"))
    elif between == "a collection":
        store.write("/s", batch(a="lynx"))
        collect(store, now=time.time_ns() + 2 * KEPT, at_once=True)
    elif between == "a merge":
        monkeypatch.setattr(store_module, "MOST_SEGMENTS", 1)
    changes = batch(a="giraffe", b="ibex", f="eland")
    changes.removed.append("c")
    written = store.write("/r", changes, known)
    again = Store(store.database.directory).load("/r", None)
    assert (written.files, written.sizes, written.standing) == (again.files, again.sizes, again.standing)
    assert {path: written.layouts[each.content] for path, each in written.files.items() if each.content} == {
        path: again.layouts[each.content] for path, each in again.files.items() if each.content
    }
    assert store.load("/r", written) is written


def test_a_content_is_stored_once_for_all_trees(store: Store) -> None:
    store.write("/r", batch(a="zebra", b="zebra"))
    store.write("/s", batch(c="zebra"))
    assert holding(store, "zebra") == 1


def test_no_text_of_a_file_is_in_the_store(store: Store) -> None:
    store.write("/r", batch(a="The quick brown fox jumps\nover the lazy dog"))
    store.database.close()
    for file in store.database.directory.iterdir():
        data = file.read_bytes().lower()
        assert b"quick brown" not in data
        assert b"lazy dog" not in data


def test_many_small_segments_become_few_and_find_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MOST_SEGMENTS", 6)
    monkeypatch.setattr(store_module, "MERGED_SEGMENTS", 2)
    for number in range(40):
        loaded = store.write("/r", batch(**{f"f{number}": f"zebra word{number}"}))
    assert len(loaded.sizes) <= 6
    assert holding(store, "zebra") == 40
    (segment, postings), *others = store.postings(["word7"])["word7"]
    assert not others
    layout = loaded.layouts[loaded.files["f7"].content or 0]
    assert (layout.segment, layout.base) == (segment, int.from_bytes(postings.body[:2], sys.byteorder))


def test_a_merge_is_seen_by_others_that_had_loaded_before(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MOST_SEGMENTS", 3)
    monkeypatch.setattr(store_module, "MERGED_SEGMENTS", 0)
    known = store.write("/r", batch(a="zebra"))
    other = Store(store.database.directory)
    for number in range(4):
        other.write("/s", batch(**{f"f{number}": f"word{number}"}))
    again = store.load("/r", known)
    assert again is not known
    assert again.files == known.files
    assert again.layouts != known.layouts


@pytest.mark.parametrize("seed", range(12))
def test_damage_is_noticed_or_does_no_harm(store: Store, seed: int) -> None:
    words = [f"word{number}" for number in range(400)]
    store.write("/r", batch(**{f"f{number}": " ".join(words[number : number + 60]) for number in range(340)}))
    expected = {word: holding(store, word) for word in words}
    store.database.close()
    file = store.database.path
    data = bytearray(file.read_bytes())
    chance = random.Random(seed)
    for _ in range(20):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)
    try:
        store.load("/r", None)
        found = {word: holding(store, word) for word in words}
    except Damaged:
        return
    assert {word: found[word] for word in words if found[word] not in (expected[word], 0)} == {}


@pytest.mark.parametrize("damage", ["flipped", "truncated", "emptied", "garbage", "pointer"])
def test_what_is_damaged_is_made_anew_without_a_word(begin: Begin, root: Path, tmp_path: Path, damage: str) -> None:
    put(root, **{f"f{number}_py": f"zebra word{number}\n" * 50 for number in range(40)})
    settle()
    session = begin()
    before = search(session, "zebra word7")
    session.close()
    index_module.index_of(session).store.database.close()
    folder = index_folder(tmp_path)
    (file,) = folder.glob("words-*.sqlite")
    data = file.read_bytes()
    if damage == "flipped":
        file.write_bytes(bytes(octet ^ 0x55 if place % 97 == 0 else octet for place, octet in enumerate(data)))
    elif damage == "truncated":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "emptied":
        file.write_bytes(b"")
    elif damage == "garbage":
        file.write_bytes(b"no database" * 1000)
    else:
        (folder / f"current-{database.VERSION}").write_text("words-missing.sqlite")
    assert search(begin(), "zebra word7") == before


def test_another_version_is_made_anew(begin: Begin, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, a_py="zebra")
    settle()
    search(begin(), "zebra")
    monkeypatch.setattr(database, "VERSION", "next")
    session = begin()
    assert found(search(session, "zebra")) == ["a.py"]
    assert reads(session)[0] == "a.py"


def test_the_index_may_be_deleted_while_a_session_uses_it(begin: Begin, root: Path, tmp_path: Path) -> None:
    put(root, a_py="zebra")
    settle()
    session = begin()
    search(session, "zebra")
    for file in index_folder(tmp_path).iterdir():
        file.unlink()
    assert found(search(session, "zebra")) == ["a.py"]


def test_an_index_that_was_made_anew_is_no_other_that_was_written_as_often(begin: Begin, root: Path) -> None:
    put(root, a_py="zebra\n" * 90, b_py="okapi\n")
    with begin() as first:
        assert found(search(first, "zebra")) == ["a.py"]
        forget(root, paths=False)
        put(root, a_py="okapi\n", b_py="giraffe\n" * 200, c_py="lynx\n" * 90 + "zebra\n")
        settle()
        with begin() as second:
            assert found(search(second, "zebra")) == ["c.py"]
        for word, path in (("zebra", "c.py"), ("okapi", "a.py"), ("giraffe", "b.py")):
            assert found(search(first, word)) == [path]


def test_it_lies_beside_the_sessions_and_file_primitives_cannot_reach_it(
    session: Session, root: Path, tmp_path: Path
) -> None:
    put(root, a_py="zebra")
    search(session, "zebra")
    folder = index_folder(tmp_path)
    assert {path.name for path in folder.parent.iterdir()} >= {"index", "sessions"}
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(Exception, match=r"outside of|its own data"):
            call(session, "fs-read", path=str(file))


def test_a_repository_cannot_bring_an_index(session: Session, root: Path, git: Git) -> None:
    put(root, a_py="zebra")
    (root / ".nodwyn" / "index").mkdir(parents=True)
    (root / ".nodwyn" / "index" / "current").write_text("words-evil.sqlite")
    assert found(search(session, "zebra")) == ["a.py"]


def test_worktrees_share_and_a_new_one_stores_nothing_again(begin: Begin, root: Path, git: Git, tmp_path: Path) -> None:
    put(root, a_py="zebra\n", b_py="giraffe\n")
    git("add", ".")
    git("commit", "-qm", "Begin")
    settle()
    search(begin(), "zebra")
    git("worktree", "add", "-q", str(tmp_path / "tree"))
    settle()
    with Session.start(tmp_path / "tree", client="test") as other:
        assert found(search(other, "zebra")) == ["a.py"]
        index = index_module.index_of(other)
        assert holding(index.store, "zebra") == 1
        assert index.store.database.directory == index_folder(tmp_path)
    git("worktree", "remove", "--force", str(tmp_path / "tree"))
    update(begin())
    with index_module.index_of(begin()).store.database.transaction(writes=False) as connection:
        assert connection.execute("SELECT root FROM trees").fetchall() == [(str(root),)]


def test_a_running_session_sees_what_another_process_did(session: Session, root: Path) -> None:
    put(root, a_py="zebra")
    search(session, "zebra")
    put(root, b_py="giraffe")
    settle()
    program = (
        "from pathlib import Path; from nodwyn.prims.session import Session; from nodwyn.prims.calling import perform\n"
        "with Session.start(Path.cwd(), client='test') as s:\n"
        "    p = s.primitives['index-update']; assert perform(s, p, p.bind_json({}), 'person').error is None\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True)
    assert found(search(session, "giraffe")) == ["b.py"]
    assert len(updates(session)) == 1


def test_what_no_tree_names_goes_after_seven_days(store: Store) -> None:
    store.write("/", batch(a="zebra", b="okapi"))
    gone = batch(a="giraffe")
    gone.removed = ["b"]
    store.write("/", gone)
    now = time.time_ns()
    collect(store, now=now + KEPT - 10**12)
    assert holding(store, "zebra") == 1
    collect(store, now=now + KEPT + 10**12, at_once=True)
    assert [holding(store, word) for word in ("zebra", "okapi", "giraffe")] == [0, 0, 1]
    loaded = store.load("/", None)
    assert set(loaded.files) == {"a"}


def test_a_content_that_is_named_again_stays(store: Store) -> None:
    store.write("/", batch(a="zebra"))
    store.write("/", batch(a="giraffe"))
    again = Batch()
    again.files["c"] = (ANY, 1, hash_of("zebra"))
    Store(store.database.directory).write("/", again)
    collect(store, now=time.time_ns() + 2 * KEPT)
    assert holding(store, "zebra") == 1


def test_a_content_that_was_collected_meanwhile_is_read_again(store: Store) -> None:
    store.write("/", batch(a="zebra"))
    store.write("/", batch(a="giraffe"))
    assert hash_of("zebra") in store.hashes()
    collect(store, now=time.time_ns() + 2 * KEPT)
    late = Batch()
    late.files["c"] = (ANY, 1, hash_of("zebra"))
    assert "c" not in store.write("/", late).files


def test_a_collection_is_made_hourly_at_most(store: Store) -> None:
    store.write("/", batch(a="zebra"))
    now = time.time_ns()
    collect(store, now=now)
    store.write("/", batch(a="giraffe"))
    hour = collecting.INTERVAL
    with store.database.transaction(writes=True) as connection:
        connection.execute("UPDATE contents SET used = 0")
    collect(store, now=now + hour - 1)
    assert holding(store, "zebra") == 1
    collect(store, now=now + hour)
    assert holding(store, "zebra") == 0


def test_a_session_that_only_searches_collects_too(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "KEPT", 0)
    monkeypatch.setattr(collecting, "INTERVAL", 0)
    for number in range(5):
        put(root, a_py=f"zebra{number}\n")
        search(session, "zebra")
    index = index_module.index_of(session)
    assert [holding(index.store, f"zebra{number}") for number in range(3)] == [0, 0, 0]


def test_old_databases_go(store: Store) -> None:
    store.write("/", batch(a="zebra"))
    old = store.database.directory / "words-0000.sqlite"
    old.write_text("")
    os.utime(old, (0, 0))
    young = store.database.directory / "words-1111.sqlite"
    young.write_text("")
    collect(store)
    assert not old.exists()
    assert young.exists()
    assert store.database.path.exists()


CRASHING = """
import os, sys
sys.path.insert(0, os.getcwd())
from pathlib import Path
from tests.prims.retrieval.test_store import batch
from nodwyn.prims.retrieval.store import Store
store, number = Store(Path(sys.argv[1])), int(sys.argv[2])
while True:
    store.write(f"/{number}", batch(**{f"f{place}": f"zebra word{number * 1000 + place}" for place in range(20)}))
    number += 2
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_writers_that_are_killed_leave_the_index_whole(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    chance = random.Random(1)
    for _ in range(50):
        writers = [
            subprocess.Popen([sys.executable, "-c", CRASHING, str(directory), str(number)]) for number in range(2)
        ]
        time.sleep(0.3 + chance.random() / 2)
        for writer in writers:
            writer.kill()
            writer.wait()
        store = Store(directory)
        with store.database.transaction(writes=False) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            roots = [root for (root,) in connection.execute("SELECT root FROM trees")]
        for root in roots[-5:]:
            assert len(store.load(root, None).files) in (0, 20)
        store.database.close()
