;;; Leaving a loop in the procedure's own body through call/cc: a search for a divisor, against return.
(import (scheme base))

(define (smallest-divisor n)
  (call/cc
   (lambda (return)
     (do ((d 2 (+ d 1)))
         ((> (* d d) n) n)
       (when (= 0 (remainder n d))
         (return d))))))

(define (run)
  (do ((n 2 (+ n 1))
       (sum 0 (+ sum (smallest-divisor n))))
      ((= n 90000) sum)))
