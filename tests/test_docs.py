"""Every ```python and ```scheme block of the documentation runs, and gives what it says it gives.

The blocks of a page run in order, those of one language in one namespace. In a Scheme block
``; => value`` behind an expression is what `write` shows, and ``; error: message`` is in the error's message.
"""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nodwyn.interp import Interpreter
from nodwyn.interp.errors import SchemeError
from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import Source

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
EXPECTATION = re.compile(r"\s*; (=>|error:) *(.*)")


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks in a language, each behind as many empty lines as stand before it on the page."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return ["\n" * text.count("\n", 0, match.start(1)) + match[1] for match in found]


def pages_with(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", pages_with("python"), ids=name_of)
def test_python_blocks_run(page: Path) -> None:
    namespace: dict[str, object] = {"__name__": page.stem}
    # A limit that is reached while what other tests have left is being collected would be reported as theirs.
    gc.collect()
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), namespace)  # noqa: S102 - the documentation is ours


def expressions(page: Path, block: str) -> Iterator[tuple[str, str, str]]:
    """Yield each datum's place and text, and the text from there to the next datum."""
    spans = [datum.span for datum in read_source(Source(str(page), block)) if datum.span]
    ends = [*(span.start for span in spans[1:]), len(block)]
    for span, end in zip(spans, ends, strict=True):
        yield f"{name_of(page)}:{span.line}", block[span.start : span.end], block[span.end : end]


def outcome(scheme: Interpreter, text: str, kind: str) -> str:
    """Return what a datum writes, or the message of the error that it raises."""
    if kind == "error:":
        with pytest.raises(SchemeError) as raised:
            scheme.eval(text)
        return str(raised.value)
    written = f"(let ((port (open-output-string))) (write {text} port) (get-output-string port))"
    return str(scheme.eval(written))


@pytest.mark.parametrize("page", pages_with("scheme"), ids=name_of)
def test_scheme_blocks_give_what_they_say(page: Path) -> None:
    scheme = Interpreter()
    differing = []
    for block in blocks(page, "scheme"):
        for place, text, behind in expressions(page, block):
            expectation = EXPECTATION.match(behind)
            if expectation is None:
                scheme.eval(text)
                continue
            kind, expected = expectation.groups()
            got = outcome(scheme, text, kind)
            if got != expected and not (kind == "error:" and expected in got):
                differing.append(f"{place}: {text}\n  said {expected}\n  got  {got}")
    assert differing == []


def test_the_table_of_libraries_is_what_their_files_say() -> None:
    checked = subprocess.run([sys.executable, str(ROOT / "docs" / "libraries.py"), "--check"], check=False)
    assert checked.returncode == 0, "make reference brings docs/scheme.md up to date"
