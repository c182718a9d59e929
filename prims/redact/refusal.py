"""Why a write that holds a mark is refused: it would put the mark where the secret is."""

from __future__ import annotations

from collections import Counter

MARK_BEGINS = "[redacted:"


def refuses(text: str, present: str = "") -> str | None:
    """Return why ``text`` must not be written to a file or looked for in one, or None when it may be.

    A mark stands for a secret that the file has; written back it would destroy it, and the file does not hold it to
    be found.

    present: what the file holds now, raw. Marks that are really in it are not inserted by writing them again.
    """
    if MARK_BEGINS not in text:
        return None
    from nodwyn.prims.redact.scan import marks_in

    inserted = Counter(marks_in(text)) - Counter(marks_in(present) if MARK_BEGINS in present else ())
    if not inserted:
        return None
    mark = min(inserted)
    return (
        f"the text holds {mark}, which stands for a secret that was kept out of this session. Writing it would destroy "
        "the secret, and it is not in the file to be found. Leave that line as it is: choose an edit that begins and "
        "ends beside it."
    )
