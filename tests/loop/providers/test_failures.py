"""What servers' errors mean."""

from __future__ import annotations

import json
from email.utils import formatdate
from time import time
from typing import Any

import pytest

from nodwyn.loop.providers.failures import from_message, from_status, told

JSON = Any

OVERFLOWS: list[tuple[str, int, JSON]] = [
    ("Anthropic", 400, {"type": "error", "error": {"type": "invalid_request_error",
                        "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
    ("Anthropic, by size", 413, {"type": "error", "error": {"type": "request_too_large", "message": "too large"}}),
    ("OpenAI", 400, {"error": {"message": "This model's maximum context length is 128000 tokens.",
                     "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}),
    ("OpenAI, by the minute", 429, {"error": {"message": "Request too large for gpt-4o on tokens per min (TPM)",
                                    "type": "tokens", "code": "rate_limit_exceeded"}}),
    ("llama.cpp", 400, {"error": {"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 9000,
                        "message": "the request exceeds the available context size, try increasing it"}}),
    ("vLLM", 400, {"object": "error", "message": "This model's maximum context length is 4096 tokens", "code": 400}),
    ("a list", 400, [{"error": {"code": 400, "message": "The input exceeds the maximum number of tokens"}}]),
    ("Ollama", 400, {"error": "the prompt is too long; exceeded max context length by 5 tokens"}),
    ("a page", 413, None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body"), [case[1:] for case in OVERFLOWS], ids=[case[0] for case in OVERFLOWS])
def test_a_request_that_is_too_long_is_known_from_any_server(status: int, body: JSON) -> None:
    octets = b"<html>Request Entity Too Large</html>" if body is None else json.dumps(body).encode()
    assert from_status(status, {}, octets, address="a", key="").kind == "overflow"


KINDS: list[tuple[int, str, str]] = [
    (400, "unknown parameter", "bad-request"),
    (401, "no", "key"),
    (402, "no", "refused"),
    (403, "no", "key"),
    (404, "no such model", "bad-request"),
    (405, "no", "bad-request"),
    (408, "slow", "busy"),
    (409, "conflict", "busy"),
    (422, "no", "bad-request"),
    (429, "slow down", "busy"),
    (429, "You exceeded your current quota, please check your plan and billing details", "refused"),
    (400, "Your credit balance is too low", "refused"),
    (500, "oops", "busy"),
    (501, "no", "bad-request"),
    (502, "<html>bad gateway</html>", "busy"),
    (529, "Overloaded", "busy"),
    (307, "", "refused"),
]


@pytest.mark.parametrize(("status", "message", "kind"), KINDS)
def test_what_a_status_means(status: int, message: str, kind: str) -> None:
    error = from_status(status, {}, message.encode(), address="https://a", key="K")
    assert (error.kind, error.status) == (kind, status)
    assert str(error).startswith(f"https://a answered {status}: ")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": formatdate(time() - 100, usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert from_status(429, headers, b"", address="a", key="").retry_after == seconds


def test_a_date_to_wait_for() -> None:
    later = {"retry-after": formatdate(time() + 100, usegmt=True)}
    seconds = from_status(503, later, b"", address="a", key="").retry_after
    assert seconds is not None
    assert 90 < seconds <= 100


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "no"}}', "no"),
        (b'{"error": "no"}', "no"),
        (b'{"message": "no"}', "no"),
        (b'{"detail": "no"}', "no"),
        (b'{"detail": [{"message": "no"}]}', "no"),
        (b"  no\n ", "no"),
        (b"{", "{"),
        (b"[]", ""),
        (b"", ""),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_what_a_body_says(body: bytes, message: str) -> None:
    assert told(body)[0] == message


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "busy"),
        ({"code": "context_length_exceeded"}, "overflow"),
        ({"type": "authentication_error", "message": "no"}, "key"),
        ({"type": "invalid_request_error", "message": "no"}, "bad-request"),
        ("something else", "broken"),
        (None, "broken"),
        (7, "broken"),
    ],
)
def test_what_an_error_in_a_stream_means(error: JSON, kind: str) -> None:
    assert from_message(error).kind == kind
