"""What a model is told of a primitive: its name, its description and the JSON schema of its arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nodwyn.prims.declare import Parameter, Primitive


def tool_definition(primitive: Primitive) -> dict[str, Any]:
    """Return the definition of a primitive as a tool; see :func:`definition`."""
    return definition(primitive.name, primitive.documentation, primitive.parameters)


def definition(name: str, description: str, parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Return the definition of a tool, in no provider's form: name, description, schema.

    The schema always has ``properties``, and every array in it has ``items``: providers refuse one without.
    """
    parameters = list(parameters)
    return {
        "name": name,
        "description": description,
        "schema": {
            "type": "object",
            "properties": {each.name: {**each.kind.schema(), "description": each.description} for each in parameters},
            "required": [each.name for each in parameters if each.is_required],
            "additionalProperties": False,
        },
    }
