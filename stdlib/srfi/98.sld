;; SRFI 98: access to environment variables. The host decides what a program may see.

(define-library (srfi 98)
  (import (scheme process-context))
  (export get-environment-variable get-environment-variables))
