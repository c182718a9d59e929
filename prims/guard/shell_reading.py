"""A shell line read with a grammar of Bash: the simple commands in it, wherever they stand, and what is not plain."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from nodwyn.prims.guard.shell_words import WORD_KINDS, Word, read_word, source

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

# What may stand in a line without making it less than plain; words are judged by themselves.
_STRUCTURE = "program list pipeline command command_name redirected_statement file_redirect file_descriptor comment"
_OPERATORS = "; && || | |& > >> >| &> &>> >& < <& <> >&- <&-"
_PLAIN_KINDS = WORD_KINDS | {*_STRUCTURE.split(), *_OPERATORS.split(), "\n", '"', "string_content", "{", "}", "..", ","}

# How a construct is named to a person; every other kind is named by the grammar's own name.
_CONSTRUCTS = {
    "command_substitution": "takes a command's output for a part of the line",
    "process_substitution": "takes a command for a file",
    "heredoc_redirect": "has a here-document",
    "herestring_redirect": "has a here-string",
    "variable_assignment": "sets a variable",
    "variable_assignments": "sets variables",
    "declaration_command": "declares a variable",
    "simple_expansion": "has a variable, whose value is known only when it runs",
    "expansion": "has a variable, whose value is known only when it runs",
    "arithmetic_expansion": "has arithmetic",
    "function_definition": "defines a function",
    "subshell": "has a subshell",
    "ERROR": "cannot be read as a shell line",
    "negated_command": "turns an exit status round",
    "&": "leaves a command running in the background",
}

# Parts of constructs that were named already.
_PARTS = frozenset("heredoc_start heredoc_body heredoc_content heredoc_end variable_name special_variable_name".split())


class Redirection(NamedTuple):
    """Where a line sends output or takes input from."""

    operator: str
    target: Word | None
    """None where a descriptor is closed."""


class Command(NamedTuple):
    """A simple command: a program and what it is given."""

    source: str
    """As it stands in the line, redirections not included."""
    words: tuple[Word, ...]
    inputs: tuple[str, ...]
    """The texts of its here-documents and here-strings."""


class Reading(NamedTuple):
    """What a line holds."""

    commands: tuple[Command, ...]
    """In the order of the line; those inside others' arguments too."""
    redirections: tuple[Redirection, ...]
    loose: tuple[Word, ...]
    """Words that belong to no command: the values of variables, the words of a loop."""
    doubts: tuple[str, ...]
    """What in the line is not plain, each completing the sentence "the line …"."""


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def read_line(line: str, home: str) -> Reading:
    """Read a shell line.

    home: the directory that ``~`` stands for.
    """
    return _Reader(home).read(_parser().parse(line.encode(errors="surrogatepass")).root_node)


class _Reader:
    """One walk over a tree, without recursion: a chain of commands nests as deep as it is long."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._commands: list[tuple[int, Command]] = []
        self._redirections: list[Redirection] = []
        self._loose: list[Word] = []
        self._doubts: dict[str, None] = {}
        # By the command's place: words after the target of a redirection, which the grammar counts to that.
        self._later_words: dict[int, list[Node]] = {}
        self._inputs: dict[int, list[str]] = {}

    def read(self, root: Node) -> Reading:
        pending = [(root, False)]
        while pending:
            node, owned = pending.pop()
            self._visit(node, owned)
            owns = node.type in WORD_KINDS or node.type in ("command", "command_name", "file_redirect")
            # What a construct that is not plain is made of needs no doubt of its own.
            parts = node.children if node.type in _PLAIN_KINDS else node.named_children
            pending += [(child, owns and child.type in WORD_KINDS) for child in reversed(parts)]
        commands = tuple(command for _, command in sorted(self._commands, key=lambda placed: placed[0]))
        return Reading(commands, tuple(self._redirections), tuple(self._loose), tuple(self._doubts))

    def _visit(self, node: Node, owned: bool) -> None:
        kind = node.type
        if node.is_missing:
            self._doubts[_CONSTRUCTS["ERROR"]] = None
        elif kind not in _PLAIN_KINDS and kind not in _PARTS:
            self._doubts[_CONSTRUCTS.get(kind, f"has a construct ({kind}) that is not judged")] = None
        if kind == "redirected_statement":
            self._note_later_words(node)
        elif kind == "command":
            self._commands.append((node.start_byte, self._command(node)))
        elif kind == "file_redirect":
            self._redirect(node)
        elif kind in WORD_KINDS and not owned:
            self._loose.append(read_word(node, self._home))

    def _command(self, node: Node) -> Command:
        words = [_inside_name(name) for name in node.children_by_field_name("name")]
        words += node.children_by_field_name("argument") + self._later_words.get(node.start_byte, [])
        for redirect in node.children_by_field_name("redirect"):
            self._note_input(node, redirect)
        read = tuple(read_word(word, self._home) for word in sorted(words, key=lambda word: word.start_byte))
        return Command(source(node), read, tuple(self._inputs.get(node.start_byte, ())))

    def _redirect(self, node: Node) -> None:
        operator = next((child.type for child in node.children if not child.is_named), "")
        targets = [read_word(target, self._home) for target in node.children_by_field_name("destination")]
        self._redirections.append(Redirection(operator, targets[0] if targets else None))
        self._loose += targets[1:]

    def _note_later_words(self, node: Node) -> None:
        """Note what redirections hold that belongs to the command they stand behind."""
        body = node.child_by_field_name("body")
        for redirect in node.children_by_field_name("redirect"):
            later = redirect.children_by_field_name("destination")[1:]
            if body is not None and body.type == "command":
                self._later_words.setdefault(body.start_byte, []).extend(later)
                self._note_input(body, redirect)
            elif later:
                self._doubts["has words behind a redirection"] = None

    def _note_input(self, command: Node, redirect: Node) -> None:
        inputs = self._inputs.setdefault(command.start_byte, [])
        for child in redirect.children:
            if child.type == "heredoc_body":
                inputs.append(source(child))
            elif redirect.type == "herestring_redirect" and child.type in WORD_KINDS:
                inputs.append(read_word(child, self._home).text)


def _inside_name(word: Node) -> Node:
    return word.children[0] if word.type == "command_name" and word.children else word
