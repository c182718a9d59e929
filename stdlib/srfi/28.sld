;;; SRFI 28: basic format strings.
;;; Source: https://srfi.schemers.org/srfi-28/srfi-28.html
(define-library (srfi 28)
  (export format)
  (import (scheme base) (scheme write))
  (include "28.scm"))
