"""Requests over a real connection: what is sent, and what becomes of answers that are slow, cut or refused."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from nodwyn.loop.providers import http, network
from nodwyn.loop.providers.base import Delta, ProviderError, Reply
from nodwyn.loop.providers.http import HttpProvider
from nodwyn.loop.providers.servers import Server
from tests.loop.providers import streams
from tests.loop.providers.conftest import REQUEST, StandInServer

JSON = Any

ANSWER = streams.events(streams.said("So"), streams.chunk({}, "stop"), end=streams.DONE)
STREAM = {"content-type": "text/event-stream"}
KEY = "NODWYN_TEST_KEY"
NEVER = lambda: False  # noqa: E731


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as serving:
        yield serving


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def provider(server: StandInServer, **settings: Any) -> HttpProvider:
    given = {"name": "here", "wire": "chat", "address": server.address, **settings}
    return HttpProvider(Server(**given), 32_768)


def ask(provider: HttpProvider, *, is_cancelled: Callable[[], bool] = NEVER) -> tuple[Reply, list[Delta]]:
    deltas: list[Delta] = []
    outgoing = provider.outgoing(REQUEST)
    return provider.send(outgoing, on_delta=deltas.append, is_cancelled=is_cancelled), deltas


def failure(provider: HttpProvider, **more: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(provider, **more)
    return caught.value


def test_a_request_is_answered(server: StandInServer) -> None:
    server.answers(200, STREAM, ANSWER)
    reply, deltas = ask(provider(server))
    assert reply.content == [streams.text("So")]
    assert deltas == [Delta("text", "So")]
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/chat/completions")
    assert json.loads(asked.body)["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hi"},
    ]
    assert "authorization" not in asked.headers


def test_a_connection_is_kept_from_one_request_to_the_next(server: StandInServer) -> None:
    asking = provider(server)
    for _ in range(3):
        server.answers(200, STREAM, ANSWER)
        ask(asking)
    assert server.connections == 1


def test_a_reply_that_did_not_come_as_a_stream_is_taken_too(server: StandInServer) -> None:
    whole = {"choices": [{"index": 0, "message": {"content": "So"}, "finish_reason": "stop"}]}
    server.answers(200, {"content-type": "application/json"}, json.dumps(whole).encode())
    assert ask(provider(server))[0].content == [streams.text("So")]


@pytest.mark.parametrize("media", ["application/x-ndjson", "application/json"])
def test_lines_of_json_are_a_stream(server: StandInServer, media: str) -> None:
    octets = streams.lines(streams.line({"content": "S"}), streams.line({"content": "o"}), streams.OLLAMA_END)
    server.answers(200, {"content-type": media}, octets)
    reply, deltas = ask(provider(server, wire="ollama"))
    assert reply.content == [streams.text("So")]
    assert deltas == [Delta("text", "S"), Delta("text", "o")]


def test_a_page_is_no_reply(server: StandInServer) -> None:
    server.answers(200, {"content-type": "text/html"}, b"<html>Welcome to this network</html>")
    error = failure(provider(server))
    assert error.kind == "bad-request"
    assert "Is the address right?" in str(error)


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind", "said"),
    [
        (401, {}, {"error": {"message": "Incorrect API key provided"}}, "key", f"Look at the key in {KEY}"),
        (403, {}, {"error": {"message": "not in your region"}}, "key", "not in your region"),
        (429, {"retry-after": "7"}, {"error": {"message": "slow down"}}, "busy", "slow down"),
        (529, {}, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "busy", "529"),
        (503, {}, {"error": {"message": "Loading model", "type": "unavailable_error"}}, "busy", "Loading model"),
        (400, {}, {"error": {"type": "exceed_context_size_error", "message": "too big"}}, "overflow", "too big"),
        (404, {}, {"error": "model 'x' not found"}, "bad-request", "nodwyn models"),
        (402, {}, {"error": {"message": "no credit"}}, "refused", "nothing left to spend"),
    ],
)
def test_an_answer_that_is_no_success(
    server: StandInServer, monkeypatch: pytest.MonkeyPatch, status: int, headers: JSON, body: JSON, kind: str, said: str
) -> None:
    monkeypatch.setenv(KEY, "a-value-for-tests")
    server.answers(status, {"content-type": "application/json", **headers}, json.dumps(body).encode())
    error = failure(provider(server, key=KEY))
    assert (error.kind, error.status) == (kind, status)
    assert said in str(error)
    assert error.retry_after == (7.0 if headers else None)


@pytest.mark.parametrize("pieces", [1, 1000])
def test_a_refusal_whose_reason_does_not_end_is_one(
    server: StandInServer, monkeypatch: pytest.MonkeyPatch, pieces: int
) -> None:
    monkeypatch.setattr(http, "EXPLAINING", 0.2)
    server.answers(503, {"content-type": "text/plain"}, *[b"busy "] * pieces, pause=0.05, then="hang")
    started = time.monotonic()
    error = failure(provider(server))
    assert (error.kind, error.status) == ("busy", 503)
    assert "answered 503: busy" in str(error)
    assert time.monotonic() - started < 5


def test_no_redirect_is_followed_with_a_key(server: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "a-value-for-tests")
    with StandInServer() as elsewhere:
        server.answers(307, {"location": f"{elsewhere.address}/chat/completions"}, b"")
        error = failure(provider(server, key=KEY))
        assert error.kind == "refused"
        assert elsewhere.address in str(error)
        assert elsewhere.asked == []


def test_the_key_goes_with_the_request_and_nowhere_else(server: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "a-value-for-tests")
    server.answers(200, STREAM, ANSWER)
    asking = provider(server, key=KEY)
    outgoing = asking.outgoing(REQUEST)
    assert outgoing.key == KEY
    assert "a-value-for-tests" not in repr(outgoing)
    asking.send(outgoing, on_delta=lambda delta: None, is_cancelled=NEVER)
    assert server.asked[0].headers["authorization"] == "Bearer a-value-for-tests"
    with StandInServer() as elsewhere:
        stray = outgoing._replace(address=f"{elsewhere.address}/chat/completions")
        with pytest.raises(ProviderError, match=r"is for .* alone"):
            asking.send(stray, on_delta=lambda delta: None, is_cancelled=NEVER)
        assert elsewhere.asked == []


def test_a_key_goes_unencrypted_to_this_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "a-value-for-tests")
    far = Server("far", "chat", "http://models.example/v1", KEY)
    with pytest.raises(ProviderError, match="without encryption"):
        HttpProvider(far, 1000).outgoing(REQUEST)
    assert HttpProvider(far._replace(plain=True), 1000).outgoing(REQUEST).key == KEY


def test_without_its_key_nothing_is_sent(server: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY, raising=False)
    error = failure(provider(server, key=KEY))
    assert error.kind == "key"
    assert f"set {KEY}" in str(error)
    assert server.asked == []


def test_an_answer_that_is_cut_keeps_what_had_arrived(server: StandInServer) -> None:
    server.answers(200, STREAM, streams.events(streams.said("So")), then="cut")
    error = failure(provider(server))
    assert error.kind == "broken"
    assert error.partial == [streams.text("So")]


def test_an_answer_that_ends_too_early_is_broken(server: StandInServer) -> None:
    server.answers(200, STREAM, streams.events(streams.said("So")))
    assert failure(provider(server)).kind == "broken"


def test_a_stream_that_falls_silent_is_broken_in_time(server: StandInServer) -> None:
    server.answers(200, STREAM, streams.events(streams.said("So")), then="hang")
    started = time.monotonic()
    error = failure(provider(server, idle=0.4))
    assert error.kind == "broken"
    assert error.partial == [streams.text("So")]
    assert time.monotonic() - started < 2


def test_a_slow_stream_may_take_as_long_as_it_likes(server: StandInServer) -> None:
    server.answers(200, STREAM, *(ANSWER[place : place + 20] for place in range(0, len(ANSWER), 20)), pause=0.1)
    reply, _ = ask(provider(server, idle=0.5))
    assert reply.content == [streams.text("So")]


def test_a_server_that_does_not_end_its_answer_does_not_keep_us(server: StandInServer) -> None:
    server.answers(200, STREAM, ANSWER, then="hang")
    started = time.monotonic()
    assert ask(provider(server))[0].content == [streams.text("So")]
    assert time.monotonic() - started < 5


def before_the_answer(server: StandInServer) -> None:
    server.answers(200, STREAM, ANSWER, delay=30)


def between_two_pieces(server: StandInServer) -> None:
    server.answers(200, STREAM, streams.events(streams.said("So")), then="hang")


def while_pieces_come(server: StandInServer) -> None:
    server.answers(200, STREAM, *[streams.events(streams.said("So"))] * 3000, pause=0.01)


@pytest.mark.parametrize("arrange", [before_the_answer, between_two_pieces, while_pieces_come])
@pytest.mark.parametrize("first", [True, False], ids=["new connection", "kept connection"])
def test_cancelling_ends_a_request_at_once(
    server: StandInServer, arrange: Callable[[StandInServer], None], first: bool
) -> None:
    asking = provider(server)
    if not first:
        server.answers(200, STREAM, ANSWER)
        ask(asking)
    arrange(server)
    cancelled = threading.Event()
    threading.Timer(0.3, cancelled.set).start()
    started = time.monotonic()
    error = failure(asking, is_cancelled=cancelled.is_set)
    assert error.kind == "cancelled"
    assert time.monotonic() - started < 0.3 + 0.25
    assert server.gone.wait(2), "the server still has the connection"


def test_what_is_cancelled_before_there_is_a_connection_is_never_sent(server: StandInServer) -> None:
    """As while the name of a server is looked up, which nothing can end."""
    connection = network.Connection(server.address)
    connection.cut()
    server.answers(200, STREAM, ANSWER)
    with pytest.raises(httpx2.TransportError):
        connection.client.post(server.address, content=b"x", extensions={"trace": connection.watch})
    assert server.asked == []


def test_a_proxy_that_the_environment_names_is_used(server: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.address)
    server.answers(200, STREAM, ANSWER)
    far = Server("far", "chat", "http://models.example/v1")
    assert ask(HttpProvider(far, 1000))[0].content == [streams.text("So")]
    assert server.asked[0].path == "http://models.example/v1/chat/completions"


def test_no_proxy_is_used_where_the_environment_says_so(server: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.address)
    monkeypatch.setenv("NO_PROXY", "models.invalid")
    error = failure(HttpProvider(Server("far", "chat", "http://models.invalid/v1"), 1000))
    assert error.kind == "unreachable"
    assert server.asked == []


def test_what_is_for_this_machine_goes_through_no_proxy(server: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with StandInServer() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        server.answers(200, STREAM, ANSWER)
        ask(provider(server))
        assert proxy.asked == []


def test_a_server_that_does_not_run_is_unreachable_and_asked_after(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    error = failure(HttpProvider(Server("here", "chat", address), 1000))
    assert error.kind == "unreachable"
    assert "Is the server running?" in str(error)


def test_certificates_that_cannot_be_read_are_said(named_authorities: Callable[[str, Path], None]) -> None:
    named_authorities("REQUESTS_CA_BUNDLE", Path("/nowhere/authorities.pem"))
    error = failure(HttpProvider(Server("far", "chat", "https://127.0.0.1:1/v1"), 1000))
    assert "REQUESTS_CA_BUNDLE" in str(error)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for this machine that no authority knows, with its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, which makes a certificate")
    file = tmp_path / "certificate.pem"
    key = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(file)]
    subprocess.run(["openssl", "req", *key, *names, *files], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + (tmp_path / "key.pem").read_bytes())
    return file


@pytest.fixture
def named_authorities(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Path], None]]:
    """Return what has a variable of the environment name a file of authorities."""
    for each in ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(each, raising=False)

    def name(variable: str, file: Path) -> None:
        monkeypatch.setenv(variable, str(file))
        network.authorities.cache_clear()

    network.authorities.cache_clear()
    yield name
    network.authorities.cache_clear()


NamedAuthorities = Callable[[str, Path], None]


def test_a_certificate_that_no_authority_knows_is_refused(
    certificate: Path, named_authorities: NamedAuthorities
) -> None:
    with StandInServer(certificate) as server:
        error = failure(provider(server))
    assert error.kind == "unreachable"
    assert "SSL_CERT_FILE" in str(error)
    assert server.asked == []


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_authorities_of_the_persons_own_are_believed(
    certificate: Path, named_authorities: NamedAuthorities, variable: str
) -> None:
    named_authorities(variable, certificate)
    with StandInServer(certificate) as server:
        server.answers(200, STREAM, ANSWER)
        assert ask(provider(server))[0].content == [streams.text("So")]


def test_an_encrypted_request_ends_at_once_too(certificate: Path, named_authorities: NamedAuthorities) -> None:
    named_authorities("SSL_CERT_FILE", certificate)
    with StandInServer(certificate) as server:
        between_two_pieces(server)
        cancelled = threading.Event()
        threading.Timer(0.3, cancelled.set).start()
        started = time.monotonic()
        assert failure(provider(server), is_cancelled=cancelled.is_set).kind == "cancelled"
        assert time.monotonic() - started < 0.3 + 0.25
        assert server.gone.wait(2)


def test_models_are_listed(server: StandInServer) -> None:
    server.answers(200, {"content-type": "application/json"}, b'{"data": [{"id": "a"}, {"id": "b"}, {}]}')
    assert provider(server).listed() == ["a", "b"]
    assert (server.asked[0].method, server.asked[0].path) == ("GET", "/models")


@pytest.mark.parametrize(("pieces", "said"), [(1000, "did not list its models within"), (1, "sent nothing for")])
def test_a_list_of_models_that_does_not_end_is_not_waited_for(
    server: StandInServer, monkeypatch: pytest.MonkeyPatch, pieces: int, said: str
) -> None:
    monkeypatch.setattr(http, "LISTING", 0.2)
    server.answers(200, {"content-type": "application/json"}, *[b" "] * pieces, pause=0.05, then="hang")
    started = time.monotonic()
    with pytest.raises(ProviderError, match=f"{server.address}/models {said} 0.2 seconds$"):
        provider(server).listed()
    assert time.monotonic() - started < 5
