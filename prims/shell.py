"""Running a shell line."""

from __future__ import annotations

from typing import Annotated, Any

from nodwyn.prims.context import Context
from nodwyn.prims.declare import primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.kinds import Whole
from nodwyn.prims.parameters import Path, ShellLine

LONGEST_SECONDS = 3600


@primitive("shell-exec", effect=Effect.RUN, provenance="external:shell")
def shell_exec(
    context: Context,
    line: Annotated[ShellLine, "the line, as bash reads it"],
    seconds: Annotated[int, Whole("a number of seconds", 1, LONGEST_SECONDS), "when it is stopped"] = 120,
    directory: Annotated[Path, "where it runs, relative to the root"] = ".",
    network: Annotated[bool, "whether it needs the network, which the person is then asked for"] = False,
) -> dict[str, Any]:
    """Run a shell line to its end. Return how it ended and what it printed: exit, output, errors, and notes.

    It runs in a sandbox where the machine has one: it can write inside the root alone, has no network, and does not
    see secrets. Nothing of it stays running. There is no terminal, and its input is empty. Of long output the start
    and the end are kept. Files are better read and changed with fs-read and fs-edit, and git asked with git-status,
    git-diff, git-log and git-show.
    """
    return context.commands.run(line, seconds=seconds, directory=directory, network=network)


PRIMITIVES = (shell_exec,)
