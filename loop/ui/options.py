"""The command lines of subcommands."""

from __future__ import annotations

import argparse


def parser(command: str, description: str, example: str) -> argparse.ArgumentParser:
    """Return the parser of a subcommand's arguments.

    example: a whole command line, for its help.
    """
    return argparse.ArgumentParser(
        prog=f"nodwyn {command}",
        description=description,
        epilog=f"example: {example}",
        allow_abbrev=False,
    )


def add_approve(parser: argparse.ArgumentParser) -> None:
    """Add the option by which the person answers questions beforehand."""
    from nodwyn.prims.guard.approvals import STANDING

    parser.add_argument(
        "--approve",
        choices=STANDING,
        help="yes to read-only commands (reads), to writes inside the root and sandboxed commands too (edits), to"
        " unsandboxed commands too (all); ask at the terminal, which is the rule where there is one; or never",
    )
