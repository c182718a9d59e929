"""Times of events: UTC, RFC 3339."""

from __future__ import annotations


def milliseconds_between(first: str, last: str) -> int:
    """Return how long it is from one time of an event to another, as far as the clock on the wall tells; at least 0.

    first, last: as events have them; what is no time counts as none between.
    """
    from datetime import datetime

    try:
        return max(0, round((datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds() * 1000))
    except ValueError:
        return 0
