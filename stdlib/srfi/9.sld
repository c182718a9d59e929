;;; SRFI 9: records. The form of R7RS, which extends that of this document.
;;; Source: https://srfi.schemers.org/srfi-9/srfi-9.html
(define-library (srfi 9)
  (export define-record-type)
  (import (only (scheme base) define-record-type)))
