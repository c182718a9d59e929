;;; SRFI 2: and-let*, an `and` with local bindings.
;;; Source: https://srfi.schemers.org/srfi-2/srfi-2.html
(define-library (srfi 2)
  (export and-let*)
  (import (scheme base))
  (include "2.scm"))
