;;; a slip of two letters
(display 1)
(displya 2) ; error 2: displya … did you mean display

;;; a slip in a name of the program
(define (area-of-circle r) (* 3 r r))
(display (area-of-cricle 2)) ; error 11: area-of-cricle … did you mean area-of-circle

;;; a slip in a local name
(define (f counter)
  (+ 1 countr)) ; error 8: countr … did you mean counter
(f 1)

;;; a name unlike any other
(define (f) (zxqwv 1)) ; error 14: zxqwv
(f)

;;; a name from another language
(define (second-of items) (nth items 1)) ; error 28: nth
(second-of '(1 2))

;;; a name that is defined later on
(define (g) (h 1)) ; error 14: h … before
(g)
(define (h x) x)

;;; letrec that looks before it is there
(letrec ((a b) (b 1)) a) ; error 13: b … before

;;; an internal definition that looks before it is there
(define (f)
  (define a (+ b 1)) ; error 16: b … before
  (define b 2)
  a)
(f)

;;; a name of a library that is not imported
(display (fold + 0 '(1 2))) ; error 11: unbound variable: fold … fold is in (srfi 1): (import (srfi 1))

;;; a name that a library keeps to itself
(display (map2 car '(1 2))) ; error 11: unbound variable: map2 … did you mean map?

;;; a variable that is defined by itself and not used
(define (five) (define x x) 5) ; error 26: x … before
(display (five))
