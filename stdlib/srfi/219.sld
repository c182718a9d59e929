;;; SRFI 219: define with curried formals, `(define ((f a) b) …)`.
;;; Source: https://srfi.schemers.org/srfi-219/srfi-219.html
;;;
;;; Its `define` takes the place of that of (scheme base), which a program must leave out:
;;; (import (except (scheme base) define) (srfi 219)).
(define-library (srfi 219)
  (export (rename define-curried define))
  (import (scheme base))
  (include "219.scm"))
