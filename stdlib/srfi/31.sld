;;; SRFI 31: rec, recursive expressions.
;;; Source: https://srfi.schemers.org/srfi-31/srfi-31.html
(define-library (srfi 31)
  (export rec)
  (import (scheme base))
  (include "31.scm"))
