;;; The ten-queens problem, counting all solutions, with the placed queens in a list.
(import (scheme base))

(define (safe? row distance placed)
  (or (null? placed)
      (and (not (= (car placed) row))
           (not (= (car placed) (+ row distance)))
           (not (= (car placed) (- row distance)))
           (safe? row (+ distance 1) (cdr placed)))))

(define (queens size)
  (define (place column placed)
    (if (= column size)
        1
        (let try ((row 0) (count 0))
          (if (= row size)
              count
              (try (+ row 1)
                   (if (safe? row 1 placed)
                       (+ count (place (+ column 1) (cons row placed)))
                       count))))))
  (place 0 '()))

(define (run) (queens 10))
