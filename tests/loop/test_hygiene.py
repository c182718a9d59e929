"""What the shipped hygiene keeps in the window, and how the conversation goes on when it is full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loop.conftest import Converse, Talk

# Reads a file a round, so many of them, and answers a request for a handover note with one.
READER = """
(define (part record name) (cdr (assq name record)))
(define (last items) (if (null? (cdr items)) (car items) (last (cdr items))))
(define (latest-text request)
  (let ((block (last (part (last (part request 'messages)) 'content))))
    (if (assq 'text block) (part block 'text) "")))
(define (about? words text)
  (let ((n (string-length words)) (m (string-length text)))
    (let next ((i 0))
      (and (<= (+ i n) m)
           (or (string=? words (substring text i (+ i n))) (next (+ i 1)))))))
(define round 0)
(define (reply request)
  (cond ((about? "handover note" (latest-text request)) (list {note}))
        ((= round {rounds}) '("done"))
        (else
         (set! round (+ round 1))
         (list (list 'call 'fs-read (cons 'path {path}))))))
"""

EACH = '(string-append "f" (number->string round) ".py")'


def reader(rounds: int, path: str = EACH, note: str = '"NOTE: going on"') -> str:
    return READER.replace("{rounds}", str(rounds)).replace("{path}", path).replace("{note}", note)


@pytest.fixture
def files(root: Path) -> Path:
    for number in range(1, 41):
        body = "".join(f"def f{number}_{line}(x):\n    return x + {line}\n" for line in range(40))
        (root / f"f{number}.py").write_text(body)
    return root


def rules(talk: Talk, kind: str) -> set[str]:
    return {event["rule"] for event in talk.events(kind)}


def test_nothing_is_changed_while_there_is_room(converse: Converse, files: Path) -> None:
    talk = converse(reader(20))
    assert talk.say() == ("done", "")
    assert not talk.events("fold") + talk.events("elide") + talk.events("context.narrow")
    assert not any(event.get("broken") for event in talk.events("llm.req"))


def test_old_reads_become_outlines_that_say_how_to_get_the_text(converse: Converse, files: Path) -> None:
    talk = converse(reader(20), context=24_000)
    assert talk.say() == ("done", "")
    first = talk.results()[0]
    seq = talk.events("tool.result")[0]["seq"]
    assert first.startswith('[outline of f1.py, 80 lines; (fs-read "f1.py")')
    assert f"(recall {seq})" in first
    assert "1: def f1_0(x):" in first
    assert "return x" not in first


def test_a_file_that_was_read_again_is_shown_once(converse: Converse, files: Path) -> None:
    talk = converse(reader(24, '(if (odd? round) "f1.py" "f2.py")'), context=24_000)
    talk.say()
    assert "read-again" in rules(talk, "fold")
    assert "was read again later: seq=" in talk.results()[0]


def test_the_oldest_results_become_stubs(converse: Converse, files: Path) -> None:
    talk = converse(reader(40), context=20_000)
    assert talk.say() == ("done", "")
    assert rules(talk, "elide") == {"budget"}
    assert talk.results()[0].startswith("[elided seq=")


def test_what_the_model_has_not_replied_to_is_never_elided(converse: Converse, files: Path) -> None:
    talk = converse(reader(40), context=20_000)
    talk.say()
    replied = [event["seq"] for event in talk.events("llm.resp")]
    for elision in talk.events("elide"):
        assert all(any(seq < reply < elision["seq"] for reply in replied) for seq in elision["events"])


def test_changes_come_in_batches(converse: Converse, files: Path) -> None:
    talk = converse(reader(40), context=20_000)
    talk.say()
    requests = talk.events("llm.req")
    assert sum(bool(event.get("broken")) for event in requests) < len(requests) / 3
    policy = talk.events("recipe")[0]["policy"]
    assert all(event["tokens"] <= policy["context"] for event in requests)


def test_at_high_water_the_model_writes_a_note_and_the_turn_goes_on(converse: Converse, files: Path) -> None:
    talk = converse(reader(12), context=12_000)
    talk.conversation.scheme("(define (fold-old-reads) #f) (define (elide-down-to tokens) #f)")
    assert talk.say("read them all, and mind the semicolons") == ("done", "")
    assert talk.events("context.narrow")
    text = str(talk.requests()[-1]["messages"])
    assert "NOTE: going on" in text
    assert "read them all, and mind the semicolons" in text


def test_notes_that_free_too_little_end_the_turn(converse: Converse, files: Path) -> None:
    talk = converse(reader(40, note="(make-string 24000 #\\a)"), context=10_000)
    talk.conversation.scheme("(define (fold-old-reads) #f) (define (elide-down-to tokens) #f)")
    how, reason = talk.say()
    assert how == "error"
    assert "two handover notes in a row freed too little" in reason
    assert len(talk.events("context.narrow")) <= 4
