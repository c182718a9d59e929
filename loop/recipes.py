"""The recipe of a request: what it is built with besides the log, for a model as it is configured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nodwyn.loop.window.policy import DEFAULTS, VERSION, policy_for
from nodwyn.prims.log.events import Recipe

if TYPE_CHECKING:
    from nodwyn.loop.providers.catalogue import Model


def policy(model: Model | None) -> dict[str, Any]:
    """Return the window's numbers for a model: its context, less what a reply may need, is what there is to fill."""
    if model is None:
        return dict(DEFAULTS)
    return policy_for(max(model.context - model.output, model.context // 2))


def recipe(model: Model, system: str, tools: Sequence[Any]) -> Recipe:
    """Return the recipe of requests to a model. tools: their definitions."""
    return Recipe(
        version=VERSION,
        system=system,
        tools=list(tools),
        policy=policy(model),
        provider=model.provider,
        model=model.name,
        parameters={"output": model.output, **model.parameters},
    )
