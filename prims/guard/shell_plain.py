"""A second, strict reading of shell lines: those of literal words and the commonest operators alone.

A grammar of the whole shell is large, and where it reads a line otherwise than the shell does, a command could hide. So
a line counts as plain only when this reading, which knows little and refuses the rest, finds the very same words.
"""

from __future__ import annotations

from typing import NamedTuple

_RESERVED = frozenset(
    "! { } [[ ]] ( ) case coproc do done elif else esac fi for function if in select then time until while".split()
)

_REFUSED = frozenset("$`*?[]{}()")
"""Characters that may have a meaning which this reading does not know."""

_REDIRECTIONS = ("&>>", "&>", ">>", ">|", ">&", "<&", "<>", ">", "<")
_CONNECTORS = ("&&", "||", "|&", "|")


class Plain(NamedTuple):
    """What a plain line holds."""

    commands: list[list[str]]
    redirections: list[tuple[str, str]]
    """Operators and targets."""


class _NotPlain(Exception):
    """The line has something that this reading does not know."""


def read_plain(line: str) -> Plain | None:
    """Return the commands of a plain line, or None when the line is not plain."""
    try:
        return _PlainReader(line).read()
    except _NotPlain:
        return None


class _PlainReader:
    def __init__(self, line: str) -> None:
        self._line = line
        self._at = 0
        self._plain = Plain([], [])
        self._words: list[str] = []
        self._expects_command = False

    def read(self) -> Plain:
        while self._at < len(self._line):
            self._step()
        self._end_command("")
        if self._expects_command:
            raise _NotPlain
        return self._plain

    def _step(self) -> None:
        line, at = self._line, self._at
        if line[at] in " \t":
            self._at += 1
        elif line.startswith("\\\n", at):
            self._at += 2
        elif line[at] == "#":
            end = line.find("\n", at)
            self._at = len(line) if end < 0 else end
        elif operator := self._operator(_REDIRECTIONS):
            self._redirect(operator)
        elif line[at] in ";\n" or self._operator(_CONNECTORS):
            operator = line[at] if line[at] in ";\n" else self._operator(_CONNECTORS)
            self._at += len(operator)
            self._end_command(operator)
        else:
            self._add_word()

    def _operator(self, operators: tuple[str, ...]) -> str:
        return next((operator for operator in operators if self._line.startswith(operator, self._at)), "")

    def _end_command(self, operator: str) -> None:
        """End a command at an operator; newlines may stand where a command is expected, nothing else may."""
        if self._words:
            self._plain.commands.append(self._words)
            self._words = []
        elif operator not in ("\n", "") or (operator == "" and self._expects_command):
            raise _NotPlain
        elif operator == "\n":
            return
        self._expects_command = operator in _CONNECTORS

    def _add_word(self) -> None:
        start = self._at
        word = self._word()
        raw = self._line[start : self._at].replace("\\\n", "")
        if not self._words and (raw in _RESERVED or "=" in word):
            raise _NotPlain
        if raw.isdigit() and self._line[self._at : self._at + 1] in ("<", ">"):
            self._redirect(self._operator(_REDIRECTIONS))
        else:
            self._words.append(word)

    def _redirect(self, operator: str) -> None:
        self._at += len(operator)
        if self._line.startswith("<", self._at) or operator == "<>":
            raise _NotPlain
        while self._line[self._at : self._at + 1] in (" ", "\t"):
            self._at += 1
        target = self._word()
        duplicates = operator in (">&", "<&")
        if duplicates and not (target.isdigit() or target == "-"):
            raise _NotPlain
        if target.startswith("#") or (target.isdigit() and self._line[self._at : self._at + 1] in ("<", ">")):
            raise _NotPlain
        self._plain.redirections.append((operator, target))

    def _word(self) -> str:
        """Read a word.

        Raises: _NotPlain when none is there, or one that is not literal.
        """
        line, begin, parts = self._line, self._at, list[str]()
        while self._at < len(line) and (char := line[self._at]) not in " \t\n;|&<>":
            if char in _REFUSED or (char == "~" and (self._at == begin or line[self._at - 1] in ":=")):
                raise _NotPlain
            if char == "'":
                parts.append(self._until("'"))
            elif char == '"':
                parts.append(self._double_quoted())
            elif char == "\\":
                parts.append(self._escaped())
            else:
                parts.append(char)
                self._at += 1
        if self._at == begin:
            raise _NotPlain
        return "".join(parts)

    def _until(self, quote: str) -> str:
        end = self._line.find(quote, self._at + 1)
        if end < 0:
            raise _NotPlain
        text = self._line[self._at + 1 : end]
        self._at = end + 1
        return text

    def _escaped(self) -> str:
        char = self._line[self._at + 1 : self._at + 2]
        if not char:
            raise _NotPlain
        self._at += 2
        return "" if char == "\n" else char

    def _double_quoted(self) -> str:
        parts = list[str]()
        self._at += 1
        while (char := self._line[self._at : self._at + 1]) != '"':
            if char in ("", "$", "`"):
                raise _NotPlain
            if char == "\\" and self._line[self._at + 1 : self._at + 2] in ("$", "`", '"', "\\", "\n"):
                parts.append(self._escaped())
            else:
                parts.append(char)
                self._at += 1
        self._at += 1
        return "".join(parts)
