"""A model that is a Scheme procedure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.providers import scripted
from nodwyn.loop.providers.base import Delta, ProviderError, Reply
from nodwyn.loop.providers.calling import ATTEMPTS
from nodwyn.loop.providers.scripted import ScriptedProvider
from tests.loop.providers.conftest import REQUEST

JSON = Any


def asked(tmp_path: Path, text: str, request: JSON = REQUEST) -> Reply:
    file = tmp_path / "model.scm"
    file.write_text(text, encoding="utf-8")
    provider = ScriptedProvider(str(file))
    return provider.send(provider.outgoing(request), on_delta=lambda delta: None, is_cancelled=lambda: False)


def failure(tmp_path: Path, text: str) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        asked(tmp_path, text)
    return caught.value


@pytest.mark.parametrize(
    ("answer", "content", "stop"),
    [
        ('(list "a" "b")', [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "end"),
        ('"a"', [{"type": "text", "text": "a"}], "end"),
        ("'()", [], "end"),
        ("'((call git-status))", [{"type": "call", "id": "", "name": "git-status", "arguments": {}}], "calls"),
        (
            '\'((call "fs-read" (path . "a.py") (lines 1 2) (deep (a . #t) (b . 1.5) (c . #()) (d)) (e . x)))',
            [
                {
                    "type": "call",
                    "id": "",
                    "name": "fs-read",
                    "arguments": {
                        "path": "a.py",
                        "lines": [1, 2],
                        "deep": {"a": True, "b": 1.5, "c": [], "d": []},
                        "e": "x",
                    },
                }
            ],
            "calls",
        ),
        ('(list "a" \'(stop length))', [{"type": "text", "text": "a"}], "length"),
        ('\'((thinking "Hm."))', [{"type": "thinking", "text": "Hm."}], "end"),
    ],
)
def test_what_the_procedure_answers_is_the_reply(tmp_path: Path, answer: str, content: list[JSON], stop: str) -> None:
    reply = asked(tmp_path, f"(define (reply request) {answer})")
    assert (reply.content, reply.stop) == (content, stop)


CONVERSATION = {
    **REQUEST,
    "tools": [{"name": "fs-read", "description": "Reads.", "schema": {"type": "object", "properties": {}}}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Look."}]},
        {"role": "assistant", "content": [{"type": "call", "id": "c", "name": "fs-read", "arguments": {"path": "a"}}]},
        {"role": "tool", "content": [{"type": "result", "id": "c", "name": "fs-read", "ok": True, "text": "x"}]},
    ],
}


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("(cdr (assq 'system request))", "Be brief."),
        ("(cdr (assq 'name (car (cdr (assq 'tools request)))))", "fs-read"),
        ("(number->string (length messages))", "3"),
        ("(cdr (assq 'role (car messages)))", "user"),
        ("(cdr (assq 'text (cadr (assq 'content (car messages)))))", "Look."),
        ("(cdr (assq 'path (cdr (assq 'arguments (cadr (assq 'content (cadr messages)))))))", "a"),
        ('(if (eq? #t (cdr (assq \'ok (cadr (assq \'content (caddr messages)))))) "ok" "no")', "ok"),
    ],
)
def test_the_request_is_an_association_list(tmp_path: Path, expression: str, answer: str) -> None:
    program = f"(define (reply request) (define messages (cdr (assq 'messages request))) (list {expression}))"
    assert asked(tmp_path, program, CONVERSATION).content == [{"type": "text", "text": answer}]


def test_the_program_keeps_what_it_defined(tmp_path: Path) -> None:
    file = tmp_path / "model.scm"
    file.write_text("(define n 0) (define (reply r) (set! n (+ n 1)) (number->string n))", encoding="utf-8")
    provider = ScriptedProvider(str(file))
    outgoing = provider.outgoing(REQUEST)
    said = [
        provider.send(outgoing, on_delta=lambda delta: None, is_cancelled=lambda: False).content[0]["text"]
        for _ in range(3)
    ]
    assert said == ["1", "2", "3"]


def test_pieces_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "model.scm"
    file.write_text('(define (reply r) \'("a" (call fs-read)))', encoding="utf-8")
    provider = ScriptedProvider(str(file))
    deltas: list[Delta] = []
    provider.send(provider.outgoing(REQUEST), on_delta=deltas.append, is_cancelled=lambda: False)
    assert deltas == [Delta("text", "a"), Delta("call", "fs-read")]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("(define (reply request)\n  (car 5))", "model.scm:2:3: error: car: pair must be a pair, got 5"),
        ("(define (reply request)", "model.scm:1:"),
        ("(define x 1)", "model.scm does not define (reply request)"),
        ("(define reply 5)", "model.scm defines reply as 5; it has to be a procedure"),
        ("(exit 3)", "model.scm called exit when it was loaded"),
        ("(define x\n (car 1))", "model.scm:2:2: error: car: pair must be a pair"),
        ("(define (reply) 1)", "reply: takes 0 arguments, as in (reply), got 1"),
        ("(define x 1)\n\n(define (reply r)\n 7)", "model.scm:3: (reply request) must return"),
        ("\n(define reply\n (let ((n 0))\n (lambda (r) 7)))", "model.scm:4: (reply request) must return"),
        ("(define reply car)", "model.scm: (reply request) must return"),
        ("(define (reply r) 7)", "must return a list of strings and (call NAME (KEY . VALUE) …)"),
        ("(define (reply r) '(7))", "returned 7, which is neither a string nor a call"),
        ("(define (reply r) '((fall x)))", "returned (fall x), which is neither a string nor (call NAME"),
        ("(define (reply r) '((call fs-read path)))", "calls fs-read with path, where (KEY . VALUE) is wanted"),
        ("(define (reply r) `((call fs-read (path . ,car))))", "which JSON cannot hold"),
        ("(define (reply r) (list (list 'call 'fs-read (cons 'n (/ 0. 0.)))))", "which JSON cannot hold"),
        ("(define (reply r) (list (list 'call 'fs-read (cons 'n (expt 10 1000)))))", "of more than 1000 digits"),
        ("(define (reply r) (list (list 'call 'fs-read (cons 'n (- (expt 10 5000))))))", "of more than 1000 digits"),
        ("(define (reply r) (list (list 'call 'fs-read (list 'n (vector (expt 10 5000))))))", "more than 1000 digits"),
        ("(define (reply r) (list (expt 10 5000)))", "which is neither a string nor a call"),
        ("(define (reply r) (list (list 'call (expt 10 5000))))", "as the name of a call"),
        ("(define (reply r) (list (list 'call 'fs-read (cons 'n (/ 1 (expt 10 5000))))))", "which JSON cannot hold"),
        ("(define (reply r) (let ((x (list 1))) (set-cdr! x x) x))", "must return a list"),
        ("(define (reply r) (exit 3))", "called exit"),
        ("(define (reply r) (open-input-file \"/etc/passwd\"))", "no access to files"),
        ("(define (reply r) (raise 'unhappy))", "unhappy"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_place(tmp_path: Path, program: str, said: str) -> None:
    error = failure(tmp_path, program)
    assert said in str(error)
    assert "model.scm" in str(error)
    assert error.kind not in ATTEMPTS


def test_a_procedure_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripted, "SECONDS", 0.3)
    assert "time limit" in str(failure(tmp_path, "(define (reply r) (let loop () (loop)))"))


def test_a_file_that_is_gone_is_said() -> None:
    provider = ScriptedProvider("/nowhere/model.scm")
    with pytest.raises(ProviderError, match="cannot be read") as caught:
        provider.send(provider.outgoing(REQUEST), on_delta=lambda delta: None, is_cancelled=lambda: False)
    assert caught.value.kind not in ATTEMPTS
