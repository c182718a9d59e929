"""Strings of which only the text is wanted: what is compiled does what the builtins do, and fails as they do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nodwyn.interp import Interpreter, SchemeError
from nodwyn.interp.data import String, Value, origin_of
from nodwyn.interp.printer import write

FILE, SHELL = origin_of(frozenset(["external:file"])), origin_of(frozenset(["external:shell"]))

BUILTINS = """string-append substring string-copy string-upcase string-downcase string-foldcase number->string
    symbol->string string=? string<? string>? string<=? string>=? string-length string->number string->symbol
    string-ref write-string write-char display newline open-output-string get-output-string open-input-string
    read-char peek-char char=? char-alphabetic? char-whitespace? char? eof-object? digit-value read-line""".split()

HIDDEN = re.compile("|".join(rf"(?<=[( ]){re.escape(name)}(?=[ )])" for name in BUILTINS))


def make() -> Interpreter:
    """Return an interpreter in which every builtin here has a second name that the compiler does not know."""
    made = Interpreter()
    for name in BUILTINS:
        made.eval(f"(define hidden:{name} (vector-ref (vector {name}) 0))")
    made.eval("(define (same x) (vector-ref (vector x) 0))")
    return made


SCHEME = make()


def outcome(text: str) -> tuple[Any, ...]:
    """Return what a form gives in which texts of several origins are known: its value and labels, or its error."""
    changed = String("mutAted", SHELL)
    changed.unsettle()
    plain = String("Changed")
    plain.unsettle()
    for name, value in (("s", String("abc")), ("f", String("From File", FILE)), ("g", changed), ("m", plain)):
        SCHEME.define(name, value)
    try:
        value = SCHEME.eval_scheme(f"((lambda (s f g m n x) {text}) s f g m 12 1.5)")
    except SchemeError as error:
        # Of several errors in a form one may be found earlier than another.
        return ("error", error.payload.procedure in BUILTINS)
    return (write(value), labels_of(value))


def labels_of(value: Value) -> frozenset[str] | None:
    origin = getattr(value, "origin", None)
    return None if origin is None else origin.labels


WRONG = st.sampled_from(["5", "#\\a", "'sym", "#f"])
INTEGERS = st.one_of(
    st.sampled_from(["0", "1", "2", "3", "n", "-1", "1.0", "(- n 11)", "(+ 1 1)", "(same 1)", "'x"]),
    st.just("(string-length s)"),
)
LEAVES = st.one_of(
    st.sampled_from(["s", "f", "g", "m", '"lit"', '""', "(same f)", "(car (list s))", "(number->string n)"]),
    st.sampled_from(["(number->string x)", "(number->string n 16)", "(number->string (* n n 1.0))"]),
    st.sampled_from(["(number->string 's)", "(symbol->string 'abc)", "(same (string-copy g))"]),
    st.just("(begin (string-set! m 0 (string-ref f 0)) m)"),
)


def extended(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return forms that have those of ``inner`` in them and give strings."""
    return st.one_of(
        st.builds("(string-append {} {})".format, inner, inner),
        st.builds("(string-append {} {} {})".format, inner, inner, inner),
        st.builds("(string-append {} (same {}))".format, inner, inner),
        st.builds("(string-append m (begin (string-set! m 1 (string-ref g 2)) {}))".format, inner),
        st.builds("(substring {} {} {})".format, inner, INTEGERS, INTEGERS),
        st.builds("(substring {} {})".format, inner, INTEGERS),
        st.builds("(string-copy {})".format, inner),
        st.builds("(string-copy {} {})".format, inner, INTEGERS),
        st.builds("({} {})".format, st.sampled_from(["string-upcase", "string-downcase", "string-foldcase"]), inner),
        st.builds("(if (string<? {} s) {} {})".format, inner, inner, inner),
        st.builds("(let ((t {})) (string-append t {} t))".format, inner, inner),
        st.builds('(let ((t {})) (if (string=? t "abc") "same" {}))'.format, inner, inner),
        st.builds("(number->string (string-length {}))".format, inner),
        st.builds("(symbol->string (string->symbol {}))".format, inner),
        st.builds(
            "(let ((out (open-output-string))) (write-string {} out) (newline out) (display {} out) (display n out)"
            " (write-char (string-ref {} 0) out) (get-output-string out))".format,
            inner,
            inner,
            inner,
        ),
        st.builds(
            "(let ((out (open-output-string)) (in (open-input-string {}))) (let loop ((c (read-char in)))"
            " (cond ((eof-object? c) (get-output-string out)) ((char=? c #\\a) (loop (read-char in)))"
            " (else (write-char c out) (loop (read-char in))))))".format,
            inner,
        ),
        st.builds(
            '(let loop ((i 0) (out "") (last s)) (if (= i 2) (string-append out last)'
            " (loop (+ i 1) (string-append out {}) (string-append {} out))))".format,
            inner,
            inner,
        ),
        st.builds("(let loop ((i 0) (out s)) (if (= i 2) out (loop (+ i 1) (string-append {} out))))".format, inner),
        st.builds('(let loop ((i 0) (out "-")) (if (= i 2) out (loop (+ i 1) (substring {} 0 i))))'.format, inner),
        st.builds(
            '(let loop ((i 0) (out "-")) (if (= i 3) out (loop (+ i 1) (string-append out {} {}))))'.format,
            inner,
            inner,
        ),
        st.builds(
            '(let loop ((i 0) (a "") (b "-")) (if (= i 2) (string-append a b)'
            " (loop (+ i 1) (string-append a {} b) (string-append b a {}))))".format,
            inner,
            inner,
        ),
        st.builds(
            '(let ((out "")) (do ((i 0 (+ i 1))) ((= i 3) out) (set! out (string-append out {}))))'.format, inner
        ),
        st.builds(
            '(let ((out "-")) (set! out (string-append out {} out)) (if (string=? out {})'
            ' (set! out (string-upcase out))) (string-append out "."))'.format,
            inner,
            inner,
        ),
        st.builds(
            '(let ((out "")) (for-each (lambda (x) (set! out (string-append out x))) (list {} {})) out)'.format,
            inner,
            inner,
        ),
        st.builds("(let ((line (read-line (open-input-string {})))) (if (string? line) line s))".format, inner),
    )


STRINGS = st.recursive(st.one_of(LEAVES, LEAVES, LEAVES, WRONG), extended, max_leaves=8)
FORMS = st.one_of(
    STRINGS,
    st.builds("({} {} {})".format, st.sampled_from(["string=?", "string<?", "string>=?"]), STRINGS, STRINGS),
    st.builds("({} {})".format, st.sampled_from(["string-length", "string->number", "string->symbol"]), STRINGS),
    st.builds("(string->number {} {})".format, STRINGS, st.sampled_from(["10", "16", "36", "'x"])),
    st.builds("(string-ref {} {})".format, STRINGS, INTEGERS),
)


ERRORS = {
    "(string-append s 5)": "string-append: string must be a string, got 5",
    "(string-append 5 s)": "string-append: string must be a string, got 5",
    "(string-append (same s) (same 5) s)": "string-append: string must be a string, got 5",
    "(string-append s #\\a)": "string-append: string must be a string, got #\\a",
    "(string-append s (if (same #t) 'x s))": "string-append: string must be a string, got x",
    "(string-append s (substring 'y 0 1))": "substring: string must be a string, got y",
    "(string-append s (substring s 2 1))": "substring: start must be an index from 0 to 1, got 2",
    "(string-append s (substring s 0 4))": "substring: end must be an index from 0 to 3, got 4",
    "(substring s (- 1) 2)": "substring: start must be an index from 0 to 2, got -1",
    "(substring s 0 (same 9))": "substring: end must be an index from 0 to 3, got 9",
    "(substring s 0 1.0)": "substring: end must be an exact non-negative integer, got 1.0",
    '(substring (string-append "" "") 0 1)': "substring: end must be an index from 0 to 0, got 1",
    "(substring s 3 4)": "substring: end must be an index from 0 to 3, got 4",
    '(let loop ((t "a")) (loop (string-append t "" t)))': "string-append: a result of 536870912 elements is above",
    '(let ((t "a")) (let loop () (set! t (string-append t t)) (loop)))': "string-append: a result of 536870912",
    '(let loop ((t "a")) (loop (string-append t 5)))': "string-append: string must be a string, got 5",
    '(let ((t "a")) (let loop () (set! t (string-append t s 5)) (loop)))': "string must be a string, got 5",
    "(string-copy s 4)": "string-copy: start must be an index from 0 to 3, got 4",
    "(string=? s 'a)": "string=?: string must be a string, got a",
    "(string<? (string-upcase 'a) s)": "string-upcase: string must be a string, got a",
    "(string-length (string-append s (number->string 'z)))": "number->string: argument must be a number, got z",
    "(string->number (number->string 5 99))": "number->string: radix must be an exact integer from 2 to 36, got 99",
    "(string->number s 1)": "string->number: radix must be an exact integer from 2 to 36, got 1",
    "(string->number 'a)": "string->number: string must be a string, got a",
    "(string->symbol (symbol->string s))": 'symbol->string: symbol must be a symbol, got "abc"',
    "(string-length 5)": "string-length: string must be a string, got 5",
    "(let ((out (open-output-string))) (write-string 5 out))": "write-string: string must be a string, got 5",
    "(let ((out (open-output-string))) (write-char s out))": 'write-char: char must be a character, got "abc"',
    """(let ((out (open-output-string)) (in (open-input-string "")))
         (write-char (read-char in) out))""": "write-char: char must be a character, got #<eof>",
    """(let ((in (open-input-string "")))
         (let ((c (read-char in))) (char=? c #\\a)))""": "char=?: char must be a character, got #<eof>",
    "(let loop ((t s)) (loop (string-append t t)))": "string-append: a result of 402653184 elements is above the limit",
}


@pytest.mark.parametrize(("form", "message"), ERRORS.items(), ids=ERRORS.keys())
def test_what_is_wrong_is_said_as_the_builtin_says_it(form: str, message: str) -> None:
    SCHEME.define("s", String("abc"))
    with pytest.raises(SchemeError) as error:
        SCHEME.eval(f"((lambda (s) {form}) s)")
    assert message in str(error.value)


def test_text_that_is_captured_and_gone_on_with_is_that_of_the_call() -> None:
    form = """
        (let ((again #f) (count 0) (all '()))
          (let ((made (string-append f (number->string count)
                                     (call/cc (lambda (k) (set! again k) "x"))
                                     (string-upcase s))))
            (set! count (+ count 1))
            (set! all (cons made all))
            (if (< count 3) (again (number->string count)))
            all))"""
    SCHEME.define("s", String("abc"))
    SCHEME.define("f", String("file", FILE))
    value = SCHEME.eval_scheme(f"((lambda (s f) {form}) s f)")
    assert write(value) == '("file02ABC" "file01ABC" "file0xABC")'
    assert [labels_of(each) for each in (value.car, value.cdr.car, value.cdr.cdr.car)] == [FILE.labels] * 3


BOTH = FILE.labels | SHELL.labels
NONE: frozenset[str] = frozenset()

LOOPS = {
    """(let loop ((l (list s f g)) (out ""))
         (if (null? l) out (loop (cdr l) (string-append out (substring (car l) 0 1)))))""": ("aFm", BOTH),
    """(do ((i 0 (+ i 1)) (a "x" (string-append b f)) (b "y" (string-append a s))) ((= i 1) a))""": (
        "yFrom File",
        FILE.labels,
    ),
    '(do ((i 0 (+ i 1)) (a "x" (string-upcase b)) (b "y" (string-append a f))) ((= i 1) a))': ("Y", NONE),
    '(do ((i 0 (+ i 1)) (a "x" (string-upcase b)) (b "y" (string-append a f))) ((= i 2) a))': (
        "XFROM FILE",
        FILE.labels,
    ),
    """(do ((i 0 (+ i 1)) (a "x" (string-upcase b)) (b "y" (string-downcase (string-append a f))))
           ((= i 1) (string-append a "/" b)))""": ("Y/xfrom file", FILE.labels),
    '(do ((i 0 (+ i 1)) (a "x" (string-upcase b)) (b "y" (string-downcase a))) ((= i 2) b))': ("y", NONE),
    """(let loop ((i 0) (out ""))
         (if (< i 3) (loop (+ i 1) (string-append out (same f))) (begin (same 1) out)))""": (
        "From FileFrom FileFrom File",
        FILE.labels,
    ),
    """(let loop ((i 0) (out ""))
         (cond ((= i 3) (string-set! out 0 #\\z) out) (else (loop (+ i 1) (string-append out s)))))""": (
        "zbcabcabc",
        NONE,
    ),
    """(let ((again #f) (rounds 0))
         (let ((made (let loop ((i 0) (out "-"))
                       (if (= i 3)
                           out
                           (loop (+ i 1)
                                 (string-append out (call/cc (lambda (k) (if (= i 1) (set! again k)) f))))))))
           (set! rounds (+ rounds 1))
           (if (< rounds 3) (again s) made)))""": ("-From FileabcFrom File", FILE.labels),
    '(let ((out "")) (for-each (lambda (x) (set! out (string-append out x "-"))) (list s f)) out)': (
        "abc-From File-",
        FILE.labels,
    ),
    '(let ((out "")) (do ((i 0 (+ i 1))) ((= i 2) out) (set! out (string-append out s f g))))': (
        "abcFrom Filemore" * 2,
        BOTH,
    ),
    """(let ((out ""))
         (do ((i 0 (+ i 1))) ((= i 2))
           (set! out (string-append out f))
           (if (= i 0) (set! out (substring s 1 2))))
         out)""": ("bFrom File", FILE.labels),
    """(let ((again #f) (rounds 0))
         (let ((made (let ((out "-"))
                       (do ((i 0 (+ i 1))) ((= i 3) out)
                         (set! out (string-append out (call/cc (lambda (k) (if (= i 1) (set! again k)) f))))))))
           (set! rounds (+ rounds 1))
           (if (< rounds 3) (again s) made)))""": ("-From FileabcFrom File", FILE.labels),
    """(let outer ((i 0) (out ""))
         (if (= i 2)
             out
             (let ((in (let loop ((j 0) (t "")) (if (= j 2) t (loop (+ j 1) (string-append t f out))))))
               (outer (+ i 1) (string-append in ".")))))""": (
        "From FileFrom FileFrom File." * 2 + ".",
        FILE.labels,
    ),
}


@pytest.mark.parametrize(("form", "expected"), LOOPS.items(), ids=LOOPS.keys())
def test_a_string_that_grows_in_a_loop(form: str, expected: tuple[str, frozenset[str]]) -> None:
    for name, value in (("s", String("abc")), ("f", String("From File", FILE)), ("g", String("more", SHELL))):
        SCHEME.define(name, value)
    made = SCHEME.eval_scheme(f"((lambda (s f g) {form}) s f g)")
    assert (made.text(), made.origin.labels) == expected


def test_an_integer_of_thousands_of_digits_is_written() -> None:
    assert SCHEME.eval("(string-length (string-append (number->string (expt 7 9000)) s))") == 7609


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@example("(string-ref 5 (same 1))")
@example("(substring (string-copy (substring (begin (string-set! m 0 (string-ref f 0)) m) 'x)) (string-length s))")
@example('(string-append (let ((t f)) (if (string=? t "abc") "same" 5)) (if (string<? s s) s (number->string x)))')
@example("(string=? 5 (if (string<? s s) s (number->string x)))")
@given(FORMS)
def test_what_is_written_out_does_what_the_builtins_do(form: str) -> None:
    hidden = HIDDEN.sub(lambda found: f"hidden:{found.group()}", form)
    assert outcome(form) == outcome(hidden)
