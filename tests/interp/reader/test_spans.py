"""Every datum knows where it stands in its text."""

from __future__ import annotations

import pickle

import pytest

from nodwyn.interp.reader import read_source
from nodwyn.interp.syntax import ListSyntax, Source, Span, Syntax, VectorSyntax


def texts(node: Syntax) -> list[str]:
    """Return the texts that the spans of a node and all nodes in it cover, outermost first."""
    assert node.span is not None
    found = [node.span.source.text[node.span.start : node.span.end]]
    if isinstance(node, (ListSyntax, VectorSyntax)):
        for item in node.items:
            found += texts(item)
    if isinstance(node, ListSyntax) and node.tail is not None:
        found += texts(node.tail)
    return found


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("  abc  ", ["abc"]),
        ("(a (b) c)", ["(a (b) c)", "a", "(b)", "b", "c"]),
        ("( a . b )", ["( a . b )", "a", "b"]),
        ("(a . (b))", ["(a . (b))", "a", "b"]),
        ("#( 1 #t )", ["#( 1 #t )", "1", "#t"]),
        ("#u8(1 2)", ["#u8(1 2)"]),
        ("'a", ["'a", "'", "a"]),
        (",@ (a)", [",@ (a)", ",@", "(a)", "a"]),
        ("#| x |# |a b| ; y", ["|a b|"]),
        ('"a\\n"', ['"a\\n"']),
        ("#\\space", ["#\\space"]),
        ("(#;x y)", ["(#;x y)", "y"]),
        ("(#0=a #0#)", ["(#0=a #0#)", "a", "#0#"]),
    ],
)
def test_spans_cover_the_datum(text: str, covered: list[str]) -> None:
    (node,) = read_source(Source("test.scm", text))
    assert texts(node) == covered


def test_lines_and_columns_count_from_one() -> None:
    source = Source("test.scm", "a\n λb\r\n\n  (c)")
    places = [(node.span.line, node.span.column) for node in read_source(source) if node.span is not None]
    assert places == [(1, 1), (2, 2), (4, 3)]
    assert repr(Span(source, 0, 1)) == "test.scm:1:1"


@pytest.mark.parametrize(("number", "line"), [(0, ""), (1, "ab"), (2, ""), (3, "c d"), (4, "e"), (5, "")])
def test_the_lines_of_a_source(number: int, line: str) -> None:
    assert Source("test.scm", "ab\n\r\nc d\re").line(number) == line


def test_a_source_after_its_last_line_end() -> None:
    source = Source("test.scm", "a\n")
    assert source.position(2) == (2, 1)
    assert source.line(2) == ""


def test_spans_can_be_kept() -> None:
    span = pickle.loads(pickle.dumps(Span(Source("test.scm", "a\nbc"), 2, 4)))
    assert (repr(span), span.end, span.source.text) == ("test.scm:2:1", 4, "a\nbc")
