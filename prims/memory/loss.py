"""The loss audit: what a span held that nothing of what takes its place mentions.

It is made from the events alone, without a model, and always comes out the same. It looks for what a conversation
cannot do without and a note easily leaves out: paths that were worked with, lines of errors, numbers that were stated,
and what the person told the agent to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from nodwyn.prims.counting import counted
from nodwyn.prims.json_text import texts_in
from nodwyn.prims.log.events import ModelResponse, ToolCall, ToolResult, UserMessage
from nodwyn.prims.log.record import Event
from nodwyn.prims.log.replies import blocks_of
from nodwyn.prims.retrieval.words import words

MOST: Final = 40
"""So many of each kind are listed, the latest; the rest is counted."""

LONGEST: Final = 240
"""Characters of a line or sentence that are listed."""

LONGEST_LINE: Final = 2000
"""A longer line is data rather than something that was said, and is passed over."""

ENOUGH: Final = 0.7
"""A line or sentence counts as mentioned when this part of its words is."""

_ENDINGS = (
    "py|pyi|ipynb|js|jsx|ts|tsx|mjs|css|scss|html|vue|c|h|cc|cpp|hpp|cs|rs|go|rb|java|kt|swift|php|pl|lua|r|jl|hs|ml|ex"
    "|exs|erl|clj|el|lisp|scm|sld|zig|nix|sh|bash|fish|sql|proto|tf|md|rst|txt|tex|json|jsonl|yaml|yml|toml|ini|cfg"
    "|conf|env|lock|mk|cmake|gradle|xml|svg|csv|log|diff|patch"
)
_path = re.compile(
    r"(?<![\w/.~@+-])(?:~|\.{1,2})?/?(?:[\w@+-][\w.@+-]*/)+[\w@+-][\w.@+-]*|(?<![\w/.~@+-])[\w-]+\.(?:"
    + _ENDINGS
    + r")\b"
)
_number = re.compile(r"(?<![\w.,:/-])-?\d+(?:[.,]\d+)*%?(?![\w/:-])")
_error = re.compile(
    r"(?:^|[\s:])(?:error|fatal|panic)(?:\[\w+\])?:|^E  |^FAILED\b|^Traceback\b|: not found$"
    r"|^(?!\s*(?:except|raise|def|class)\b).*?\w(?-i:Error|Exception): \S|^\s*[\w.]+(?-i:Error|Exception)$",
    re.IGNORECASE,
)
_sentence_end = re.compile(r"(?<=[.!?:;])\s+|\n+")
_command = re.compile(
    r"\b(?:always|never|must|don['’]t|do not|please|only|make sure|ensure|should|shall|have to|need to|without"
    r"|bitte|nie|niemals|immer|muss|müssen|soll|nicht)\b"
    r"|^(?:\W*)(?:add|avoid|be|build|change|check|commit|create|delete|do|document|drop|explain|find|fix|give|implement"
    r"|improve|install|keep|leave|let|look|make|measure|move|put|read|refactor|release|remove|rename|replace|report"
    r"|return|rewrite|run|show|split|start|stop|test|try|turn|update|use|write)\b",
    re.IGNORECASE,
)


class Lost(NamedTuple):
    """Something that the span held."""

    what: str
    """``path``, ``error``, ``number`` or ``request``; ``more`` counts what is not listed."""
    text: str
    seq: int
    """The event that held it last."""


def loss(
    span: Iterable[Event], note: str, cards: Iterable[str] = (), *, carried: Callable[[UserMessage], bool] | None = None
) -> list[Lost]:
    """Return what a span held that neither the note in its place nor the cards of its turns mention.

    span: its events. carried: tells whether a message of the person stays in the window word for word, so that
    nothing of it is lost; none does when not given.
    """
    kept = Kept("\n".join((note, *cards)))
    found: dict[str, dict[str, int]] = {what: {} for what in _FINDERS}
    for event in span:
        if isinstance(event, UserMessage) and carried is not None and carried(event):
            continue
        for what, (find, is_mentioned) in _FINDERS.items():
            for text in find(event):
                if not is_mentioned(kept, text):
                    found[what].pop(text, None)
                    found[what][text] = event.seq
    return [entry for what, texts in found.items() for entry in _listed(what, texts)]


class Kept:
    """What stays: the note and the cards."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        self.words = frozenset(words(text))
        self.numbers = frozenset(_number.findall(text))

    def has_path(self, path: str) -> bool:
        """Return whether a path is mentioned, or the name of its file."""
        name = path.rpartition("/")[2]
        return path in self.text or ("." in name and name in self.text)

    def has_number(self, stated: str) -> bool:
        """Return whether the number that a text begins with is mentioned."""
        return stated.partition(" ")[0] in self.numbers

    def has_sense(self, text: str) -> bool:
        """Return whether a line is mentioned, or nearly all of its words."""
        if text in self.text:
            return True
        of_text = words(text)
        return bool(of_text) and sum(word in self.words for word in of_text) >= ENOUGH * len(of_text)


def _paths(event: Event) -> Iterator[str]:
    """Yield the paths that an event names; those that a result happens to list are not what was worked with."""
    if isinstance(event, ToolCall):
        for text in texts_in(event.arguments):
            if len(text) <= LONGEST_LINE:  # a longer one is the content of a file
                yield from _path.findall(text)
    for text in _said(event):
        yield from filter(_is_surely_a_path, _path.findall(text))


def _is_surely_a_path(text: str) -> bool:
    """Return whether what was spoken of is a path, and not two words with a slash between."""
    return text[0] in "/~." or text.count("/") > 1 or "." in text.rpartition("/")[2]


def _numbers(event: Event) -> Iterator[str]:
    """Yield the numbers that are stated, each with the word behind it."""
    for text in _said(event):
        for match in _number.finditer(text):
            if sum(char.isdigit() for char in match[0]) > 1:
                behind = re.match(r" ?[^\W\d_]+", text[match.end() : match.end() + 40])
                yield f"{match[0]} {behind[0].strip()}" if behind else match[0]


def _errors(event: Event) -> Iterator[str]:
    """Yield the lines of a result that tell of an error."""
    if not isinstance(event, ToolResult):
        return
    lines = [line for text in texts_in(event.value) for line in text.split("\n") if len(line) <= LONGEST_LINE]
    telling = [line for line in lines if _error.search(line)]
    if not telling and not event.ok:
        telling = [line for line in lines if line.strip()][:1]
    for line in telling:
        yield _cut(" ".join(line.split()))


def _requests(event: Event) -> Iterator[str]:
    """Yield the sentences in which the person tells the agent to do something, or how; of a long one, where it does."""
    if not isinstance(event, UserMessage):
        return
    for sentence in _sentence_end.split(event.text):
        sentence = " ".join(sentence.split())
        if sentence.endswith("?"):
            continue
        end = 0
        for match in _command.finditer(sentence):
            if match.start() >= end:
                start = match.start() if len(sentence) > LONGEST else 0
                end = start + LONGEST
                yield _cut(sentence[start:])


def _said(event: Event) -> Iterator[str]:
    """Yield what the person and the model said."""
    if isinstance(event, UserMessage):
        yield event.text
    elif isinstance(event, ModelResponse):
        yield from (str(block.get("text", "")) for block in blocks_of(event) if block["type"] == "text")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _listed(what: str, texts: dict[str, int]) -> Sequence[Lost]:
    listed = [Lost(what, text, seq) for text, seq in list(texts.items())[-MOST:]]
    if len(texts) > MOST:
        listed.insert(0, Lost("more", counted(len(texts) - MOST, f"earlier {what}"), listed[0].seq))
    return listed


_FINDERS: Final[dict[str, tuple[Callable[[Event], Iterator[str]], Callable[[Kept, str], bool]]]] = {
    "request": (_requests, Kept.has_sense),
    "error": (_errors, Kept.has_sense),
    "path": (_paths, Kept.has_path),
    "number": (_numbers, Kept.has_number),
}
"""For each kind of thing, what finds it in an event and what tells whether it is mentioned."""
