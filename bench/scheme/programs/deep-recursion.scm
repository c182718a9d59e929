;;; Non-tail recursion hundreds of thousands deep.
(import (scheme base))

(define (sum-to n)
  (if (= n 0) 0 (+ n (sum-to (- n 1)))))

(define (build n)
  (if (= n 0) '() (cons n (build (- n 1)))))

(define (count items)
  (if (null? items) 0 (+ 1 (count (cdr items)))))

(define (run)
  (+ (sum-to 400000) (count (build 200000))))
