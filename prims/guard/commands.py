"""Judging a shell line before it runs: whether it only reads, writes inside the root, must be asked about, or is
refused.

The line is read as the shell would read it, each simple command in it is judged, and the strictest judgement is the
line's. What is not understood is asked about: an unknown command or flag, a word that is known only when the line runs,
a construct beyond chains of plain commands. A path that may not be reached is refused wherever in the line it stands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from nodwyn.prims.environment import is_within
from nodwyn.prims.guard.confinement import PathCheck
from nodwyn.prims.guard.display import first_unseen
from nodwyn.prims.guard.read_only import NotKnown, Use, use_of
from nodwyn.prims.guard.shell_plain import Plain, read_plain
from nodwyn.prims.guard.shell_reading import Command, Reading, read_line
from nodwyn.prims.guard.shell_words import Word, literal

READ_ONLY = "read-only"
WRITES = "writes"
ASKS = "asks"
DENY = "deny"
VERDICTS = (READ_ONLY, WRITES, ASKS, DENY)
"""From the mildest to the strictest."""

MAXIMUM_LENGTH = 16_384
"""In characters. A longer line is refused: the time to read the worst ones grows with the square of their length."""

MAXIMUM_DEPTH = 8
"""How many shells within shells (``bash -c 'bash -c …'``) are read."""

MAXIMUM_FOLDERS = 32
"""How many directories a line may be in, one after another, before it is no longer followed."""

MOST_REASONS = 4
"""Of one kind, that are named."""

LONGEST_PATH = 4096
"""No path is longer."""

_HARMLESS_FILES = frozenset(f"/dev/{name}" for name in "null zero full random urandom stdin stdout stderr".split())
_FACTS = frozenset(
    f"/proc/{name}"
    for name in """cpuinfo filesystems loadavg meminfo stat swaps sys/kernel/osrelease sys/kernel/ostype uptime version
    vmstat""".split()
)
"""Files that tell of the machine and its kernel alone: no process, no environment, no path of anybody's."""

_SHELLS = frozenset(
    "sh bash dash zsh ksh ash fish csh tcsh busybox eval trap alias complete flock script ssh parallel su watch"
    " env xargs nohup timeout sudo doas time exec".split()
)
"""Commands that may take a text for a line, or words for a command."""

_GIT_READING = frozenset(
    "annotate blame cat-file check-attr check-ignore count-objects describe diff diff-tree for-each-ref grep log"
    " ls-files ls-remote ls-tree merge-base name-rev rev-list rev-parse shortlog show show-ref status version".split()
)

# What is said of commands that are known for running or writing what their arguments name.
_KNOWN_DANGERS = {
    "awk": "awk programs can run commands and write files",
    "env": "env can run any command",
    "eval": "eval runs a text as a line",
    "exec": "exec runs any command",
    "git": "git runs hooks, filters and aliases of the repository; git-status, git-diff, git-log and git-show do not",
    "less": "less can run commands",
    "man": "man can run a browser or a pager",
    "tar": "tar can run commands and write anywhere",
    "xargs": "xargs runs a command with arguments that are known only when it runs",
}


class JudgedCommand(NamedTuple):
    """What was found about one simple command of a line."""

    source: str
    verdict: str
    reason: str


class Judgement(NamedTuple):
    """What was found about a line."""

    verdict: str
    """One of VERDICTS."""
    reason: str
    """Why it is not milder; why it is mild when it is the mildest."""
    commands: tuple[JudgedCommand, ...]
    writes: tuple[str, ...]
    """Absolute paths that the line is known to write, for checks of one's own."""
    uses_git: bool
    """Whether it may want to write what git keeps: a sandbox can let it, but for hooks and configuration."""
    alone: str = ""
    """The part of the reason that no standing answer may cover: it is known to read or write outside of the root, or to
    write what has other machines, or git, do something."""
    rest: str = ""
    """The other part."""


class Checks(NamedTuple):
    """What is asked of the paths that a line names; each returns a reason, or None."""

    denied: PathCheck
    unwritable: PathCheck
    asked: PathCheck


def judge(
    line: str,
    *,
    root: str,
    cwd: str,
    is_denied: PathCheck,
    is_unwritable: PathCheck = lambda path: None,
    is_asked: PathCheck = lambda path: None,
    home: str | None = None,
) -> Judgement:
    """Judge a shell line.

    root: the directory that commands may write in, absolute and real. cwd: where the line would run, in the root.
    is_denied: why a path may neither be read nor written. is_unwritable: why a path may not be written. is_asked: why
    writing a path is a question of its own. home: the directory that ``~`` stands for; the person's own when not given.

    An error in a check refuses the line, and the reason names the error.
    """
    try:
        checks = Checks(is_denied, is_unwritable, is_asked)
        return _Judge(root, cwd, checks, home or os.path.expanduser("~")).judge(line)
    except OSError as error:
        reason = f"what the line names cannot be looked at: {error.filename}: {error.strerror}"
        return Judgement(DENY, reason, (), (), uses_git=True)
    except Exception as error:
        return Judgement(DENY, f"judging the line failed: {error!r}", (), (), uses_git=True)


class _Judge:
    """The judging of one line."""

    def __init__(self, root: str, cwd: str, checks: Checks, home: str) -> None:
        self._root = root
        self._folders: tuple[str, ...] = (cwd,)
        self._checks = checks
        self._home = home
        self._found: list[tuple[str, str]] = []
        self._alone: list[str] = []
        self._judged: list[JudgedCommand] = []
        self._writes: dict[str, None] = {}
        self._writing_steps = 0
        self._uses_git = False

    def judge(self, line: str) -> Judgement:
        if "\0" in line:
            return Judgement(DENY, "the line has a NUL character, and no program can be given one", (), (), False)
        if not _is_bytes(line):
            return Judgement(DENY, "the line has half a character, and no program can be given one", (), (), False)
        if len(line) > MAXIMUM_LENGTH:
            reason = f"the line has more than {MAXIMUM_LENGTH} characters; a script in a file may have more"
            return Judgement(DENY, reason, (), (), False)
        for folder in self._folders:
            if not is_within(os.path.realpath(folder), self._root):
                self._add(ASKS, f"it runs in {folder}, outside of {self._root}")
        reading = self._judge_text(line, 0)
        if "\\\n" in line:
            self._judge_joined(line.replace("\\\n", ""))
        if not reading.commands and not self._found:
            self._add(ASKS, "the line has no command")
        if self._writing_steps > 1:
            self._add(ASKS, "it writes in more than one step, and what one leaves can lead the next elsewhere")
        verdict = max((verdict for verdict, _ in self._found), key=VERDICTS.index, default=READ_ONLY)
        reasons = [why for found, why in self._found if found == verdict]
        alone = _named(self._alone) if verdict == ASKS else ""
        rest = _named(why for why in reasons if why not in self._alone)
        # What cannot be covered comes first: who is told to do without it must not mend something else.
        reason = "; ".join(filter(None, (alone, rest))) or "it only reads"
        return Judgement(verdict, reason, tuple(self._judged), tuple(self._writes), self._uses_git, alone, rest)

    def _add(self, verdict: str, reason: str, *, alone: bool = False) -> None:
        """Take up a reason. alone: whether no standing answer may cover it."""
        self._found.append((verdict, reason))
        if alone:
            self._alone.append(reason)

    def _judge_text(self, line: str, depth: int) -> Reading:
        """Judge the line, or a text that a shell in the line is given."""
        if unseen := first_unseen(line):
            self._add(ASKS, f"the line has a character that is not seen: U+{ord(unseen):04X}")
        reading = read_line(line, self._home)
        for doubt in reading.doubts:
            self._add(ASKS, f"the line {doubt}")
        # What one command prints may be another's arguments: then mere text can be a path.
        carries = any(_base(command.words[0].text) in _SHELLS for command in reading.commands if command.words)
        for command in reading.commands:
            self._judge_command(command, depth, carries)
        for redirection in reading.redirections:
            if redirection.target is not None:
                self._judge_redirection(redirection.operator, redirection.target)
        for word in reading.loose:
            self._refuse_denied([word])
        if not reading.doubts:
            self._compare(read_plain(line), reading)
        return reading

    def _judge_joined(self, line: str) -> None:
        """Refuse what a line names whose words go on in the next line: the grammar takes such a word for two."""
        joined = _Judge(self._root, self._folders[0], self._checks, self._home).judge(line)
        if joined.verdict == DENY:
            self._add(DENY, joined.reason)

    def _compare(self, plain: Plain | None, reading: Reading) -> None:
        """Ask unless the strict reading finds what the grammar found; refuse for what it finds alone, too."""
        words = [[word.text for word in command.words] for command in reading.commands]
        targets = [redirection.target.text if redirection.target else "-" for redirection in reading.redirections]
        if plain is None:
            # A word in doubt was asked about already.
            agrees = any(word.doubt for command in reading.commands for word in command.words)
        else:
            agrees = plain.commands == words and [target for _, target in plain.redirections] == targets
            self._refuse_denied(literal(word) for command in plain.commands if command not in words for word in command)
        if not agrees:
            self._add(ASKS, "the line is not plain: a stricter reading finds other words in it")

    def _judge_command(self, command: Command, depth: int, carries: bool) -> None:
        before = len(self._found)
        self._judge_words(command, depth, carries)
        found = self._found[before:]
        verdict = max((verdict for verdict, _ in found), key=VERDICTS.index, default=READ_ONLY)
        reason = next((why for judged, why in found if judged == verdict), "it only reads")
        self._judged.append(JudgedCommand(command.source, verdict, reason))

    def _judge_words(self, command: Command, depth: int, carries: bool) -> None:
        words = command.words
        name = words[0].text if words else ""
        for word in words:
            if word.doubt:
                self._add(ASKS, word.doubt)
                self._refuse_denied([word])
        try:
            use = None if words and words[0].doubt else use_of(name, [word.text for word in words[1:]])
            unknown = _KNOWN_DANGERS.get(_base(name), f"{name or 'this'} is not known to only read")
        except NotKnown as error:
            use, unknown = None, _KNOWN_DANGERS.get(name, f"{name} is not known to only read with {error}")
        if use is None:
            self._add(ASKS, unknown)
            self._refuse_denied(words)
            self._uses_git |= _may_write_git([word.text for word in words])
            self._judge_inner(command, depth)
        else:
            self._judge_use(use)
            if carries:
                self._refuse_denied(words)

    def _judge_use(self, use: Use) -> None:
        for path in use.reads:
            self._judge_reading(path)
        for path in use.writes:
            self._judge_writing(path)
        self._writing_steps += bool(use.writes)
        if use.goes_to is not None:
            later = [os.path.normpath(os.path.join(folder, use.goes_to)) for folder in self._folders]
            self._folders = tuple(dict.fromkeys((*self._folders, *later)))
            if len(self._folders) > MAXIMUM_FOLDERS:
                self._folders = self._folders[:MAXIMUM_FOLDERS]
                self._add(ASKS, "the line changes its directory too often to be followed")

    def _judge_inner(self, command: Command, depth: int) -> None:
        """Look for what may not be reached in the texts that a command may take for shell lines."""
        names = {_base(word.text) for word in command.words}
        if not names & _SHELLS:
            return
        texts = [word.text for word in command.words if not re.fullmatch(r"[\w./+-]*", word.text)]
        for text in (*texts, *command.inputs):
            if depth >= MAXIMUM_DEPTH:
                self._add(ASKS, "the line has shells within shells")
                return
            self._judge_text(text, depth + 1)

    def _judge_redirection(self, operator: str, target: Word) -> None:
        if target.doubt:
            self._add(ASKS, target.doubt)
        if operator in (">&", "<&") and (target.text.isdigit() or target.text == "-"):
            return
        reads = operator in ("<", "<&")
        for text in target.alternatives(self._folders):
            if reads:
                self._judge_reading(text)
            else:
                self._judge_writing(text)
        self._writing_steps += not reads and target.text not in _HARMLESS_FILES

    def _judge_reading(self, text: str) -> None:
        self._refuse_denied([literal(text)])
        for path in self._places(text):
            if not is_within(path, self._root) and path not in _FACTS:
                self._add(ASKS, f"{text} is outside of {self._root}", alone=True)

    def _judge_writing(self, text: str) -> None:
        self._refuse_denied([literal(text)])
        for path in self._places(text):
            if path in _FACTS:
                self._add(DENY, f"{text} may not be written: it is the system's")
            elif reason := self._checks.unwritable(path):
                self._add(DENY, f"{text} may not be written: {reason}")
            elif path == self._root or not is_within(path, self._root):
                self._add(ASKS, f"it writes {text}, outside of {self._root}", alone=True)
            else:
                if reason := self._checks.asked(path):
                    self._add(ASKS, f"it writes {text}: {reason}", alone=True)
                self._add(WRITES, f"it writes {text}")
                self._writes[path] = None

    def _refuse_denied(self, words: Iterable[Word]) -> None:
        for word in words:
            for text in word.alternatives(self._folders):
                for part in _parts(text):
                    for path in self._places(part):
                        if path not in _FACTS and (reason := self._checks.denied(path)):
                            self._add(DENY, f"{part} may not be reached: {reason}")
                            return

    def _places(self, text: str) -> list[str]:
        """Return the absolute paths that a word may name: as it is written, and where links lead.

        Devices that every program is given are no places.
        """
        if text in _HARMLESS_FILES:
            return []
        if text.startswith("~/") or text == "~":
            text = self._home + text[1:]
        named = [os.path.normpath(os.path.join(folder, text)) for folder in self._folders]
        led = [os.path.realpath(os.path.join(folder, text)) for folder in self._folders]
        return [path for path in dict.fromkeys([*named, *led]) if path not in _HARMLESS_FILES]


def _named(reasons: Iterable[str]) -> str:
    """Return reasons in a sentence, each once, the first of many."""
    distinct = list(dict.fromkeys(reasons))
    more = f"; and {len(distinct) - MOST_REASONS} more" if len(distinct) > MOST_REASONS else ""
    return f"{'; '.join(distinct[:MOST_REASONS])}{more}"


def _is_bytes(line: str) -> bool:
    """Return whether the system can be given a text: of lone surrogates it takes those that stand for a byte."""
    try:
        line.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def _may_write_git(words: list[str]) -> bool:
    """Return whether git is among the words of a command, with a subcommand that may write what it keeps."""
    for place, word in enumerate(words):
        if _base(word) == "git":
            return words[place + 1 : place + 2] == [] or words[place + 1] not in _GIT_READING
    return False


def _parts(text: str) -> list[str]:
    """Return what in a word may be a path: all of it, a flag's value, the parts around ``= : @ ,``."""
    parts = {text: None}
    if re.match(r"-[^-].", text, re.S):
        parts[text[2:]] = None
    if re.search("[=:@,]", text):
        parts.update(dict.fromkeys(part for part in re.split("[=:@,]", text) if part))
    return [part for part in parts if part and len(part) <= LONGEST_PATH]
