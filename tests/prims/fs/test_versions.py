"""The store of replaced contents: what was kept comes back or is said to be gone; age and size bound it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from nodwyn.prims.fs.versions import MOST_DAYS, Gone, NotKept, Versions


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    versions = Versions(tmp_path / "versions")
    digests = [versions.keep(data) for data in (b"", b"a", b"\0" * 1000, b"a")]
    assert len(set(digests)) == 3
    assert [versions.content(digest) for digest in digests] == [b"", b"a", b"\0" * 1000, b"a"]


def test_what_is_too_old_goes(tmp_path: Path) -> None:
    now = time.time()
    versions = Versions(tmp_path / "versions", clock=lambda: now)
    digest = versions.keep(b"old")
    now += MOST_DAYS * 86_400 + 10
    late = versions.keep(b"late")
    with pytest.raises(Gone, match="versions stay 30 days at most"):
        versions.content(digest)
    assert versions.content(late) == b"late"


def test_the_oldest_of_what_is_too_much_goes_and_never_the_latest(tmp_path: Path) -> None:
    versions = Versions(tmp_path / "versions", most_bytes=100)
    kept = []
    for number in range(5):
        kept.append(versions.keep(bytes([number]) * 40))
        os.utime(tmp_path / "versions" / kept[-1], (number, time.time() - 10 + number))
    large = versions.keep(b"x" * 1000)
    assert [digest for digest in [*kept, large] if (tmp_path / "versions" / digest).exists()] == [large]


def test_a_damaged_one_is_not_given(tmp_path: Path) -> None:
    versions = Versions(tmp_path / "versions")
    digest = versions.keep(b"whole")
    (tmp_path / "versions" / digest).write_bytes(b"other")
    with pytest.raises(Gone, match="damaged"):
        versions.content(digest)
    versions.keep(b"whole!")


def test_what_cannot_be_kept_says_what_for_and_where(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the data directory should be")
    with pytest.raises(NotKept, match="what it had could not be kept, for undo, in the data directory: "):
        Versions(tmp_path / "data" / "versions").keep(b"old")
