(import (scheme base) (srfi 64) (srfi 8))

(test-begin "srfi-8")

(test-group "formals"
  (test-equal '(3 2) (receive (quotient remainder) (floor/ 11 3) (list quotient remainder)))
  (test-equal '(1 (2 3)) (receive (first . rest) (values 1 2 3) (list first rest)))
  (test-equal '(1 2) (receive all (values 1 2) all))
  (test-equal '() (receive all (values) all))
  (test-eqv 5 (receive () (values) 5))
  (test-eqv 1 (receive (x) 1 x)))

(test-group "the body"
  (test-eqv 6 (receive (x y) (values 1 2)
                (define z 3)
                (+ x y z)))
  (test-equal "the expression does not see the variables"
    '(2 1)
    (let ((x 1) (y 2))
      (receive (x y) (values y x) (list x y)))))

(test-group "errors"
  (test-error (receive (x y) (values 1) x))
  (test-error (receive (x) (values 1 2) x)))

(test-end "srfi-8")
