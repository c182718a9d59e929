"""The files of many commits of a repository, indexed in memory: each content once, however many trees have it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from commits import git

from nodwyn.prims.retrieval.contents import Chunk, Layout, Postings, Segment, analyse
from nodwyn.prims.retrieval.stems import stem
from nodwyn.prims.retrieval.trees import Arranged

LARGEST_FILE = 1 << 20


class Corpus:
    """Contents by the name that git has for them."""

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout
        self._layouts: dict[str, Layout | None] = {}
        self._segments: list[Segment] = [Segment()]
        self._postings: dict[str, list[tuple[int, Postings]]] = {}
        self._forms: dict[str, list[str]] = {}
        self._taken = 0
        self.chunks: dict[tuple[int, int], Chunk] = {}
        """The chunks by segment and number."""

    def take(self, commits: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
        """Index the files of these commits; return the paths of each with the names of their contents."""
        listed = {commit: self._listed(commit) for commit in dict.fromkeys(commits)}
        self._read(dict.fromkeys(name for files in listed.values() for _, name in files))
        for number, segment in enumerate(self._segments):
            for word, postings in segment.postings():
                self._postings.setdefault(word, []).append((number, postings))
        for word in self._postings:
            self._forms.setdefault(stem(word), []).append(word)
        return listed

    def tree(self, files: Sequence[tuple[str, str]]) -> Arranged:
        """Return the files of a commit arranged for ranking."""
        sizes = {number: segment.number for number, segment in enumerate(self._segments)}
        known = ((path, self._layouts[name]) for path, name in files)
        return Arranged([(path, layout) for path, layout in known if layout is not None], sizes)

    def forms(self, stems: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Return the words of each stem."""
        return {each: self._forms.get(each, ()) for each in stems}

    def postings(self, words: Sequence[str]) -> Mapping[str, Sequence[tuple[int, Postings]]]:
        """Return where each word is."""
        return {word: self._postings[word] for word in words if word in self._postings}

    def _listed(self, commit: str) -> list[tuple[str, str]]:
        found = []
        for line in git(self._checkout, "ls-tree", "-r", "-z", commit).split("\0"):
            mode, _, rest = line.partition(" ")
            if mode in ("100644", "100755"):
                about, _, path = rest.partition("\t")
                found.append((path, about.split(" ")[1]))
        return found

    def _read(self, names: Iterable[str]) -> None:
        wanted = [name for name in names if name not in self._layouts]
        with subprocess.Popen(
            ["git", "cat-file", "--batch"], cwd=self._checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin
            assert process.stdout
            for name in wanted:
                process.stdin.write(f"{name}\n".encode())
                process.stdin.flush()
                size = int(process.stdout.readline().split()[2])
                self._layouts[name] = self._indexed(process.stdout.read(size + 1)[:-1])
            process.stdin.close()

    def _indexed(self, data: bytes) -> Layout | None:
        if len(data) > LARGEST_FILE or b"\0" in data[:8192]:
            return None
        try:
            content = analyse(data.decode())
        except UnicodeDecodeError:
            return None
        if not self._segments[-1].has_room(content):
            self._segments.append(Segment())
        number = len(self._segments) - 1
        layout = self._segments[-1].add(content)._replace(segment=number)
        for place, chunk in enumerate(content):
            self.chunks[number, layout.base + place] = chunk
        return layout
