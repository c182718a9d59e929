;;; Checks of arguments for libraries, with messages like those of builtins. One reads:
;;; "take: i must be a non-negative exact integer, got -1".
;;;
;;; (check-procedure who parameter object), check-list (a proper list), check-count (a non-negative
;;; exact integer) and check-number are syntax, so that a check that succeeds costs no call; object
;;; is a variable. (check-range who length start end) wants 0 <= start <= end <= length.
;;; (reject who parameter expected object) raises the error.
(define-library (nodwyn checks)
  (export reject check-procedure check-list check-count check-number check-range)
  (import (scheme base))
  (include "checks.scm"))
