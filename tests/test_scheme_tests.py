"""How tests written in Scheme appear in pytest: the collector of conftest.py on small suites."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytest_plugins = ("pytester",)

SUITE = """\
(import (scheme base) (srfi 64))
(test-begin "suite")
(test-group "sound"
  (test-equal 2 (+ 1 1)))
(test-group "broken"
  (test-equal "sum" 3 (+ 1 1))
  (test-group "inner"
    (test-assert #t)))
(test-group "leaves early"
  (test-assert #t)
  (car 5))
(test-group "never reached"
  (test-assert #t))
(test-end "suite")
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest((ROOT / "conftest.py").read_text(encoding="utf-8"))
    pytester.makefile(".scm", **{"sample-test": SUITE})
    return pytester


def test_each_group_is_an_item(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess("-v", "-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(
        [
            "sample-test.scm::suite PASSED*",
            "sample-test.scm::suite / sound PASSED*",
            "sample-test.scm::suite / broken FAILED*",
            "sample-test.scm::suite / broken / inner PASSED*",
            "sample-test.scm::suite / leaves early FAILED*",
            "sample-test.scm::suite / never reached FAILED*",
        ]
    )
    result.assert_outcomes(passed=3, failed=3)


def test_a_failure_shows_the_place_of_its_group_and_both_values(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess("-k", "broken", "-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*sample-test.scm:5: suite / broken", "*sum*", "*expected: 3", "*got: 2"])


def test_a_file_without_groups_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makeconftest((ROOT / "conftest.py").read_text(encoding="utf-8"))
    pytester.makefile(".scm", **{"empty-test": "(import (scheme base))"})
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*empty-test.scm: no test group is in this file"])
    result.assert_outcomes(errors=1)
