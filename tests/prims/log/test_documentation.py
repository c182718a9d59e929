"""The page about the format lists every kind that there is, as it is declared."""

from __future__ import annotations

from pathlib import Path

from nodwyn.prims.log import events
from nodwyn.prims.log.record import KINDS, REQUIRED, Event

PAGE = Path(__file__).parents[3] / "docs" / "log.md"


def row(kind: type[Event]) -> str:
    """Return the row of a kind."""
    fields = [
        name if field.default is REQUIRED else f"[{name}]"
        for name, field in kind.fields.items()
        if name not in Event.fields
    ]
    return f"| `{kind.kind}` | {(kind.__doc__ or '').strip()} | {', '.join(fields)} |"


def table() -> str:
    """Return the table of all kinds, in the order of their declarations."""
    return "\n".join(["| kind | records | fields |", "| --- | --- | --- |", *map(row, KINDS.values())])


def test_the_page_lists_the_kinds_as_they_are() -> None:
    assert PAGE.read_text(encoding="utf-8").partition("## Kinds\n")[2].partition("\n\n")[2].strip() == table()


def test_the_page_names_the_version_that_is_written() -> None:
    assert f"the format's version, now {events.FORMAT}." in PAGE.read_text(encoding="utf-8")
