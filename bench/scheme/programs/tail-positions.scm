;;; Tail calls through every kind of tail position, `cond =>` and `apply` among them, against a Python trampoline.
(import (scheme base))

(define table '((0 . 1) (1 . 2) (3 . 5) (4 . 7)))

(define (start n sum)
  (cond ((= n 0) sum)
        ((assv (modulo n 7) table) => (lambda (entry) (by-and (- n 1) (+ sum (cdr entry)))))
        (else (by-or (- n 1) sum))))

(define (by-and n sum)
  (and (>= n 0) (by-case n (+ sum 1))))

(define (by-or n sum)
  (or (and (< n 0) sum) (by-apply n (+ sum 2))))

(define (by-apply n sum)
  (apply by-when (list n (+ sum 3))))

(define (by-case n sum)
  (case (modulo n 3)
    ((0) (by-apply n sum))
    ((1) (by-when n sum))
    (else (start n sum))))

(define (by-when n sum)
  (when (>= n 0)
    (start n (+ sum 1))))

(define (run) (start 200000 0))
