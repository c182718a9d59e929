;;; an index beyond the end
(define v (vector 1 2 3))
(display (vector-ref v 10)) ; error 10: vector-ref: … an index from 0 to 2, got 10

;;; a negative index, which Python would count from the end
(define v (vector 1 2 3))
(display (vector-ref v -1)) ; error 10: vector-ref: … an index from 0 to 2, got -1

;;; a negative index that is computed
(define (last v i) (vector-ref v (- i 1))) ; error 20: vector-ref: … an index from 0 to 2, got -1
(display (last (vector 1 2 3) 0))

;;; an index past the end that one of two operations gives
(define (pick v n)
  (vector-ref v (if (even? n) 0 (length '(a b c))))) ; error 3: vector-ref: … an index from 0 to 2, got 3
(display (pick (vector 1 2 3) 1))

;;; an index that is a flonum
(define v (vector 1 2 3))
(display (vector-ref v 1.5)) ; error 10: vector-ref: … an exact non-negative integer, got 1.5

;;; an index that is a flonum and whole
(define v (vector 1 2 3))
(display (vector-ref v 1.0)) ; error 10: vector-ref: … an exact non-negative integer, got 1.0

;;; an index that is a boolean, which Python would take for 1
(define v (vector 1 2 3))
(display (vector-ref v #t)) ; error 10: vector-ref: … an exact non-negative integer, got #t

;;; an index into nothing
(display (vector-ref (vector) 0)) ; error 10: vector-ref: … no elements … 0

;;; an index past the end in a loop
(define (sum v)
  (do ((i 0 (+ i 1))
       (total 0 (+ total (vector-ref v i)))) ; error 26: vector-ref: … an index from 0 to 2, got 3
      ((> i (vector-length v)) total)))
(sum (vector 1 2 3))

;;; vector-ref of a list
(display (vector-ref '(1 2) 0)) ; error 10: vector-ref: vector must be a vector, got (1 2)

;;; vector-ref of a string
(display (vector-ref "ab" 0)) ; error 10: vector-ref: vector must be a vector, got "ab"

;;; vector-set! at a negative index
(define v (vector 1 2 3))
(vector-set! v -1 0) ; error 1: vector-set!: … an index from 0 to 2, got -1

;;; vector-set! beyond the end
(define v (vector 1 2 3))
(vector-set! v 3 0) ; error 1: vector-set!: … an index from 0 to 2, got 3

;;; vector-length of a string
(display (vector-length "abc")) ; error 10: vector-length: vector must be a vector, got "abc"

;;; vector-fill! with the end before the start
(vector-fill! (vector 1 2 3) 0 2 1) ; error 1: vector-fill!: … 2

;;; make-vector of a negative length
(display (make-vector -1 0)) ; error 10: make-vector: … exact non-negative integer … -1

;;; make-vector larger than any memory
(display (make-vector 1000000000000 0)) ; error 10: make-vector: … limit

;;; string-ref beyond the end
(display (string-ref "abc" 3)) ; error 10: string-ref: … an index from 0 to 2, got 3

;;; string-ref at a negative index
(display (string-ref "abc" -1)) ; error 10: string-ref: … an index from 0 to 2, got -1

;;; string-ref of a symbol
(display (string-ref 'abc 0)) ; error 10: string-ref: string must be a string, got abc

;;; substring with the end before the start
(display (substring "hello" 3 2)) ; error 10: substring: … 3

;;; substring beyond the end
(display (substring "hello" 0 9)) ; error 10: substring: end … 0 to 5 … 9

;;; string-append of a number
(display (string-append "a" 5)) ; error 10: string-append: … string … 5

;;; string-length of a list
(display (string-length '(1))) ; error 10: string-length: string must be a string, got (1)

;;; string-set! of a constant
(string-set! "abc" 0 #\x) ; error 1: string-set!: … constant … string-copy

;;; string-set! of a string
(string-set! (make-string 3 #\a) 0 "x") ; error 1: string-set!: … character … "x"

;;; string=? of a symbol
(display (string=? "a" 'a)) ; error 10: string=?: … string … a

;;; string-upcase of a character
(import (scheme base) (scheme char) (scheme write))
(display (string-upcase #\a)) ; error 10: string-upcase: string must be a string, got #\a

;;; char=? of a string
(display (char=? #\a "a")) ; error 10: char=?: … character … "a"

;;; char->integer of a number
(display (char->integer 97)) ; error 10: char->integer: char must be a character, got 97

;;; integer->char of a surrogate
(display (integer->char #xD800)) ; error 10: integer->char: … surrogate

;;; symbol->string of a string
(display (symbol->string "a")) ; error 10: symbol->string: symbol must be a symbol, got "a"

;;; string->symbol of a symbol
(display (string->symbol 'a)) ; error 10: string->symbol: string must be a string, got a

;;; bytevector-u8-ref beyond the end
(display (bytevector-u8-ref (bytevector 1 2) 2)) ; error 10: bytevector-u8-ref: … an index from 0 to 1, got 2

;;; bytevector-u8-set! of 256
(bytevector-u8-set! (bytevector 1 2) 0 256) ; error 1: bytevector-u8-set!: … 0 to 255 … 256

;;; utf8->string of what is none
(display (utf8->string (bytevector 255))) ; error 10: utf8->string: … UTF-8

;;; get-output-string of an input port
(display (get-output-string (open-input-string ""))) ; error 10: get-output-string: … open-output-string

;;; read-char of a closed port
(define port (open-input-string "abc"))
(close-port port)
(display (read-char port)) ; error 10: read-char: … open

;;; write to a number
(display 1 2) ; error 1: display: port … 2
