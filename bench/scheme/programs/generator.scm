;;; Two tree walks in step, each suspended at every leaf and entered again: the same-fringe problem, against Python
;;; generators.
(import (scheme base))

(define (make-generator walk source)
  (define return #f)
  (define (resume)
    (walk source
          (lambda (item)
            (call/cc
             (lambda (rest)
               (set! resume (lambda () (rest #t)))
               (return item)))))
    (return 'done))
  (lambda ()
    (call/cc
     (lambda (k)
       (set! return k)
       (resume)))))

(define (walk tree yield)
  (cond ((pair? tree)
         (walk (car tree) yield)
         (walk (cdr tree) yield))
        (else (yield tree))))

(define (left-tree n tree)
  (if (= n 0) tree (left-tree (- n 1) (cons tree n))))

(define (balanced-tree low high)
  (if (= low high)
      low
      (let ((middle (quotient (+ low high) 2)))
        (cons (balanced-tree low middle) (balanced-tree (+ middle 1) high)))))

(define (rebuilt low middle high)
  (cons (balanced-tree low middle) (balanced-tree (+ middle 1) high)))

(define (same-fringe? a b)
  (let ((next-a (make-generator walk a)) (next-b (make-generator walk b)))
    (let loop ((count 0))
      (let ((x (next-a)) (y (next-b)))
        (cond ((and (eq? x 'done) (eq? y 'done)) count)
              ((eqv? x y) (loop (+ count 1)))
              (else #f))))))

(define (run)
  (same-fringe? (balanced-tree 0 60000) (rebuilt 0 22222 60000)))
