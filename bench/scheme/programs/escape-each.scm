;;; Leaving a for-each early through call/cc, against a Python exception out of a function that visits each element.
(import (scheme base))

(define (find-first wanted? items)
  (call/cc
   (lambda (return)
     (for-each (lambda (x) (when (wanted? x) (return x))) items)
     #f)))

(define (run)
  (let ((items '(1 3 5 7 9 11 13 15 18 20 21)))
    (do ((i 0 (+ i 1))
         (sum 0 (+ sum (or (find-first even? items) 0) (or (find-first negative? items) 1))))
        ((= i 30000) sum))))
