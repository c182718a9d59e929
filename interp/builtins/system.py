"""The system interface: section 6.14, of what needs no evaluation."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from nodwyn.interp.builtins.arguments import string_text
from nodwyn.interp.builtins.table import Table
from nodwyn.interp.data import FALSE, String, Value, cons, intern, list_from
from nodwyn.interp.errors import Condition, SchemeError

if TYPE_CHECKING:
    from nodwyn.interp.runtime import Runtime

define = Table()

FEATURES: Final = [
    "r7rs",
    "exact-closed",
    "exact-complex",
    "ieee-float",
    "full-unicode",
    "ratios",
    # What (srfi 115) can do beyond its core.
    "regexp-backrefs",
    "regexp-look-around",
    "regexp-non-greedy",
    "regexp-unicode",
    "nodwyn",
    *(["posix", "unix"] if os.name == "posix" else ["windows"]),
    *([sys.platform] if sys.platform in ("linux", "darwin") else []),
    f"{sys.byteorder}-endian",
]
"""The feature identifiers that ``features`` returns and ``cond-expand`` knows (appendix B)."""


@define("features")
def features() -> Value:
    return list_from([intern(feature) for feature in FEATURES])


def _granted(procedure: str, grant: Callable[..., Any], *arguments: str) -> Any:
    """Return what a host's method gives; its refusal names ``procedure``."""
    try:
        return grant(*arguments)
    except SchemeError as error:
        if isinstance(error.payload, Condition) and error.payload.procedure is None:
            error.payload.procedure = procedure
        raise


def bind(runtime: Runtime, define: Table) -> None:
    """Declare what an interpreter's host tells about its process and the time."""
    host = runtime.host

    @define("command-line")
    def command_line() -> Value:
        return list_from([String(argument) for argument in _granted("command-line", host.command_line)])

    @define("get-environment-variable")
    def get_environment_variable(name: Value) -> Value:
        text = string_text("get-environment-variable", "name", name)
        value = _granted("get-environment-variable", host.environment_variable, text)
        return FALSE if value is None else String(value)

    @define("get-environment-variables")
    def get_environment_variables() -> Value:
        variables = _granted("get-environment-variables", host.environment_variables)
        return list_from([cons(String(name), String(value)) for name, value in variables.items()])

    @define("current-second")
    def current_second() -> float:
        return _granted("current-second", host.current_second)  # type: ignore[no-any-return]

    @define("current-jiffy")
    def current_jiffy() -> int:
        return _granted("current-jiffy", host.current_jiffy)  # type: ignore[no-any-return]

    @define("jiffies-per-second")
    def jiffies_per_second() -> int:
        return _granted("jiffies-per-second", host.jiffies_per_second)  # type: ignore[no-any-return]
