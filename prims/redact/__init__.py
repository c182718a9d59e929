"""What must not be recorded or sent is replaced by marks: ``[redacted:KIND]``.

Text is redacted whole, before any cut. A mark tells the kind of what it stands for and nothing else of it.

    redact('token = "…"')            'token = "[redacted:secret]"'

Laws: a redacted text is its own redaction; of a secret that is found no eight characters stay; time is in proportion
to the text, whatever the text; a text that comes in pieces is redacted as the whole (:class:`Stream`).
"""

from __future__ import annotations

from nodwyn.prims.redact.redactor import POLICY_VERSION, Match, Redactor, find, redact
from nodwyn.prims.redact.refusal import refuses
from nodwyn.prims.redact.stream import Stream

__all__ = ["POLICY_VERSION", "Match", "Redactor", "Stream", "find", "redact", "refuses"]
