;;; Numbers to text and back: integers, other radices, flonums.
(import (scheme base))

(define (run)
  (let loop ((i 0) (sum 0) (flonums 0.0))
    (if (= i 100000)
        (+ sum flonums)
        (let ((text (number->string (* i 7919))) (hex (number->string i 16)))
          (loop (+ i 1)
                (+ sum (string->number text) (string->number hex 16) (string-length hex))
                (+ flonums (string->number (number->string (/ i 8.0)))))))))
