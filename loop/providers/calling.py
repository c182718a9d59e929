"""A request to a model from its beginning to its end, all of it on record.

What a request rests on is recorded before it is sent, and behind a barrier: the request itself, the guard's decision,
which counts it against the budget, and that something leaves this machine. It ends in a reply or an error, or in an
interruption when it is stopped midway, so that the log is valid whatever happens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import ceil
from random import random
from typing import TYPE_CHECKING, Any, Protocol

from nodwyn.loop.providers.base import LOOK, Delta, Failure, Outgoing, ProviderError, Reply
from nodwyn.loop.providers.catalogue import SCRIPTED, cost_of
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.guard.decide import Refused
from nodwyn.prims.guard.proposal import Call, Proposal
from nodwyn.prims.json_text import encode, texts_in
from nodwyn.prims.log import EventError, LogError
from nodwyn.prims.log.events import (
    Egress,
    GuardDecision,
    Interruption,
    ModelError,
    ModelRequest,
    ModelResponse,
    ModelRetry,
)

if TYPE_CHECKING:
    from nodwyn.loop.providers.catalogue import Model
    from nodwyn.prims.session import Session

JSON = Any

ATTEMPTS: Mapping[Failure, int] = {"busy": 5, "unreachable": 3, "broken": 3}
"""How often a request is sent at most when it fails so; what is not named here is sent once."""

FIRST_WAIT = 1.0
"""Seconds before the second attempt; each further one waits twice as long."""

SURELY = 7 / 8
"""What a request has at least, of the tokens that it is estimated to have: four bytes make one."""

LONGEST_WAIT = 60.0
"""Seconds that a provider may ask for."""


class Built(Protocol):
    """A request as the window builds it."""

    @property
    def request(self) -> JSON: ...
    @property
    def digest(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def broken(self) -> str: ...


class Window(Protocol):
    """What requests are built by."""

    def build(self, recipe_seq: int, /) -> Built:
        """Return the request that a recipe and the log make."""
        ...


class ModelFailed(Exception):
    """A request came to no reply; the message says what happened and what to do next."""

    def __init__(self, message: str, seq: int, kind: str) -> None:
        super().__init__(message)
        self.seq = seq
        """Of the event that says so: the llm.error."""
        self.kind = kind
        """One of :data:`nodwyn.loop.providers.base.Failure`, or ``budget``."""


def call_model(
    session: Session,
    model: Model,
    window: Window,
    recipe: int,
    *,
    agent: str,
    budget: Budget,
    on_delta: Callable[[Delta], None],
    is_cancelled: Callable[[], bool],
) -> int:
    """Send what a recipe and the log make to a model; return the seq of its llm.resp.

    session: whose guard decides, and whose log has it. window: builds the request from the recipe. recipe: the seq of
    the recipe. agent: whose request it is. budget: what it counts against. on_delta: is given the
    pieces of the reply as they arrive. is_cancelled: is asked several times a second.

    Raises: ModelFailed. LogError, when nothing more can be recorded; nothing is then sent.
    """
    built = window.build(recipe)
    for value in model.adapter.secrets():
        session.redactor.hold(value)
    outgoing: Outgoing | None = None
    failure: ProviderError | None = None
    try:
        _require_room(model, built.tokens)
        outgoing = model.adapter.outgoing(built.request)
    except ProviderError as error:
        failure = error
    body: dict[str, Any] = {"body": sha256(outgoing.body).hexdigest()} if outgoing is not None else {}
    request = session.log.append(
        ModelRequest(recipe=recipe, digest=built.digest, tokens=built.tokens, broken=built.broken, agent=agent, **body)
    )
    exchange = _Exchange(session, model, built, request, agent, budget)
    try:
        if outgoing is None:
            assert failure is not None
            raise failure
        return exchange.run(outgoing, on_delta, is_cancelled)
    except ProviderError as error:
        raise exchange.failed(error) from None
    except LogError:
        raise
    except BaseException as error:
        if not _has_ended(session, request):
            session.log.append(Interruption(of=request, reason=_reason(error), agent=agent))
        raise


class _Exchange:
    """One request that is on record, and what has come of it so far."""

    def __init__(self, session: Session, model: Model, built: Built, request: int, agent: str, budget: Budget) -> None:
        self._session = session
        self._model = model
        self._built = built
        self._request = request
        self._agent = agent
        self._budget = budget
        self._refused = ""

    def run(self, outgoing: Outgoing, on_delta: Callable[[Delta], None], is_cancelled: Callable[[], bool]) -> int:
        """Send until there is a reply or no hope; return the seq of the llm.resp.

        Raises: ProviderError.
        """
        attempt = 1
        while True:
            self._permit(outgoing)
            started = time.monotonic()
            try:
                reply = self._model.adapter.send(outgoing, on_delta=on_delta, is_cancelled=is_cancelled)
                return self._answered(reply, int((time.monotonic() - started) * 1000))
            except ProviderError as error:
                seconds = _wait_for(error, attempt)
                if seconds is None:
                    raise _given_up(error) from None
                self._retry(error, seconds)
                _pause(seconds, is_cancelled)
            attempt += 1

    def failed(self, error: ProviderError) -> ModelFailed:
        """Put on record that there is no reply; return what the caller is told."""
        message = self._session.redactor.redact(str(error))
        given: dict[str, Any] = {"partial": error.partial} if error.partial else {}
        if error.usage:
            self._charge(error.usage)
            given |= {"usage": error.usage, **self._price(error.usage)}
        seq = self._session.log.append(
            ModelError(request=self._request, status=error.status, message=message, agent=self._agent, **given)
        )
        return ModelFailed(message, seq, self._refused or error.kind)

    def _permit(self, outgoing: Outgoing) -> None:
        """Have the guard decide about an attempt, and put on record what leaves.

        Raises: ProviderError when the guard says no.
        """
        model, tokens = self._model, self._built.tokens
        proposal = Proposal(
            "send",
            outgoing.address,
            ground=("binding", _ground(outgoing)),
            show=lambda: _shown(model, outgoing, tokens),
            details={"model": model.name},
            is_round=True,
            tokens=tokens,
            cost=cost_of({"input": tokens}, model.price) if model.price else 0,
        )
        call = Call(0, "model-call", "loop", {}, self._agent)
        try:
            with self._session.guard.within(self._budget):
                decision = self._session.guard.decide(proposal, call)
        except Refused as error:
            decided = self._session.log.event(error.decision)
            if isinstance(decided, GuardDecision) and decided.layer == "budget":
                self._refused = "budget"
                raise ProviderError(decided.reason, "refused") from None
            raise ProviderError(str(error), "refused") from None
        if outgoing.method:
            self._session.log.append(
                Egress(
                    purpose="llm",
                    method=outgoing.method,
                    address=outgoing.address,
                    size=len(outgoing.body),
                    body=sha256(outgoing.body).hexdigest(),
                    key=outgoing.key,
                    decision=decision,
                    agent=self._agent,
                )
            )
            self._session.log.barrier()

    def _answered(self, reply: Reply, milliseconds: int) -> int:
        """Put a reply on record; return its seq.

        Raises: ProviderError when it is none that the log can hold.
        """
        used = reply.usage or self._estimated(reply)
        content = unique(self._sound(reply.content), self._request)
        given: dict[str, Any] = {"usage": reply.usage} if reply.usage else {}
        given |= self._price(used)
        try:
            seq = self._session.log.append(
                ModelResponse(
                    request=self._request,
                    content=content,
                    stop=reply.stop,
                    model=reply.model,
                    id=reply.id,
                    milliseconds=milliseconds,
                    first=reply.first,
                    agent=self._agent,
                    **given,
                )
            )
        except EventError as error:
            raise ProviderError(f"the reply cannot be recorded: {error}", "broken", usage=reply.usage) from None
        self._charge(used)
        return seq

    def _sound(self, content: list[JSON]) -> list[JSON]:
        """Return a reply's blocks; of thinking that redaction changes, only the text, since it must go back whole."""
        redact = self._session.redactor.redact
        return [
            {"type": "thinking", "text": block["text"]}
            if block["type"] == "thinking" and any(redact(text) != text for text in texts_in(block))
            else block
            for block in content
        ]

    def _price(self, usage: Mapping[str, int]) -> dict[str, Any]:
        """Return what the record says of the cost of a reply."""
        price = self._model.price
        return {"unpriced": True} if price is None else {"cost": cost_of(usage, price)}

    def _charge(self, usage: Mapping[str, int]) -> None:
        self._budget.charge(tokens=sum(usage.values()), cost=self._price(usage).get("cost", 0))

    def _estimated(self, reply: Reply) -> dict[str, int]:
        """Return what a reply used where the provider does not say."""
        from nodwyn.loop.window.tokens import estimate

        return {"input": self._built.tokens, "output": estimate(encode(reply.content).decode())}

    def _retry(self, error: ProviderError, seconds: float) -> None:
        given: dict[str, Any] = {"partial": error.partial} if error.partial else {}
        if error.usage:
            self._charge(error.usage)
        self._session.log.append(
            ModelRetry(
                request=self._request,
                status=error.status,
                message=str(error),
                wait=int(seconds * 1000),
                agent=self._agent,
                **given,
            )
        )


def unique(content: list[JSON], request: int) -> list[JSON]:
    """Return a reply's blocks with an id for each call that no other call of the reply has.

    request: the seq of its llm.req. That calls of several replies are told apart is the window's part.
    """
    taken: set[str] = set()
    blocks = []
    for block in content:
        if block["type"] == "call":
            name = block["id"]
            if not name or name in taken:
                name = next(
                    each for number in range(1, len(content) + 1) if (each := f"call_{request}_{number}") not in taken
                )
            taken.add(name)
            block = {**block, "id": name}
        blocks.append(block)
    return blocks


def _require_room(model: Model, tokens: int) -> None:
    """Refuse a request that is longer than what the model takes, however few tokens its text makes.

    Raises: ProviderError.
    """
    if model.provider != SCRIPTED and tokens * SURELY > model.context:
        raise ProviderError(
            f"the request has about {tokens:,} tokens, and {model.name} takes {model.context:,} with its reply: it was"
            f" not sent. Take a model that takes more; context in models.toml says what one takes",
            "overflow",
        )


def _ground(outgoing: Outgoing) -> str:
    if not outgoing.method:
        return "the person named this scripted model; nothing leaves this machine"
    return f"the person named this model's server; {outgoing.key_in_words}"


def _shown(model: Model, outgoing: Outgoing, tokens: int) -> list[tuple[str, str]]:
    return [
        ("send to", f"{outgoing.method} {outgoing.address}".strip()),
        ("model", model.name),
        ("key", outgoing.key or "none"),
        ("size", f"{len(outgoing.body)} bytes, about {tokens} tokens"),
        ("body", sha256(outgoing.body).hexdigest()),
    ]


def _wait_for(error: ProviderError, attempt: int) -> float | None:
    """Return the seconds until the next attempt; None when there is to be none."""
    if attempt >= ATTEMPTS.get(error.kind, 1):
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= LONGEST_WAIT else None
    return FIRST_WAIT * float(2 ** (attempt - 1)) * (0.75 + random() / 2)


def _given_up(error: ProviderError) -> ProviderError:
    """Return an error that ends a request, with what a person can do about a wait that is too long for us."""
    if error.retry_after is None or error.retry_after <= LONGEST_WAIT:
        return error
    when = f"{error} It wants to be asked again in {ceil(error.retry_after / 60)} minutes: go on then, or with another"
    return ProviderError(f"{when} model.", error.kind, status=error.status, partial=error.partial, usage=error.usage)


def _pause(seconds: float, is_cancelled: Callable[[], bool]) -> None:
    """Wait, unless the person cancels.

    Raises: ProviderError.
    """
    end = time.monotonic() + seconds
    while (rest := end - time.monotonic()) > 0:
        if is_cancelled():
            raise ProviderError("cancelled while waiting for the next attempt", "cancelled")
        time.sleep(min(rest, LOOK))


def _has_ended(session: Session, request: int) -> bool:
    """Return whether a reply to a request, or its failure, is on record: a stop can come just behind that."""
    return any(
        isinstance(event, (ModelResponse, ModelError)) and event.request == request
        for event in session.log.events(request + 1)
    )


def _reason(error: BaseException) -> str:
    return (
        "the person stopped it" if isinstance(error, KeyboardInterrupt) else f"it was stopped: {type(error).__name__}"
    )
