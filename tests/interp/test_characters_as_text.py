"""Characters that are only looked at: what is compiled for them does what the builtins do, and fails as they do."""

from __future__ import annotations

import pytest

from nodwyn.interp import Interpreter, SchemeError
from nodwyn.interp.printer import write

VALUES = {
    '(map char-upcase (string->list "aß٣Z"))': "(#\\A #\\ß #\\٣ #\\Z)",
    '(let ((c (string-ref "aQΣ" 1))) (list (char-downcase c) (char-foldcase c) (char-upcase c)))': "(#\\q #\\q #\\Q)",
    "(list (integer->char 97) (integer->char #xD7FF) (integer->char #xE000) (integer->char #x10FFFF))": (
        "(#\\a #\\xd7ff #\\xe000 #\\x10ffff)"
    ),
    '(let ((c (string-ref "abc" 1))) (list (char=? c #\\b) (char<? #\\a c) (char->integer c)))': "(#t #t 98)",
    '(let ((c (string-ref "a٣" 1))) (list (digit-value c) (char-numeric? c) (char-alphabetic? c)))': "(3 #t #f)",
    '(let ((c (string-ref "aⅷ" 1))) (list (char-alphabetic? c) (char-whitespace? c) (digit-value c)))': "(#t #f #f)",
    '(let ((c (string-ref "abc" 1))) (case c ((#\\a) 1) ((#\\b #\\c) 2) (else 3)))': "2",
    '(let* ((c (string-ref "abc" 1)) (d c)) (list (char=? d #\\b) (eqv? c #\\b)))': "(#t #t)",
    '(let ((c (string-ref "abc" 0))) (if (char=? c #\\a) c #f))': "#\\a",
    '(let* ((c (string-ref "abc" 0)) (d c)) (if (char=? c #\\a) d #f))': "#\\a",
    '(let* ((c (string-ref "abc" 1)) (f (lambda () (char=? c #\\b)))) (f))': "#t",
    '(let ((c (string-ref "abc" 1))) (set! c #\\x) (char=? c #\\x))': "#t",
    '(let ((s (string-copy "abc"))) (string-set! s 1 #\\z) (char=? (string-ref s 1) #\\z))': "#t",
    """(let ((again #f) (count 0))
         (let ((c (string-ref "abc" 1)))
           (call/cc (lambda (k) (set! again k)))
           (set! count (+ count 1))
           (if (< count 3) (again #f))
           (list count (char=? c #\\b))))""": "(3 #t)",
    """(let ((p (open-input-string "ab")))
         (let* ((a (peek-char p)) (b (read-char p)) (c (read-char p)) (d (read-char p)))
           (list a b c (eof-object? d) (eof-object? (peek-char p)))))""": "(#\\a #\\a #\\b #t #t)",
    """(let ((p (open-output-string)) (s (string #\\a #\\b)))
         (string-set! s 0 #\\c)
         (write-string s p) (newline p) (write-char #\\d p) (write-string "e" p)
         (get-output-string p))""": '"cb\\nde"',
}

ERRORS = {
    "(integer->char #xD800)": (
        "integer->char: n must be a code point that is no surrogate (#xD800 to #xDFFF), got 55296"
    ),
    "(integer->char -1)": "integer->char: n must be a code point, from 0 to #x10FFFF, got -1",
    "(integer->char 97.0)": "integer->char: n must be an exact integer, got 97.0",
    "(integer->char 'a)": "integer->char: n must be an exact integer, got a",
    "(char-upcase 5)": "char-upcase: char must be a character, got 5",
    '(char-downcase "a")': 'char-downcase: char must be a character, got "a"',
    '(let ((c (string-ref "abc" 1))) (char=? c 5))': "char=?: char must be a character, got 5",
    '(let ((c (string-ref "abc" 3))) (char=? c #\\a))': "string-ref: k must be an index from 0 to 2, got 3",
    '(char=? (string-ref "abc" -1) #\\a)': "string-ref: k must be an index from 0 to 2, got -1",
    "(char=? (string-ref 5 0) #\\a)": "string-ref: string must be a string, got 5",
    '(let ((p (open-input-string "xy"))) (+ 1 (read-char p)))': "+: argument must be a number, got #\\x",
    "(read-char 5)": "read-char: port must be a textual input port, got 5",
    "(write-char 5 (open-output-string))": "write-char: char must be a character, got 5",
    "(let ((p (open-output-string))) (close-port p) (newline p))": "newline: port must be an open port",
}


@pytest.fixture(scope="module")
def scheme() -> Interpreter:
    made = Interpreter()
    made.eval("(import (scheme base) (scheme char))")
    return made


@pytest.mark.parametrize(("text", "expected"), VALUES.items(), ids=VALUES.keys())
def test_looking_at_characters(text: str, expected: str, scheme: Interpreter) -> None:
    assert write(scheme.eval_scheme(text)) == expected


@pytest.mark.parametrize(("text", "message"), ERRORS.items(), ids=ERRORS.keys())
def test_what_is_wrong_is_said_as_the_builtin_says_it(text: str, message: str, scheme: Interpreter) -> None:
    with pytest.raises(SchemeError) as error:
        scheme.eval(text)
    assert message in str(error.value)
