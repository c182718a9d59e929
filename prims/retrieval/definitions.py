"""Where code defines names, told by the look of lines: no parser, one pattern for many languages.

Go, Python, JavaScript and TypeScript, Rust, C, Java, Scheme, Ruby and shell. The pattern is RE2's, so that no text
takes it long; what it takes for a definition that is none costs a search little.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nodwyn.prims.redact.engine import Pattern

VERSION = 1
"""The number of these rules; what was indexed by others is indexed again."""

_BEFORE = (
    "export default declare async static public private protected internal abstract final native synchronized"
    " virtual override inline constexpr extern unsafe const readonly default pub local sealed partial get set"
)

_KINDS = (
    "func function def class fn struct enum trait interface type union mod module macro_rules! record namespace package"
    " object @interface typedef protocol impl define-record-type define-syntax defmodule"
)

_NAME = r"[A-Za-z_$\x80-\xff][\w$!?*\x80-\xff-]*"
_SCHEME_NAME = r"[^\s()\[\]\"';]+"
_PLAIN_NAME = r"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"

_NO_NAMES = frozenset(
    b"if for while switch catch return else elif do sizeof defined it describe test expect when unless case with until"
    b" foreach match loop select using lock for_each and or not in is new delete throw await yield import".split()
)

_NO_BEGINNINGS = (b"return ", b"else ", b"throw ", b"await ", b"yield ", b"new ", b"delete ", b"case ", b"goto ")


def definitions(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the place and the name of each definition in a text, in order."""
    for found in _pattern().finditer(text):
        if text.startswith(_NO_BEGINNINGS, found.span()[0]):
            continue
        for group in range(1, _pattern().groups + 1):
            start, end = found.span(group)
            if start >= 0:
                if text[start:end] not in _NO_NAMES:
                    yield start, text[start:end]
                break


@cache
def _pattern() -> Pattern:
    from nodwyn.prims.redact.engine import compile_pattern

    before = "|".join(_BEFORE.split())
    kinds = "|".join(sorted(_KINDS.split(), key=len, reverse=True))
    # Each with one group, the name.
    forms = (
        # A keyword says it: a receiver (Go), type parameters (Rust) and `self.` (Ruby) may stand between.
        rf"[ \t]*(?:(?:{before})(?:\([\w: ]*\))?[ \t]+)*(?:{kinds})\*?[ \t]*(?:<[^<>\n]*>)?[ \t]+"
        rf"(?:\([^()\n]*\)[ \t]*)?(?:self\.)?({_NAME})",
        # Scheme: (define (name …), (define name …), (define-x (name …
        rf"[ \t]*\(define[\w*-]*[ \t]+\(*({_SCHEME_NAME})",
        # C: #define NAME
        rf"[ \t]*#[ \t]*define[ \t]+({_PLAIN_NAME})",
        # const name =, let name =, var name =, and Rust's const NAME: and static NAME:
        rf"(?:export[ \t]+|pub(?:\([\w: ]*\))?[ \t]+)?(?:const|let|var)[ \t]+({_PLAIN_NAME})",
        rf"(?:pub(?:\([\w: ]*\))?[ \t]+)?static[ \t]+(?:mut[ \t]+)?({_PLAIN_NAME})[ \t]*:",
        # NAME = at the beginning of a line, and fields of objects that are functions
        rf"({_PLAIN_NAME})[ \t]*(?::[^=\n]*)?=[^=]",
        rf"[ \t]*(?:this\.|exports\.|module\.exports\.|{_PLAIN_NAME}\.prototype\.)?({_PLAIN_NAME})[ \t]*[:=][ \t]*"
        r"(?:async[ \t]*)?function\b",
        # C, Java, methods of JavaScript, functions of a shell: a name, its parameters, an open brace at the line's end
        rf"[ \t]*(?:[\w$][\w$<>\[\],.*&:? ]*[ \t*&])?~?({_PLAIN_NAME})[ \t]*\([^;{{}}\n]*\)[^;{{}}=\n]*\{{[ \t]*$",
        # C with the brace on a line of its own, or with parameters over several lines
        rf"[A-Za-z_][\w \t*]*[ \t*]({_PLAIN_NAME})[ \t]*\([^;{{}}\n]*$",
    )
    return compile_pattern("^(?:" + "|".join(forms) + ")")
