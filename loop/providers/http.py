"""Requests over HTTP: the only place that talks to a network.

A request runs in a thread of its own, which does nothing but hand over bytes, so that whoever waits can give up at any
byte. No redirect is followed. Proxies and authorities of certificates are those that the environment names, but what is
for this machine never goes through a proxy.
"""

from __future__ import annotations

import os
import queue
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from nodwyn.loop.providers import failures
from nodwyn.loop.providers.addresses import is_encrypted, is_loopback
from nodwyn.loop.providers.base import Delta, Outgoing, ProviderError, Reply
from nodwyn.loop.providers.collecting import Decoder
from nodwyn.loop.providers.keys import Key, origin_of
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.servers import Server
from nodwyn.loop.providers.wire import Wire
from nodwyn.prims.json_text import encode, parse
from nodwyn.prims.version import PROGRAM

if TYPE_CHECKING:
    import httpx2

JSON = Any

CONNECT = 15.0
"""Seconds until there must be a connection."""

LOOK = 0.05
"""Seconds between two looks at whether the person cancels."""

GRACE = 1.0
"""Seconds that a server may take to end its answer once the reply in it has ended."""

AWAITED = 64
"""Pieces that may wait to be taken up before the server is kept waiting."""

LARGEST = 512 << 20
"""Bytes of an answer: streams have a hundred bytes around every word."""

LARGEST_ERROR = 64 << 10
LARGEST_LIST = 4 << 20
LISTING = 5.0
"""Seconds that a server may take to list its models."""

BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Variables that name a file of authorities, besides SSL_CERT_FILE and SSL_CERT_DIR, which come first."""


class Head(NamedTuple):
    """How an answer begins."""

    status: int
    headers: Mapping[str, str]
    """With names in lower case."""


class End(NamedTuple):
    """How an answer ends: without an error when it came whole."""

    error: Exception | None


def wire_of(server: Server) -> Wire:
    """Return the wire that a server speaks."""
    if server.wire == "anthropic":
        from nodwyn.loop.providers.anthropic import Anthropic

        return Anthropic()
    if server.wire == "responses":
        from nodwyn.loop.providers.responses import Responses

        return Responses()
    if server.wire == "ollama":
        from nodwyn.loop.providers.ollama import Ollama

        return Ollama()
    from nodwyn.loop.providers.chat import Chat

    return Chat(is_openai=origin_of(server.address) == "https://api.openai.com")


class HttpProvider:
    """A server that is asked over HTTP. It may be used by several threads at once."""

    def __init__(self, server: Server, context: int) -> None:
        self.name = server.name
        self.server = server
        self._context = context
        self._wire = wire_of(server)
        self._key = Key(server.key, origin_of(server.address), plain=server.plain) if server.key else None
        self._connections: list[_Connection] = []
        self._lock = threading.Lock()

    def secrets(self) -> list[str]:
        """Return the key, if there is one."""
        value = self._key.value() if self._key is not None else ""
        return [value] if value else []

    def outgoing(self, request: JSON) -> Outgoing:
        """Return a neutral request in the form of the server's wire.

        Raises: ProviderError when there is no key, or the wire cannot carry the request.
        """
        names = Names(request)
        address = self._address(self._wire.path)
        key = self._key_for("POST", address)
        body = encode(self._wire.body(request, names, self._context))
        headers = {"content-type": "application/json", **self._headers(), **self._wire.headers()}
        return Outgoing("POST", address, headers, body, self.server.key if key else "", names)

    def send(self, outgoing: Outgoing, *, on_delta: Callable[[Delta], None], is_cancelled: Callable[[], bool]) -> Reply:
        """Send it and return the whole reply.

        Raises: ProviderError.
        """
        decoder = self._wire.decoder(outgoing.names)
        size, is_stream = 0, True
        whole: list[bytes] = []
        with self._answer(outgoing, self.server.idle, is_cancelled, decoder) as answer:
            for part in answer:
                if isinstance(part, Head):
                    is_stream = self._judge(part, answer, outgoing)
                    continue
                size += len(part)
                if size > LARGEST:
                    raise decoder.refused(f"the answer has more than {LARGEST >> 20} MiB")
                if is_stream:
                    for delta in decoder.feed(part):
                        on_delta(delta)
                else:
                    whole.append(part)
        for delta in decoder.whole(b"".join(whole)) if whole else ():
            on_delta(delta)
        return decoder.finish()

    def listed(self, is_cancelled: Callable[[], bool] = lambda: False) -> list[str]:
        """Return the names of the models that the server says it has.

        Raises: ProviderError.
        """
        outgoing = self.listing()
        body = bytearray()
        with self._answer(outgoing, LISTING, is_cancelled, None) as answer:
            for part in answer:
                if isinstance(part, Head):
                    if not 200 <= part.status < 300:
                        raise self._refused(part, answer, outgoing)
                    continue
                body += part
                if len(body) > LARGEST_LIST:
                    raise ProviderError(
                        f"the list of models at {outgoing.address} is larger than any should be", "broken"
                    )
        try:
            return self._wire.listed(parse(bytes(body)))
        except ValueError:
            raise ProviderError(f"{outgoing.address} answered with what is no list of models", "broken") from None

    def listing(self) -> Outgoing:
        """Return the question for the server's models.

        Raises: ProviderError when there is no key.
        """
        address = self._address(self._wire.list_path)
        key = self._key_for("GET", address)
        return Outgoing(
            "GET", address, {**self._headers(), **self._wire.headers()}, b"", self.server.key if key else ""
        )

    def _address(self, path: str) -> str:
        base = self.server.address
        return base + (path.removeprefix("/v1") if base.endswith("/v1") else path)

    def _headers(self) -> dict[str, str]:
        return {
            "accept-encoding": "identity",  # what is packed on the way arrives late
            "user-agent": PROGRAM.replace(" ", "/"),
        }

    def _key_for(self, method: str, address: str) -> str:
        if self._key is None or (self.server.key_optional and not self._key.value()):
            return ""
        return self._key.value_for(method, address)

    def _answer(
        self, outgoing: Outgoing, idle: float, is_cancelled: Callable[[], bool], decoder: Decoder | None
    ) -> _Answer:
        key = self._key_for(outgoing.method, outgoing.address) if outgoing.key else ""
        headers = dict(outgoing.headers)
        if key:
            name, value = self._wire.key_header(key)
            headers[name] = value
        with self._lock:
            connection = self._connections.pop() if self._connections else _Connection(self.server.address)
        return _Answer(connection, outgoing, headers, idle, is_cancelled, decoder, self._put_back)

    def _put_back(self, connection: _Connection) -> None:
        with self._lock:
            self._connections.append(connection)

    def _judge(self, head: Head, answer: _Answer, outgoing: Outgoing) -> bool:
        """Return whether an answer is a stream.

        Raises: ProviderError when it is no reply at all.
        """
        if not 200 <= head.status < 300:
            raise self._refused(head, answer, outgoing)
        media = head.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media in ("text/html", "text/xml", "application/xml"):
            raise ProviderError(
                f"{outgoing.address} answered with a page ({media}) and no reply. Is the address right?",
                "bad-request",
                status=head.status,
            )
        # Lines of JSON are a stream whatever they are called.
        return media != "application/json" or self.server.wire == "ollama"

    def _refused(self, head: Head, answer: _Answer, outgoing: Outgoing) -> ProviderError:
        body = bytearray()
        try:
            for part in answer:
                if not isinstance(part, Head):
                    body += part
                if len(body) > LARGEST_ERROR:
                    break
        except ProviderError as error:
            if error.kind == "cancelled":
                return error
        return failures.from_status(
            head.status, head.headers, bytes(body), address=outgoing.address, key=outgoing.key or self.server.key
        )


class _Connection:
    """A client with one connection at most, which is kept from one request to the next."""

    def __init__(self, address: str) -> None:
        import httpx2

        self._sockets: list[Any] = []
        try:
            self.client: httpx2.Client = httpx2.Client(
                # An address without encryption may be behind a proxy with it.
                verify=(is_encrypted(address) or not is_loopback(address)) and _authorities(),
                trust_env=not is_loopback(address),
                follow_redirects=False,
                limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=60.0),
            )
        except (ValueError, httpx2.InvalidURL) as error:
            raise ProviderError(
                f"the proxy that the environment names cannot be used: {error}", "unreachable"
            ) from None
        # The client is closed whole: left to the collector, its sockets could go first, and say that nobody did it.
        weakref.finalize(self, self.client.close).atexit = False

    def watch(self, event: str, details: dict[str, Any]) -> None:
        """Take note of the connection when there is one, so that it can be cut."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            # The one before may be the same connection without encryption; earlier ones are closed.
            self._sockets = [*self._sockets[-1:], details["return_value"].get_extra_info("socket")]

    def cut(self) -> None:
        """End whatever goes on over the connection, at once."""
        for each in self._sockets:
            try:
                # That of the class beneath: an encrypted one would take its state from the thread that reads.
                socket.socket.shutdown(each, socket.SHUT_RDWR)
            except OSError:
                pass


class _Answer:
    """The parts of an answer as they arrive: its head, and then pieces of its body."""

    def __init__(
        self,
        connection: _Connection,
        outgoing: Outgoing,
        headers: Mapping[str, str],
        idle: float,
        is_cancelled: Callable[[], bool],
        decoder: Decoder | None,
        put_back: Callable[[_Connection], None],
    ) -> None:
        self._connection = connection
        self._outgoing = outgoing
        self._headers = headers
        self._idle = idle
        self._is_cancelled = is_cancelled
        self._decoder = decoder
        self._put_back = put_back
        self._parts: queue.Queue[Head | bytes | End] = queue.Queue(AWAITED)
        self._is_abandoned = False
        self._is_whole = False
        self._has_begun = False

    def __enter__(self) -> _Answer:
        threading.Thread(target=self._work, name="nodwyn request", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_abandoned = True
        if self._is_whole:
            self._put_back(self._connection)
        else:
            self._connection.cut()

    def __iter__(self) -> Iterator[Head | bytes]:
        """Yield what arrives.

        Raises: ProviderError when it does not come to an end, or the person cancels.
        """
        while not self._is_whole:
            part = self._next()
            if part is None:
                return
            if isinstance(part, End):
                if part.error is None:
                    self._is_whole = True
                elif self._decoder is None or not self._decoder.is_over:
                    raise self._failure(part.error)
                return
            self._has_begun = True
            yield part

    def _next(self) -> Head | bytes | End | None:
        """Return the next part; None when the reply is over and the server does not end its answer."""
        is_over = self._decoder is not None and self._decoder.is_over
        patience = GRACE if is_over else self._idle
        end = time.monotonic() + patience
        while True:
            if self._is_cancelled():
                raise self._with_partial(ProviderError("cancelled", "cancelled"))
            try:
                return self._parts.get(timeout=LOOK)
            except queue.Empty:
                if time.monotonic() < end:
                    continue
            if is_over:
                return None
            raise self._with_partial(self._silent())

    def _silent(self) -> ProviderError:
        where = self._outgoing.address
        kind: Any = "broken" if self._has_begun else "unreachable"
        return ProviderError(f"{where} sent nothing for {self._idle:g} seconds; idle in models.toml waits longer", kind)

    def _failure(self, error: Exception) -> ProviderError:
        import httpx2

        where, said = self._outgoing.address, _said(error)
        if isinstance(error, httpx2.ReadTimeout):
            return self._with_partial(self._silent())
        if self._has_begun:
            return self._with_partial(ProviderError(f"the reply broke off before its end: {said}", "broken"))
        if isinstance(error, (httpx2.InvalidURL, httpx2.UnsupportedProtocol)):
            return ProviderError(f"{where} is no address that can be asked: {said}", "bad-request")
        return ProviderError(f"{where} cannot be reached: {said}{_remedy(error, where)}", "unreachable")

    def _with_partial(self, error: ProviderError) -> ProviderError:
        return self._decoder.with_partial(error) if self._decoder is not None else error

    def _work(self) -> None:
        """Send the request and hand over what comes back, until it ends or nobody wants it any more."""
        import httpx2

        outgoing = self._outgoing
        error: Exception | None = None
        try:
            with self._connection.client.stream(
                outgoing.method,
                outgoing.address,
                headers=self._headers,
                content=outgoing.body,
                timeout=httpx2.Timeout(self._idle, connect=min(CONNECT, self._idle)),
                extensions={"trace": self._connection.watch},
            ) as response:
                self._hand_over(Head(response.status_code, {k.lower(): v for k, v in response.headers.items()}))
                for data in response.iter_bytes():
                    if self._is_abandoned:
                        break
                    self._hand_over(data)
        except Exception as failure:  # it is told in the thread that waits
            error = failure
        self._hand_over(End(error))

    def _hand_over(self, part: Head | bytes | End) -> None:
        while not self._is_abandoned:
            try:
                return self._parts.put(part, timeout=LOOK)
            except queue.Full:
                pass


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _remedy(error: Exception, address: str) -> str:
    if "CERTIFICATE" in str(error).upper():
        return ". SSL_CERT_FILE names a file with your own authority's certificate"
    return ". Is the server running?" if is_loopback(address) else ""


@cache
def _authorities() -> ssl.SSLContext | bool:
    """Return whom to believe about certificates: whom the environment names, else whom the system believes.

    Raises: ProviderError when a file that is named cannot be read.
    """
    given = [name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
    named = [name for name in BUNDLES if os.environ.get(name)]
    try:
        if named and not given:
            path = os.environ[named[0]]
            is_directory = os.path.isdir(path)
            return ssl.create_default_context(
                cafile=None if is_directory else path, capath=path if is_directory else None
            )
        import httpx2

        return httpx2.create_ssl_context()
    except (OSError, ssl.SSLError) as error:
        names = ", ".join(given or named) or "the system"
        raise ProviderError(f"the certificates that {names} names cannot be read: {error}", "unreachable") from None
