;;; too few arguments
(define (area width height) (* width height))
(display (area 3)) ; error 10: area … (area width height) … 1

;;; too many arguments
(define (area width height) (* width height))
(display (area 3 4 5)) ; error 10: area … (area width height) … 3

;;; none where one is needed
(define (twice x) (* 2 x))
(twice) ; error 1: twice … (twice x)

;;; too few for a rest list
(define (at-least-two a b . more) more)
(at-least-two 1) ; error 1: at-least-two … (at-least-two a b . more) … 1

;;; a local procedure
(define (f)
  (define (inner x) x)
  (inner 1 2)) ; error 3: inner … (inner x) … 2
(f)

;;; an anonymous procedure
((lambda (x y) x) 1) ; error 1: argument

;;; a procedure passed on
(define (apply-it f) (f 1 2 3)) ; error 22: argument
(apply-it (lambda (x) x))

;;; a procedure passed to map
(map (lambda (x y) x) '(1 2)) ; error 1: argument

;;; case-lambda without a clause for it
(define area (case-lambda ((r) (* r r)) ((w h) (* w h))))
(area 1 2 3) ; error 1: area … 3

;;; a builtin with too few
(display (cons 1)) ; error 10: cons … 1

;;; a builtin with too many
(display (car '(1) '(2))) ; error 10: car … 2

;;; a builtin that is written out, with too many
(display (vector-ref (vector 1 2) 0 1)) ; error 10: vector-ref … 3

;;; minus of nothing
(display (-)) ; error 10: -

;;; a builtin reached through a variable
(define (f g) (g 1 2)) ; error 15: car … 2
(f car)

;;; apply with a list too long
(define (two a b) a)
(apply two '(1 2 3)) ; error 1: two … (two a b) … 3

;;; a record constructor
(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(make-point 1) ; error 1: make-point … (make-point x y) … 1

;;; a continuation of one value given two
(+ 1 (call/cc (lambda (k) (k 1 2)))) ; error 1: values

;;; a receiver of two values given three
(call-with-values (lambda () (values 1 2 3)) (lambda (a b) a)) ; error 1: 2 values … 3

;;; two values where one belongs
(display (+ 1 (values 1 2))) ; error 10: values

;;; two variables, three values
(let-values (((a b) (values 1 2 3))) a) ; error 1: 3
