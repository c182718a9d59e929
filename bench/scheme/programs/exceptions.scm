;;; guard and raise: errors caught at once, errors through several calls, bodies where nothing happens.
(import (scheme base))

(define (checked n)
  (cond ((= 0 (modulo n 3)) (raise 'fizz))
        ((= 0 (modulo n 5)) (error "not a number for this game" n))
        (else n)))

(define (outcome n)
  (guard (e ((symbol? e) 1)
            ((error-object? e) (length (error-object-irritants e))))
    (+ 2 (checked n))))

(define (nested depth n)
  (if (= depth 0)
      (checked n)
      (+ 1 (nested (- depth 1) n))))

(define (run)
  (do ((n 0 (+ n 1))
       (sum 0 (+ sum
                 (outcome n)
                 (guard (e (#t 7)) (nested 5 n)))))
      ((= n 100000) sum)))
