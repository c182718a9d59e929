;;; The environment of the read-eval-print loop (R7RS, appendix A).
(define-library (scheme repl)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    interaction-environment))
