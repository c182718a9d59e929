;;; A series in flonums: one loop, one division, a sign that flips.
(import (scheme base) (scheme inexact))

(define (leibniz terms)
  (let loop ((k 0) (sign 1.0) (sum 0.0))
    (if (= k terms)
        (* 4.0 sum)
        (loop (+ k 1) (- sign) (+ sum (/ sign (+ (* 2.0 k) 1.0)))))))

(define (norms n)
  (do ((i 0 (+ i 1))
       (x 0.5 (- (* 3.5 x) (* 3.5 x x)))
       (sum 0.0 (+ sum (sqrt x))))
      ((= i n) sum)))

(define (run) (+ (leibniz 700000) (norms 700000)))
