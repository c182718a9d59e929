;;; Exact integers of thousands of digits: products, sums, quotients.
(import (scheme base))

(define (factorial n)
  (let loop ((n n) (product 1))
    (if (= n 0) product (loop (- n 1) (* product n)))))

(define (fibonacci n)
  (let loop ((n n) (a 0) (b 1))
    (if (= n 0) a (loop (- n 1) b (+ a b)))))

(define (pi-digits count)
  ;; Machin's formula in fixed point.
  (let ((one (expt 10 (+ count 10))))
    (define (arctan-inverse x)
      (let ((xx (* x x)))
        (let loop ((term (quotient one x)) (n 1) (sum 0) (sign 1))
          (if (= term 0)
              sum
              (loop (quotient term xx) (+ n 2) (+ sum (* sign (quotient term n))) (- sign))))))
    (quotient (* 4 (- (* 4 (arctan-inverse 5)) (arctan-inverse 239))) (expt 10 10))))

(define (run)
  (+ (modulo (factorial 8000) 1000000007)
     (modulo (fibonacci 120000) 1000000007)
     (modulo (pi-digits 6000) 1000000007)))
