;; SRFI 180: JSON.

(define-library (srfi 180)
  (import (scheme base)
          (scheme case-lambda)
          (only (nodwyn builtins)
                %json-reader %json-pull %json-push %json-want %json-read %json-fail %json-scalar %json-text
                %json-take-until)
          (rename (only (nodwyn builtins) %json-error? %json-error-reason)
                  (%json-error? json-error?)
                  (%json-error-reason json-error-reason)))
  (export
   json-error? json-error-reason json-null?
   json-nesting-depth-limit json-number-of-character-limit
   json-generator json-fold json-read json-lines-read json-sequence-read
   json-accumulator json-write)
  (include "180.scm"))
