;;; SRFI 145: assumptions. An assumption is always checked.
;;; Source: https://srfi.schemers.org/srfi-145/srfi-145.html
(define-library (srfi 145)
  (export assume)
  (import (scheme base))
  (include "145.scm"))
