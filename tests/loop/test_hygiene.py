"""What the shipped hygiene keeps in the window, and how the conversation goes on when it is full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nodwyn.loop.providers.base import ProviderError
from nodwyn.prims.guard.approvals import Answer
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


def test_more_than_one_elision_may_name_becomes_several(converse: Converse, files: Path) -> None:
    talk = converse(reader(20), context=16_000)
    talk.conversation.scheme("(define (fold-old-reads) #f) (set! most-elided 2)")
    assert talk.say()[0] == "done"
    named = [event["events"] for event in talk.events("elide")]
    assert max(map(len, named)) == 2
    assert len({seq for events in named for seq in events}) > 4


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


# Nothing is made shorter but by a note; all tools are offered, however small the context is.
NO_STUBS = "(define (fold-old-reads) #f) (define (elide-down-to tokens) #f) (set! spare-tools '())"


def test_at_high_water_the_model_writes_a_note_and_the_turn_goes_on(converse: Converse, files: Path) -> None:
    talk = converse(reader(12), context=12_000)
    talk.conversation.scheme(NO_STUBS)
    assert talk.say("read them all, and mind the semicolons") == ("done", "")
    assert talk.events("context.narrow")
    text = str(talk.requests()[-1]["messages"])
    assert "NOTE: going on" in text
    assert "read them all, and mind the semicolons" in text


CALLER = """
(define asked 0)
(define (reply request)
  (if (about? "{about}" (latest-text request)) (begin (set! asked (+ asked 1)) {answer}) '("I said it.")))
"""


def caller(answer: str, about: str = "note") -> str:
    helpers = READER.partition("(define round 0)")[0]
    return helpers + CALLER.replace("{answer}", answer).replace("{about}", about)


@pytest.mark.parametrize("first", ["((call fs-list))", '("I look first." (call fs-list))', "()"])
def test_a_model_that_calls_a_tool_in_place_of_a_note_is_told_so(converse: Converse, first: str) -> None:
    talk = converse(caller(f"""(if (= asked 1) '{first} '("NOTE: in words"))"""))
    talk.say("remember the semicolons")
    assert talk.conversation.compact().how == "done"
    assert [note["note"] for note in talk.events("context.narrow")] == ["NOTE: in words"]
    assert not talk.events("tool.call")


@pytest.mark.parametrize("answer", ["'((call fs-list))", '\'("  ")'])
def test_without_a_note_the_conversation_stays(converse: Converse, answer: str) -> None:
    talk = converse(caller(answer))
    talk.say("remember the semicolons")
    end = talk.conversation.compact()
    assert (end.how, end.reason) == ("error", "the conversation could not be shortened: the model wrote no note")
    assert not talk.events("context.narrow")
    assert talk.say("go on")[0] == "done"
    assert "I said it." in str(talk.requests()[-1]["messages"])


def test_what_no_note_is_needed_for_is_not_compacted(converse: Converse) -> None:
    talk = converse(caller('\'("NOTE: in words")'))
    end = talk.conversation.compact()
    assert (end.how, end.reason) == ("done", "there is nothing to compact: nothing was said so far")
    assert not talk.events("llm.req")
    talk.say("remember the semicolons")
    assert talk.conversation.compact().reason == ""
    for _ in range(3):
        end = talk.conversation.compact()
        assert (end.how, end.reason) == ("done", "there is nothing to compact: nothing was said since the last note")
    assert len(talk.events("context.narrow")) == 1
    talk.say("and the commas")
    talk.conversation.compact()
    assert len(talk.events("context.narrow")) == 2


def test_a_note_that_the_budget_does_not_allow_ends_the_turn_by_it(converse: Converse) -> None:
    talk = converse(caller("'((call fs-list))"), limits={"rounds": 1})
    talk.say("remember the semicolons")
    end = talk.conversation.compact()
    assert end.how == "budget"
    assert end.reason.startswith("the conversation could not be shortened: ")


def test_a_model_that_takes_less_is_asked_for_a_note_of_what_it_takes(converse: Converse) -> None:
    helpers = READER.partition("(define round 0)")[0]
    wordy = """(define (reply request)
        (if (about? "handover note" (latest-text request)) '("NOTE: it is short") (list (make-string 9000 #\\w))))"""
    talk = converse(helpers + wordy)
    for number in range(12):
        talk.say(f"question {number}")
    assert talk.conversation.model is not None
    talk.conversation.model = talk.conversation.model._replace(context=24_000, output=3000)
    assert talk.say("and now")[0] == "done"
    assert rules(talk, "elide") == {"overflow"}
    asked = talk.events("llm.req")[-2]
    assert asked["tokens"] < 24_000
    assert "question 0" in str(talk.requests()[-2]["messages"])
    assert "NOTE: it is short" in str(talk.requests()[-1]["messages"])


def test_notes_that_free_too_little_end_the_turn(converse: Converse, files: Path) -> None:
    talk = converse(reader(40, note="(make-string 24000 #\\a)"), context=10_000)
    talk.conversation.scheme(NO_STUBS)
    how, reason = talk.say()
    assert how == "error"
    assert "two handover notes in a row freed too little" in reason
    assert len(talk.events("context.narrow")) <= 4


def test_notes_of_a_sub_agent_that_free_too_little_end_its_work(converse: Converse, files: Path) -> None:
    explorer = """(define (reply request)
        (cond ((about? "handover note" (latest-text request)) (list (make-string 24000 #\\a)))
              ((about? "You are explorer" (part request 'system)) (set! round (+ round 1))
               (list (list 'call 'fs-read (cons 'path (string-append "f" (number->string round) ".py")))))
              ((about? "look" (latest-text request)) '((call explore (task . "read them all"))))
              (else '("I see."))))"""
    talk = converse(READER.partition("(define (reply")[0] + explorer, context=16_000)
    talk.conversation.scheme(NO_STUBS)
    assert talk.say("look")[0] == "done"
    assert "explorer came to no answer: two handover notes in a row freed too little" in talk.results()[0]


class Refusing:
    """A model whose server takes less than was configured."""

    name = "refusing"

    def __init__(self, model: Any, most: int) -> None:
        """most: bytes of a request."""
        self.model = model
        self.most = most

    def secrets(self) -> list[str]:
        return []

    def outgoing(self, request: Any) -> Any:
        sent = self.model.outgoing(request)
        if len(sent.body) > self.most:
            raise ProviderError("the prompt is too long", "overflow")
        return sent

    def send(self, outgoing: Any, **given: Any) -> Any:
        return self.model.send(outgoing, **given)


LONG = """
(define (reply request)
  (let ((said (latest-text request)))
    (cond ((about? "handover note" said) '("NOTE: it was long"))
          ((about? "many" said)
           (map (lambda (n) (list 'call 'fs-read (cons 'path (string-append "f" (number->string n) ".py"))))
                '(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)))
          ((about? "write" said)
           (list (list 'call 'fs-write (cons 'path "a.txt") (cons 'content (make-string 90000 #\\w)))))
          ((about? "talk" said) (list (make-string 90000 #\\t)))
          (else '("I see.")))))
"""


@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("message", ["talk", "write", "many", "x" * 90_000])
def test_what_is_longer_than_the_model_takes_does_not_end_the_conversation(
    converse: Converse, files: Path, message: str, refuses: bool
) -> None:
    talk = converse(READER.partition("(define round 0)")[0] + LONG, context=12_000, answer=Answer(True, "yes"))
    if refuses:
        model = talk.conversation.model
        assert model is not None
        talk.conversation.model = model._replace(adapter=Refusing(model.adapter, 44_000))
    assert talk.say("begin")[0] == "done"
    how, reason = talk.say(message)
    assert (how == "error") is message.startswith("x")
    assert ("your message has about " in reason) is message.startswith("x")
    reached = talk.events("llm.req")[-1]["seq"]
    for number in range(3):
        assert talk.say(f"question {number}") == ("done", "")
    policy = talk.events("recipe")[0]["policy"]
    assert all(event["tokens"] <= policy["context"] for event in talk.events("llm.req") if event["seq"] > reached)
    assert "question 2" in str(talk.requests()[-1]["messages"])


def test_a_long_reply_is_cut_and_says_how_it_is_read(converse: Converse) -> None:
    talk = converse(READER.partition("(define round 0)")[0] + LONG, context=12_000)
    talk.say("talk")
    (reply,) = (event["seq"] for event in talk.events("llm.resp"))
    talk.conversation.scheme("(define (hand-over) (make-room-to-ask) #f)")
    assert talk.say("and now")[0] == "done"
    text = str(talk.requests()[-1]["messages"])
    assert "Here stood a reply of yours of about " in text
    assert " tokens, which is too long to be shown. It begins so:" in text
    assert f"(recall {reply}" in text
    assert len(text) < 9000
    assert "ttttt" in text
