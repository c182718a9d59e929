;;; Numbers off the real line (R7RS, appendix A).
(define-library (scheme complex)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    angle imag-part magnitude make-polar make-rectangular real-part))
