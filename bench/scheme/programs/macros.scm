;;; A program in its own small language: while, for, swap!, unless-done, a counter macro and a matcher, all by
;;; syntax-rules; what they cost when the program runs. `compile` in the runner measures what they cost to expand.
(import (scheme base))

(define-syntax while
  (syntax-rules ()
    ((_ test body ...) (let loop () (when test body ... (loop))))))

(define-syntax for
  (syntax-rules (from below in)
    ((_ i from low below high body ...)
     (let ((end high)) (do ((i low (+ i 1))) ((>= i end)) body ...)))
    ((_ x in items body ...)
     (let loop ((rest items)) (unless (null? rest) (let ((x (car rest))) body ...) (loop (cdr rest)))))))

(define-syntax swap!
  (syntax-rules () ((_ a b) (let ((t a)) (set! a b) (set! b t)))))

(define-syntax increment!
  (syntax-rules () ((_ x) (increment! x 1)) ((_ x by) (set! x (+ x by)))))

(define-syntax my-or
  (syntax-rules () ((_) #f) ((_ e) e) ((_ e rest ...) (let ((t e)) (if t t (my-or rest ...))))))

(define-syntax match-operation
  (syntax-rules (else)
    ((_ op (else body)) body)
    ((_ op (name body) clause ...) (if (eq? op 'name) body (match-operation op clause ...)))))

(define (gcd-by-swaps a b)
  (while (not (= b 0))
    (set! a (remainder a b))
    (swap! a b))
  a)

(define (operate op a b)
  (match-operation op
    (add (+ a b))
    (subtract (- a b))
    (multiply (* a b))
    (else 0)))

(define (run)
  (let ((sum 0))
    (for i from 1 below 160000
      (increment! sum (gcd-by-swaps i 360360))
      (for op in '(add multiply subtract none)
        (increment! sum (operate op i 3)))
      (when (my-or (= i 1) (even? i) (= i 7))
        (increment! sum)))
    sum))
