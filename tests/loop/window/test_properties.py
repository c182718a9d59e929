"""Laws of the window, over logs in which anything happens in any order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nodwyn.loop.window.build import Window
from nodwyn.loop.window.replay import rebuild, rebuild_all
from nodwyn.prims.log import Log, Reader
from nodwyn.prims.log.events import (
    Attachment,
    LoopMessage,
    ModelError,
    NarrowDrop,
    Note,
    Pin,
    SessionStart,
    SummaryDrop,
    TurnStart,
)
from tests.loop.window.conftest import Story, as_it_is, assert_sound, begins_with, call, text

WORDS = st.sampled_from(["", " ", "words", "größe\n" * 3, "\udc80", "x" * 50, "y" * 5000])
SEQ = st.integers(0, 60)
"""Counted from the end of the log, so that most of what is named is there."""
POLICY = st.sampled_from([{}, {"result": 20, "result_tail": 5}, {"carried": 16, "argument": 3}])
MODEL = st.sampled_from(["one", "two"])
CONTENT = st.lists(
    st.one_of(
        st.builds(text, WORDS),
        st.builds(lambda words: {"type": "thinking", "thinking": words, "signature": "s"}, WORDS),
        st.builds(lambda id, words: call(id, path=words), st.sampled_from(["a", "b", "c"]), WORDS),
    ),
    max_size=4,
)

Step = tuple[str, tuple[Any, ...]]


def step(name: str, *arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(st.just(name), st.tuples(*arguments))


STEPS = st.lists(
    st.one_of(
        *(step("work", WORDS, WORDS) for _ in range(6)),
        step("say", WORDS),
        step("attach", WORDS),
        step("remind", WORDS, st.sampled_from(["", "rules"])),
        step("reply", CONTENT),
        step("reply", CONTENT),
        step("fail"),
        step("begin", SEQ, st.sampled_from(["a", "b", "c"])),
        step("begin", SEQ, st.sampled_from(["a", "b", "c"])),
        step("end", SEQ, WORDS | st.just({"exit": 1, "output": "o"}), st.booleans()),
        step("end", SEQ, WORDS, st.booleans()),
        step("interrupt", SEQ),
        step("fold", SEQ, WORDS),
        step("elide", st.lists(SEQ, min_size=1, max_size=4)),
        step("elide results", SEQ),
        step("narrow", SEQ, SEQ, WORDS),
        step("drop note", SEQ),
        step("pin", SEQ, SEQ, WORDS),
        *(step("summarise", SEQ, SEQ, WORDS) for _ in range(3)),
        step("drop summary", SEQ),
        step("use", POLICY, MODEL),
        step("turn"),
        step("elsewhere", WORDS),
        step("ask"),
        step("build"),
    ),
    max_size=40,
)


class Teller:
    """Tells a story by steps; whatever a step names is made something that is there, if there is such a thing."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.other = Story(story.log, "explorer")
        story.use(model="one")
        self.other.recipe = story.recipe

    def tell(self, name: str, arguments: tuple[Any, ...]) -> None:
        story = self.story
        match name, arguments:
            case "work", (words, value):
                story.say("do it")
                story.read("x", value, words=words)
                story.reply(text("done"))
            case "say", (words,):
                story.say(words)
            case "attach", (words,):
                story.say("with a file", [story.append(Attachment(name="f", text=words, size=len(words)))])
            case "remind", (words, purpose):
                story.append(LoopMessage(text=words, purpose=purpose))
            case "reply", (content,):
                story.reply(*content)
            case "fail", ():
                story.ask()
                story.append(ModelError(request=story.asked[-1].seq, message="broken", partial=[text("half")]))
            case "begin", (seq, id):
                self._on("llm.resp", seq, lambda reply: story.begin(reply, id))
            case "end", (seq, value, ok):
                self._on("tool.call", seq, lambda call: story.end(call, value, ok=ok))
            case "interrupt", (seq,):
                self._on("tool.call", seq, story.interrupt)
            case "fold", (seq, words):
                self._on("tool.result", seq, lambda result: story.fold(result, words))
            case "elide", (seqs,):
                story.elide(*(self._there(seq) for seq in seqs))
            case "elide results", (number,):
                self._on("tool.result", number, story.elide)
            case "narrow", (one, other, words):
                first, through = sorted((self._there(one), self._there(other)))
                story.narrow(first, through, words)
            case "drop note", (seq,):
                self._on("context.narrow", seq, lambda note: story.append(NarrowDrop(narrow=note)))
            case "pin", (note, seq, words):
                event = self._there(seq)
                self._on("context.narrow", note, lambda note: story.append(Pin(narrow=note, event=event, text=words)))
            case "summarise", (one, other, words):
                self._summarise(one, other, words)
            case "drop summary", (seq,):
                self._on("summary", seq, lambda summary: story.append(SummaryDrop(summary=summary)))
            case "use", (policy, model):
                story.use(policy=policy, model=model)
            case "turn", ():
                story.append(TurnStart())
            case "elsewhere", (words,):
                self.other.read("x", words)
                story.append(Note(text=words))
            case "ask", ():
                story.ask()
            case _:
                story.build()

    def _there(self, back: int) -> int:
        return max(1, self.story.log.last - back)

    def _on(self, kind: str, number: int, do: Callable[[int], object]) -> None:
        seqs = list(self.story.log.seqs(kind, agent="main"))
        if seqs:
            do(seqs[-1 - number % len(seqs)])

    def _summarise(self, one: int, other: int, words: str) -> None:
        firsts = list(self.story.log.seqs("user.msg", agent="main"))
        throughs = list(self.story.log.seqs("llm.resp", agent="main"))
        if firsts and throughs:
            first, through = firsts[one % len(firsts)], throughs[other % len(throughs)]
            if first < through:
                self.story.summarise(first, through, words)


def told(directory: str, steps: list[Step]) -> Story:
    """Return the story of some steps; each of its requests has been looked at when it was built."""
    story = Story(Log.create(Path(directory), SessionStart(program="nodwyn 0", root="/"), redact=as_it_is))
    teller = Teller(story)
    for name, arguments in steps:
        teller.tell(name, arguments)
        if name in ("build", "ask", "reply", "fail"):
            assert_from_scratch(story)
    return story


def assert_from_scratch(story: Story) -> None:
    """Check that the next request is the same when it is built from the log's beginning, and that broken is right."""
    built = story.build()
    fresh = Window(story.log)
    assert fresh.build(story.recipe) == built
    assert fresh.entries() == story.window.entries()
    if story.asked:
        assert (built.broken == "") == begins_with(built, story.asked[-1].built)


LAWS = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@LAWS
@example([("work", ("", "")), ("summarise", (0, 0, "")), ("build", ()), ("say", ("",)), ("work", ("", ""))])
@given(STEPS)
def test_a_request_is_sound_and_the_same_from_scratch_and_later_events_change_none(steps: list[Step]) -> None:
    with TemporaryDirectory() as directory:
        story = told(directory, steps)
        with story.log:
            for asked in story.asked:
                assert rebuild(story.log, asked.seq) == asked.built
        with Reader(story.log.path) as log:
            built = {each.seq: each.built for each in rebuild_all(log) if each.agent == "main"}
            assert built == {asked.seq: asked.built for asked in story.asked}


@LAWS
@given(STEPS)
def test_after_a_crash_anywhere_the_next_request_is_sound(steps: list[Step]) -> None:
    with TemporaryDirectory() as directory:
        story = told(directory, steps)
        story.log.close()
        lines = story.log.path.read_bytes().splitlines(keepends=True)
        place = max(2, len(lines) * 2 // 3)
        story.log.path.write_bytes(b"".join(lines[:place]) + lines[place - 1][:9])
        with Log.open(story.log.path, redact=as_it_is) as log:
            resumed = Story(log)
            resumed.recipe = max(log.seqs("recipe"))
            resumed.say("go on")
            assert_sound(resumed.ask())
            for each in rebuild_all(log):
                assert_sound(each.built)
