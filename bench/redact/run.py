"""How fast redaction is, how often it takes ordinary text for a secret, and how many made-up secrets it misses.

    python bench/redact/run.py [--text DIRECTORY]... [--install PACKAGE]... [--samples N] [--rounds N]

Speed and precision are measured on the text files below the directories, by default the site-packages of this Python;
packages named by ``--install`` are put into a directory of their own first. Speed is processor time of one core, over
text that is in memory. Recall is measured on secrets made up from the example of every rule, in every context of
tests/prims/redact/planting.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from nodwyn.prims.redact import find, redact
from nodwyn.prims.redact.rules import RULES

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "prims" / "redact"))

from planting import is_left, plant

MEGABYTE = 1e6
AROUND = 50
"""How many characters of its line a sample shows before a secret."""


class Sample(NamedTuple):
    """A secret that was found in a file."""

    kind: str
    place: str
    line: str


def text_files(directory: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files below a directory that are UTF-8 text without NULs, with their text."""
    for folder, _, names in os.walk(directory):
        for name in sorted(names):
            path = Path(folder, name)
            try:
                text = path.read_bytes().decode()
            except (UnicodeDecodeError, OSError):
                continue
            if "\0" not in text:
                yield path, text


def measure_text(directory: Path, shown: int) -> None:
    """Print speed and precision on the text files below a directory."""
    find("")
    size, spent = 0, 0.0
    samples: list[Sample] = []
    for path, text in text_files(directory):
        begin = time.process_time()
        matches = find(text)
        spent += time.process_time() - begin
        size += len(text.encode("utf-8", "surrogatepass"))
        for match in matches:
            start = max(text.rfind("\n", 0, match.start) + 1, match.start - AROUND)
            line = f"{text[start : match.start]}«{text[match.start : match.end][:60]}»".replace("\n", "\\n")
            samples.append(Sample(match.kind, f"{path.relative_to(directory)}", line.strip()))
    megabytes = size / MEGABYTE
    print(f"\n{directory}: {megabytes:.0f} MB, {megabytes / spent:.0f} MB/s")
    print(f"{len(samples)} secrets, {len(samples) / megabytes:.2f} a megabyte")
    show_samples(samples, shown)


def show_samples(samples: list[Sample], shown: int) -> None:
    """Print how many secrets of each kind were found, and some of each."""
    by_kind = defaultdict(list)
    for sample in samples:
        by_kind[sample.kind].append(sample)
    for kind, found in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        print(f"  {len(found):5} {kind}")
        for sample in Random(0).sample(found, min(shown, len(found))):
            print(f"          {sample.place}: {sample.line}")


def measure_recall(rounds: int) -> None:
    """Print how many made-up secrets of every kind have eight characters left in a row."""
    random = Random(0)
    planted = [secret for _ in range(rounds) for rule in RULES for secret in plant(rule, random)]
    missed = [secret for secret in planted if is_left(secret, redact(secret.text))]
    print(f"\nrecall: {len(planted) - len(missed)} of {len(planted)} ({1 - len(missed) / len(planted):.4%})")
    for (kind, context), count in Counter((secret.kind, secret.context) for secret in missed).most_common():
        print(f"  {count:5} {kind}, {context}")


def measure_small(repeats: int = 200) -> None:
    """Print how long a text of 4 KB takes, as a file or a command's output is."""
    text = Path(__file__).read_text(encoding="utf-8")[:4096]
    find(text)
    begin = time.process_time()
    for _ in range(repeats):
        find(text)
    print(f"\n4 KB: {(time.process_time() - begin) / repeats * 1e6:.0f} µs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, action="append", default=[], help="a directory of ordinary text")
    parser.add_argument("--install", action="append", default=[], help="a package to install and measure on")
    parser.add_argument("--samples", type=int, default=3, help="how many secrets of each kind to show")
    parser.add_argument("--rounds", type=int, default=5, help="how many secrets to make up for each rule and context")
    options = parser.parse_args()
    measure_small()
    measure_recall(options.rounds)
    directories = options.text or ([] if options.install else [Path(sysconfig.get_path("purelib"))])
    for directory in directories:
        measure_text(directory, options.samples)
    if options.install:
        with tempfile.TemporaryDirectory() as target:
            install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", target]
            subprocess.run([*install, *options.install], check=True)
            measure_text(Path(target), options.samples)


if __name__ == "__main__":
    main()
