"""The command lines of subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Any, NoReturn

from nodwyn.prims.guard.display import escape_unseen
from nodwyn.prims.mistyped import hint

MOST_DIGITS = 15
"""Digits of a limit's number: what a log and a number of seconds can hold."""


class _Parser(argparse.ArgumentParser):
    """A parser that takes options anywhere, and answers an option or word that there is not with the nearest one."""

    def add_argument(self, *names: Any, **given: Any) -> argparse.Action:
        """Declare an argument. Words of which there may be none are not among those that a mistake calls required."""
        return super().add_argument(*names, **({"default": []} if given.get("nargs") == "*" else {}) | given)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return what arguments say, and those that are unknown."""
        # argparse's own way to intermix fails where -- comes first, in Python 3.11 and 3.12.
        has_words = self._get_positional_actions() and next(parsers_within(self), None) is None
        return super().parse_known_args(self._options_first(args) if has_words else args, namespace)

    def _options_first(self, arguments: Sequence[str]) -> list[str]:
        """Return arguments with the options and their values before the words; behind ``--`` there are only words."""
        options: list[str] = []
        words: list[str] = []
        rest = list(arguments)
        while rest and (word := rest.pop(0)) != "--":
            if not self._is_option(word):
                words.append(word)
                continue
            options.append(word)
            action = self._option_string_actions.get(word)
            wanted = 0 if action is None else action.nargs if isinstance(action.nargs, int) else 1
            while wanted and rest and rest[0] != "--" and not self._is_option(rest[0]):
                value = rest.pop(0)
                wanted -= 1
                if value.startswith("-") and word.startswith("--") and action is not None and action.nargs is None:
                    options[-1] = f"{word}={value}"  # argparse itself would take it for an option
                else:
                    options.append(value)
        return [*options, "--", *words, *rest] if words or rest else options

    def _is_option(self, word: str) -> bool:
        if word.partition("=")[0] in self._option_string_actions:
            return True
        is_word = word == "-" or " " in word or word[1:2].isdigit()
        return word.startswith("-") and not is_word

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and leave with the status of wrong usage."""
        lead, _, words = message.partition("unrecognized arguments: ")
        option = next((word.partition("=")[0] for word in words.split() if word.startswith("-")), "")
        known = [each for parser in (self, *parsers_within(self)) for each in parser._option_string_actions]
        advice = ""
        if words and not lead:
            quoted = "; words that belong together go in quotation marks"
            advice = hint(option, known, otherwise="") if option else quoted
        super().error(escape_unseen(f"{message}{advice}"))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if isinstance(error.__context__, argparse.ArgumentTypeError):
                raise  # it says itself what is wrong
            wanted = "whole number" if action.type is int else getattr(action.type, "__name__", "value")
            raise argparse.ArgumentError(action, f"{arg_string!r} is no {wanted}") from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}{hint(str(value), action.choices)}")


def parsers_within(own: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of what a subcommand's first word may be."""
    for action in own._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


def parser(command: str, description: str, example: str) -> argparse.ArgumentParser:
    """Return the parser of a subcommand's arguments.

    example: a whole command line, for its help.
    """
    made = _Parser(
        prog=f"nodwyn {command}".rstrip(),
        description=description,
        epilog=f"example: {example}",
        allow_abbrev=False,
    )
    _made.append(made)
    return made


def parser_of(run: Callable[[Sequence[str]], int]) -> argparse.ArgumentParser:
    """Return the parser of a subcommand, for what is to know its options: there is no other list of them."""
    before = len(_made)
    with redirect_stdout(StringIO()), suppress(SystemExit):
        run(["--help"])
    (made,) = _made[before:]
    return made


def options_of(own: argparse.ArgumentParser, heading: str) -> str:
    """Return the help on the options of a subcommand, under a heading."""
    formatter = own._get_formatter()
    formatter.start_section(heading)
    formatter.add_arguments(action for action in own._actions if action.option_strings)
    formatter.end_section()
    return formatter.format_help()


_made: list[argparse.ArgumentParser] = []
"""Every parser so far."""


def add_approve(parser: argparse.ArgumentParser) -> None:
    """Add the option by which the person answers questions beforehand."""
    from nodwyn.prims.guard.approvals import STANDING

    parser.add_argument(
        "--approve",
        choices=STANDING,
        help="yes to read-only commands (reads), to writes inside the root and sandboxed commands too (edits), to"
        " unsandboxed commands too (all); ask at the terminal, which is the rule where there is one; or never",
    )


def add_conversation(parser: argparse.ArgumentParser) -> None:
    """Add the options of a conversation: its model, answers given beforehand, and the limits of each turn."""
    parser.add_argument("--model", metavar="M", help="the model, such as anthropic/NAME; `nodwyn models` lists them")
    add_approve(parser)
    parser.add_argument("--max-cost", type=_dollars, metavar="USD", help="what a turn may cost, in US dollars")
    parser.add_argument(
        "--max-rounds", type=_positive, metavar="N", help="how many requests to a model a turn may make"
    )
    parser.add_argument("--max-seconds", type=_positive, metavar="S", help="how long a turn may take")
    parser.add_argument("--no-init", action="store_true", help="do not run your own init.scm and loop/*.scm")


def limits_of(given: argparse.Namespace) -> dict[str, int]:
    """Return the limits of a turn that the options set, by the budget's names."""
    limits = {"cost": given.max_cost, "rounds": given.max_rounds, "seconds": given.max_seconds}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _dollars(text: str) -> int:
    """Return an amount in millionths of a US dollar."""
    amount = float(text.removeprefix("$"))
    if not 0.000_001 <= amount < 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is no amount from 0.000001 to below a million")
    return round(amount * 1_000_000)


def _positive(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text.lstrip("0")) > MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"it can be no more than {'9' * MOST_DIGITS}")
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


_dollars.__name__, _positive.__name__ = "amount of dollars", "whole number"  # as argparse calls them in a message
