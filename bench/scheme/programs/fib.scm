;;; Two non-tail calls of a global procedure and small integer arithmetic, nothing else.
(import (scheme base))

(define (fib n)
  (if (< n 2)
      n
      (+ (fib (- n 1)) (fib (- n 2)))))

(define (run) (fib 30))
