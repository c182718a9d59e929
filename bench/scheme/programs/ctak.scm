;;; Takeuchi's function with every result returned through a continuation of its own.
(import (scheme base))

(define (ctak x y z)
  (call/cc (lambda (k) (ctak-return k x y z))))

(define (ctak-return k x y z)
  (if (not (< y x))
      (k z)
      (ctak-return
       k
       (call/cc (lambda (k) (ctak-return k (- x 1) y z)))
       (call/cc (lambda (k) (ctak-return k (- y 1) z x)))
       (call/cc (lambda (k) (ctak-return k (- z 1) x y))))))

(define (run) (ctak 17 8 3))
