"""The loop's scripts: where they are, and loading them. Loading one is running it in the session's Scheme."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.prims.directories import kept_config
from nodwyn.prims.small_files import Unreadable, written_text

if TYPE_CHECKING:
    from nodwyn.prims.session import Session

SHIPPED: Final = ("prompts.scm", "shell.scm", "hygiene.scm", "strategy.scm", "explorer.scm", "checkloop.scm")
"""The scripts of the loop itself, in the order in which they are loaded."""


NO_EXIT: Final = "what the loop is made of can return or raise an error, and not end the program"
"""What is said to a script that wants to leave."""


class Script(NamedTuple):
    """A script as it was read."""

    name: str
    """Its path, as the log and errors call it: those that are shipped by their file's name."""
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return sha256(self.text.encode()).hexdigest()


def shipped() -> Iterator[Script]:
    """Yield the scripts of the loop itself."""
    folder = Path(os.path.dirname(os.path.realpath(__file__))) / "scripts"
    for name in SHIPPED:
        yield Script(name, (folder / name).read_text(encoding="utf-8"))


def persons() -> Iterator[Script]:
    """Yield the person's own scripts, from the configuration directory: ``init.scm``, then ``loop/*.scm`` by name.

    Raises: SchemeError when one cannot be read.
    """
    folder = kept_config()
    paths = [folder / "init.scm", *sorted((folder / "loop").glob("*.scm"))]
    for path in paths:
        try:
            yield Script(str(path), written_text(path))
        except FileNotFoundError:
            continue
        except Unreadable as error:
            raise SchemeError(Condition("file", str(error))) from None


def load(session: Session, script: Script) -> None:
    """Run a script in the session's Scheme.

    Raises: SchemeError, for one that calls ``exit`` too. What stops the program.
    """
    try:
        session.scheme.eval_scheme(script.text, script.name, keep=True)
    except Exit:
        raise SchemeError(Condition("control", f"{script.name} called exit: {NO_EXIT}")) from None
