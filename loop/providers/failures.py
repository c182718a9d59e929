"""What a server's error means: whether to wait, to shorten the request, to look at the key, or to give up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nodwyn.loop.providers.base import Failure, ProviderError
from nodwyn.prims.json_text import parse

JSON = Any

MOST_SHOWN = 1000
"""Characters of a server's message that are shown."""

OVERFLOW = (
    "context_length_exceeded",
    "exceed_context_size",
    "exceeds the available context size",
    "request_too_large",
    "prompt is too long",
    "prompt too long",
    "maximum context length",
    "context length",
    "context window",
    "context_window",
    "input is too long",
    "input length",
    "too many tokens",
    "reduce the length",
    "maximum number of tokens",
    "tokens exceed",
    "request too large",
    "string_above_max_length",
)
"""Parts of codes and messages by which servers say that a request is too long for the model."""

SPENT = ("insufficient_quota", "insufficient credit", "credit balance", "billing", "payment")
BUSY = ("overloaded", "rate_limit", "rate limit", "too many requests", "server_error", "api_error", "timeout",
        "unavailable", "capacity", "internal_error", "internal error", "try again", "loading model")  # fmt: skip
KEY = ("authentication_error", "invalid_api_key", "permission_error", "invalid x-api-key", "unauthorized")
BAD = ("invalid_request", "invalid_prompt", "not_found", "bad_request", "unsupported")

WORTH_ANOTHER = (408, 409, 425, 429, 529)
TOO_LONG = (400, 413, 422, 429, 500)
"""Statuses with which servers refuse a request that is too long."""


def from_status(status: int, headers: Mapping[str, str], body: bytes, *, address: str, key: str) -> ProviderError:
    """Return the error of an answer that is no success.

    headers: with names in lower case. address: where the request went. key: the name of the key that went with it.
    """
    message, codes = told(body)
    kind = _kind_of_status(status, f"{codes} {message}".lower())
    said = f"{address} answered {status}: {message or 'it does not say why'}"
    return ProviderError(
        f"{said}{_advice(kind, status, headers, key)}",
        kind,
        status=status,
        retry_after=_retry_after(headers) if kind == "busy" else None,
    )


def from_message(error: JSON) -> ProviderError:
    """Return the error that a message of a stream tells of. error: text or object, as the server has it."""
    message, codes = _parts(error)
    kind = _kind_of_words(f"{codes} {message}".lower())
    return ProviderError(f"the server said in its reply: {message or codes or 'an error'}", kind or "broken")


def told(body: bytes) -> tuple[str, str]:
    """Return what a body says of an error: its message, and its codes and types."""
    try:
        value = parse(body)
    except ValueError:
        text = " ".join(body[: 4 * MOST_SHOWN].decode("utf-8", "replace").split())
        return text[:MOST_SHOWN], ""
    return _parts(value)


def _parts(value: JSON) -> tuple[str, str]:
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, str):
        return value[:MOST_SHOWN], ""
    if not isinstance(value, dict):
        return "", ""
    inner = value.get("error", value.get("detail"))
    if isinstance(inner, (dict, list)) and inner:
        return _parts(inner)
    texts = (value.get("message"), inner, value.get("detail"))
    message = next((text for text in texts if isinstance(text, str) and text), "")
    codes = " ".join(str(value[name]) for name in ("type", "code", "status") if isinstance(value.get(name), (str, int)))
    return message[:MOST_SHOWN], codes


def _kind_of_status(status: int, words: str) -> Failure:
    if status in TOO_LONG and _has(words, OVERFLOW):
        return "overflow"
    if status == 413:
        return "overflow"
    if status in (401, 403, 407):
        return "key"
    if status == 402 or (status in (400, 429) and _has(words, SPENT)):
        return "refused"
    if status in WORTH_ANOTHER or (status >= 500 and status not in (501, 505)):
        return "busy"
    return "refused" if 300 <= status < 400 else "bad-request"


def _kind_of_words(words: str) -> Failure | None:
    kinds: tuple[tuple[Failure, tuple[str, ...]], ...] = (
        ("overflow", OVERFLOW),
        ("refused", SPENT),
        ("key", KEY),
        ("busy", BUSY),
        ("bad-request", BAD),
    )
    return next((kind for kind, parts in kinds if _has(words, parts)), None)


def _has(words: str, parts: tuple[str, ...]) -> bool:
    return any(part in words for part in parts)


def _advice(kind: Failure, status: int, headers: Mapping[str, str], key: str) -> str:
    if kind == "key":
        return f". Look at the key in {key}" if key else ". It wants a key: name its variable in models.toml"
    if kind == "refused" and 300 <= status < 400:
        there = headers.get("location", "another address")
        return f". It points to {there}; no redirect is followed: set that address in models.toml if you trust it"
    if kind == "refused":
        return ". The account has nothing left to spend, or may not use this model"
    if status == 404:
        return ". Is the address right, and is there such a model? `nodwyn models` asks the servers"
    return ""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds after which the server wants to be asked again (RFC 9110, section 10.2.3)."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    given = headers.get("retry-after", "")
    seconds = _number(given)
    return seconds if seconds is not None else _until(given)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None


def _until(date: str) -> float | None:
    if not date:
        return None
    import time
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
