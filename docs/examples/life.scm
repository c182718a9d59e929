;;; Conway's Game of Life: a glider crosses a small world whose edges meet.

(import (scheme base) (scheme write))

(define width 12)
(define height 8)

;;; A world is a vector of rows; a row is a vector of booleans.
(define (make-world alive?)
  (let ((world (make-vector height)))
    (do ((y 0 (+ y 1)))
        ((= y height) world)
      (let ((row (make-vector width)))
        (do ((x 0 (+ x 1)))
            ((= x width))
          (vector-set! row x (alive? x y)))
        (vector-set! world y row)))))

(define (alive? world x y)
  (vector-ref (vector-ref world (modulo y height)) (modulo x width)))

(define directions
  '((-1 . -1) (0 . -1) (1 . -1) (-1 . 0) (1 . 0) (-1 . 1) (0 . 1) (1 . 1)))

(define (neighbours world x y)
  (let loop ((directions directions) (count 0))
    (if (null? directions)
        count
        (loop (cdr directions)
              (if (alive? world (+ x (caar directions)) (+ y (cdar directions)))
                  (+ count 1)
                  count)))))

(define (next world)
  (make-world
   (lambda (x y)
     (case (neighbours world x y)
       ((3) #t)
       ((2) (alive? world x y))
       (else #f)))))

(define (show world)
  (vector-for-each
   (lambda (row)
     (vector-for-each (lambda (cell) (display (if cell "# " ". "))) row)
     (newline))
   world)
  (newline))

(define glider
  '((1 . 0) (2 . 1) (0 . 2) (1 . 2) (2 . 2)))

(define (after generations world)
  (if (= generations 0)
      world
      (after (- generations 1) (next world))))

(define start
  (make-world (lambda (x y) (and (member (cons x y) glider) #t))))

(show start)
(show (after 1 start))
(show (after 20 start))
