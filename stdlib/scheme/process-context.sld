;;; What a program can know and do about its process (R7RS, appendix A).
(define-library (scheme process-context)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    command-line emergency-exit exit get-environment-variable get-environment-variables))
