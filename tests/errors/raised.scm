;;; error with irritants
(define (check age)
  (if (< age 0) (error "an age cannot be negative:" age 'years))) ; error 17: an age cannot be negative: -5 years
(check -5)

;;; error with a message that is no string
(error 'my-procedure "went wrong" 42) ; error 1: my-procedure "went wrong" 42

;;; error in a tail call
(define (fail) (error "no way on")) ; error 16: no way on
(define (go) (fail))
(go)

;;; an assumption that does not hold
(import (scheme base) (srfi 145))
(define (half n)
  (assume (even? n)) ; error 3: (even? n)
  (quotient n 2))
(half 3)

;;; an object raised that is no condition
(define (f) (raise 'out-of-cheese)) ; error 13: out-of-cheese
(f)

;;; a list raised
(raise (list 1 "two" #\3)) ; error 1: (1 "two" #\3)

;;; a number raised, continuably, with nobody to continue
(+ 1 (raise-continuable 42)) ; error 6: 42

;;; a handler that returns from raise
(with-exception-handler
  (lambda (e) 'ignored)
  (lambda () (+ 1 (raise 'oops)))) ; error 19: handler returned

;;; a handler that returns from an error
(with-exception-handler
  (lambda (e) 10)
  (lambda () (+ 1 (car 5)))) ; error 19: handler returned

;;; an error in a handler
(with-exception-handler
  (lambda (e) (car e)) ; error 15: car: pair must be a pair, got oops
  (lambda () (raise 'oops)))

;;; guard that lets a condition pass
(define (f)
  (guard (e ((string? e) 'text))
    (vector-ref (vector 1) 1))) ; error 5: vector-ref: k
(f)

;;; guard whose clause fails
(guard (e (#t (car e))) ; error 15: car: pair must be a pair, got 5
  (raise 5))

;;; an error in an after thunk
(dynamic-wind
  (lambda () #t)
  (lambda () 1)
  (lambda () (error "in the after thunk"))) ; error 14: in the after thunk

;;; an error in a procedure that a library procedure calls
(vector-map (lambda (x) (/ 1 x)) #(2 1 0)) ; error 25: /: division by zero

;;; an error in a thunk of call-with-values
(call-with-values (lambda () (error "no values today")) list) ; error 30: no values today

;;; an error in a parameter's converter
(define (checked x)
  (if (number? x) x (error "a number, please:" x))) ; error 21: a number, please: "2"
(define p (make-parameter 1 checked))
(parameterize ((p "2")) (p))

;;; an error in a promise
(force (delay (car '()))) ; error 15: car: pair must be a pair, got ()

;;; an error while a macro's expansion runs
(define-syntax first-of
  (syntax-rules () ((_ items) (car items))))
(first-of 9) ; error 1: car: pair must be a pair, got 9

;;; eval of a bad expression
(import (scheme base) (scheme eval))
(eval '(car 5) (environment '(scheme base))) ; error 1: car: pair must be a pair, got 5
