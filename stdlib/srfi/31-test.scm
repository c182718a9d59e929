(import (scheme base) (scheme lazy) (srfi 64) (srfi 31))

(test-begin "srfi-31")

(test-group "procedures"
  (test-eqv 120 ((rec (f n) (if (= n 0) 1 (* n (f (- n 1))))) 5))
  (test-eqv 120 ((rec f (lambda (n) (if (= n 0) 1 (* n (f (- n 1)))))) 5))
  (test-equal '(1 (2 3)) ((rec (f first . rest) (list first rest)) 1 2 3))
  (test-equal '(1 2) ((rec (f . all) all) 1 2))
  (test-eqv 3 ((rec (f x) (define y 1) (+ x y)) 2)))

(test-group "other values"
  (test-equal '(1 1 1)
    (let ((ones (rec ones (cons 1 (delay ones)))))
      (list (car ones) (car (force (cdr ones))) (car (force (cdr (force (cdr ones))))))))
  (test-eqv 5 (rec x 5)))

(test-group "scope"
  (test-equal "the name is bound inside only" '(outer 2)
    (let ((f 'outer))
      (list f ((rec (f n) (if (= n 0) 2 (f (- n 1)))) 3)))))

(test-end "srfi-31")
