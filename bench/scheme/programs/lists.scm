;;; The list procedures that every Scheme programmer has written once: reverse, append, map, filter, fold.
(import (scheme base))

(define (count-up n)
  (let loop ((i (- n 1)) (out '()))
    (if (< i 0) out (loop (- i 1) (cons i out)))))

(define (reversed items)
  (let loop ((items items) (out '()))
    (if (null? items) out (loop (cdr items) (cons (car items) out)))))

(define (appended a b)
  (if (null? a) b (cons (car a) (appended (cdr a) b))))

(define (mapped f items)
  (if (null? items) '() (cons (f (car items)) (mapped f (cdr items)))))

(define (filtered keep? items)
  (cond ((null? items) '())
        ((keep? (car items)) (cons (car items) (filtered keep? (cdr items))))
        (else (filtered keep? (cdr items)))))

(define (folded f state items)
  (if (null? items) state (folded f (f (car items) state) (cdr items))))

(define (run)
  (let loop ((round 0) (sum 0))
    (if (= round 300)
        sum
        (let* ((items (count-up 500))
               (squares (mapped (lambda (x) (* x x)) items))
               (odds (filtered odd? squares)))
          (loop (+ round 1)
                (+ sum (folded + 0 (appended (reversed odds) items))))))))
