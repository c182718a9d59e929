;;; Procedures that make procedures: composition, currying, Church numerals, a table of closures.
(import (scheme base))

(define (compose f g) (lambda (x) (f (g x))))
(define (adder n) (lambda (x) (+ x n)))
(define (scaler n) (lambda (x) (* x n)))

(define (repeated f n)
  (if (= n 0)
      (lambda (x) x)
      (compose f (repeated f (- n 1)))))

(define (church n)
  (lambda (f) (lambda (x) (let loop ((i 0) (x x)) (if (= i n) x (loop (+ i 1) (f x)))))))

(define (church* a b) (lambda (f) (a (b f))))

(define (run)
  (let ((step (compose (adder 3) (compose (scaler 2) (adder -1))))
        (ten-times (repeated (adder 1) 10))
        (hundred (church* (church 10) (church 10))))
    (let loop ((i 0) (sum 0))
      (if (= i 80000)
          (+ sum (((church* hundred (church 3000)) (adder 1)) 0))
          (loop (+ i 1) (+ sum (step i) (ten-times i) ((adder i) sum) (- sum)))))))
