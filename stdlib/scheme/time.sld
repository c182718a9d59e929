;;; Clocks (R7RS, appendix A).
(define-library (scheme time)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    current-jiffy current-second jiffies-per-second))
