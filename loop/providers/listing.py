"""Asking a server for its models: decided by the guard and on record like any other request."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from nodwyn.loop.providers.base import ProviderError
from nodwyn.loop.providers.http import HttpProvider
from nodwyn.loop.providers.servers import Server
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.proposal import Call, Proposal
from nodwyn.prims.log.events import Egress

if TYPE_CHECKING:
    from nodwyn.prims.session import Session


class Listed(NamedTuple):
    """What a server answered."""

    server: Server
    models: Sequence[str]
    problem: str
    """Why there is no answer; nothing when there is one."""


def ask_servers(session: Session, servers: Sequence[Server]) -> list[Listed]:
    """Ask servers for their models, all at once; return the answers in the order of the servers.

    session: whose guard decides, and whose log has it.

    Raises: LogError when a request cannot be put on record; it is then not sent.
    """
    asked = [(server, _permitted(session, server)) for server in servers]
    with ThreadPoolExecutor(max(len(asked), 1)) as pool:
        return list(pool.map(lambda each: each[1] if isinstance(each[1], Listed) else _answer(each[0], each[1]), asked))


def _permitted(session: Session, server: Server) -> HttpProvider | Listed:
    """Return what asks a server, once that is decided and on record; or why it must not be asked."""
    provider = HttpProvider(server, 0)
    for value in provider.secrets():
        session.redactor.hold(value)
    try:
        outgoing = provider.listing()
        reason = f"the person named this server; {outgoing.key_in_words}"
        proposal = Proposal("send", outgoing.address, ground=("binding", reason))
        decision = session.guard.decide(proposal, Call(0, "models", "person", {}))
    except (ProviderError, Refused) as error:
        return Listed(server, (), str(error))
    session.log.append(
        Egress(
            purpose="models",
            method=outgoing.method,
            address=outgoing.address,
            size=0,
            key=outgoing.key,
            decision=decision,
        )
    )
    session.log.barrier()
    return provider


def _answer(server: Server, provider: HttpProvider) -> Listed:
    try:
        return Listed(server, provider.listed(), "")
    except ProviderError as error:
        return Listed(server, (), str(error))
