;;; vector-map of a number
(define (five) 5)
(vector-map + (five)) ; error 1: vector-map: vector must be a vector, got 5

;;; vector-map of several, one of which is a string
(vector-map + #(1) "a" #(2)) ; error 1: vector-map: vector must be a vector, got "a"

;;; vector-for-each of a list, with the body written out
(vector-for-each (lambda (x) (display x)) '(1)) ; error 1: vector-for-each: vector must be a vector, got (1)

;;; vector-for-each of several
(vector-for-each + #(1) #(2) 5) ; error 1: vector-for-each: vector must be a vector, got 5

;;; string-map of a number
(string-map char-upcase 5) ; error 1: string-map: string must be a string, got 5

;;; string-map of several
(string-map (lambda (a b) a) "a" 'b) ; error 1: string-map: string must be a string, got b

;;; string-for-each of a number
(string-for-each display 3) ; error 1: string-for-each: string must be a string, got 3

;;; string-for-each of several
(string-for-each list "a" 3) ; error 1: string-for-each: string must be a string, got 3

;;; first of nothing
(import (scheme base) (srfi 1))
(first '()) ; error 1: first: lst must be a list of at least 1 element, got ()

;;; third of a list of two, called by map
(import (scheme base) (srfi 1))
(map third '((1 2))) ; error 1: third: lst must be a list of at least 3 elements, got (1 2)

;;; seventh of a list of one
(import (scheme base) (srfi 1))
(seventh '(1)) ; error 1: seventh: lst must be a list of at least 7 elements, got (1)

;;; last of nothing
(import (scheme base) (srfi 1))
(last '()) ; error 1: last: pair must be a pair, got ()

;;; map without arguments
(map) ; error 1: map: takes 2 or more arguments, got 0

;;; a case-lambda with gaps
(define f (case-lambda ((a) 1) ((a b c) 2) ((a b c d) 2) ((a b c d e f . g) 3)))
(f 1 2) ; error 1: f: takes 1, 3, 4 or 6 or more arguments, got 2

;;; a case-lambda with neighbours
(define f (case-lambda ((a) 1) ((a b) 2) ((a b c) 3) ((a b c d e) 5)))
(f) ; error 1: f: takes 1 to 3 or 5 arguments, got 0

;;; a case-lambda of one clause
(define f (case-lambda ((a) 1)))
(f) ; error 1: f: takes 1 argument, got 0

;;; a case-lambda whose last clauses are one
(define f (case-lambda ((a) 1) ((a b . c) 2)))
(f) ; error 1: f: takes 1 or more arguments, got 0

;;; a case-lambda without clauses
(define f (case-lambda))
(f) ; error 1: f: takes no number of arguments, got 0
