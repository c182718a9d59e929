"""A request to a model from beginning to end: what is on record, in which order, and when it is sent again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from nodwyn.loop.providers import calling
from nodwyn.loop.providers.base import Delta, Outgoing, ProviderError, Reply
from nodwyn.loop.providers.calling import ModelFailed, call_model, unique
from nodwyn.loop.providers.catalogue import Model
from nodwyn.loop.providers.servers import Price
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.guard.checkers import Checker
from nodwyn.prims.log.events import (
    Egress,
    GuardDecision,
    Interruption,
    ModelError,
    ModelRequest,
    ModelResponse,
    Note,
)
from nodwyn.prims.session import Session
from tests.loop.providers.conftest import REQUEST, StandIn

JSON = Any

SECRET = "a-secret-of-the-keyring-8471"
PRICE = Price(3, 15, 0.3, 3.75)
SO = Reply([{"type": "text", "text": "So."}], "end", "m-1", "msg_1", {"input": 100, "output": 10}, 20)


class StandInProvider:
    """Answers with replies and errors in turn, and says what the log had when it was asked."""

    name = "here"

    def __init__(self, *answers: Reply | BaseException, outgoing: Outgoing | ProviderError | None = None) -> None:
        self._answers = list(answers)
        self._outgoing = outgoing or Outgoing("POST", "https://models.example/v1", {}, b"{}", "SOME_KEY")
        self.asked = 0
        self.before: Callable[[], None] = lambda: None

    def secrets(self) -> list[str]:
        return [SECRET]

    def outgoing(self, request: JSON) -> Outgoing:
        if isinstance(self._outgoing, ProviderError):
            raise self._outgoing
        return self._outgoing

    def send(self, outgoing: Outgoing, *, on_delta: Callable[[Delta], None], is_cancelled: Callable[[], bool]) -> Reply:
        self.asked += 1
        self.before()
        answer = self._answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class Asking:
    """Asks a stand-in in a session."""

    def __init__(self, session: Session, recipe: int) -> None:
        self.session = session
        self.recipe = recipe
        self.is_cancelled: Callable[[], bool] = lambda: False
        self.budget = Budget()

    def __call__(self, provider: StandInProvider, *, tokens: int = 100, price: Price | None = PRICE) -> int:
        model = Model("here", "m", 1000, 100, price, provider)
        return call_model(
            self.session,
            model,
            StandIn(REQUEST, tokens),
            self.recipe,
            agent="main",
            budget=self.budget,
            on_delta=lambda delta: None,
            is_cancelled=self.is_cancelled,
        )

    def failure(self, provider: StandInProvider, **more: Any) -> ModelFailed:
        with pytest.raises(ModelFailed) as caught:
            self(provider, **more)
        return caught.value

    def kinds(self) -> list[str]:
        """Return the kinds of the events since the recipe."""
        return [event.kind for event in self.session.log.events(self.recipe + 1)]

    def last(self) -> Any:
        return self.session.log.event(self.session.log.last)


@pytest.fixture
def asking(session: Session, recipe: int, monkeypatch: pytest.MonkeyPatch) -> Asking:
    monkeypatch.setattr(calling, "FIRST_WAIT", 0.01)
    return Asking(session, recipe)


def test_all_that_a_request_rests_on_is_on_record_before_it_leaves(asking: Asking) -> None:
    provider = StandInProvider(SO)
    seen: list[list[str]] = []
    provider.before = lambda: seen.append(asking.kinds())
    seq = asking(provider)
    assert seen == [["llm.req", "guard.decision", "egress"]]
    request, decision, egress, response = asking.session.log.events(asking.recipe + 1)
    assert isinstance(request, ModelRequest)
    assert isinstance(decision, GuardDecision)
    assert isinstance(egress, Egress)
    assert isinstance(response, ModelResponse)
    assert (request.tokens, request.body) == (100, sha256(b"{}").hexdigest())
    assert (decision.effect, decision.decision, decision.layer) == ("send", "allow", "binding")
    assert (egress.purpose, egress.key, egress.body, egress.decision) == ("llm", "SOME_KEY", request.body, decision.seq)
    assert (response.seq, response.request, response.cost, response.model) == (seq, request.seq, 450, "m-1")


def test_what_a_reply_used_counts_against_the_budget(asking: Asking) -> None:
    asking(StandInProvider(SO))
    used = asking.budget.used
    assert (used["tokens"], used["cost"], used["rounds"]) == (110, 450, 1)


@pytest.mark.parametrize("usage", [{"input": 100, "output": 10}, None])
def test_where_the_price_is_not_known_the_record_says_so_and_has_no_cost(
    asking: Asking, usage: dict[str, int] | None
) -> None:
    asking(StandInProvider(SO._replace(usage=usage)), price=None)
    asking.failure(StandInProvider(ProviderError("no", "refused", usage={"input": 7})), price=None)
    told = [asking.session.log.event(seq).as_json() for seq in asking.session.log.seqs("llm.resp", "llm.error")]
    assert [(each["unpriced"], "cost" in each) for each in told] == [(True, False), (True, False)]
    assert asking.budget.used["cost"] == 0


def test_what_costs_nothing_has_a_cost_of_nothing(asking: Asking) -> None:
    asking(StandInProvider(SO), price=Price(0, 0, 0, 0))
    told = asking.last().as_json()
    assert (told["cost"], "unpriced" in told) == (0, False)


def test_what_a_provider_does_not_count_is_estimated(asking: Asking) -> None:
    asking(StandInProvider(SO._replace(usage=None)))
    assert asking.budget.used["tokens"] > 100


@pytest.mark.parametrize("limits", [{"rounds": 0}, {"tokens": 50}, {"cost": 299}, {"seconds": 0}])
def test_a_budget_that_is_used_up_stops_a_request_before_it_leaves(asking: Asking, limits: dict[str, int]) -> None:
    asking.budget = Budget(limits)
    provider = StandInProvider(SO)
    failed = asking.failure(provider)
    assert (failed.kind, provider.asked) == ("budget", 0)
    assert asking.kinds() == ["llm.req", "budget", "guard.decision", "llm.error"]


def test_the_budget_is_looked_at_before_each_attempt(asking: Asking) -> None:
    asking.budget = Budget({"rounds": 2})
    provider = StandInProvider(*[ProviderError("busy", "busy", status=529)] * 5)
    assert asking.failure(provider).kind == "budget"
    assert provider.asked == 2


@pytest.mark.parametrize(("kind", "attempts"), [("busy", 5), ("unreachable", 3), ("broken", 3)])
def test_what_may_pass_is_tried_again_and_not_for_ever(asking: Asking, kind: Any, attempts: int) -> None:
    provider = StandInProvider(*[ProviderError("no", kind, status=503)] * 9)
    failed = asking.failure(provider)
    assert (failed.kind, provider.asked) == (kind, attempts)
    assert asking.kinds().count("llm.retry") == attempts - 1
    assert asking.kinds().count("egress") == attempts


@pytest.mark.parametrize("kind", ["overflow", "key", "refused", "bad-request", "cancelled"])
def test_what_will_not_pass_is_not_tried_again(asking: Asking, kind: Any) -> None:
    provider = StandInProvider(ProviderError("no", kind))
    assert asking.failure(provider).kind == kind
    assert provider.asked == 1


def test_a_reply_after_failures(asking: Asking) -> None:
    broken = ProviderError("broke off", "broken", partial=[{"type": "text", "text": "S"}], usage={"input": 100})
    asking(StandInProvider(broken, SO))
    (retry,) = [event for event in asking.session.log.events() if event.kind == "llm.retry"]
    assert retry.as_json()["partial"] == [{"type": "text", "text": "S"}]
    assert asking.budget.used["tokens"] == 210


def test_a_provider_that_names_a_time_is_given_it(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(calling, "_pause", lambda seconds, is_cancelled: waited.append(seconds))
    asking(StandInProvider(ProviderError("busy", "busy", retry_after=30), SO))
    assert waited == [30]


def test_a_provider_that_wants_too_long_is_not_waited_for(asking: Asking) -> None:
    failed = asking.failure(StandInProvider(ProviderError("busy", "busy", retry_after=3600)))
    assert failed.kind == "busy"
    assert "in 60 minutes" in str(failed)


def test_each_wait_is_about_twice_as_long_as_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "FIRST_WAIT", 1.0)
    waits = [calling._wait_for(ProviderError("", "busy"), attempt) for attempt in (1, 2, 3, 4, 5)]
    for wait, expected in zip(waits, (1, 2, 4, 8)):
        assert wait is not None
        assert 0.75 * expected <= wait <= 1.25 * expected
    assert waits[4] is None


def test_cancelling_while_waiting_ends_the_request(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "FIRST_WAIT", 30.0)
    cancelled = threading.Event()
    asking.is_cancelled = cancelled.is_set
    threading.Timer(0.1, cancelled.set).start()
    assert asking.failure(StandInProvider(ProviderError("busy", "busy"))).kind == "cancelled"
    assert asking.kinds()[-1] == "llm.error"


def test_what_had_arrived_is_kept(asking: Asking) -> None:
    partial = [{"type": "call", "id": "c", "name": "fs-write", "arguments": '{"pa'}]
    failed = asking.failure(StandInProvider(ProviderError("cancelled", "cancelled", partial=partial,
                                                          usage={"input": 7})))  # fmt: skip
    error = asking.last()
    assert isinstance(error, ModelError)
    assert (error.seq, error.partial, error.usage, error.cost) == (failed.seq, partial, {"input": 7}, 21)


def test_a_request_that_cannot_be_made_is_on_record_all_the_same(asking: Asking) -> None:
    provider = StandInProvider(outgoing=ProviderError("there is no key: set X", "key"))
    assert asking.failure(provider).kind == "key"
    assert asking.kinds() == ["llm.req", "llm.error"]


@pytest.mark.parametrize(("tokens", "is_sent"), [(1000, True), (1142, True), (1144, False), (3222, False)])
def test_a_request_that_the_model_cannot_hold_is_not_sent(asking: Asking, tokens: int, is_sent: bool) -> None:
    provider = StandInProvider(SO)
    if is_sent:
        asking(provider, tokens=tokens)
        return
    failure = asking.failure(provider, tokens=tokens)
    assert (failure.kind, provider.asked) == ("overflow", 0)
    assert f"the request has about {tokens:,} tokens, and m takes 1,000 with its reply: it was not sent" in str(failure)
    assert asking.kinds() == ["llm.req", "llm.error"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), RuntimeError("a fault of ours")])
def test_a_stop_midway_leaves_a_valid_log(asking: Asking, stop: BaseException) -> None:
    with pytest.raises(type(stop)):
        asking(StandInProvider(stop))
    event = asking.last()
    assert isinstance(event, Interruption)
    assert event.of == asking.recipe + 1


def test_a_stop_behind_the_reply_does_not_end_the_request_twice(asking: Asking) -> None:
    class Stopping(Budget):
        def charge(self, *, tokens: int = 0, cost: int = 0) -> None:
            raise KeyboardInterrupt

    asking.budget = Stopping()
    with pytest.raises(KeyboardInterrupt):
        asking(StandInProvider(SO))
    assert asking.kinds()[-1] == "llm.resp"


def test_a_reply_that_the_log_cannot_hold_is_an_error(asking: Asking) -> None:
    deep: JSON = {}
    for _ in range(300):
        deep = {"a": deep}
    call = {"type": "call", "id": "c", "name": "fs-read", "arguments": deep}
    assert asking.failure(StandInProvider(*[Reply([call], "calls")] * 3)).kind == "broken"


def test_keys_never_reach_the_log(asking: Asking) -> None:
    asking(StandInProvider(SO._replace(content=[{"type": "text", "text": f"It is {SECRET}."}])))
    asking.failure(StandInProvider(ProviderError(f"Incorrect key {SECRET}", "key")))
    asking.session.log.barrier()
    assert SECRET not in asking.session.log.path.read_text(encoding="utf-8")


def test_a_key_is_redacted_from_then_on_in_texts_that_were_seen_before_too(asking: Asking) -> None:
    log = asking.session.log
    log.append(Note(text=SECRET))
    asking(StandInProvider(SO))
    again = log.event(log.append(Note(text=SECRET)))
    assert again.as_json()["text"] == "[redacted:held-value]"


def test_thinking_that_redaction_changes_does_not_go_back(asking: Asking) -> None:
    sealed = {"type": "thinking", "text": f"It is {SECRET}.", "wire": "anthropic", "signature": "c2ln"}
    whole = {**sealed, "text": "Hm."}
    asking(StandInProvider(SO._replace(content=[sealed, whole])))
    changed, kept = asking.last().content
    assert changed == {"type": "thinking", "text": "It is [redacted:held-value]."}
    assert kept == whole


def test_a_checker_of_the_persons_may_refuse_a_request(asking: Asking) -> None:
    check = asking.session.scheme.eval_scheme("(lambda (effect) (cdr (assq 'model effect)))")
    asking.session.guard.checkers.register(Checker("mine", check, ""))
    provider = StandInProvider(SO)
    assert (asking.failure(provider).kind, provider.asked) == ("refused", 0)


def test_calls_of_a_reply_are_told_apart() -> None:
    def named(*ids: str) -> list[JSON]:
        return [{"type": "call", "id": id, "name": "x", "arguments": {}} for id in ids]

    ids = [block["id"] for block in unique([*named("a", "", "a", "b"), {"type": "text", "text": ""}], 7)
           if block["type"] == "call"]  # fmt: skip
    assert (ids[0], ids[3]) == ("a", "b")
    assert len(set(ids)) == 4
