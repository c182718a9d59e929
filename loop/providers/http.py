"""A server that is asked over HTTP: its addresses, its key and its wire, and what its answers are taken for.

:mod:`nodwyn.loop.providers.network` has the exchange itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from nodwyn.loop.providers import failures
from nodwyn.loop.providers.base import Delta, Outgoing, ProviderError, Reply
from nodwyn.loop.providers.collecting import Decoder
from nodwyn.loop.providers.keys import Key, origin_of
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.network import Connection, Head, ServerAnswer
from nodwyn.loop.providers.servers import Server
from nodwyn.loop.providers.wire import Wire
from nodwyn.prims.json_text import encode, parse
from nodwyn.prims.version import PROGRAM

JSON = Any

LARGEST = 512 << 20
"""Bytes of an answer: streams have a hundred bytes around every word."""

LARGEST_ERROR = 64 << 10
LARGEST_LIST = 4 << 20
LISTING = 5.0
"""Seconds that a server may take to list its models."""

EXPLAINING = 10.0
"""Seconds that a server may take to say why it refuses; that it does is known before."""


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
        self._connections: list[Connection] = []
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

    def listed(self) -> list[str]:
        """Return the names of the models that the server says it has.

        Raises: ProviderError.
        """
        outgoing = self.listing()
        body = bytearray()
        end = time.monotonic() + LISTING
        with self._answer(outgoing, LISTING, lambda: False, None) as answer:
            for part in answer:
                if time.monotonic() > end:
                    raise ProviderError(
                        f"{outgoing.address} did not list its models within {LISTING:g} seconds", "unreachable"
                    )
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
            raise ProviderError(
                f"{outgoing.address} answered with what is no list of models. Is the address right?", "broken"
            ) from None

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
    ) -> ServerAnswer:
        key = self._key_for(outgoing.method, outgoing.address) if outgoing.key else ""
        headers = dict(outgoing.headers)
        if key:
            name, value = self._wire.key_header(key)
            headers[name] = value
        with self._lock:
            connection = self._connections.pop() if self._connections else Connection(self.server.address)
        return ServerAnswer(connection, outgoing, headers, idle, is_cancelled, decoder, self._put_back)

    def _put_back(self, connection: Connection) -> None:
        with self._lock:
            self._connections.append(connection)

    def _judge(self, head: Head, answer: ServerAnswer, outgoing: Outgoing) -> bool:
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

    def _refused(self, head: Head, answer: ServerAnswer, outgoing: Outgoing) -> ProviderError:
        body = bytearray()
        end = time.monotonic() + EXPLAINING
        answer.idle = min(answer.idle, EXPLAINING)
        try:
            for part in answer:
                if not isinstance(part, Head):
                    body += part
                if len(body) > LARGEST_ERROR or time.monotonic() > end:
                    break
        except ProviderError as error:
            if error.kind == "cancelled":
                return error
        return failures.from_status(
            head.status, head.headers, bytes(body), address=outgoing.address, key=outgoing.key or self.server.key
        )
