"""Where texts are cut, and what names code defines: one example of each language."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.prims.retrieval.chunks import MOST_LINES, cut
from nodwyn.prims.retrieval.contents import analyse
from nodwyn.prims.retrieval.definitions import definitions

FILLER = "  x\n" * 19


@pytest.mark.parametrize(
    "line",
    [
        "func (s *Server) Serve() {", "type Server struct {", "var (", "const limit = 3",
        "(define (read port)", "function read() {", "class Reader {", "export default function () {",
        "def read(port):", "class Reader:", "@decorator", "# A heading", "### Deeper", "\\chapter{One}",
        "\\section{Two}",
        "fn read() {", "pub struct Reader {", "impl Reader {", "#[derive(Debug)]", "public class Reader {",
        "static int read(void)", "struct reader {", "interface Reader {", "async function read() {",
    ],
)  # fmt: skip
def test_a_chunk_begins_at_a_declaration_or_heading_once_20_lines_are_there(line: str) -> None:
    assert cut(f"x\n{FILLER}{line}\n{FILLER}".encode()) == [20, 20]
    assert cut(f"x\n{FILLER[4:]}{line}\n{FILLER}".encode()) == [39]
    assert cut(f"x\n{FILLER}  {line}\n{FILLER}".encode()) == [40]


def test_a_chunk_has_at_most_80_lines() -> None:
    assert cut(b"x\n" * 200) == [80, 80, 40]


@pytest.mark.parametrize(
    ("text", "sizes"), [(b"", []), (b"x", [1]), (b"x\n", [1]), (b"\n", [1]), (b"a\r\nb\x0cc\x85d", [2])]
)
def test_lines_end_at_newlines_alone(text: bytes, sizes: list[int]) -> None:
    assert cut(text) == sizes


@given(st.lists(st.sampled_from(["def f():", "x", "", "# y"]), max_size=300), st.booleans())
def test_chunks_follow_each_other_and_leave_nothing_out(lines: list[str], ends: bool) -> None:
    text = "\n".join(lines) + ("\n" if ends and lines else "")
    sizes = cut(text.encode())
    assert sum(sizes) == text.count("\n") + (not text.endswith("\n") and text != "")
    assert all(1 <= size <= MOST_LINES for size in sizes)


@given(st.text(max_size=2000))
def test_any_text_can_be_analysed(text: str) -> None:
    assert sum(chunk.lines for chunk in analyse(text)) == sum(cut(text.encode("utf-8", "surrogatepass")))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("func (s *Server) Serve(l net.Listener) error {", "Serve"),
        ("func Map[T any](list []T) []T {", "Map"),
        ("type Server struct {", "Server"),
        ("def read_all(path):", "read_all"),
        ("    async def fetch(self):", "fetch"),
        ("class Reader(Base):", "Reader"),
        ("LIMIT: Final = 3", "LIMIT"),
        ("function parse(text) {", "parse"),
        ("export default class Reader {", "Reader"),
        ("export const useStore = () => {", "useStore"),
        ("export async function* walk() {", "walk"),
        ("  render(props) {", "render"),
        ("export interface Options<T> {", "Options"),
        ("type Alias = string", "Alias"),
        ("exports.read = function () {", "read"),
        ("pub(crate) async fn poll<T>(self) {", "poll"),
        ("impl<T> Future for Poll<T> {", "Future"),
        ("macro_rules! join {", "join"),
        ("pub const LIMIT: usize = 3;", "LIMIT"),
        ("static int read_all(int fd, char *buf) {", "read_all"),
        ("int main(int argc, char **argv)", "main"),
        ("#define LARGEST 3", "LARGEST"),
        ("struct reader {", "reader"),
        ("    public static List<String> readAll(Path path) throws IOException {", "readAll"),
        ("public interface Reader extends Closeable {", "Reader"),
        ("(define (read-all port)", "read-all"),
        ("(define limit 3)", "limit"),
        ("(define-record-type reader", "reader"),
        ("  def self.read(path)", "read"),
        ("module Readers", "Readers"),
        ("read_all() {", "read_all"),
        ("function read_all {", "read_all"),
        ("if (ready) {", ""),
        ("  for (const x of xs) {", ""),
        ("return parse(text)", ""),
        ("  describe('it', () => {", ""),
        ("plain words about a class of things", ""),
    ],
)
def test_the_names_that_a_line_defines(line: str, names: str) -> None:
    assert [name.decode() for _, name in definitions(f"{line}\n".encode())] == names.split()


def test_definitions_belong_to_the_chunk_that_they_are_in() -> None:
    first, second = analyse(f"def zebra():\n{FILLER}def giraffe():\n    pass\n")
    assert (dict(first.defined), dict(second.defined)) == ({"zebra": 1}, {"giraffe": 1})
    assert dict(second.first) == {"def": 1, "giraffe": 1}


@pytest.mark.parametrize(
    "text", ["(" * 300_000, "a(" * 150_000, " " * 500_000, "x<" * 200_000 + "\n", "def " * 200_000]
)
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    analyse(text)
    assert time.process_time() - started < 2
