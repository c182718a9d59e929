;;; Reading of data (R7RS, appendix A).
(define-library (scheme read)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    read))
