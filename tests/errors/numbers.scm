;;; plus a boolean
(display (+ #t 1)) ; error 10: +: … number … #t

;;; plus a symbol
(display (+ 'a 1)) ; error 10: +: … number … a

;;; plus a string
(display (+ 1 "2")) ; error 10: +: … number … "2"

;;; plus a character
(display (+ 1 #\2)) ; error 10: +: … number … #\2

;;; times the empty list
(define (square-all items) (* items items)) ; error 28: *: … number … (1 2)
(square-all '(1 2))

;;; times a string, which Python would repeat
(display (* 3 "ab")) ; error 10: *: … number … "ab"

;;; minus a vector
(display (- 5 #(1))) ; error 10: -: … number … #(1)

;;; the negative of a symbol
(display (- 'x)) ; error 10: -: … number … x

;;; less than a symbol
(display (< 1 'a)) ; error 10: <: … real number … a

;;; equal to a symbol
(display (= 'a 1)) ; error 10: =: … number … a

;;; equal to a boolean
(display (= 1 #f)) ; error 10: =: … number … #f

;;; two strings are no numbers
(display (= "1" "1")) ; error 10: =: … number … "1"

;;; comparing strings with <
(display (< "a" "b")) ; error 10: <: … real number … "a"

;;; comparing complex numbers
(display (< 1+i 2)) ; error 10: <: … real number … 1+i

;;; the third of three
(display (< 1 2 'c)) ; error 10: <: … real number … c

;;; a sum in a loop
(define (sum items)
  (let loop ((items items) (total 0))
    (if (null? items)
        total
        (loop (cdr items) (+ total (car items)))))) ; error 27: +: … number … three
(sum '(1 2 three))

;;; division by zero
(display (/ 1 0)) ; error 10: /: division by zero

;;; division of a flonum by an exact zero
(display (/ 1.5 0)) ; error 10: /: division by zero

;;; quotient by zero
(display (quotient 7 0)) ; error 10: quotient: division by zero

;;; modulo by zero
(define (f n) (modulo n (- n n))) ; error 15: modulo: division by zero
(f 3)

;;; quotient of a fraction
(display (quotient 1/2 2)) ; error 10: quotient: … integer … 1/2

;;; even? of a flonum that is no integer
(display (even? 1.5)) ; error 10: even?: … integer … 1.5

;;; zero? of a list
(display (zero? '())) ; error 10: zero?: … number … ()

;;; sqrt of a string
(display (sqrt "4")) ; error 10: sqrt: … number … "4"

;;; exact of infinity
(display (exact (/ 1. 0.))) ; error 10: exact: … finite … +inf.0

;;; max of a symbol
(display (max 1 'b)) ; error 10: max: … real number … b

;;; expt of a string
(display (expt 2 "3")) ; error 10: expt: … number … "3"

;;; number->string of no number
(display (number->string 'x)) ; error 10: number->string: … number … x

;;; number->string in a radix that there is not
(display (number->string 10 1)) ; error 10: number->string: radix … 1

;;; string->number of a number
(display (string->number 10)) ; error 10: string->number: string must be a string, got 10

;;; an exact result without bound
(define (tower n) (expt 10 (expt 10 n))) ; error 19: expt: … bits
(tower 9)

;;; equal to a procedure
(display (= car 5)) ; error 10: =: … number … #<procedure car>

;;; zero, as a procedure
(define (f x) x)
(display (zero? f)) ; error 10: zero?: … number … #<procedure f>
