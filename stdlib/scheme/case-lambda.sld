;;; Procedures with several bodies (R7RS, appendix A).
(define-library (scheme case-lambda)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    case-lambda))
