;;; Compositions of three and four car and cdr (R7RS, appendix A).
(define-library (scheme cxr)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    caaaar caaadr caaar caadar caaddr caadr cadaar cadadr cadar caddar cadddr caddr cdaaar cdaadr cdaar cdadar
    cdaddr cdadr cddaar cddadr cddar cdddar cddddr cdddr))
