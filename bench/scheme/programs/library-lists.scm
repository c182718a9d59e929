;;; The same kind of work through the library's own map, for-each, filter, fold, append, reverse and list-ref,
;;; against Python's lists.
(import (scheme base) (srfi 1))

(define (run)
  (let loop ((round 0) (sum 0))
    (if (= round 600)
        sum
        (let* ((items (iota 1000))
               (squares (map (lambda (x) (+ (* x x) round)) items))
               (thirds (filter (lambda (x) (= 0 (modulo x 3))) squares))
               (pairs (map (lambda (x y) (- x y)) squares items))
               (extra 0))
          (for-each (lambda (x) (set! extra (+ extra (* 2 x)))) thirds)
          (loop (+ round 1)
                (+ sum
                   extra
                   (fold (lambda (x state) (+ x state)) 0 (append (reverse pairs) items))
                   (length thirds)))))))
