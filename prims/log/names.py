"""Names: a session's, which is when it began and eight random hexadecimal digits, and that of its own context.

20261009T034803Z-3981612f
"""

from __future__ import annotations

import os
import re
import time
from typing import Final

MAIN: Final = "main"
"""The context of the conversation with the person; those of sub-agents have other names."""

_form = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")


def new_name() -> str:
    """Return a name for a session that begins now."""
    return f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.urandom(4).hex()}"


def began(name: str) -> str:
    """Return when a session of this name began, as events have times: UTC, RFC 3339, milliseconds."""
    day, clock = name[:8], name[9:15]
    return f"{day[:4]}-{day[4:6]}-{day[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:]}.000Z"


def is_name(text: str) -> bool:
    """Return whether ``text`` has the form of a session's name."""
    return _form.fullmatch(text) is not None
