;;; The distance of two strings: a table of two rows, the least of three numbers for each of its cells.
(import (scheme base))

(define (distance a b)
  (let ((m (string-length a)) (n (string-length b)))
    (let ((row (make-vector (+ n 1) 0)) (next (make-vector (+ n 1) 0)))
      (do ((j 0 (+ j 1)))
          ((> j n))
        (vector-set! row j j))
      (let loop ((i 1) (row row) (next next))
        (cond ((> i m) (vector-ref row n))
              (else
               (vector-set! next 0 i)
               (do ((j 1 (+ j 1)))
                   ((> j n))
                 (let ((cost (if (char=? (string-ref a (- i 1)) (string-ref b (- j 1))) 0 1)))
                   (vector-set! next
                                j
                                (min (+ 1 (vector-ref row j))
                                     (+ 1 (vector-ref next (- j 1)))
                                     (+ cost (vector-ref row (- j 1)))))))
               (loop (+ i 1) next row)))))))

(define (run)
  (let loop ((round 0) (sum 0))
    (if (= round 200)
        sum
        (loop (+ round 1)
              (+ sum
                 (distance "the quick brown fox jumps over the lazy dog"
                           "pack my box with five dozen liquor jugs today"))))))
