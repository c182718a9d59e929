"""The R7RS test suite of chibi-scheme, where there is a checkout of it.

NODWYN_CHIBI_CHECKOUT names the checkout: ``git clone https://github.com/ashinn/chibi-scheme``. The suite needs a
library ``(chibi test)``; the one here, of this project, reports each failing test on a line and goes on.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = os.environ.get("NODWYN_CHIBI_CHECKOUT", "")
LEAST_TESTS = 1000

LIBRARY = """
(define-library (chibi test)
  (export test test-assert test-error test-values test-begin test-end)
  (import (scheme base) (scheme inexact) (scheme complex) (scheme write) (scheme process-context))
  (begin
    (define groups '())
    (define passed 0)
    (define failed 0)

    (define (test-begin . name)
      (set! groups (cons (if (pair? name) (car name) "") groups)))

    ;; The end of the outermost group is the end of the suite.
    (define (test-end . name)
      (set! groups (cdr groups))
      (when (null? groups)
        (display (list passed 'passed failed 'failed))
        (newline)))

    (define (fail expression label expected outcome)
      (set! failed (+ failed 1))
      (display "FAIL ")
      (display (car groups))
      (display ": ")
      (write expression)
      (display (string-append ": " label " "))
      (write expected)
      (display ", got ")
      (write outcome)
      (newline))

    (define (described condition)
      (if (error-object? condition)
          (cons (error-object-message condition) (error-object-irritants condition))
          (list 'raised condition)))

    (define (check expression expected-thunk actual-thunk)
      (let* ((expected (expected-thunk))
             (outcome (guard (condition (#t (fail expression "expected" expected (described condition)) fail))
                        (actual-thunk))))
        (cond ((eq? outcome fail))
              ((alike? expected outcome) (set! passed (+ passed 1)))
              (else (fail expression "expected" expected outcome)))))

    ;; Inexact numbers are compared with a tolerance, wherever they are.
    (define (alike? a b)
      (cond ((and (number? a) (number? b) (inexact? a) (inexact? b)) (close? a b))
            ((and (pair? a) (pair? b)) (and (alike? (car a) (car b)) (alike? (cdr a) (cdr b))))
            ((and (vector? a) (vector? b)) (alike? (vector->list a) (vector->list b)))
            (else (equal? a b))))

    (define (close? a b)
      (cond ((eqv? a b) #t)
            ((and (real? a) (real? b))
             (cond ((and (nan? a) (nan? b)) #t)
                   ((= a b) #t)
                   ((or (infinite? a) (infinite? b) (nan? a) (nan? b)) #f)
                   ((= a 0) (< (abs b) 1e-5))
                   (else (< (abs (/ (- a b) a)) 1e-5))))
            (else (and (close? (real-part a) (real-part b)) (close? (imag-part a) (imag-part b))))))

    (define (check-error expression thunk)
      (guard (condition (#t (set! passed (+ passed 1))))
        (let ((value (thunk)))
          (fail expression "expected" 'error value))))

    (define-syntax test
      (syntax-rules ()
        ((_ expected expression) (check 'expression (lambda () expected) (lambda () expression)))
        ((_ name expected expression) (check 'expression (lambda () expected) (lambda () expression)))))

    (define-syntax test-assert
      (syntax-rules ()
        ((_ expression) (check 'expression (lambda () #t) (lambda () (if expression #t #f))))
        ((_ name expression) (check 'expression (lambda () #t) (lambda () (if expression #t #f))))))

    (define-syntax test-error
      (syntax-rules ()
        ((_ expression) (check-error 'expression (lambda () expression)))
        ((_ name expression) (check-error 'expression (lambda () expression)))))

    (define-syntax test-values
      (syntax-rules ()
        ((_ expected expression)
         (check 'expression
                (lambda () (call-with-values (lambda () expected) list))
                (lambda () (call-with-values (lambda () expression) list))))))))
"""


@pytest.mark.skipif(not CHECKOUT, reason="NODWYN_CHIBI_CHECKOUT names no checkout of chibi-scheme")
@pytest.mark.timeout(300)
def test_the_suite_passes(tmp_path: Path) -> None:
    suite = Path(CHECKOUT, "tests", "r7rs-tests.scm")
    (tmp_path / "chibi").mkdir()
    (tmp_path / "chibi" / "test.sld").write_text(LIBRARY, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "nodwyn.interp", str(suite)],
        cwd=tmp_path,
        env={**os.environ, "NODWYN_LIBRARY_PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    failures = [line for line in done.stdout.splitlines() if line.startswith("FAIL ")]
    last = done.stdout.strip().splitlines()[-1:] or ["nothing was printed"]
    assert (done.returncode, done.stderr) == (0, ""), f"ended early, after: {last[0]}\n{done.stderr}"
    assert failures == [], "\n".join(failures)
    passed = int(last[0].strip("()").split()[0])
    assert passed > LEAST_TESTS
