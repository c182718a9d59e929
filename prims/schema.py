"""What a model is told of a primitive: its name, its description and the JSON schema of its arguments."""

from __future__ import annotations

from typing import Any

from nodwyn.prims.declare import Primitive


def tool_definition(primitive: Primitive) -> dict[str, Any]:
    """Return the definition of a primitive as a tool, in no provider's form: name, description, schema.

    The schema always has ``properties``, and every array in it has ``items``: providers refuse one without.
    """
    return {
        "name": primitive.name,
        "description": primitive.documentation,
        "schema": {
            "type": "object",
            "properties": {
                parameter.name: {**parameter.kind.schema(), "description": parameter.description}
                for parameter in primitive.parameters
            },
            "required": [parameter.name for parameter in primitive.parameters if parameter.is_required],
            "additionalProperties": False,
        },
    }
