;;; Evaluation of data as programs (R7RS, appendix A).
(define-library (scheme eval)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    environment eval))
