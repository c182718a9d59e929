;;; SRFI 111: boxes.
;;; Source: https://srfi.schemers.org/srfi-111/srfi-111.html
(define-library (srfi 111)
  (export box box? unbox set-box!)
  (import (only (nodwyn builtins) box box? unbox set-box!)))
