;;; SRFI 8: receive, binding to multiple values.
;;; Source: https://srfi.schemers.org/srfi-8/srfi-8.html
(define-library (srfi 8)
  (export receive)
  (import (scheme base))
  (include "8.scm"))
