"""Globs: a table, the same as ripgrep's where both have the form, and laws on random patterns."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.fs.globs import MOST_CHARACTERS, GlobError, matcher


@pytest.mark.parametrize(
    ("glob", "matching", "others"),
    [
        # Within one component.
        ("*.py", "a.py src/a.py src/lib/x.py .py", "a.pyc a.py.txt py"),
        ("a?c", "abc src/abc", "ac abbc a/c"),
        ("[abc].md", "a.md docs/b.md", "d.md ab.md"),
        ("[!abc].md", "d.md docs/e.md", "a.md"),
        ("[^abc].md", "d.md", "a.md"),
        ("[a-c]x", "ax bx", "dx -x"),
        ("[a-]x", "ax -x", "bx"),
        ("[!-a]x", "bx", "ax -x"),
        ("[]]x", "]x", "x"),
        ("[+-9]x", "+x 5x .x", "/x a/x"),
        ("src[/]a.py", "", "src/a.py"),
        ("src?a.py", "", "src/a.py"),
        ("src*a.py", "srca.py", "src/a.py"),
        ("[é-ö]", "é ö docs/ó", "e"),
        ("?", "é 🌲 x/a", "ab"),
        # Through directories.
        ("**/*.py", "a.py src/a.py src/lib/x.py", "a.md"),
        ("src/**", "src/a.py src/lib/x.py", "src a.py lib/src/a.py"),
        ("src/**/x.py", "src/x.py src/lib/x.py src/a/b/x.py", "x.py lib/x.py"),
        ("**/lib/**", "src/lib/x.py lib/y", "lib src/lib"),
        ("**.py", "a.py src/a.py", "a.pyc"),
        ("src/a**", "src/abc", "src/b/abc"),
        ("**", "a src/a", ""),
        # Alternatives.
        ("*.{py,md}", "a.py docs/b.md", "a.txt"),
        ("{src,docs}/**/*.md", "src/a.md docs/sub/b.md", "tests/a.md a.md"),
        ("{a,{b,c}}.md", "a.md b.md c.md", "d.md"),
        ("{,x}a.py", "a.py xa.py", "ya.py"),
        ("a{}.py", "a.py", "b.py"),
        ("a,b", "a,b", "a b"),
        ("x}y", "x}y", "xy"),
        ("{a,b/c}", "a b/c", "c x/a"),
        ("src/{lib/x,a}.py", "src/lib/x.py src/a.py", "src/x.py"),
        # Taken for itself.
        (r"\*.py", "*.py", "a.py"),
        (r"x\{y\}", "x{y}", "xy"),
        ("a.b", "a.b", "axb"),
        ("a+b(c)|d$^", "a+b(c)|d$^", "aab"),
        # Without and with a slash.
        ("tests", "tests tests/a.py src/tests/b/c.py", "tests2 src/test"),
        ("tests/", "tests tests/a.py src/tests/b.py", "tests2"),
        ("docs/*.md", "docs/a.md", "docs/sub/b.md src/docs/a.md"),
        ("/a.py", "a.py", "src/a.py"),
        ("./docs", "docs/a.md docs", "src/docs/a.md"),
        ("src/lib", "src/lib src/lib/x.py src/lib/deep/y.md", "src/library a/src/lib"),
        # Turned round.
        ("!*.md", "a.py src/a.py", "a.md docs/b.md"),
        ("!src/**", "a.py", "src/a.py"),
        (r"\!neg.md", "!neg.md", "neg.md"),
    ],
)
def test_what_a_glob_matches(glob: str, matching: str, others: str) -> None:
    match = matcher(glob)
    assert [path for path in matching.split(" ") if path and not match(path)] == []
    assert [path for path in others.split(" ") if path and match(path)] == []


def test_a_line_end_in_a_name_is_a_character() -> None:
    assert matcher("a*b")("a\nb")
    assert not matcher("a")("a\n")


@pytest.mark.parametrize(
    ("glob", "message"),
    [
        ("", "it is empty"),
        ("/", "it is empty"),
        ("!", "it is empty"),
        ("[a", "the bracket at its character 1 is not closed"),
        ("x[]", "the bracket at its character 2 is not closed"),
        ("{a,b", "a brace in it is not closed"),
        ("[c-a]", "its range c-a is turned round"),
        ("a\\", "it ends in a backslash"),
        ("a" * (MOST_CHARACTERS + 1), "it has more than 4096 characters"),
        ("{" * 21 + "}" * 21, "its braces are nested more than 20 deep"),
    ],
)
def test_what_is_no_glob_is_said(glob: str, message: str) -> None:
    with pytest.raises(GlobError, match=message):
        matcher(glob)


FILES = (
    "a.py b.md src/a.py src/lib/x.py src/lib/deep/y.md docs/a.md docs/sub/b.md tests/a/t.py src/test/tests A.PY ab.c"
    " aaa a-b b,c.md x{y}.txt lib/lib/z a]b.py +x 5x"
).split()

RIPGREP = (
    "*.py",
    "*.md",
    "**/*.py",
    "src/**",
    "src/**/y.md",
    "src/*",
    "*/*",
    "*/a.py",
    "/a.py",
    "{a,b}.*",
    "*.{py,md}",
    "{src,docs}/**/*.md",
    "src/{lib/x.py,a.py}",
    "{**/x.py,b.md}",
    "[ab].*",
    "[!a].py",
    "[^a].md",
    "[a-c].md",
    "[a-]*",
    "[!-a]*",
    "[+-9]x",
    "*[]]*",
    "**/lib/**",
    "**",
    "a**",
    "**.py",
    "?",
    "a?b*",
    "x\\{y\\}.txt",
    "b,c*",
    "*a*.{py,md}",
    "docs/*.md",
    "docs/**/*.md",
    "?.md",
    "!*.md",
    "!src/**",
    "!**/*.py",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    return root


@pytest.mark.skipif(shutil.which("rg") is None, reason="the program rg (package ripgrep) is missing")
@pytest.mark.parametrize("glob", RIPGREP)
def test_a_glob_matches_what_ripgrep_lists(tree: Path, glob: str) -> None:
    """To ripgrep a match of a directory says nothing of what is below it, so that is asked for besides.

    Names are ASCII: to ripgrep ``?`` is a byte.
    """
    sign, plain = ("!", glob[1:]) if glob.startswith("!") else ("", glob)
    below = f"{sign}{'' if '/' in plain else '**/'}{plain}/**"
    command = ["rg", "--files", "--no-config", "--no-ignore", "-g", glob, "-g", below]
    listed = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert sorted(listed.stdout.splitlines()) == sorted(filter(matcher(glob), FILES))


PIECES = st.lists(st.sampled_from(["*", "**", "?", "a", "b", "/", "[ab]", "{a,b}", ".", "é"]), min_size=1, max_size=8)
NAMES = st.text("ab.é", min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(PIECES.map("".join).filter(lambda glob: glob.strip("/")), PATHS)
def test_a_glob_turned_round_is_its_opposite(glob: str, path: str) -> None:
    assert matcher(glob)(path) is not matcher(f"!{glob}")(path)


@given(PIECES.map("".join).filter(lambda glob: glob.strip("/")), PATHS, st.text("ab", min_size=1, max_size=3))
def test_what_matches_a_directory_matches_all_below_it(glob: str, path: str, below: str) -> None:
    assert not matcher(glob)(path) or matcher(glob)(f"{path}/{below}")


@given(PATHS)
def test_every_name_matches_itself(path: str) -> None:
    assert matcher(path)(path)


def test_a_hostile_glob_takes_no_longer_than_its_length_says() -> None:
    import time

    started = time.perf_counter()
    assert not matcher("*a" * 1000 + "b")("a" * 3000)
    assert time.perf_counter() - started < 2
