;;; Functions on inexact numbers (R7RS, appendix A).
(define-library (scheme inexact)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    acos asin atan cos exp finite? infinite? log nan? sin sqrt tan))
