;;; Nested counting loops, as named let and as do, with an accumulator.
(import (scheme base))

(define (triangle-sum n)
  (let outer ((i 0) (sum 0))
    (if (= i n)
        sum
        (let inner ((j 0) (sum sum))
          (if (= j i)
              (outer (+ i 1) sum)
              (inner (+ j 1) (+ sum (* i j))))))))

(define (count-coprime-steps n)
  (do ((i 1 (+ i 1))
       (steps 0 (+ steps (do ((a n (remainder a b)) (b i (remainder b (if (= a 0) 1 a))) (k 0 (+ k 1)))
                             ((or (= a 0) (= b 0)) k)))))
      ((> i n) steps)))

(define (collatz-longest limit)
  (let next ((start 1) (best 0) (longest 0))
    (if (> start limit)
        (+ (* best 1000) longest)
        (let walk ((n start) (length 1))
          (cond ((= n 1)
                 (if (> length longest)
                     (next (+ start 1) start length)
                     (next (+ start 1) best longest)))
                ((even? n) (walk (quotient n 2) (+ length 1)))
                (else (walk (+ (* 3 n) 1) (+ length 1))))))))

(define (run)
  (+ (triangle-sum 1500) (count-coprime-steps 30000) (collatz-longest 16000)))
