"""Names of tools and ids of calls on the wire: legal, unique, the same ones always, and found again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.loop.providers.names import LONGEST_ID, LONGEST_NAME, Names, wire_id

LEGAL = re.compile(r"[A-Za-z0-9_-]+")

tool_names = st.text(max_size=90) | st.sampled_from(["fs-read", "ready?", "string->list", "ready_", "list/copy"])


def request(*names: str) -> Any:
    return {"tools": [{"name": name} for name in names], "messages": []}


@given(st.lists(tool_names))
def test_names_are_legal_unique_and_found_again(names: list[str]) -> None:
    mapping = Names(request(*names))
    on_wire = {name: mapping.wire(name) for name in names}
    assert all(LEGAL.fullmatch(each) and len(each) <= LONGEST_NAME for each in on_wire.values())
    assert len(set(on_wire.values())) == len(set(names))
    assert all(mapping.scheme(each) == name for name, each in on_wire.items())


@given(tool_names, st.lists(tool_names))
def test_a_name_does_not_depend_on_the_others(name: str, others: list[str]) -> None:
    alone = Names(request(name)).wire(name)
    if alone == name or alone not in others:
        assert Names(request(*others, name)).wire(name) == alone


@pytest.mark.parametrize("name", ["fs-read", "a", "x" * 64])
def test_a_legal_name_stays_as_it_is(name: str) -> None:
    assert Names(request(name)).wire(name) == name


def test_names_stay_readable() -> None:
    assert Names(request("string->list")).wire("string->list").startswith("string-_list_")


def test_a_legal_name_is_not_displaced_by_one_that_is_made() -> None:
    made = Names(request("ready?")).wire("ready?")
    mapping = Names(request("ready?", made))
    assert mapping.wire(made) == made
    assert mapping.wire("ready?") != made


def test_a_tool_that_was_not_offered_keeps_its_name() -> None:
    assert Names(request("fs-read")).scheme("fs_write") == "fs_write"


def test_names_in_the_conversation_are_mapped_too() -> None:
    called = {"type": "call", "name": "gone?", "id": "c"}
    mapping = Names({"tools": [], "messages": [{"role": "assistant", "content": [called]}]})
    assert LEGAL.fullmatch(mapping.wire("gone?"))


@given(st.text())
def test_ids_are_legal_and_always_the_same(id: str) -> None:
    assert LEGAL.fullmatch(wire_id(id))
    assert len(wire_id(id)) <= LONGEST_ID
    assert wire_id(id) == wire_id(id)


@given(st.lists(st.text(), unique=True))
def test_different_ids_stay_different(ids: list[str]) -> None:
    assert len({wire_id(id) for id in ids}) == len(ids)
