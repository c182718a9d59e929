"""A call is on record from its beginning to its end, however it ends, and the guard stands before its effects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

from nodwyn.interp.errors import Condition, SchemeError
from nodwyn.interp.evaluating import Exit
from nodwyn.prims.calling import call_from_model, message_of
from nodwyn.prims.context import Context
from nodwyn.prims.declare import Primitive, PrimitiveError, primitive
from nodwyn.prims.effects import PERSON, Effect
from nodwyn.prims.families import ALL
from nodwyn.prims.fs import fs_read
from nodwyn.prims.guard.proposal import Proposal
from nodwyn.prims.guarding import provenance
from nodwyn.prims.log import LogError
from nodwyn.prims.parameters import Procedure
from nodwyn.prims.private import NotPrivate
from nodwyn.prims.session import Session
from tests.prims.conftest import Begin, events


def made(name: str, effect: Effect, work: Callable[[Context], Any], **given: Any) -> Primitive:
    def function(context: Context) -> Any:
        """Do what the test says."""
        return work(context)

    return primitive(name, effect=effect, **given)(function)


def kinds(session: Session) -> list[str]:
    return [event.kind for event in session.log.events() if not event.kind.startswith(("session.", "scheme."))]


def test_a_call_its_decision_and_its_result_are_recorded_in_this_order(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("hello\n")
    assert session.evaluate('(fs-read "a.txt")').text() == "hello\n"
    assert kinds(session) == ["tool.call", "guard.decision", "tool.result"]
    call, decision, result = (
        event.as_json() for event in events(session, "tool.call", "guard.decision", "tool.result")
    )
    assert (call["name"], call["arguments"], call["by"]) == ("fs-read", {"path": "a.txt"}, "person")
    assert (decision["effect"], decision["subject"], decision["decision"]) == ("read", "a.txt", "allow")
    assert decision["call"] == result["call"] == call["seq"]
    assert result["decisions"] == [decision["seq"]]
    assert (result["ok"], result["value"], result["labels"]) == (True, "hello\n", ["external:file"])


def test_scheme_gets_the_raw_value_and_the_log_a_redacted_one(session: Session, root: Path) -> None:
    secret = "ghp_" + "Zk3vQ9xT7mBn2RcW8yLpD4sHfJ6gKa1eUoXi"
    (root / "creds.txt").write_text(f"key = {secret}\n")
    assert session.evaluate('(string-length (fs-read "creds.txt"))') == len(secret) + 7
    assert secret not in session.log.path.read_text()
    assert "[redacted:" in events(session, "tool.result")[0].as_json()["value"]


def test_a_model_is_answered_with_what_is_recorded(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("hello\n")
    result = session.log.event(call_from_model(session, "fs-read", '{"path": "a.txt"}', id="call_1")).as_json()
    assert (result["ok"], result["value"]) == (True, "hello\n")
    assert result["labels"] == ["external:file", "external:model"]
    call = session.log.event(result["call"]).as_json()
    assert (call["by"], call["id"], call["labels"]) == ("model", "call_1", ["external:model"])


@pytest.mark.parametrize("name", ["fs-raed", "undo", "register-check", "no such"])
def test_a_tool_that_a_model_is_not_offered_is_unknown(session: Session, name: str) -> None:
    result = session.log.event(call_from_model(session, name, {})).as_json()
    assert result["ok"] is False
    assert f"there is no tool {name!r}; " in result["value"]
    assert kinds(session) == ["tool.call", "tool.result"]


def test_a_refusal_is_a_failed_result_with_its_decision(session: Session) -> None:
    with pytest.raises(SchemeError) as raised:
        session.evaluate('(fs-read "/etc/hostname")')
    assert isinstance(raised.value.payload, Condition)
    assert raised.value.payload.kind == "refused"
    (decision,), (result,) = events(session, "guard.decision"), events(session, "tool.result")
    assert decision.as_json()["decision"] == "deny"
    assert result.as_json()["ok"] is False
    assert result.as_json()["decisions"] == [decision.seq]


def test_scheme_can_handle_an_error_of_a_primitive(session: Session) -> None:
    caught = session.evaluate('(guard (e ((file-error? e) (error-object-message e))) (fs-read "none"))')
    assert caught.text() == "none: there is no such file or directory"


def test_text_that_an_error_quotes_keeps_its_label(session: Session, root: Path) -> None:
    (root / "a.txt").write_text("rm -rf everything here\n")
    message = '(guard (e (#t (error-object-message e))) (fs-edit "a.txt" "rm -rf nothing here" "x"))'
    assert "external:file" in [label.text() for label in _items(session.evaluate(f"(provenance {message})"))]


def _items(value: Any) -> list[Any]:
    from nodwyn.interp.data import iterate

    return list(iterate(value))


def test_an_exception_in_a_primitive_is_a_failed_result(begin: Begin) -> None:
    def fail(context: Context) -> None:
        context.decide(Proposal("read", "x"))
        raise ZeroDivisionError("by nothing")

    session = begin(primitives=[made("broken", Effect.READ, fail)])
    with pytest.raises(SchemeError, match=r"broken: failed: ZeroDivisionError\('by nothing'\)"):
        session.evaluate("(broken)")
    assert events(session, "tool.result")[0].as_json()["ok"] is False


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PrimitiveError("it cannot"), "it cannot"),
        (NotPrivate("others can read it. Close it."), "others can read it. Close it."),
        (LogError("it is not written"), "it is not written"),
        (OSError(28, "No space left on device", "a.txt"), "a.txt: No space left on device"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError("odd"), "failed: OSError('odd')"),
        (ValueError("odd"), "failed: ValueError('odd')"),
    ],
)
def test_an_error_is_told_in_its_own_words_where_it_has_some_for_a_person(error: Exception, said: str) -> None:
    assert message_of(error) == said


def test_a_result_that_no_decision_allows_is_a_bug(begin: Begin) -> None:
    session = begin(primitives=[made("sneaky", Effect.READ, lambda context: 1)])
    with pytest.raises(SchemeError, match="sneaky has a result that no decision allows"):
        session.evaluate("(sneaky)")


def test_an_effect_that_was_not_declared_is_refused(begin: Begin) -> None:
    session = begin(primitives=[made("greedy", Effect.READ, lambda context: context.decide(Proposal("write", "x")))])
    with pytest.raises(SchemeError, match="greedy declares that it reads, and would write"):
        session.evaluate("(greedy)")
    assert events(session, "guard.decision") == []


def test_what_stops_the_program_closes_the_call_by_an_interruption(begin: Begin) -> None:
    def leave(context: Context) -> None:
        raise Exit(3)

    session = begin(primitives=[made("leaving", Effect.READ, leave)])
    with pytest.raises(Exit):
        session.evaluate("(leaving)")
    (call,), (interruption,) = events(session, "tool.call"), events(session, "interruption")
    assert interruption.as_json()["of"] == call.seq


def test_only_callers_that_are_declared_may_call(begin: Begin) -> None:
    session = begin(primitives=[made("private", Effect.NONE, lambda context: 1, callers=PERSON)])
    assert session.evaluate("(private)") == 1
    with session.calling_as("loop"), pytest.raises(SchemeError, match="private: only the person's Scheme may call it"):
        session.evaluate("(private)")


def test_what_has_no_effect_is_recorded_for_a_model_alone(begin: Begin) -> None:
    session = begin(primitives=[made("idle", Effect.NONE, lambda context: 1)])
    session.evaluate("(idle)")
    assert events(session, "tool.call") == []
    call_from_model(session, "idle", {})
    assert len(events(session, "tool.call")) == 1


def test_an_error_in_a_procedure_that_a_primitive_calls_is_the_programs(begin: Begin) -> None:
    @primitive("calling", effect=Effect.NONE, callers=PERSON)
    def calling(context: Context, thunk: Annotated[Procedure, "called"]) -> Any:
        """Call it."""
        return context.apply(thunk)

    session = begin(primitives=[calling])
    with pytest.raises(SchemeError, match=r"^car: pair must be a pair, got 1$"):
        session.evaluate("(calling (lambda () (car 1)))")


def test_a_value_can_have_every_form(begin: Begin) -> None:
    value = {"text": "a", "flag": True, "nothing": None, "list": [1, ("b", 2.5)], "empty": []}

    def give(context: Context) -> Any:
        context.decide(Proposal("read", "x"))
        return value

    session = begin(primitives=[made("giving", Effect.READ, give, provenance="external:net"), provenance])
    assert session.evaluate("(equal? (cdr (assq 'list (giving))) '(1 (\"b\" 2.5)))").truth
    assert session.evaluate("(provenance (giving))").car.text() == "external:net"
    assert events(session, "tool.result")[0].as_json()["value"] == {**value, "list": [1, ["b", 2.5]]}


def giving(label: str) -> Primitive:
    """Return a primitive that declares two labels, and says that a call's text carries this one alone."""

    def give(context: Context) -> str:
        context.decide(Proposal("read", "x"))
        context.comes_from(label)
        return "x"

    return made("giving", Effect.READ, give, provenance=("external:file", "external:log"))


def test_a_call_may_say_which_of_the_declared_labels_its_text_carries(begin: Begin) -> None:
    session = begin(primitives=[giving("external:log"), provenance])
    assert session.evaluate('(equal? (provenance (giving)) \'("external:log"))').truth
    assert events(session, "tool.result")[0].as_json()["labels"] == ["external:log"]


def test_a_call_can_say_no_other_label(begin: Begin) -> None:
    session = begin(primitives=[giving("external:net")])
    with pytest.raises(SchemeError, match="giving does not declare external:net"):
        session.evaluate("(giving)")


def test_a_primitive_that_cannot_says_so(begin: Begin) -> None:
    def refuse(context: Context) -> None:
        raise PrimitiveError("the moon is down; wait for it", kind="file")

    session = begin(primitives=[made("moon", Effect.READ, refuse), fs_read])
    with pytest.raises(SchemeError, match=r"^moon: the moon is down; wait for it$"):
        session.evaluate("(moon)")


def test_no_family_reaches_past_its_context() -> None:
    """The modules of the families import the declaration and the context, never the guard."""
    import ast

    import nodwyn.prims.families as families

    folder = Path(str(families.__file__)).parent
    modules = {Path(primitive.function.__code__.co_filename) for primitive in ALL}
    reaching = {
        f"{path.name} imports {name}"
        for path in modules
        if path.name != "guarding.py"  # the person's side of the guard
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
        if name and (name.startswith("nodwyn.prims.guard") or name in ("os", "io", "shutil", "nodwyn.prims.processes"))
    }
    assert all(folder in path.parents for path in modules)
    assert reaching == set()


@pytest.mark.parametrize("arguments", ["[" * 200_000, '{"path":' * 200_000, '{"path":"' + "[" * 200_000])
def test_arguments_without_an_end_of_nesting_are_no_json_also_while_scheme_runs(
    session: Session, arguments: str
) -> None:
    session.scheme.define("call-as-a-model", lambda: call_from_model(session, "fs-read", arguments))
    session.scheme.eval("(call-as-a-model)")
    result = session.log.event(session.log.last).as_json()
    assert not result["ok"]
    assert "the arguments are no JSON" in result["value"]
