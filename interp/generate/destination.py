"""Where the value of a form goes."""

from __future__ import annotations

import ast
from typing import NamedTuple

from nodwyn.interp.analyse.nodes import Block, Loop

Code = list[ast.stmt]


class Destination(NamedTuple):
    """What is done with a form's value: returned, put in a variable, or nothing.

    loop: the loop or block that is left afterwards, for a form in tail position of one.
    """

    kind: str
    name: str = ""
    loop: Loop | Block | None = None


RETURN = Destination("return")
NOTHING = Destination("nothing")
