"""Contexts of a conversation: the main one and those of sub-agents, each with its window and part of the budget."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from nodwyn.loop.window.build import Built, Window
from nodwyn.prims.declare import PrimitiveError
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.log.events import Recipe
from nodwyn.prims.log.names import MAIN
from nodwyn.prims.log.record import recorded_members

if TYPE_CHECKING:
    from nodwyn.prims.session import Session


class Agent:
    """One context: what its next request is built from.

    recipe: the seq of the recipe in effect; 0 before the first.
    """

    def __init__(self, session: Session, name: str, budget: Budget) -> None:
        """Take up the context of this name. budget: what its requests are charged to."""
        self.name = name
        self.budget = budget
        self.window = Window(session.log, name)
        self.recipe = max(session.log.seqs("recipe", agent=name), default=0)
        self._session = session

    @property
    def offered(self) -> Collection[str]:
        """The names of the tools that its model was offered."""
        return [tool["name"] for tool in self._in_effect().get("tools", ())]

    def use(self, recipe: Recipe) -> int:
        """Have the next requests built with a recipe; record it unless it is the one in effect. Return its seq."""
        wanted = recorded_members(recipe, self._session.redactor.redact)
        before = self._in_effect()
        if any(before.get(name) != value for name, value in wanted.items()):
            self.recipe = self._session.log.append(recipe.replace(agent=self.name))
        return self.recipe

    def built(self) -> Built:
        """Return what its next request would be.

        Raises: PrimitiveError before the first recipe.
        """
        self.require_recipe()
        return self.window.build(self.recipe)

    def require_recipe(self) -> None:
        """Return when there is a recipe.

        Raises: PrimitiveError before the first one.
        """
        if not self.recipe:
            raise PrimitiveError("there is no recipe yet: a message makes one, or (use-recipe SYSTEM TOOLS)")

    def _in_effect(self) -> dict[str, Any]:
        return self._session.log.event(self.recipe).as_json() if self.recipe else {}


def unique_name(wanted: str, taken: Collection[str]) -> str:
    """Return a name for a context that no other has: the wanted one, or that with a number."""
    name, number = wanted, 1
    while name in taken or name == MAIN:
        number += 1
        name = f"{wanted}-{number}"
    return name
