"""Which files are no code, told by their paths."""

from __future__ import annotations

import pytest

from nodwyn.prims.retrieval.sorts import CHANGE_LOG, CODE, PROSE, SETTINGS, weight_of


@pytest.mark.parametrize(
    ("weight", "paths"),
    [
        (
            CODE,
            "a.py src/main.rs Makefile Dockerfile LICENSE changes.py history/store.go news.html a/b.vue page.css",
        ),
        (
            CHANGE_LOG,
            "CHANGELOG.md CHANGES History.md NEWS docs/changelog/next.rst .changeset/blue-cats-run.md Change-Log.txt",
        ),
        (
            CHANGE_LOG,
            "changelogs/CHANGELOG-3.2.md docs/release-notes/1.0.md changelog.d/12.bugfix.rst ReleaseNotes.adoc",
        ),
        (PROSE, "README.md docs/guide.rst man/tool.1 notes.org docs/historical.md .github/contributing.md"),
        (
            SETTINGS,
            "package.json go.sum yarn.lock pom.xml po/de.po a/.github/x.yml .gitignore .config/x.py jquery.min.js",
        ),
    ],
)
def test_a_path_says_what_sort_of_file_it_is(weight: float, paths: str) -> None:
    assert {path: weight_of(path) for path in paths.split()} == dict.fromkeys(paths.split(), weight)
