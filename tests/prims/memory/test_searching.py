"""Searching the conversation: what is ranked and what is not, and how it is shown."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.calling import Outcome, perform
from nodwyn.prims.context import Context
from nodwyn.prims.declare import Bound, Primitive
from nodwyn.prims.effects import Effect
from nodwyn.prims.families import ALL
from nodwyn.prims.guard.proposal import Call
from nodwyn.prims.index_search import PRIMITIVES
from nodwyn.prims.log import Event
from nodwyn.prims.log.events import (
    Approval,
    Attachment,
    Egress,
    GuardDecision,
    Narrow,
    Note,
    ProjectNotes,
    Recipe,
    Summary,
    TurnStart,
    UserMessage,
)
from nodwyn.prims.memory.recalled import recall_text
from nodwyn.prims.memory.searching import best_lines, distinct, find_in, search_conversation, search_tasks
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events
from tests.prims.memory.making import Maker, new_session


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return new_session(tmp_path)


def seqs(maker: Maker, query: str, limit: int = 20) -> list[int]:
    return [each.seq for each in find_in([maker.path], query.split(), limit).found]


def text(maker: Maker, query: str) -> str:
    return search_tasks([maker.path], query, 8)


def event(make: Callable[[], Event]) -> Callable[[Maker], int]:
    return lambda maker: maker.add(make())


RANKED: dict[str, tuple[Callable[[Maker], int], str]] = {
    "a person's message": (lambda maker: maker.ask("okapi"), "the person's message"),
    "our message": (lambda maker: maker.remind("okapi"), "nodwyn's message"),
    "an attached file": (event(lambda: Attachment(name="a", text="okapi", size=5)), "the attached file a"),
    "an attached file's name": (event(lambda: Attachment(name="okapi.png", size=5)), "the attached file okapi.png"),
    "a plan": (lambda maker: maker.plan(("open", "okapi")), "the plan"),
    "a summary": (
        event(lambda: Summary(first=1, through=2, text="okapi", digest="0" * 64)),
        "the person's summary",
    ),
    "a note": (event(lambda: Narrow(first=1, through=2, note="okapi")), "a compaction's note"),
    "a reply": (lambda maker: maker.reply("an okapi"), "a reply"),
    "a reply's call": (lambda maker: maker.reply("", ("fs-read", {"path": "okapi"})), "a reply"),
    "a result": (lambda maker: maker.call("fs-read", {"path": "a"}, "okapi"), 'the result of fs-read {"path":"a"}'),
    "an object in a result": (lambda maker: maker.call("x", {}, {"a": ["okapi"]}), "the result of x {}"),
    "a sub-agent's result": (
        lambda maker: maker.call("fs-read", {"path": "a"}, "okapi", agent="explorer"),
        'the result of fs-read {"path":"a"}, in the context of explorer',
    ),
}


@pytest.mark.parametrize("what", RANKED)
def test_what_is_ranked(maker: Maker, what: str) -> None:
    make, named = RANKED[what]
    maker.turn("before", "nothing")
    seq = make(maker)

    assert seqs(maker, "okapi") == [seq]
    assert f"seq {seq}, {named}\n" in text(maker, "okapi") + "\n"


NOT_RANKED: dict[str, Callable[[Maker], object]] = {
    "our prompt to a sub-agent": lambda maker: maker.remind("okapi", agent="explorer"),
    "a decision": event(
        lambda: GuardDecision(effect="read", subject="okapi", decision="allow", layer="pin", reason="okapi")
    ),
    "an approval": event(lambda: Approval(question="okapi", answer="yes", actor="person")),
    "egress": event(lambda: Egress(purpose="okapi", address="okapi", size=1)),
    "a recipe": event(lambda: Recipe(version=1, system="okapi", tools=[], policy={}, provider="okapi", model="okapi")),
    "a note of the program": event(lambda: Note(text="okapi")),
    "project notes": event(lambda: ProjectNotes(text="okapi")),
    "thinking": lambda maker: maker.reply("well", thinking="okapi"),
    "a search": lambda maker: maker.call("index-search", {"query": "okapi", "scope": "conversation"}, "okapi okapi"),
    "a failed search": lambda maker: maker.call("index-search", {"query": "okapi"}, "okapi", ok=False),
    "a recall": lambda maker: maker.call("recall", {"seq": 3, "task": "okapi"}, "okapi"),
}


@pytest.mark.parametrize("what", NOT_RANKED)
def test_what_is_not_ranked(maker: Maker, what: str) -> None:
    maker.ask("before")
    NOT_RANKED[what](maker)
    assert seqs(maker, "okapi") == []
    maker.end()
    assert seqs(maker, "okapi") == []


def test_the_same_search_twice_finds_the_same(maker: Maker) -> None:
    maker.turn("the okapi", "yes")
    maker.ask("search")
    first = text(maker, "okapi")
    maker.call("index-search", {"query": "okapi", "scope": "conversation"}, first)

    assert text(maker, "okapi") == first


def test_a_word_in_the_call_ranks_over_one_in_an_output_of_like_length(maker: Maker) -> None:
    maker.ask("x")
    in_output = maker.call("fs-read", {"path": "other"}, "okapi and more")
    in_call = maker.call("fs-read", {"path": "okapi"}, "other and more")

    found = [seq for seq in seqs(maker, "okapi") if seq in (in_output, in_call)]
    assert found == [in_call, in_output]


def test_events_stand_under_their_turns_with_a_line_of_the_card(maker: Maker) -> None:
    maker.turn("first okapi", "yes", ("fs-read", {"path": "a"}, "one\nokapi two\nthree"))
    maker.ask("second")
    last = maker.reply("okapi " * 3)

    said = text(maker, "okapi")

    assert said.startswith("The best 3 of 6 events of ")
    blocks = said.split("\n\n")[1:]
    assert len(blocks) == 2
    of_first = next(block for block in blocks if block.startswith("turn 2-"))
    assert "done, 1.5 s, $0.00; asked: first okapi\n" in of_first
    assert '  seq 8, the result of fs-read {"path":"a"}\n    2: okapi two' in of_first
    of_second = next(block for block in blocks if block is not of_first)
    assert "not over" in of_second
    assert f"  seq {last}, a reply\n    1: okapi okapi okapi" in of_second


def test_lines_are_numbered_as_recall_numbers_them(maker: Maker) -> None:
    maker.ask("go")
    output = "".join(f"line {number}\n" for number in range(40)) + "an okapi\n" + "x " * 2000 + "the okapi\n"
    seq = maker.shell("make", output, errors="okapi: warning\n")

    shown = re.findall(r"^    (\d+): (.*)$", text(maker, "okapi"), re.MULTILINE)

    assert len(shown) == 3
    for number, line in shown:
        recalled = recall_text(maker.log, seq, int(number), 1, most=None).split("\n")
        assert recalled[1].startswith(f"[lines {number}-{number} of ")
        assert line.strip("…") in recalled[2]


def test_the_best_lines_hold_most_of_the_words() -> None:
    lines = ["one", "two one", "three TwoOne", "one_two three", "nothing"]

    assert best_lines(lines, ["one", "two", "three"]) == [(2, "two one"), (3, "three TwoOne"), (4, "one_two three")]
    assert best_lines(["Größe", "x"], distinct("größe")) == [(1, "Größe")]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("absent", "Nothing in 1 task of this project has any of the words absent (2 events looked at)."),
        ("!?", "The query has no words to look for."),
    ],
)
def test_nothing_found_is_an_ordinary_answer(maker: Maker, query: str, said: str) -> None:
    maker.turn("hello", "yes")

    assert text(maker, query) == said


@pytest.mark.parametrize("seed", range(25))
def test_a_planted_fact_is_found_first(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    common = [f"{stem}{ending}" for stem in ("file", "test", "run", "read", "path") for ending in ("", "s", "er", "_x")]
    rare = ["latency", "quota", "billing", "endpoint", "retry", "backoff", "shard", "quorum", "ledger"]
    fact = chance.sample(rare, 5)
    maker = new_session(tmp_path)
    planted = 0
    place = chance.randrange(20, 120)
    while maker.log.last < 200:
        maker.ask(" ".join(chance.choices(common, k=12)))
        for _ in range(4):
            output = [" ".join(chance.choices(common, k=9)) for _ in range(20)]
            output += chance.choices(rare, k=chance.choice((0, 1, 2)))
            is_it = not planted and maker.log.last >= place
            if is_it:
                output.insert(7, f"the {' '.join(fact)} is 4711")
            seq = maker.call("fs-read", {"path": f"{chance.choice(common)}.py"}, "\n".join(output))
            planted = seq if is_it else planted
        maker.reply(" ".join(chance.choices(common, k=20)))
        maker.end()

    assert seqs(maker, " ".join(chance.sample(fact, 3)), 1) == [planted]


def test_an_old_event_of_a_long_conversation_is_found(maker: Maker) -> None:
    maker.ask("the very first okapi")
    for _ in range(300):
        maker.call("fs-read", {"path": "a"}, "something else")
    maker.end()

    assert seqs(maker, "okapi") == [2]


def searched(session: Session, query: str) -> Outcome:
    """Return what a search by a model comes to, as the primitive will record it."""

    def index_search(context: Context) -> str:
        """Search."""
        return search_conversation(context, query, 8)

    found = Primitive("index-search", index_search, Effect.READ, frozenset({"external:log"}), ("person", "model"))
    return perform(session, found, Bound({}, {"query": query}, {}), "model")


def test_a_session_searches_itself_without_a_question(session: Session) -> None:
    message = session.log.append(UserMessage(text="where is the okapi"))
    session.log.append(TurnStart(message=message))

    outcome = searched(session, "okapi")

    assert f"seq {message}, the person's message" in str(outcome.value)
    assert "of this conversation; (recall SEQ)" in str(outcome.value)
    assert events(session, "approval") == []
    assert [getattr(each, "decision", "") for each in events(session, "guard.decision")] == ["allow"]
    assert searched(session, "okapi").value == outcome.value


def test_what_was_found_is_redacted_and_labelled(session: Session) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    session.log.append(UserMessage(text=f"the okapi key is {secret}"))

    outcome = searched(session, "okapi")

    assert secret not in str(outcome.value)
    assert outcome.labels == {"external:log"}


def test_a_search_must_have_been_allowed(session: Session) -> None:
    context = Context(session, Call(0, "index-search", "model", {}), Effect.NONE)
    with pytest.raises(RuntimeError, match="declares"):
        search_conversation(context, "okapi", 8)


def test_through_the_primitive(begin: Begin) -> None:
    person = Person(False)
    session = begin(ask=person, primitives={*ALL, *PRIMITIVES})
    session.log.append(UserMessage(text="okapi"))

    found = session.evaluate('(index-search "okapi" "conversation")')

    assert "external:log" in found.origin.labels
    with pytest.raises(SchemeError):
        session.evaluate('(shell-exec (string-append "echo " (index-search "okapi" "conversation")))')
    assert "external:log" in " ".join(person.questions[0].reasons)
    with pytest.raises(SchemeError, match="`nodwyn earlier on`"):
        session.evaluate('(index-search "okapi" "earlier")')
