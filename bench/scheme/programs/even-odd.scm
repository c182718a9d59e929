;;; Two procedures that tail-call each other, against a Python loop.
(import (scheme base))

(define (my-even? n) (if (= n 0) #t (my-odd? (- n 1))))
(define (my-odd? n) (if (= n 0) #f (my-even? (- n 1))))

(define (run)
  (if (my-even? 4000001) 'even 'odd))
