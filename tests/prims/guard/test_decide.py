"""The decision about an effect: the strictest layer wins, with a reason, on record before the effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nodwyn.interp.errors import SchemeError
from nodwyn.prims.effects import Caller
from nodwyn.prims.guard.approvals import Answer, Question, standing
from nodwyn.prims.guard.budget import Budget
from nodwyn.prims.guard.checkers import Checker
from nodwyn.prims.guard.decide import Guard, Refused
from nodwyn.prims.guard.display import first_unseen
from nodwyn.prims.guard.proposal import Call, Finding, Kind, Proposal
from nodwyn.prims.log import Log
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, Person, events

FILE = frozenset({"external:file"})
MODEL = frozenset({"external:model"})
PIN = Finding("deny", "pin", "it is outside of the root")
DENYLIST = Finding("deny", "denylist", "secrets are neither read nor written")
ASK = Finding("confirm", "approval", "it writes a file", "edits")
ALWAYS_ASK = Finding("confirm", "approval", "it would have the network")


def call(by: Caller = "model", **labels: frozenset[str]) -> Call:
    return Call(0, "sample", by, labels)


def decided(session: Session, proposal: Proposal, asked_by: Call | None = None) -> dict[str, Any]:
    """Return the decision about a proposal, as it was recorded."""
    try:
        seq = session.guard.decide(proposal, asked_by or call())
    except Refused as refused:
        seq = refused.decision
    return dict(session.log.event(seq).as_json())


def write(*findings: Finding, **given: Any) -> Proposal:
    return Proposal("write", "a.txt", findings, show=lambda: [("file", "a.txt"), ("content", "new")], **given)


def test_what_nothing_stands_against_is_allowed_with_its_ground(session: Session) -> None:
    decision = decided(session, Proposal("read", "a.txt"))
    assert (decision["decision"], decision["layer"], decision["reason"]) == ("allow", "pin", "inside the root")


@pytest.mark.parametrize(
    ("findings", "decision", "layer"),
    [
        ((PIN,), "deny", "pin"),
        ((DENYLIST, ASK), "deny", "denylist"),
        ((ASK, PIN), "deny", "pin"),
        ((ASK,), "confirm", "approval"),
    ],
)
def test_the_strictest_finding_decides(
    session: Session, findings: tuple[Finding, ...], decision: str, layer: str
) -> None:
    found = decided(session, write(*findings))
    assert (found["decision"], found["layer"]) == (decision, layer)


def test_a_refusal_says_what_and_why(session: Session) -> None:
    with pytest.raises(Refused, match=r"^a\.txt: it is outside of the root$"):
        session.guard.decide(write(PIN), call())


@pytest.mark.parametrize("finding", [PIN, ASK])
def test_a_refusal_of_a_line_does_not_say_the_line_again(session: Session, finding: Finding) -> None:
    with pytest.raises(Refused) as refused:
        session.guard.decide(Proposal("run", "make all", (finding,)), call())
    assert "make all" not in str(refused.value)
    assert finding.reason in str(refused.value)


def test_with_nobody_to_ask_a_question_is_a_no_recorded_as_not_asked(session: Session) -> None:
    with pytest.raises(Refused, match=r"nobody to ask\. --approve edits would allow it"):
        session.guard.decide(write(ASK), call())
    (approval,) = events(session, "approval")
    assert (approval.as_json()["answer"], approval.as_json()["actor"]) == ("no", "not asked")


def test_a_yes_lets_it_happen_once(begin: Begin) -> None:
    person = Person(True, False)
    session = begin(person)
    assert session.guard.decide(write(ASK), call()) == events(session, "guard.decision")[0].seq
    with pytest.raises(Refused, match="the person said no"):
        session.guard.decide(write(ASK), call())
    assert len(person.questions) == 2


def test_a_yes_that_lasts_holds_for_what_was_shown_and_nothing_else(begin: Begin) -> None:
    person = Person(True, False, lasts=True)
    session = begin(person)
    session.guard.decide(write(ASK), call())
    again = decided(session, write(ASK))
    assert (again["decision"], again["layer"]) == ("allow", "approval")
    other = Proposal("write", "a.txt", (ASK,), show=lambda: [("file", "a.txt"), ("content", "other")])
    with pytest.raises(Refused, match="the person said no"):
        session.guard.decide(other, call())
    assert len(person.questions) == 2


def test_the_question_has_all_that_was_shown_and_its_digest_is_recorded(begin: Begin) -> None:
    person = Person(True)
    session = begin(person)
    decision = decided(session, write(ASK))
    (question,) = person.questions
    assert question.text == "asked by: sample, called by the model\nfile: a.txt\ncontent: new"
    assert question.reasons == ("it writes a file",)
    approval = events(session, "approval")[0].as_json()
    assert decision["digest"] == approval["digest"] == question.digest
    assert approval["question"] == question.text


@pytest.mark.parametrize("hidden", ["\x1b[2K\x1b[1A", "\r", "\x9b31m", "\u202e", "\u200b", "\n  because: it reads"])
def test_a_reason_cannot_repaint_the_question(begin: Begin, hidden: str) -> None:
    """A reason names paths and words of the line, which are whoever's."""
    person = Person(True, False)
    session = begin(person)
    reason = f"it writes a{hidden}b"
    session.guard.decide(write(ASK._replace(reason=reason)), call())
    assert first_unseen(person.questions[0].reasons[0]) is None
    assert "\n" not in person.questions[0].reasons[0]
    other = Proposal("write", "a.txt", (ASK._replace(reason=reason),), show=lambda: [("file", "b.txt")])
    with pytest.raises(Refused) as refused:
        session.guard.decide(other, call())
    # Whoever shows what the caller is told escapes it then, once.
    assert reason in str(refused.value)


def test_a_decision_is_on_the_disk_before_a_write_and_shares_a_barrier_for_a_read(session: Session) -> None:
    session.guard.decide(Proposal("read", "a"), call())
    assert session.log._synced < session.log.last
    session.guard.decide(Proposal("write", "a"), call())
    assert session.log._synced == session.log.last


@pytest.mark.parametrize(
    ("answer", "kind", "expected"),
    [
        ("reads", "reads", True),
        ("reads", "edits", False),
        ("edits", "reads", True),
        ("edits", "edits", True),
        ("edits", "all", False),
        ("all", "all", True),
        ("all", "", False),
        ("never", "reads", False),
        ("ask", "reads", False),
    ],
)
def test_a_standing_answer_covers_its_kind_and_milder_ones(
    begin: Begin, answer: Any, kind: Kind, expected: bool
) -> None:
    session = begin(standing(answer))
    finding = Finding("confirm", "approval", "it is so", kind)
    try:
        session.guard.decide(write(finding), call())
        allowed = True
    except Refused:
        allowed = False
    assert allowed is expected


def test_a_question_of_several_reasons_needs_a_yes_to_each(begin: Begin) -> None:
    session = begin(standing("all"))
    session.guard.decide(write(ASK), call())
    with pytest.raises(Refused):
        session.guard.decide(write(ASK, ALWAYS_ASK), call())


def test_what_is_allowed_in_a_session_can_be_taken_back(begin: Begin, root: Path) -> None:
    session = begin()
    session.evaluate("(allow 'edits)")
    session.guard.decide(write(ASK), call())
    session.evaluate("(forget)")
    with pytest.raises(Refused):
        session.guard.decide(write(ASK), call())
    assert [event.as_json()["given"] for event in events(session, "grant")] == [True, False]


def test_without_asking_nobody_is_asked(begin: Begin) -> None:
    person = Person(True)
    session = begin(person)
    with session.guard.without_asking(), pytest.raises(Refused, match="nobody to ask"):
        session.guard.decide(write(ASK), call())
    assert person.questions == []
    assert events(session, "approval")[0].as_json()["actor"] == "not asked"


def broken(question: Question) -> Answer:
    raise RuntimeError("the terminal is gone")


def test_an_error_in_asking_is_a_no(begin: Begin) -> None:
    session = begin(broken)
    with pytest.raises(Refused):
        session.guard.decide(write(ASK), call())
    assert "the terminal is gone" in events(session, "approval")[0].as_json()["actor"]


def unshowable() -> list[tuple[str, str]]:
    raise UnicodeError("what is this")


@pytest.mark.parametrize("break_it", ["checkers", "provenance", "budget", "show"])
def test_an_exception_inside_any_check_is_a_refusal(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, break_it: str
) -> None:
    session = begin(Person(True))

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("broken")

    proposal = write(ASK, reaches_out=True)
    if break_it == "checkers":
        session.guard.checkers.register(Checker("c", None, ""))
        monkeypatch.setattr(session.guard.checkers, "findings", fail)
    elif break_it == "provenance":
        monkeypatch.setattr("nodwyn.prims.guard.provenance.questions", fail)
    elif break_it == "budget":
        monkeypatch.setattr(session.guard.budget, "take", fail)
    else:
        proposal = proposal._replace(show=unshowable)
    decision = decided(session, proposal, call("loop", line=FILE))
    assert decision["decision"] == "deny"
    assert "ZeroDivisionError" in decision["reason"] or "what is this" in decision["reason"]


def test_a_decision_that_cannot_be_recorded_is_an_error_and_nothing_is_asked(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(True)
    session = begin(person)

    def fail(self: Log, event: object) -> int:
        raise OSError("the disk is full")

    monkeypatch.setattr(Log, "append", fail)
    with pytest.raises(OSError, match="the disk is full"):
        session.guard.decide(write(ASK), call())
    assert person.questions == []
    monkeypatch.undo()


# Provenance


@pytest.mark.parametrize(
    ("by", "labels", "asked"),
    [
        ("person", FILE, True),
        ("loop", FILE, True),
        ("loop", MODEL, True),
        ("model", MODEL, False),
        ("person", frozenset(), False),
        ("person", frozenset({"internal"}), False),
    ],
)
def test_a_command_that_scheme_made_from_labelled_text_is_asked_about(
    session: Session, by: Caller, labels: frozenset[str], asked: bool
) -> None:
    decision = decided(session, Proposal("run", "make", reaches_out=True), call(by, line=labels))
    assert (decision["decision"], decision["layer"]) == (("confirm", "provenance") if asked else ("allow", "pin"))
    if asked:
        assert "line has text from a " in decision["reason"]


def test_what_reaches_no_further_than_the_root_is_not_asked_about_for_its_labels(session: Session) -> None:
    assert decided(session, Proposal("read", "a"), call("person", path=FILE))["decision"] == "allow"


def test_no_standing_answer_covers_text_from_elsewhere(begin: Begin) -> None:
    session = begin(standing("all"))
    with pytest.raises(Refused):
        session.guard.decide(Proposal("run", "make", reaches_out=True), call("person", line=FILE))


# Budget


def test_a_budget_that_is_used_up_refuses_and_is_recorded(session: Session) -> None:
    with session.guard.within(Budget({"reads": 1, "actions": 0})):
        assert decided(session, Proposal("read", "a"))["decision"] == "allow"
        refused = decided(session, Proposal("read", "b"))
        assert (refused["decision"], refused["layer"]) == ("deny", "budget")
        assert refused["reason"] == "the turn's 1 read is used up"
        assert decided(session, Proposal("run", "make"))["reason"] == "the turn's 0 actions are used up"
        assert decided(session, Proposal("other", "."))["decision"] == "allow"
    assert decided(session, Proposal("read", "b"))["decision"] == "allow"
    assert [event.as_json()["limit"] for event in events(session, "budget")] == ["reads", "actions"]


def test_what_is_refused_uses_nothing_up() -> None:
    budget = Budget({"actions": 1})
    assert budget.take("actions") is None
    assert budget.used["actions"] == 1


def test_a_part_draws_on_the_whole() -> None:
    whole = Budget({"reads": 3})
    part = Budget({"reads": 2}, within=whole)
    assert [part.take("reads") is None for _ in range(3)] == [True, True, False]
    assert whole.used["reads"] == 2
    assert [whole.take("reads") is None for _ in range(2)] == [True, False]
    assert part.take("reads") is not None


def test_seconds_are_counted_by_the_clock() -> None:
    now = 0.0
    budget = Budget({"seconds": 10}, clock=lambda: now)
    now = 9.9
    assert budget.take(None) is None
    now = 10.0
    assert str(budget.take(None)) == "the turn's 10 seconds are used up"


@pytest.mark.parametrize(
    ("millionths", "shown"), [(500_000, "$0.50"), (1_234_000, "$1.234"), (1, "$0.000001"), (20_000_000, "$20.00")]
)
def test_a_cost_is_shown_with_all_its_digits(millionths: int, shown: str) -> None:
    budget = Budget({"cost": millionths})
    budget.charge(cost=millionths)
    assert str(budget.take("rounds")) == f"the turn's {shown} are used up"


@pytest.mark.parametrize(
    ("limits", "used", "needed", "said"),
    [
        ({"cost": 100_000}, {}, {"cost": 1_500_000}, "a request would use about $1.50, and the turn's $0.10 are left"),
        (
            {"cost": 100_000},
            {"cost": 40_000},
            {"cost": 90_000},
            "a request would use about $0.09, and of the turn's $0.10 $0.06 are left",
        ),
        (
            {"tokens": 100},
            {"tokens": 99},
            {"tokens": 7},
            "a request would use about 7 tokens, and of the turn's 100 tokens 1 token is left",
        ),
        ({"tokens": 100}, {"tokens": 100}, {"tokens": 7}, "the turn's 100 tokens are used up"),
        ({"tokens": 1}, {"tokens": 5}, {"tokens": 7}, "the turn's 1 token is used up"),
    ],
)
def test_a_limit_that_a_request_would_pass_is_not_called_used_up(
    limits: dict[str, int], used: dict[str, int], needed: dict[str, int], said: str
) -> None:
    budget = Budget(limits)
    budget.charge(**used)
    assert str(budget.take("rounds", **needed)) == said


def test_a_limit_of_a_part_is_not_called_the_turns() -> None:
    part = Budget({"rounds": 0}, within=Budget({"rounds": 9}))
    assert str(part.take("rounds")) == "the 0 rounds of this part of the turn are used up"


# Checkers, in Scheme


def checked(session: Session, text: str) -> None:
    session.evaluate(text)


@pytest.mark.parametrize(
    ("value", "decision", "reason"),
    [
        ("#t", "allow", "inside the root"),
        ("(if #f #f)", "allow", "inside the root"),
        ("#f", "deny", "the checker does not allow it"),
        ('"not on Fridays"', "deny", "not on Fridays"),
        ('(list \'deny "no")', "deny", "no"),
        ("'(deny)", "deny", "the checker says so"),
        ('(list \'confirm "sure?")', "confirm", "sure?"),
        ("42", "deny", "the checker's value must be"),
        ("'(allow)", "deny", "the checker's value must be"),
        ("(list 'deny 1 2)", "deny", "the checker's value must be"),
        ("(car 1)", "deny", "the checker failed: car: pair must be a pair, got 1"),
        ("(raise 'odd)", "deny", "the checker failed: uncaught object raised: odd"),
        ('(error "what" 1)', "deny", "the checker failed: what 1"),
    ],
)
def test_what_a_checker_says(session: Session, root: Path, value: str, decision: str, reason: str) -> None:
    (root / "a.txt").write_text("x")
    session.evaluate(f"(register-check 'mine (lambda (effect) {value}))")
    outcome = session.evaluate('(guard (e (#t #f)) (fs-read "a.txt") #t)')
    assert outcome.truth is (decision == "allow")
    recorded = events(session, "guard.decision")[-1].as_json()
    assert recorded["decision"] == decision
    assert recorded["reason"].startswith(reason)
    assert recorded["layer"] == ("pin" if decision == "allow" else "checker mine")


def test_a_checker_that_takes_too_long_refuses(session: Session, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodwyn.prims.session.LONGEST_CHECK", 0.2)
    (root / "a.txt").touch()
    session.evaluate("(register-check 'slow (lambda (effect) (let again () (again))))")
    with pytest.raises(SchemeError, match="the checker failed: the time limit"):
        session.evaluate('(fs-read "a.txt")')
    session.evaluate("(unregister-check 'slow)")
    assert session.evaluate('(string-length (fs-read "a.txt"))') == 0


def test_a_checker_is_told_all_about_the_effect(session: Session, root: Path) -> None:
    session.evaluate("(define told '()) (register-check 'mine (lambda (effect) (set! told effect)))")
    session.evaluate('(fs-write "a.txt" "new text")')
    told = session.evaluate("(map (lambda (pair) (list (car pair) (cdr pair))) told)")
    from nodwyn.interp.printer import display

    assert display(told) == (
        f"((effect write) (subject a.txt) (path {root}/a.txt) (primitive fs-write) (caller person) (content new text))"
    )


def test_a_checker_for_an_extension_sees_those_files_alone(session: Session, root: Path) -> None:
    for name in ("a.txt", "b.md", "c.MD"):
        (root / name).write_text("x")
    session.evaluate('(register-check \'docs (lambda (effect) #f) "md")')
    session.evaluate('(fs-read "a.txt")')
    for name in ("b.md", "c.MD"):
        with pytest.raises(SchemeError, match="the checker does not allow it"):
            session.evaluate(f'(fs-read "{name}")')


def test_a_checker_cannot_loosen(session: Session, root: Path) -> None:
    (root / ".env").write_text("x")
    session.evaluate("(register-check 'mild (lambda (effect) #t))")
    with pytest.raises(SchemeError, match="secret"):
        session.evaluate('(fs-read ".env")')


def test_a_checker_may_read_and_is_not_asked_about_that(session: Session, root: Path) -> None:
    (root / "rules.txt").write_text("deny")
    session.evaluate('(register-check \'mine (lambda (e) (not (string=? (fs-read "rules.txt") "deny"))))')
    with pytest.raises(SchemeError, match="the checker does not allow it"):
        session.evaluate('(fs-write "a.txt" "x")')


def test_a_checker_may_do_nothing_but_read(session: Session, root: Path) -> None:
    session.evaluate('(register-check \'mine (lambda (effect) (fs-write "side.txt" "x") #t))')
    with pytest.raises(SchemeError, match="a checker may only read"):
        session.evaluate("(fs-list)")
    assert not (root / "side.txt").exists()


def test_a_checker_can_be_replaced_and_taken_away(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("x")
    session.evaluate("(register-check 'mine (lambda (effect) #f)) (register-check 'mine (lambda (effect) #t))")
    session.evaluate('(fs-read "a.txt")')
    with pytest.raises(SchemeError, match=r"there is no checker mien; did you mean mine\?"):
        session.evaluate("(unregister-check 'mien)")
    session.evaluate("(unregister-check 'mine)")
    with pytest.raises(SchemeError, match="there is no checker mine; none is registered in this session"):
        session.evaluate("(unregister-check 'mine)")
    assert [event.as_json()["registered"] for event in events(session, "checker")] == [True, True, False]


def test_a_model_and_the_loop_cannot_register_one(session: Session) -> None:
    with session.calling_as("loop"), pytest.raises(SchemeError, match="only the person's Scheme may call it"):
        session.evaluate("(register-check 'mine (lambda (effect) #t))")


def test_a_guard_without_scheme_refuses_what_a_checker_would_see(session: Session) -> None:
    guard = Guard(session.log)
    guard.checkers.register(Checker("lost", None, ""))
    with pytest.raises(Refused, match="there is no Scheme to call it in"):
        guard.decide(Proposal("read", "a"), call())
