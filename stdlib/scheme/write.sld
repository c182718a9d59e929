;;; Writing of data (R7RS, appendix A).
(define-library (scheme write)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    display write write-shared write-simple))
