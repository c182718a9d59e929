;;; The sieve of Eratosthenes on a vector of booleans.
(import (scheme base))

(define (sieve limit)
  (let ((prime? (make-vector (+ limit 1) #t)))
    (let next ((i 2) (count 0))
      (cond ((> i limit) count)
            ((vector-ref prime? i)
             (do ((j (* i i) (+ j i)))
                 ((> j limit))
               (vector-set! prime? j #f))
             (next (+ i 1) (+ count 1)))
            (else (next (+ i 1) count))))))

(define (run) (sieve 1500000))
