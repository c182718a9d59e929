;;; Building text with string-append, number->string, substring and string-upcase.
(import (scheme base) (scheme char))

(define (row i)
  (string-append "item-" (number->string i) "," (number->string (* i i)) "," (if (even? i) "even" "odd") "\n"))

(define (initials words)
  (let loop ((words words) (out ""))
    (if (null? words)
        out
        (loop (cdr words) (string-append out (substring (car words) 0 1))))))

(define (run)
  (let loop ((i 0) (size 0) (marks 0))
    (if (= i 150000)
        (+ size marks)
        (let ((text (row i)))
          (loop (+ i 1)
                (+ size (string-length text))
                (if (string=? (initials (list (string-upcase (substring text 0 4)) text "none")) "Iin")
                    (+ marks 1)
                    marks))))))
