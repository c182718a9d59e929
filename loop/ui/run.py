"""``nodwyn run``: one task without a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from nodwyn.loop.ui import headless
from nodwyn.loop.ui.cli import USAGE, complain
from nodwyn.loop.ui.opening import begin
from nodwyn.loop.ui.options import add_conversation, parser


def run(arguments: Sequence[str]) -> int:
    """Do a task in the current directory; return the exit status: for how the turn ended."""
    line = parser(
        "run",
        "Do one task in the current directory: progress on standard error, the answer on standard output. Exit status:"
        " 0 done, 1 failed, 2 wrong usage, 3 stopped at a limit, 4 stopped by a question that nobody answered,"
        " 6 ended without an answer, 130 interrupted.",
        'nodwyn run --approve edits --max-cost 0.50 "make the tests pass"',
    )
    line.add_argument("task", nargs="?", metavar="TASK", help="what to do; - reads it from standard input")
    line.add_argument(
        "--json",
        action="store_true",
        help="what happens as lines of JSON on standard output (docs/protocol.md); with --approve ask, questions are"
        " answered by lines on standard input; without TASK, the tasks come from there too",
    )
    add_conversation(line)
    given = line.parse_args(arguments)
    task = sys.stdin.read() if given.task == "-" else given.task
    if given.json and (task is None or task.strip()) and not (given.task == "-" and given.approve == "ask"):
        return headless.in_json(task, begin("run"), given)
    if task is None or not task.strip():
        return _usage("there is no task; nodwyn run --help has an example")
    if given.json:
        return _usage("with the task on standard input, answers cannot come from there: send both as lines of JSON")
    return headless.in_text(task, begin("run"), given)


def _usage(message: str) -> int:
    complain(message)
    return USAGE
