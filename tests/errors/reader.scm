;;; a closing parenthesis is missing
(define (f x)
  (let ((y (* x 2)) ; error 3: closing parenthesis … missing … 3:3 … 2:1
    (+ y 1))

;;; a closing parenthesis is missing, and a new form at the margin shows where
(define (f x) ; error 1: closing parenthesis … missing … line 10 begins a new form
  (* x 2)

(define (g x)
  (+ x 1))

;;; a closing parenthesis too many
(define x 1)) ; error 13: unexpected )

;;; a string without its end
(display "no end) ; error 10: string is not closed

;;; a symbol without its end
(display '|no end) ; error 11: symbol is not closed

;;; an unknown escape in a string
(display "a\qb") ; error 12: unknown escape \q

;;; an unknown character name
(display #\spice) ; error 10: spice … did you mean … space

;;; a word that begins as a number does
(+ 1 2x) ; error 6: 2x is neither a number nor a symbol

;;; a number with a wrong digit
(+ 1 #b102) ; error 6: #b102 is not a number … 0 and 1

;;; brackets
(let ([x 1]) x) ; error 7: unexpected [ … use ( and )

;;; an octet that is none
#u8(1 2 256) ; error 9: 256 is not an element of a bytevector … 0 to 255

;;; a dot with nothing before it
'(. b) ; error 3: a dot needs a datum before it

;;; two data after a dot
'(a . b c) ; error 9: only one datum may follow the dot

;;; a quote with nothing behind it
(list 1 ') ; error 9: ' has no datum

;;; a datum comment with nothing to leave out
(list 1 #;) ; error 9: #; has no datum to leave out

;;; an unknown kind of datum
(list #<procedure>) ; error 7: #<…> shows a value that has no written form

;;; an unknown directive
#!fold-cse ; error 1: unknown directive … did you mean #!fold-case

;;; a block comment without its end
(list 1 2)
#| error: it begins here ; error 1: comment is not closed

;;; a datum label that names nothing
'(1 #3#) ; error 5: the label #3# is not defined
