;;; Loading of files (R7RS, appendix A).
(define-library (scheme load)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    load))
