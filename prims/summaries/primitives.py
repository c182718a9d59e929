"""Summaries in the person's Scheme, by the same rules as on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.directories import kept_projects
from nodwyn.prims.effects import PERSON, Effect
from nodwyn.prims.log import LogError, find_session
from nodwyn.prims.parameters import EventNumber, Name
from nodwyn.prims.summaries.editing import add_summary, drop_summary, list_summaries


@primitive("summary-add", effect=Effect.NONE, callers=PERSON)
def summary_add(
    context: Context,
    session: Annotated[Name, "a closed session, by the beginning of its name"],
    first: Annotated[EventNumber, "the person's message that the span begins with"],
    through: Annotated[EventNumber, "the reply without calls that the span ends with"],
    text: Annotated[str, "what the model is shown in place of the span, at most 16 KiB"],
) -> int:
    """Have a text of yours stand for a span of a closed session; return the summary's number.

    The log keeps the span whole, and summary-drop brings it back. The latest two turns are never replaced.
    """
    with _told():
        return add_summary(_closed(context, session), first, through, text, context.session.redactor.redact)


@primitive("summary-drop", effect=Effect.NONE, callers=PERSON)
def summary_drop(
    context: Context,
    session: Annotated[Name, "a closed session, by the beginning of its name"],
    summary: Annotated[EventNumber, "the summary's number"],
) -> None:
    """Revoke a summary of a closed session: the events of its span are shown again."""
    with _told():
        drop_summary(_closed(context, session), summary, context.session.redactor.redact)


@primitive("summary-list", effect=Effect.NONE, provenance="external:log", callers=PERSON)
def summary_list(
    context: Context, session: Annotated[Name, "a session, by the beginning of its name; this one when empty"] = ""
) -> list[dict[str, Any]]:
    """Return the summaries of a session, the oldest first: seq, first, through, status and text of each.

    The status is active, recent, dropped, stale or superseded.
    """
    with _told():
        path = find_session(session, kept_projects()) if session else context.session.log.path
        return [
            {name: getattr(each, name) for name in ("seq", "first", "through", "status", "text")}
            for each in list_summaries(path)
        ]


def _closed(context: Context, session: str) -> Path:
    """Return the path of the log of a session that is not this one.

    Raises: PrimitiveError, LogError.
    """
    path = find_session(session, kept_projects())
    if path == context.session.log.path:
        raise PrimitiveError(
            "this session is open, and only a closed one is summarised: leave it, then use `nodwyn summary`"
        )
    return path


@contextmanager
def _told() -> Iterator[None]:
    """Tell what is wrong with another session's log as an error of the call: this session's is not touched by it."""
    try:
        yield
    except LogError as error:
        raise PrimitiveError(str(error)) from None


PRIMITIVES = (summary_add, summary_list, summary_drop)
