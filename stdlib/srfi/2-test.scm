(import (scheme base) (srfi 64) (srfi 2))

(test-begin "srfi-2")

(test-group "no clauses"
  (test-eqv #t (and-let* ()))
  (test-eqv 2 (and-let* () 1 2)))

(test-group "no body"
  (test-eqv 5 (and-let* ((x 5))))
  (test-eqv #f (and-let* ((x #f))))
  (test-eqv 5 (and-let* ((5))))
  (test-eqv 5 (let ((x 5)) (and-let* (x))))
  (test-eqv #f (let ((x #f)) (and-let* (x (y (car 'not-evaluated))))))
  (test-eqv 6 (and-let* ((x 5) ((positive? x)) (y (+ x 1))))))

(test-group "bindings"
  (test-eqv 3 (and-let* ((x 1) (y (+ x 1))) (+ x y)))
  (test-eqv 2 (and-let* ((entry (assq 'b '((a . 1) (b . 2))))) (cdr entry)))
  (test-eqv #f (and-let* ((entry (assq 'c '((a . 1) (b . 2))))) (cdr entry)))
  (test-eqv 1 (let ((x 1)) (and-let* (x) x)))
  (test-equal '(2 1) (let ((x 1)) (let ((inner (and-let* ((x 2)) x))) (list inner x)))))

(test-group "guards"
  (test-eqv 'ok (and-let* ((x 5) ((> x 3)) ((< x 9))) 'ok))
  (test-eqv #f (and-let* ((x 5) ((> x 6))) (car 'not-evaluated)))
  (test-equal "clauses are evaluated in order and only as far as needed"
    '(a b)
    (let ((seen '()))
      (define (note name value) (set! seen (cons name seen)) value)
      (and-let* ((x (note 'a 1)) ((note 'b #f)) (y (note 'c 1))) 'body)
      (reverse seen))))

(test-group "the body"
  (test-eqv 7 (and-let* ((x 5))
                (define y 2)
                (+ x y)))
  (test-eqv #f (and-let* ((x 5)) #f)))

(test-end "srfi-2")
