;;; Strings that grow by a piece in each round of a loop, as a loop variable and by assignment.
(import (scheme base))

(define (letters n)
  (let loop ((i 0) (text ""))
    (if (= i n)
        text
        (loop (+ i 1) (string-append text "x" (if (even? i) "y" "z"))))))

(define (numbers n)
  (let ((text ""))
    (do ((i 0 (+ i 1)))
        ((= i n) text)
      (set! text (string-append text (number->string i) " ")))))

(define (run)
  (+ (string-length (letters 400000))
     (string-length (numbers 200000))))
