"""What a model is told of each primitive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from nodwyn.prims.declare import Primitive
from nodwyn.prims.families import ALL
from nodwyn.prims.fs import fs_edit, fs_read
from nodwyn.prims.git import git_status
from nodwyn.prims.schema import tool_definition

TOOLS = [primitive for primitive in ALL if "model" in primitive.callers]


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas in it."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from schemas(inner)


@pytest.mark.parametrize("primitive", TOOLS, ids=lambda primitive: primitive.name)
def test_every_object_has_properties_and_every_array_items(primitive: Primitive) -> None:
    definition = tool_definition(primitive)
    assert definition["schema"]["type"] == "object"
    for schema in schemas(definition["schema"]):
        assert schema["type"] != "object" or ("properties" in schema and schema["additionalProperties"] is False)
        assert schema["type"] != "array" or "type" in schema["items"]
    assert all(each["description"] for each in definition["schema"]["properties"].values())


def test_a_primitive_without_parameters_has_empty_properties() -> None:
    assert tool_definition(git_status)["schema"] == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }


def test_bounds_and_what_is_required_are_in_the_schema() -> None:
    schema = tool_definition(fs_read)["schema"]
    assert schema["required"] == ["path"]
    assert schema["properties"]["start"] == {
        "type": "integer",
        "minimum": 1,
        "description": "first line, from 1",
    }


def test_several_edits_are_an_array_of_objects() -> None:
    more = tool_definition(fs_edit)["schema"]["properties"]["more"]
    assert more["type"] == "array"
    assert more["items"]["required"] == ["old", "new"]
    assert set(more["items"]["properties"]) == {"old", "new", "all"}


def test_a_model_is_offered_the_tools_meant_for_it_alone() -> None:
    assert sorted(tool.name for tool in TOOLS) == [
        "fs-edit",
        "fs-find",
        "fs-list",
        "fs-read",
        "fs-write",
        "git-diff",
        "git-log",
        "git-show",
        "git-status",
        "index-grep",
        "index-search",
        "index-update",
        "plan-set",
        "project-notes",
        "project-notes-save",
        "recall",
        "shell-exec",
    ]
