"""Names that the loop uses and somebody defines anew at the prompt: it is said, it is named in errors, it is undone."""

from __future__ import annotations

import pytest

from nodwyn.interp.errors import SchemeError
from tests.loop.conftest import Converse, Talk

HELLO = '(define (reply request) (list "Hello."))'


def notes(talk: Talk) -> list[str]:
    return [event["text"] for event in talk.events("note")]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("(define lines 5)", "lines"),
        ("(define (field record) 1)", "field"),
        ("(set! lines 4)", "lines"),
        ("(define tools 4)", "tools"),
        ("(define (use-recipe . x) 1)", "use-recipe"),
        ("(define (filter . x) 1)", "filter"),
        ("(define (car x) 1)", "car"),
        ("(define-record-type <mine> (make-progress a) mine? (a mine-a))", "make-progress"),
        ("(define-values (a lines) (values 1 2))", "lines"),
        ("(eval (quote (define lines 5)) (interaction-environment))", "lines"),
        ("(begin (define lines 5) (car '()))", "lines"),
    ],
)
def test_a_definition_that_hides_a_name_of_the_loop_is_said_and_taken_back(
    converse: Converse, typed: str, name: str
) -> None:
    talk = converse(HELLO)
    assert talk.say() == ("done", "")
    try:
        talk.conversation.scheme(typed)
    except SchemeError as error:
        assert "car" in str(error)  # noqa: PT017 - one of the texts fails behind its definition
    assert notes(talk) == [
        f"the loop uses {name}, which now means what you defined: (restore! '{name}) takes that back"
    ]
    talk.conversation.scheme("(+ 1 2)")
    talk.conversation.scheme(f"(restore! '{name})")
    assert talk.say() == ("done", "")
    assert len(notes(talk)) == 1


def test_several_are_said_at_once_and_taken_back_at_once(converse: Converse) -> None:
    talk = converse(HELLO)
    talk.conversation.scheme("(define lines 1) (define mine 2) (define filter 3) (define who 4)")
    (said,) = notes(talk)
    assert said.startswith("the loop uses filter, lines and who, which now mean what you defined: (restore! 'filter)")
    talk.conversation.scheme("(restore!)")
    assert talk.say() == ("done", "")
    assert str(talk.conversation.scheme("mine")) == "2"


@pytest.mark.parametrize(
    "typed",
    [
        "(define mine 5)",
        "(define (reply request) 1)",
        "(define-syntax lines (syntax-rules () ((_ x) 1)))",
        "(let ((lines 5)) lines)",
        "(define (count-them x) (let loop ((lines x)) lines))",
        "(advise! 'who (lambda (next) (next)))",
        "(define lines lines)",
        "(import (prefix (scheme base) own-))",
        "(define (hash-table-fold x) 1)",
        "(define (string-join x) 1)",
    ],
)
def test_what_hides_nothing_is_not_said(converse: Converse, typed: str) -> None:
    talk = converse(HELLO)
    talk.conversation.scheme(typed)
    assert notes(talk) == []
    assert talk.say() == ("done", "")


def test_an_error_names_the_definition_at_the_prompt_as_the_cause(converse: Converse) -> None:
    talk = converse(HELLO)
    talk.conversation.scheme("(define lines 5)")
    talk.conversation.scheme("(define mine 5)")
    how, reason = talk.say()
    assert (how, "5 is not a procedure" in reason) == ("error", True)
    (error,) = talk.events("error")
    assert "What you typed may be the cause: the loop uses lines" in error["message"]
    assert "(restore! 'lines)" in error["message"]
    assert "--no-init" not in error["message"]


def test_a_definition_of_a_script_is_what_is_gone_back_to(
    converse: Converse, tmp_path_factory: pytest.TempPathFactory
) -> None:
    talk = converse(HELLO)
    talk.conversation.scheme("(set! max-rounds 0)")
    assert talk.say()[0] == "stopped"
    talk.conversation.scheme("(restore! 'max-rounds)")
    assert talk.say() == ("done", "")


def test_what_nobody_changed_is_told_to_begin_anew(converse: Converse) -> None:
    talk = converse(HELLO)
    talk.conversation.scheme("(set-car! tools 5)")
    assert talk.say()[0] == "error"
    assert "go on with nodwyn resume" in talk.events("error")[0]["message"]


def test_a_name_that_the_loop_does_not_use_cannot_be_restored(converse: Converse) -> None:
    talk = converse(HELLO)
    with pytest.raises(SchemeError, match="linse is no name that the loop uses; did you mean lines"):
        talk.conversation.scheme("(restore! 'linse)")
