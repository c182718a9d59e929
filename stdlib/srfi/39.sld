;;; SRFI 39: parameter objects. Those of R7RS; calling one with an argument sets it, as this
;;; document (and not R7RS) says.
;;; Source: https://srfi.schemers.org/srfi-39/srfi-39.html
(define-library (srfi 39)
  (export make-parameter parameterize)
  (import (only (scheme base) make-parameter parameterize)))
