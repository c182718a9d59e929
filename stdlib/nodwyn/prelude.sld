;; What section 6 of R7RS asks to be re-entrant: procedures that call procedures are written in Scheme, so that
;; a continuation captured inside them is complete.
(define-library (nodwyn prelude)
  (export map for-each string-map string-for-each vector-map vector-for-each
          member assoc dynamic-wind force call-with-port exit
          call-with-input-file call-with-output-file with-input-from-file with-output-to-file
          call-with-output-string)
  (import (nodwyn builtins) (nodwyn syntax))
  (include "prelude.scm"))
