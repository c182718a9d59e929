;;; Association lists with symbol keys: lookup, update by rebuilding, deletion.
(import (scheme base))

(define names '(alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi))

(define (updated key value table)
  (cond ((null? table) (list (cons key value)))
        ((eq? (caar table) key) (cons (cons key value) (cdr table)))
        (else (cons (car table) (updated key value (cdr table))))))

(define (lookup key table default)
  (let ((entry (assq key table)))
    (if entry (cdr entry) default)))

(define (run)
  (let loop ((i 0) (rest names) (table '()))
    (cond ((= i 120000) (apply + (map cdr table)))
          ((null? rest) (loop i names table))
          (else
           (loop (+ i 1)
                 (cdr rest)
                 (updated (car rest) (+ 1 i (lookup (car rest) table 0)) table))))))
