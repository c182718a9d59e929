;;; Leaving a recursive walk through the caller's own procedures by call/cc, against a Python exception.
(import (scheme base))

(define (make-tree depth first)
  (if (= depth 0)
      first
      (cons (make-tree (- depth 1) (* 2 first)) (make-tree (- depth 1) (+ 1 (* 2 first))))))

(define (walk tree visit)
  (cond ((pair? tree)
         (walk (car tree) visit)
         (walk (cdr tree) visit))
        (else (visit tree))))

(define (find-leaf wanted? tree)
  (call/cc
   (lambda (return)
     (walk tree (lambda (leaf) (if (wanted? leaf) (return leaf))))
     #f)))

(define (run)
  (let ((tree (make-tree 6 1)))
    (do ((i 0 (+ i 1))
         (sum 0 (+ sum (find-leaf (lambda (leaf) (= 0 (modulo leaf 5))) tree))))
        ((= i 60000) sum))))
