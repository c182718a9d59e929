;;; SRFI 64: an interface for test suites.
;;; Source: https://srfi.schemers.org/srfi-64/srfi-64.html
;;;
;;; Choices that the document leaves open: `test-error` takes as error type #t, a predicate on the
;;; raised object, or (as its only other argument) a string that names the test; the simple runner
;;; writes to the current output port; a `test-end` whose name does not match is an error.
(define-library (srfi 64)
  (export
    ;; Groups and test cases
    test-begin test-end test-group test-group-with-cleanup
    test-assert test-eqv test-eq test-equal test-approximate test-error test-read-eval-string
    ;; Choosing what runs
    test-match-name test-match-nth test-match-any test-match-all test-skip test-expect-fail
    test-apply test-with-runner
    ;; Runners
    test-runner? test-runner-current test-runner-get test-runner-simple test-runner-null
    test-runner-create test-runner-factory test-runner-reset
    ;; Results
    test-result-kind test-passed? test-result-ref test-result-set! test-result-remove
    test-result-clear test-result-alist
    ;; Callbacks
    test-runner-on-test-begin test-runner-on-test-begin!
    test-runner-on-test-end test-runner-on-test-end!
    test-runner-on-group-begin test-runner-on-group-begin!
    test-runner-on-group-end test-runner-on-group-end!
    test-runner-on-bad-count test-runner-on-bad-count!
    test-runner-on-bad-end-name test-runner-on-bad-end-name!
    test-runner-on-final test-runner-on-final!
    test-on-test-begin-simple test-on-test-end-simple
    test-on-group-begin-simple test-on-group-end-simple
    test-on-bad-count-simple test-on-bad-end-name-simple test-on-final-simple
    ;; Components
    test-runner-pass-count test-runner-fail-count test-runner-xpass-count test-runner-xfail-count
    test-runner-skip-count test-runner-test-name test-runner-group-path test-runner-group-stack
    test-runner-aux-value test-runner-aux-value!)
  (import (scheme base) (scheme case-lambda) (scheme eval) (scheme read) (scheme repl) (scheme write)
          (only (nodwyn builtins) %error-object-kind %error-object-procedure %procedure-place))
  (include "64.scm"))
