;;; SRFI 26: cut and cute, procedures with some arguments filled in.
;;; Source: https://srfi.schemers.org/srfi-26/srfi-26.html
(define-library (srfi 26)
  (export cut cute)
  (import (scheme base))
  (include "26.scm"))
