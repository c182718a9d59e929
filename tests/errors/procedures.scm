;;; calling a number
(display (5 1)) ; error 10: 5 … procedure

;;; calling a string
(define greeting "hello")
(greeting) ; error 1: "hello" … procedure

;;; calling the value of an expression
(define (f) 1)
((f)) ; error 1: 1 … procedure

;;; calling a list
(define (f items) (items 0)) ; error 19: (1 2 3) … procedure
(f '(1 2 3))

;;; an extra pair of parentheses
(define (f x) ((+ x 1))) ; error 15: 3 … procedure
(f 2)

;;; calling what a loop binds
(let loop ((g car))
  (g '(1)) ; error 3: 7 … procedure
  (loop 7))

;;; map of no procedure
(map 5 '(1 2)) ; error 1: 5 … procedure

;;; apply of no procedure
(apply "f" '(1 2)) ; error 1: apply: … procedure … "f"

;;; call/cc of no procedure
(call/cc 5) ; error 1: 5 … procedure

;;; dynamic-wind of a value
(dynamic-wind (lambda () 1) 2 (lambda () 3)) ; error 1: 2 … procedure

;;; a handler that is none
(with-exception-handler 5 (lambda () 1)) ; error 1: with-exception-handler … 5

;;; a converter that is none
(make-parameter 1 2) ; error 1: make-parameter: … procedure … 2

;;; an accessor on a record of another type
(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(define-record-type size (make-size x y) size? (x size-x) (y size-y))
(display (point-x (make-size 1 2))) ; error 10: point-x: … point … size

;;; an accessor on a number
(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(define (f p) (+ 1 (point-y p))) ; error 20: point-y: … point … 5
(f 5)

;;; a modifier on a vector
(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
(set-point-x! (vector 1) 2) ; error 1: set-point-x!: … point … #(1)

;;; an accessor passed on
(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(map point-x (list (make-point 1 2) 'two)) ; error 1: point-x: … point … two
