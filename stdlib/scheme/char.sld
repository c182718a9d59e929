;;; Characters and strings regardless of case (R7RS, appendix A).
(define-library (scheme char)
  (import (nodwyn builtins) (nodwyn prelude) (nodwyn syntax))
  (export
    char-alphabetic? char-ci<=? char-ci<? char-ci=? char-ci>=? char-ci>? char-downcase char-foldcase
    char-lower-case? char-numeric? char-upcase char-upper-case? char-whitespace? digit-value string-ci<=?
    string-ci<? string-ci=? string-ci>=? string-ci>? string-downcase string-foldcase string-upcase))
