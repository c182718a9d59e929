"""What a primitive does to the world, and who may ask for it."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal


class Effect(Enum):
    """What a primitive does at most. Whatever its declaration does not name, its context refuses."""

    NONE = "nothing outside of the session"
    READ = "reads"
    WRITE = "writes"
    RUN = "runs commands"
    SEND = "sends"


Caller = Literal["person", "loop", "model"]
"""Who calls: the person's own Scheme, the loop's scripts, or a model."""

EVERYBODY: Final[tuple[Caller, ...]] = ("person", "loop", "model")
SCHEME: Final[tuple[Caller, ...]] = ("person", "loop")
PERSON: Final[tuple[Caller, ...]] = ("person",)
