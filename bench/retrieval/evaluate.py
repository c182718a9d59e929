"""Measures how well rankings find the files that a commit edited, asked with the commit's own words.

    python bench/retrieval/evaluate.py CHECKOUT [--commits 200] [--before REVISION]

CHECKOUT is any git repository with its history. For each of the latest commits that edited source files, every ranking
is given the tree just before it. The queries: S the subject, SB with the first paragraph of the message, NL that
without all that looks like code. The rankings: C with the messages of earlier commits, but for those of the last 14
days before; B without; and that of the program before this one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import earlier
from commits import DAYS_LEFT_OUT, Commit, Past, commits, past
from corpus import Corpus

from nodwyn.prims.retrieval import ranking
from nodwyn.prims.retrieval.history import without_trailers
from nodwyn.prims.retrieval.past import MOST_COMMITS, Messages
from nodwyn.prims.retrieval.past import Commit as Message
from nodwyn.prims.retrieval.trees import Arranged
from nodwyn.prims.retrieval.words import counts

DAY = 86_400
QUERIES = ("S", "SB", "NL")


class Figures:
    """Hits and reciprocal ranks, added up."""

    def __init__(self) -> None:
        self.number = 0
        self.in_five = 0
        self.in_ten = 0
        self.reciprocal = 0.0

    def add(self, paths: Sequence[str], answers: frozenset[str]) -> None:
        """Take in a ranking."""
        place = next((place for place, path in enumerate(paths, 1) if path in answers), None)
        self.number += 1
        if place is not None:
            self.in_five += place <= 5
            self.in_ten += place <= 10
            self.reciprocal += 1 / place

    def __str__(self) -> str:
        total = max(1, self.number)
        shares = (self.in_five / total, self.in_ten / total, self.reciprocal / total)
        return " / ".join(f"{share:.3f}".removeprefix("0") for share in shares)


def messages(known: Sequence[tuple[Past, Message]], commit: Commit, tree: Arranged) -> Messages:
    """Return the history that a ranking may know when a commit is about to be made."""
    until = commit.at - DAYS_LEFT_OUT * DAY
    seen = [message for each, message in known if each.at <= until][:MOST_COMMITS]
    return Messages(seen, {path: number for number, path in enumerate(tree.paths)})


def evaluate(checkout: Path, number: int, before: str) -> dict[tuple[str, str], Figures]:
    """Return the figures by ranking and kind of query."""
    wanted = commits(checkout, number, before=before)
    known = [
        (each, Message(counts(without_trailers(each.message)), each.paths)) for each in past(checkout, 3 * MOST_COMMITS)
    ]
    corpus = Corpus(checkout)
    listed = corpus.take(commit.parent for commit in wanted)
    figures = {(name, kind): Figures() for name in ("C", "B", "before") for kind in QUERIES}
    for commit in wanted:
        tree = corpus.tree(listed[commit.parent])
        answers = commit.edited.intersection(tree.paths)
        if not answers:
            continue
        history = messages(known, commit, tree)
        rankings: dict[str, Callable[[str], list[int]]] = {
            "C": lambda query, tree=tree, history=history: _files(ranking.rank(query, tree, corpus, history)),
            "B": lambda query, tree=tree: _files(ranking.rank(query, tree, corpus)),
            "before": lambda query, tree=tree: earlier.rank(query, tree, corpus),
        }
        for kind, query in commit.queries.items():
            if query.split():
                for name, rank in rankings.items():
                    figures[name, kind].add([tree.paths[file] for file in rank(query)[:100]], answers)
    return figures


def _files(ranked: ranking.Ranking) -> list[int]:
    return [scored.file for scored in ranked.files]


def main() -> None:
    """Print the table."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("checkout", type=Path)
    line.add_argument("--commits", type=int, default=200)
    line.add_argument("--before", default="HEAD", help="the latest commit that is looked at")
    given = line.parse_args()
    started = time.process_time()
    figures = evaluate(given.checkout, given.commits, given.before)
    queries = figures["C", "S"].number
    print(f"{given.checkout.name}: {queries} commits, {time.process_time() - started:.0f} s of processor time")
    print("hit in the first 5 / first 10 / mean reciprocal rank\n")
    print(f"| ranking | {' | '.join(QUERIES)} |\n| --- | --- | --- | --- |")
    for name in ("before", "B", "C"):
        print(f"| {name} | {' | '.join(str(figures[name, kind]) for kind in QUERIES)} |")


if __name__ == "__main__":
    main()
