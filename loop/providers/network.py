"""Exchanges over a network: the only place that talks to one.

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

from nodwyn.loop.providers.addresses import is_encrypted, is_loopback
from nodwyn.loop.providers.base import LOOK, Failure, Outgoing, ProviderError
from nodwyn.loop.providers.collecting import Decoder

if TYPE_CHECKING:
    import httpx2

CONNECT = 15.0
"""Seconds until there must be a connection."""

GRACE = 1.0
"""Seconds that a server may take to end its answer once the reply in it has ended."""

AWAITED = 64
"""Pieces that may wait to be taken up before the server is kept waiting."""

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


class Connection:
    """A client with one connection at most, which is kept from one request to the next."""

    def __init__(self, address: str) -> None:
        """Make a client for the requests to a server.

        address: what the addresses of all of them begin with.

        Raises: ProviderError when the environment names a proxy or certificates that cannot be used.
        """
        import httpx2

        self._sockets: list[Any] = []
        self._is_cut = False
        try:
            self.client: httpx2.Client = httpx2.Client(
                # An address without encryption may be behind a proxy with it.
                verify=(is_encrypted(address) or not is_loopback(address)) and authorities(),
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
            if self._is_cut:
                self.cut()  # nobody waits for the answer any more: nothing is sent

    def cut(self) -> None:
        """End whatever goes on over the connection, at once, or as soon as there is one."""
        self._is_cut = True
        for each in self._sockets:
            try:
                # That of the class beneath: an encrypted one would take its state from the thread that reads.
                socket.socket.shutdown(each, socket.SHUT_RDWR)
            except OSError:
                pass


class ServerAnswer:
    """The parts of an answer as they arrive: its head, and then pieces of its body."""

    def __init__(
        self,
        connection: Connection,
        outgoing: Outgoing,
        headers: Mapping[str, str],
        idle: float,
        is_cancelled: Callable[[], bool],
        decoder: Decoder | None,
        put_back: Callable[[Connection], None],
    ) -> None:
        """Make ready for an answer; within the context the request is under way.

        headers: all that go with the request, a key too. idle: seconds without a byte after which it counts as broken
        off. is_cancelled: is asked several times a second. decoder: what puts the reply together, and knows when it is
        over; None for what is no reply. put_back: takes the connection when the answer has come whole.
        """
        self._connection = connection
        self._outgoing = outgoing
        self._headers = headers
        self.idle = idle
        """May be changed while the answer comes."""
        self._is_cancelled = is_cancelled
        self._decoder = decoder
        self._put_back = put_back
        self._parts: queue.Queue[Head | bytes | End] = queue.Queue(AWAITED)
        self._is_abandoned = False
        self._is_whole = False
        self._has_begun = False

    def __enter__(self) -> ServerAnswer:
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
        patience = GRACE if is_over else self.idle
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
        kind: Failure = "broken" if self._has_begun else "unreachable"
        advice = "; idle in models.toml waits longer" if self._decoder is not None else ""
        return ProviderError(f"{self._outgoing.address} sent nothing for {self.idle:g} seconds{advice}", kind)

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
                timeout=httpx2.Timeout(self.idle, connect=min(CONNECT, self.idle)),
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
def authorities() -> ssl.SSLContext | bool:
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
