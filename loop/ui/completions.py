"""``nodwyn completions``: what a shell needs to complete command lines. It is made from the commands' own parsers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

from nodwyn.loop.ui.asking import OF_KIND
from nodwyn.loop.ui.cli import COMMANDS, DONE
from nodwyn.loop.ui.options import parser, parser_of, parsers_within

SESSIONS = "nodwyn sessions --archived 2>/dev/null | cut -d' ' -f1"
"""A shell line that lists the names of sessions."""

MODELS = "nodwyn models --names 2>/dev/null"
"""A shell line that lists what ``--model`` takes."""

MEANINGS = {
    "ask": "each question at the terminal",
    "never": "no to every question",
    **{str(kind): does for kind, does in OF_KIND.items()},
}
"""What a value of ``--approve`` says yes to, for the shell that shows a text beside each."""


class Option(NamedTuple):
    """An option of a command. values: what may follow it; None when nothing does. lists: a shell line that lists it."""

    names: tuple[str, ...]
    values: tuple[str, ...] | None
    does: str
    lists: str


class Command(NamedTuple):
    """A command as a shell completes it. words: what may stand in its first place besides options."""

    name: str
    does: str
    options: tuple[Option, ...]
    words: tuple[str, ...]
    takes_session: bool


def run(arguments: Sequence[str]) -> int:
    """Write the completions of a shell; return the exit status."""
    line = parser(
        "completions",
        "Write the completions of a shell, for its own start-up files: bash and zsh read them with"
        ' eval "$(nodwyn completions bash)", fish with nodwyn completions fish | source.',
        "nodwyn completions bash >> ~/.bashrc",
    )
    line.add_argument("shell", choices=sorted(_WRITERS), help="the shell")
    given = line.parse_args(arguments)
    for text in _WRITERS[given.shell](list(commands())):
        sys.stdout.write(f"{text}\n")
    return DONE


def commands() -> Iterator[Command]:
    """Yield every command; the one without a name is ``nodwyn`` by itself."""
    for name, (does, module) in {"": ("", "line"), **COMMANDS}.items():
        own = parser_of(import_module(f"nodwyn.loop.ui.{module}").run)
        parsers = [own, *parsers_within(own)]
        options = {option.names: option for each in parsers for option in _options(each)}
        places = [action for each in parsers for action in each._actions if not action.option_strings]
        words = [str(choice) for action in places for choice in action.choices or ()]
        yield Command(name, does, tuple(options.values()), tuple(words), any(p.dest == "session" for p in places))


def _options(own: argparse.ArgumentParser) -> Iterator[Option]:
    for action in own._actions:
        if action.option_strings:
            values = None if action.nargs == 0 else tuple(map(str, action.choices or ()))
            lists = MODELS if action.dest == "model" else ""
            does = (action.help or "").partition(";")[0].replace("%%", "%")
            yield Option(tuple(action.option_strings), values, does, lists)


def _bash(known: Sequence[Command]) -> Iterator[str]:
    alone = known[0]
    yield "_nodwyn() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words="
    yield "    case $previous in"
    for names, words in _valued(known):
        yield f'        {"|".join(names)}) COMPREPLY=($(compgen -W "{words}" -- "$current")); return ;;'
    yield "    esac"
    yield "    case $COMP_CWORD:${COMP_WORDS[1]} in"
    first = " ".join([*(command.name for command in known[1:]), *_names(alone), "--version"])
    yield f'        1:*) words="{first}" ;;'
    for command in known[1:]:
        words = " ".join([*command.words, *_names(command), *([f"$({SESSIONS})"] if command.takes_session else [])])
        yield f'        *:{command.name}) words="{words}" ;;'
    yield f'        *:-*) words="{" ".join(_names(alone))}" ;;'
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _nodwyn nodwyn"


def _zsh(known: Sequence[Command]) -> Iterator[str]:
    yield "#compdef nodwyn"
    yield "_nodwyn() {"
    yield "    local -a commands"
    yield "    commands=("
    for command in known[1:]:
        yield f"        {_quoted(f'{command.name}:{command.does}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then"
    yield "        _describe command commands"
    yield "        return"
    yield "    fi"
    yield "    local command=$words[2]"
    yield "    if [[ $command != -* ]]; then shift words; (( CURRENT-- )); fi"
    yield "    case $command in"
    for command in known[1:]:
        yield f"        {command.name}) _arguments {' '.join(_zsh_arguments(command))} ;;"
    yield f"        *) _arguments {' '.join(_zsh_arguments(known[0]))} ;;"
    yield "    esac"
    yield "}"
    yield "compdef _nodwyn nodwyn"


def _zsh_arguments(command: Command) -> Iterator[str]:
    for option in command.options:
        does = option.does.translate({ord("["): "(", ord("]"): ")", ord(":"): ","})
        values = "" if option.values is None else f":value:({' '.join(option.values)})" if option.values else ":value: "
        for name in option.names:
            listed = f'":value:($({option.lists}))"' if option.lists else _quoted(values)
            yield f"{_quoted(f'{name}[{does}]')}{listed if values else ''}"
    if command.words:
        yield _quoted(f":what:({' '.join(command.words)})")
    elif command.takes_session:
        yield f'":session:($({SESSIONS}))"'
    yield _quoted("*:file:_files")


def _fish(known: Sequence[Command]) -> Iterator[str]:
    for command in known[1:]:
        does = _quoted(command.does)
        yield f"complete -c nodwyn -n __fish_use_subcommand -f -a {command.name} -d {does}"
    for command in known:
        seen = f"'__fish_seen_subcommand_from {command.name}'" if command.name else "__fish_use_subcommand"
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            yield f"complete -c nodwyn -n {seen} {names}{_fish_values(option)} -d {_quoted(option.does)}"
        if command.words:
            yield f"complete -c nodwyn -n {seen} -f -a {_quoted(' '.join(command.words))}"
        if command.takes_session:
            yield f'complete -c nodwyn -n {seen} -f -a "({SESSIONS})"'


def _fish_values(option: Option) -> str:
    if option.lists:
        return f' -x -a "({option.lists})"'
    if not option.values:
        return "" if option.values is None else " -r"
    described = (f'{value}\\t"{MEANINGS[value]}"' if value in MEANINGS else value for value in option.values)
    return f" -x -a {_quoted(' '.join(described))}"


def _names(command: Command) -> list[str]:
    return [name for option in command.options for name in option.names]


def _valued(known: Sequence[Command]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each option that takes one of several values, once, with these as bash has them."""
    every = [option for command in known for option in command.options]
    found = {option.names: " ".join(option.values) for option in every if option.values}
    listed = {option.names: f"$({option.lists})" for option in every if option.lists}
    yield from {**found, **listed}.items()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_WRITERS: dict[str, Callable[[Sequence[Command]], Iterator[str]]] = {"bash": _bash, "fish": _fish, "zsh": _zsh}
