;;; Promises (R7RS, appendix A).
(define-library (scheme lazy)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    delay delay-force force make-promise promise?))
