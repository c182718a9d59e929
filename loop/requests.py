"""A request to the model, in the context that the scripts work in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nodwyn.interp.limits import interrupted
from nodwyn.loop.providers.calling import ModelFailed, call_model
from nodwyn.loop.providers.catalogue import SCRIPTED
from nodwyn.loop.results import Replied, replied
from nodwyn.prims.log.events import ModelResponse

if TYPE_CHECKING:
    from nodwyn.loop.conversation import Conversation


def request(conversation: Conversation) -> Replied:
    """Send what the window holds; return the reply, or why there is none.

    Raises: PrimitiveError when there is no model, or no recipe yet. LogError. What stops the program.
    """
    session, model, agent = conversation.session, conversation.require_model(), conversation.agent
    agent.require_recipe()
    try:
        with conversation.waiting(looks=model.provider != SCRIPTED):
            seq = call_model(
                session,
                model,
                agent.window,
                agent.recipe,
                agent=agent.name,
                budget=agent.budget,
                on_delta=conversation.delta,
                is_cancelled=conversation.is_cancelled,
            )
    except ModelFailed as failure:
        if failure.kind == "cancelled" or conversation.is_cancelled():
            raise interrupted() from None
        return Replied(failure.seq, "failed", str(failure), (), failure.kind)
    event = session.log.event(seq)
    assert isinstance(event, ModelResponse)
    return replied(event)
