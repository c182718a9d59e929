"""The log: the only source of truth about a session. docs/log.md describes the format.

The kinds of events are in :mod:`nodwyn.prims.log.events`.
"""

from nodwyn.prims.log.append import Log
from nodwyn.prims.log.errors import (
    Damaged,
    EventError,
    Incomplete,
    LogError,
    LogFailed,
    NewerFormat,
    NoSuchEvent,
    NoSuchSession,
    OwnedElsewhere,
    Owner,
)
from nodwyn.prims.log.owner import owner_of
from nodwyn.prims.log.read import Reader, read
from nodwyn.prims.log.record import Event, Redactor, Unknown
from nodwyn.prims.log.sessions import (
    Session,
    changed_files,
    delete_session,
    delete_sessions,
    find_session,
    sessions,
    size_of,
)

__all__ = [
    "Damaged",
    "Event",
    "EventError",
    "Incomplete",
    "Log",
    "LogError",
    "LogFailed",
    "NewerFormat",
    "NoSuchEvent",
    "NoSuchSession",
    "OwnedElsewhere",
    "Owner",
    "Reader",
    "Redactor",
    "Session",
    "Unknown",
    "changed_files",
    "delete_session",
    "delete_sessions",
    "find_session",
    "owner_of",
    "read",
    "sessions",
    "size_of",
]
