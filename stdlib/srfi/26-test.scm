(import (scheme base) (srfi 64) (srfi 26))

(test-begin "srfi-26")

(test-group "cut"
  (test-equal '() ((cut list)))
  (test-equal '() ((cut list <...>)))
  (test-equal '(1) ((cut list 1)))
  (test-equal '(1) ((cut list <>) 1))
  (test-equal '(1) ((cut list <...>) 1))
  (test-equal '(1 2) ((cut list 1 2)))
  (test-equal '(1 2) ((cut list 1 <>) 2))
  (test-equal '(1 2 3) ((cut list 1 <...>) 2 3))
  (test-equal '(1 2) ((cut list <> 2) 1))
  (test-equal '(1 2 3 4) ((cut list 1 <> 3 <>) 2 4))
  (test-equal '(1 2 3 4 5 6) ((cut list 1 <> 3 <...>) 2 4 5 6))
  (test-equal '(9 4) (map (cut <> 4 9) (list max min)))
  (test-equal '(1 2) ((cut <> 1 <...>) list 2))
  (test-equal '(2 4 6) (map (cut * 2 <>) '(1 2 3)))
  (test-equal "an expression is evaluated at every call"
    '(1 2)
    (let* ((n 0) (g (cut list (begin (set! n (+ n 1)) n))) (first (car (g))))
      (list first (car (g))))))

(test-group "cute"
  (test-equal '() ((cute list)))
  (test-equal '(1 2 3 4) ((cute list 1 <> 3 <>) 2 4))
  (test-equal '(1 2 3 4 5) ((cute list 1 <> 3 <...>) 2 4 5))
  (test-equal '(1 2) ((cute <> 1 <...>) list 2))
  (test-equal "an expression is evaluated once, when the procedure is made"
    '(1 1 1)
    (let* ((n 0) (g (cute list (begin (set! n (+ n 1)) n))))
      (list n (car (g)) (car (g)))))
  (test-equal "so is the operator"
    '(1 5 1)
    (let* ((n 0) (g (cute (begin (set! n (+ n 1)) car) <>)))
      (let* ((before n) (item (g '(5))))
        (list before item n)))))

(test-group "arity"
  (test-error ((cut list <>)))
  (test-error ((cut list <>) 1 2))
  (test-error ((cut list <> <...>)))
  (test-error ((cute list <>) 1 2)))

(test-end "srfi-26")
