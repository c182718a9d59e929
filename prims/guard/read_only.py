"""Commands that are known: those that only read, with the flags under which they do, and a few plain ones that write.

What is not in these tables is not judged and so asks. A flag is listed only when it neither runs a program, nor writes,
nor reads the names of files out of a file: ``rg --pre``, ``sort -o``, ``wc --files0-from`` are missing on purpose. Long
flags count only in full, because an abbreviation may stand for one that is not listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


class NotKnown(Exception):
    """An argument is outside of what is known to be harmless; the message says which."""


class Use(NamedTuple):
    """What a known command does with its arguments."""

    reads: tuple[str, ...] = ()
    """Files and directories that it reads."""
    writes: tuple[str, ...] = ()
    """Files and directories that it makes, changes or removes."""
    goes_to: str | None = None
    """The directory in which the commands after it run."""


class _Flags(NamedTuple):
    """The flags of a command."""

    short: str = ""
    """Letters of flags without a value."""
    valued: str = ""
    """Letters of flags whose value is no file."""
    long: frozenset[str] = frozenset()
    """Long flags; those with a value end in ``=``, and one whose value may be left out is there in both forms."""
    numbers: bool = False
    """Whether ``-5`` is a flag."""
    apart: bool = False
    """Whether a letter with a value is one only as an argument of its own: the command does not read the rest of an
    argument as the value, so that what follows would not be what it seems."""


Judge = Callable[[list[str]], Use]


def use_of(name: str, arguments: list[str]) -> Use | None:
    """Return what a known command does with its arguments, or None when the command is not known.

    name: as it stands in the line; one with a slash names a file and is not known.

    Raises: NotKnown.
    """
    judge = _COMMANDS.get(name)
    return judge(arguments) if judge else None


def _flags(short: str = "", valued: str = "", long: str = "", numbers: bool = False, apart: bool = False) -> _Flags:
    return _Flags(short, valued, frozenset(long.split()), numbers, apart)


def _operands(
    arguments: list[str], flags: _Flags, first_only: bool = False, given: set[str] | None = None
) -> list[str]:
    """Return the arguments that are no flags, nor values of flags.

    first_only: whether flags end at the first operand. given: the flags are added to it, short ones as letters.

    Raises: NotKnown for a flag that is not listed.
    """
    operands: list[str] = []
    given = set() if given is None else given
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            return operands + list(rest)
        if not argument.startswith("-") or argument == "-":
            operands.append(argument)
            if first_only:
                return operands + list(rest)
        elif argument.startswith("--"):
            name, equals, _ = argument.partition("=")
            given.add(name)
            if not equals and name in flags.long:
                continue
            if name + "=" not in flags.long:
                raise NotKnown(argument)
            if not equals and next(rest, None) is None:
                raise NotKnown(f"{argument} without a value")
        elif not (flags.numbers and argument[1:].isdigit()):
            _check_cluster(argument, flags, rest, given)
    return operands


def _check_cluster(argument: str, flags: _Flags, rest: Iterator[str], given: set[str]) -> None:
    """Check short flags that are written as one argument; the last may take its value from ``rest``."""
    for place, letter in enumerate(argument[1:], 1):
        given.add(letter)
        if letter in flags.valued:
            if flags.apart and not re.fullmatch(r"-.[0-9]*", argument, re.S):
                raise NotKnown(argument)
            if place == len(argument) - 1 and next(rest, None) is None:
                raise NotKnown(f"{argument} without a value")
            return
        if letter not in flags.short:
            raise NotKnown(argument if len(argument) == 2 else f"-{letter} in {argument}")


def _reads(
    short: str = "",
    valued: str = "",
    long: str = "",
    *,
    numbers: bool = False,
    most: int | None = None,
    apart: bool = False,
) -> Judge:
    """Return the judge of a command whose operands are files that it reads.

    most: how many operands it may have; one more would be written, and some take a flag behind an operand for one.
    """
    flags = _flags(short, valued, long, numbers, apart)

    def judge(arguments: list[str]) -> Use:
        files = _operands(arguments, flags, first_only=most is not None)
        if most is not None and len(files) > most:
            raise NotKnown(f"a further file, {files[most]}, which it may write")
        return Use(reads=tuple(file for file in files if file != "-"))

    return judge


def _takes_text(short: str = "", valued: str = "", long: str = "") -> Judge:
    """Return the judge of a command whose operands are no files."""
    flags = _flags(short, valued, long)

    def judge(arguments: list[str]) -> Use:
        _operands(arguments, flags)
        return Use()

    return judge


def _anything(arguments: list[str]) -> Use:
    return Use()


def _nothing(arguments: list[str]) -> Use:
    if arguments:
        raise NotKnown(arguments[0])
    return Use()


def _searches(short: str, valued: str, long: str, here: bool) -> Judge:
    """Return the judge of a command that takes a pattern, then files to look for it in.

    here: whether it looks through the current directory when no file is named.
    """
    flags = _flags(short, valued, long, numbers=True)

    def judge(arguments: list[str]) -> Use:
        given: set[str] = set()
        operands = _operands(arguments, flags, given=given)
        files = operands[1:] if given.isdisjoint(("e", "--regexp", "--files", "--type-list")) else operands
        return Use(reads=tuple(file for file in files if file != "-") or (() if not here else (".",)))

    return judge


def _sed(arguments: list[str]) -> Use:
    """Only lines are printed: ``sed -n 'N,Mp' FILE…``."""
    if arguments[:1] != ["-n"] or len(arguments) < 2 or not re.fullmatch(r"(\d+|\$)(,(\d+|\$))?p", arguments[1], re.A):
        raise NotKnown("anything but -n 'N,Mp'")
    for argument in arguments[2:]:
        if argument.startswith("-"):
            raise NotKnown(argument)
    return Use(reads=tuple(arguments[2:]))


_FIND_TESTS = {
    **dict.fromkeys(
        "-print -print0 -empty -not -o -a -or -and ! ( ) , -prune -true -false -depth -mount -xdev".split(), 0
    ),
    **dict.fromkeys("-readable -writable -executable -nouser -nogroup -ls -quit -P".split(), 0),
    **dict.fromkeys("-name -iname -path -ipath -wholename -regex -iregex -regextype -lname -type -xtype".split(), 1),
    **dict.fromkeys("-maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group".split(), 1),
    **dict.fromkeys("-links -inum -uid -gid -printf -newermt".split(), 1),
}


def _find(arguments: list[str]) -> Use:
    starts = 0
    while starts < len(arguments) and not arguments[starts].startswith(("-", "(", "!", ",")):
        starts += 1
    rest = iter(arguments[starts:])
    for argument in rest:
        values = _FIND_TESTS.get(argument)
        if values is None or (values and next(rest, None) is None):
            raise NotKnown(argument)
    return Use(reads=tuple(arguments[:starts]) or (".",))


def _jq(arguments: list[str]) -> Use:
    flags = _flags(
        "rcenSsaMCj", "", "--raw-output --compact-output --exit-status --null-input --sort-keys --slurp --tab"
    )
    operands = _operands(arguments, flags)
    if operands and re.search(r"\b(?:import|include|input_filename)\b", operands[0]):
        raise NotKnown("a filter that may name other files")
    return Use(reads=tuple(operands[1:]))


def _printf(arguments: list[str]) -> Use:
    """Prints; but ``%n`` would give a variable of the shell a value, and ``PATH`` is one."""
    for operand in _operands(arguments, _flags(), first_only=True)[:1]:
        if any(found[1] for found in re.finditer(r"%(?:%|([-+ #0-9'*.$hlLjqtz]*n))", operand)):
            raise NotKnown("a format with %n, which sets a variable")
    return Use()


def _strings(arguments: list[str]) -> Use:
    files = _operands(arguments, _flags("a", "nte", "--all --bytes= --radix= --encoding="))
    for argument in arguments:
        if argument.startswith("@"):
            raise NotKnown(f"{argument}, a file of arguments")
    return Use(reads=tuple(file for file in files if file != "-"))


def _command(arguments: list[str]) -> Use:
    """Only the asking form is known: ``command -v NAME``."""
    if len(arguments) < 2 or arguments[0] not in ("-v", "-V"):
        raise NotKnown("the running of another command")
    return Use()


def _cd(arguments: list[str]) -> Use:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise NotKnown("anything but one directory")
    return Use(reads=tuple(arguments), goes_to=arguments[0])


def _date(arguments: list[str]) -> Use:
    """Shows the time; an operand that begins otherwise than with ``+`` would set it."""
    operands = _operands(arguments, _flags("uRI", "d", "--utc --universal --iso-8601 --rfc-email --date= --iso-8601="))
    for operand in operands:
        if not operand.startswith("+"):
            raise NotKnown(operand)
    return Use()


def _writes(short: str, least: int = 1) -> Judge:
    """Return the judge of a command that makes, changes or removes each of its operands."""
    flags = _flags(short)

    def judge(arguments: list[str]) -> Use:
        operands = _operands(arguments, flags)
        if len(operands) < least:
            raise NotKnown("too few operands")
        return Use(writes=tuple(operands))

    return judge


def _copies(short: str, moves: bool) -> Judge:
    """Return the judge of a command whose last operand is written from those before it."""
    flags = _flags(short)

    def judge(arguments: list[str]) -> Use:
        operands = _operands(arguments, flags)
        if len(operands) < 2:
            raise NotKnown("fewer than two operands")
        *sources, target = operands
        inside = [f"{target}/{source.rstrip('/').rpartition('/')[2]}" for source in sources]
        return Use(reads=tuple(sources), writes=(*(sources if moves else ()), target, *inside))

    return judge


# Without --check, which reads the names of files out of a file.
_digest = _reads("bt", "", "--binary --text --tag --zero")

_COMMANDS: dict[str, Judge] = {
    ":": _anything,
    "basename": _takes_text("az", "s", "--multiple --zero --suffix="),
    "cat": _reads("AbeEnstTuv", "", "--number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank"),
    "cd": _cd,
    "cksum": _reads(),
    "cmp": _reads("bls", "in", "--print-bytes --verbose --quiet --silent --bytes="),
    "column": _reads("tnx", "csoN", "--table --separator= --output-separator="),
    "comm": _reads("123z", "", "--check-order --nocheck-order --total --zero-terminated --output-delimiter="),
    "command": _command,
    "cut": _reads("snz", "bcfd", "--bytes= --characters= --fields= --delimiter= --only-delimited --complement"),
    "date": _date,
    "df": _reads("ahHikPTl", "tx", "--all --human-readable --inodes --portability --print-type --local"),
    "diff": _reads(
        "abBcdeEiqrstuNpTwyZ",
        "CIUWx",
        "--brief --recursive --unified --unified= --context --context= --ignore-all-space --ignore-space-change"
        " --ignore-case --ignore-blank-lines --new-file --side-by-side --text --minimal --stat --exclude="
        " --color=never --width=",
        numbers=True,
    ),
    "dirname": _takes_text("z", "", "--zero"),
    "du": _reads(
        "abchHkmsSx0", "dB", "--all --bytes --total --human-readable --summarize --max-depth= --apparent-size"
    ),
    "echo": _anything,
    "egrep": _searches("cEFGhHilLnoqrsvwxyabzZUT", "ABCme", "", here=False),
    "env": _nothing,
    "expand": _reads("i", "t"),
    "false": _anything,
    "fgrep": _searches("cEFGhHilLnoqrsvwxyabzZUT", "ABCme", "", here=False),
    "file": _reads("bhikLNr0", "F", "--brief --mime --mime-type --mime-encoding --dereference --no-dereference"),
    "find": _find,
    "fold": _reads("bs", "w", "--bytes --spaces --width="),
    "grep": _searches(
        "cEFGhHiIlLnoPqrsvwxyabzZUT",
        "ABCmeD",
        "--count --extended-regexp --fixed-strings --ignore-case --invert-match --line-number --line-regexp"
        " --word-regexp --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages"
        " --recursive --text --with-filename --no-filename --perl-regexp --null --color --color= --colour --colour="
        " --include= --exclude= --exclude-dir= --context= --after-context= --before-context= --max-count= --regexp="
        " --binary-files=",
        here=False,
    ),
    "head": _reads("qvz", "nc", "--lines= --bytes= --quiet --silent --verbose --zero-terminated", numbers=True),
    "hexdump": _reads("bcCdovx", "ns"),
    "id": _takes_text("agGnruz", "", "--user --group --groups --name --real"),
    "jq": _jq,
    "ls": _reads(
        "1aABcCdfFgGhHiklLmnNopqQrRsStuUvxXZ",
        "ITw",
        "--all --almost-all --human-readable --recursive --reverse --size --directory --classify --color --color="
        " --full-time --group-directories-first --inode --literal --numeric-uid-gid --sort= --time= --time-style="
        " --format= --ignore=",
    ),
    "md5sum": _digest,
    "nl": _reads("p", "abdfhilnsvw"),
    "nproc": _takes_text("", "", "--all --ignore="),
    "od": _reads("abcdfiloxsvw", "AjNt", "--address-radix= --skip-bytes= --read-bytes= --format= --width --width="),
    "paste": _reads("sz", "d", "--serial --delimiters= --zero-terminated"),
    "printenv": _takes_text("0", "", "--null"),
    "printf": _printf,
    "pwd": _takes_text("LP"),
    "readlink": _reads("efmnqsvz", "", "--canonicalize --canonicalize-existing --canonicalize-missing --no-newline"),
    "realpath": _reads("emLPqsz", "", "--canonicalize-existing --canonicalize-missing --strip --no-symlinks --quiet"),
    "rev": _reads(),
    "rg": _searches(
        "0abcFHiIlnNopPqsSUvVwx",
        "ABCdeEgjmMrtT",
        "--after-context= --before-context= --context= --case-sensitive --ignore-case --smart-case --count"
        " --count-matches --color= --colors= --column --no-column --files --files-with-matches --files-without-match"
        " --fixed-strings --glob= --iglob= --heading --no-heading --invert-match --json --line-number"
        " --no-line-number --line-regexp --word-regexp --max-count= --max-columns= --max-depth= --max-filesize="
        " --multiline --multiline-dotall --null --no-filename --with-filename --no-messages --only-matching --pcre2"
        " --quiet --regexp= --replace= --sort= --sortr= --stats --text --threads= --trim --type= --type-not="
        " --type-list --vimgrep --version --no-config --no-ignore-messages --passthru",
        here=True,
    ),
    "seq": _takes_text("w", "fs", "--equal-width --format= --separator="),
    "sed": _sed,
    "sha1sum": _digest,
    "sha256sum": _digest,
    "sha512sum": _digest,
    "sort": _reads(
        "bcCdfghiMmnRrsuVz",
        "ktS",
        "--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --key="
        " --month-sort --numeric-sort --reverse --sort= --version-sort --check --stable --unique --field-separator="
        " --zero-terminated",
    ),
    "stat": _reads("fLt", "c", "--dereference --file-system --format= --printf= --terse"),
    "strings": _strings,
    "tac": _reads("br", "s"),
    "tail": _reads("qvz", "nc", "--lines= --bytes= --quiet --silent --verbose --zero-terminated", numbers=True),
    "tr": _takes_text("cCdst", "", "--complement --delete --squeeze-repeats --truncate-set1"),
    "tree": _reads(
        "adfFghinpqsuvxNQAC",
        "LIP",
        "--noreport --dirsfirst --du --gitignore --filesfirst --prune --charset=",
        apart=True,
    ),
    "true": _anything,
    "type": _takes_text("aftpP"),
    "uname": _takes_text("asnrvmpio", "", "--all --kernel-name --kernel-release --machine"),
    "uniq": _reads("cdDiuz", "fsw", "--count --repeated --unique --ignore-case --skip-fields= --skip-chars=", most=1),
    "wc": _reads("cmlLw", "", "--bytes --chars --lines --max-line-length --words"),
    "which": _takes_text("as"),
    "whoami": _nothing,
    "xxd": _reads("abEeiup", "cglos", most=1, apart=True),
    # Those that write, in their plain forms.
    "cp": _copies("fipuvn", moves=False),
    "mkdir": _writes("pv"),
    "mv": _copies("fiuvn", moves=True),
    "rm": _writes("fiv"),
    "rmdir": _writes("pv"),
    "tee": _writes("ai"),
    "touch": _writes("acm"),
}
