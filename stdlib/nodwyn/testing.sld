;;; Runs test suites written with SRFI 64 and returns their results as data.
;;;
;;; (run-and-collect thunk) calls thunk, which runs or loads a suite, and returns a list with one
;;; entry for each test group that ran a test itself, in the order in which they began:
;;;
;;;     (path passed failed reports)
;;;
;;; path lists the names of the group and those around it, outermost first. passed and failed count
;;; its tests; an expected failure and a skipped test count as passed, a test that passes although
;;; it was expected to fail counts as failed. reports has a text for each failure. An error outside
;;; of a test, a wrong number of tests, a wrong name at the end of a group and a group that is never
;;; ended are failures too.
(define-library (nodwyn testing)
  (export run-and-collect)
  (import (scheme base) (srfi 64))
  (include "testing.scm"))
