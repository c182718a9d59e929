;;; Generations of a game of life on a torus: vectors of vectors, indices around the edges.
(import (scheme base))

(define size 48)

(define (cell grid i j)
  (vector-ref (vector-ref grid (modulo i size)) (modulo j size)))

(define (neighbours grid i j)
  (+ (cell grid (- i 1) (- j 1))
     (cell grid (- i 1) j)
     (cell grid (- i 1) (+ j 1))
     (cell grid i (- j 1))
     (cell grid i (+ j 1))
     (cell grid (+ i 1) (- j 1))
     (cell grid (+ i 1) j)
     (cell grid (+ i 1) (+ j 1))))

(define (make-grid)
  (let ((grid (make-vector size)))
    (do ((i 0 (+ i 1)))
        ((= i size) grid)
      (vector-set! grid i (make-vector size 0)))))

(define (generation grid)
  (let ((next (make-grid)))
    (do ((i 0 (+ i 1)))
        ((= i size) next)
      (do ((j 0 (+ j 1)))
          ((= j size))
        (let ((count (neighbours grid i j)))
          (vector-set! (vector-ref next i)
                       j
                       (if (or (= count 3) (and (= count 2) (= 1 (cell grid i j)))) 1 0)))))))

(define (population grid)
  (apply + (map (lambda (row) (apply + (vector->list row))) (vector->list grid))))

(define (run)
  (let ((grid (make-grid)))
    (for-each (lambda (place) (vector-set! (vector-ref grid (car place)) (cdr place) 1))
              '((1 . 2) (2 . 3) (3 . 1) (3 . 2) (3 . 3) (20 . 20) (20 . 21) (20 . 22)))
    (let loop ((round 0) (grid grid))
      (if (= round 30)
          (population grid)
          (loop (+ round 1) (generation grid))))))
