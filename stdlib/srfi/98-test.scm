(import (scheme base) (srfi 64) (srfi 98))

(test-begin "srfi-98")

(test-group "environment variables"
  (test-equal #f (get-environment-variable "NO VARIABLE HAS THIS NAME"))
  (test-assert (list? (get-environment-variables)))
  (for-each
   (lambda (variable)
     (test-assert (string? (car variable)))
     (test-equal (cdr variable) (get-environment-variable (car variable))))
   (get-environment-variables))
  (test-error #t (get-environment-variable 'PATH)))

(test-end "srfi-98")
