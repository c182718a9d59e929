"""How a text falls into words."""

from __future__ import annotations

import base64
import random
import time
from collections import Counter
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.retrieval.words import LONGEST_WORD, counts, parts, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ScrubEnv", "scrub env scrubenv"),
        ("index-grep", "index grep index-grep"),
        ("max_result_tokens", "max result tokens max_result_tokens"),
        ("HTTPServer", "http server httpserver"),
        ("parseJSON", "parse json parsejson"),
        ("sha256 utf8", "sha256 utf8"),
        ("__init__ --no-edit -x ___ --", "init no edit no-edit x"),
        ("a.b(c, d[0]) != 'don't'", "a b c d 0 don t"),
        ("MAX_SIZE", "max size max_size"),
        ("größe Größe GRÖSSE", "grösse grösse grösse"),
        ("МойКласс", "мой класс мойкласс"),
        ("हिन्दी “quoted”…dots", "हिन्दी quoted dots"),
        ("検索", "検索"),
        ("検索結果", "検索 索結 結果 検索結果"),
        ("라이브러리", "라이 이브 브러 러리 라이브러리"),
        ("abc検索", "abc 検索 abc検索"),
        ("検索、結果。", "検索 結果"),
        ("", ""),
        ("\0\n\t ", ""),
    ],
)
def test_a_name_is_its_parts_and_the_whole(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ScrubEnv", {"scrub", "env"}),
        ("scrub env", set()),
        ("ScrubEnv of env", {"scrub"}),
        ("max_result-size", {"max", "result", "size"}),
        ("max_result, MaxResult", {"max", "result"}),
        ("", set()),
    ],
)
def test_parts_are_the_words_that_a_text_has_in_names_alone(text: str, expected: set[str]) -> None:
    assert parts(text) == expected


def test_composed_and_decomposed_letters_make_the_same_word() -> None:
    assert words(normalize("NFD", "Café")) == words(normalize("NFC", "café")) == [normalize("NFC", "café")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * 64, ["x" * 64]),
        ("x" * 65, []),
        ("aB" * 40, []),
        (f"{'aB' * 40}-short", ["short"]),
        (f"{'ab' * 20}-{'cd' * 20}", ["ab" * 20, "cd" * 20]),
        ("ж" * 33, []),
    ],
)
def test_what_is_longer_than_64_bytes_is_no_word_and_its_parts_are_none(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_long_run_without_spaces_is_found_by_its_pairs() -> None:
    assert words("検索" * 20) == ["検索", "索検"] * 19 + ["検索"]


def test_a_megabyte_of_base64_has_hardly_a_word() -> None:
    octets = random.Random(0).randbytes(1 << 20)
    without_slashes = base64.b64encode(octets).decode().replace("/", "A").replace("+", "B")
    assert sum(map(len, counts(without_slashes))) < len(octets) / 100
    with_slashes = base64.b64encode(octets).decode()
    assert all(len(word) <= LONGEST_WORD for word in counts(with_slashes))


@given(st.text())
def test_counts_count_the_words(text: str) -> None:
    assert counts(text) == Counter(words(text))


@given(st.text())
def test_words_are_found_again_by_themselves(text: str) -> None:
    for word in words(text):
        assert word
        assert len(word.encode("utf-8", "surrogatepass")) <= LONGEST_WORD
        assert word in words(word)


@given(st.text(), st.text())
def test_texts_beside_each_other_have_the_words_of_both(first: str, second: str) -> None:
    assert words(f"{first} {second}") == words(first) + words(second)


@pytest.mark.slow
def test_a_megabyte_takes_less_than_a_fifth_of_a_second() -> None:
    text = "\n".join(f"def method_{number % 5000}(self, argumentName{number % 300}):" for number in range(25_000))
    started = time.process_time()
    counts(text)
    assert time.process_time() - started < 0.2 * len(text) / 1e6
