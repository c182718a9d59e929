"""What stands in place of what: the notes and summaries that hold, and the units that a request shows with them.

An event is replaced by the person's active summary of its span; what then stands in a note's span is replaced by the
note, and that by a newer note. A note carries a summary as it does the person's words. A note is void while a
newer summary covers a part of what it was written from: the note may tell what the summary leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from nodwyn.loop.window.units import Noted, Summarised, Unit
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import Narrow, Pin

if TYPE_CHECKING:
    from nodwyn.prims.summaries.standing import Standing


class Replacements:
    """The notes, pins and summaries recorded so far."""

    def __init__(self, agent: str, events: Callable[[], Iterable[Event]]) -> None:
        """agent: whose they are. events: yields all events of the log so far, for the standing of summaries."""
        self.active: list[Standing] = []
        """The summaries that hold."""
        self._agent = agent
        self._events = events
        self._notes: dict[int, Narrow] = {}
        self._pins: list[Pin] = []
        self._due = False
        self._standings_due = False
        self._waiting: set[int] = set()
        """Summaries whose span was too recent when it was last looked at."""
        self._made: dict[int, Noted | Summarised] = {}
        """What last stood for each note and summary."""

    def are_due(self) -> bool:
        """Return whether units must be arranged anew."""
        return self._due

    def message(self) -> bool:
        """Take up that the person said something: a summary that waits may hold from now on. Return whether any waits.

        What waits is looked at then, not when the next request is built: when requests are built must change none.
        """
        if self._waiting:
            self._due = self._standings_due = True
        return bool(self._waiting)

    def summary(self) -> None:
        """Take up that a summary was added or dropped."""
        self._due = self._standings_due = True

    def note(self, event: Narrow) -> None:
        """Take up a note."""
        self._notes[event.seq] = event
        self._due = True

    def drop_note(self, seq: int) -> None:
        """Take up that a note was dropped."""
        self._notes.pop(seq, None)
        self._due = True

    def pin(self, event: Pin) -> None:
        """Take up what the person keeps of a span."""
        self._pins.append(event)
        self._due = True

    def refresh(self) -> list[Standing]:
        """Bring up to date which summaries hold; return those that waited for it."""
        self._due = False
        if not self._standings_due:
            return []
        from nodwyn.prims.summaries.standing import standings

        self._standings_due = False
        found = standings(self._events(), self._agent)
        self.active = [standing for standing in found if standing.status == "active"]
        became = [standing for standing in self.active if standing.seq in self._waiting]
        self._waiting = {standing.seq for standing in found if standing.status == "recent"}
        return became

    def arranged(self, said: Iterable[Unit]) -> list[Unit]:
        """Return the units that a request shows, those that stand for the same as before being the same."""
        units = list(self._summarised(said))
        pins = [pin for pin in self._pins if not any(each.first <= pin.event <= each.through for each in self.active)]
        for note in self._holding():
            covered = [unit for unit in units if _covers(note, unit)]
            if covered:
                place = units.index(covered[0])
                rest = [unit for unit in units[place:] if not _covers(note, unit)]
                units[place:] = [Noted(note, covered, pins), *rest]
        return [self._as_before(unit) if isinstance(unit, Noted) else unit for unit in units]

    def _holding(self) -> list[Narrow]:
        """Return the notes that hold, the oldest first."""
        return [
            note
            for note in self._notes.values()
            if not any(
                summary.seq > note.seq and summary.first <= note.through and note.first <= summary.through
                for summary in self.active
            )
        ]

    def _summarised(self, said: Iterable[Unit]) -> Iterator[Unit]:
        """Yield the units with each summary in place of the first unit that it replaces."""
        begun: set[int] = set()
        for unit in said:
            summary = next((each for each in self.active if each.first <= unit.at <= each.through), None)
            if summary is None:
                yield unit
            elif summary.seq not in begun:
                begun.add(summary.seq)
                yield self._summary(summary, unit)

    def _summary(self, standing: Standing, first: Unit) -> Unit:
        made = self._made.get(standing.seq)
        if made is None:
            made = Summarised(standing.seq, standing.first, standing.through, standing.text, first.turn)
            self._made[standing.seq] = made
        return made

    def _as_before(self, unit: Noted) -> Noted:
        """Return what stood for a note before, if it still does."""
        made = self._made.get(unit.seq)
        if isinstance(made, Noted) and made.is_like(unit):
            return made
        self._made[unit.seq] = unit
        return unit


def _covers(note: Narrow, unit: Unit) -> bool:
    """Return whether a note takes the place of a unit.

    No span reaches beyond what was there when the note was written. One that has an older note has what that stands
    for.
    """
    through = min(note.through, note.seq - 1)
    return note.first <= unit.at <= through or (isinstance(unit, Noted) and note.first <= unit.seq <= through)
