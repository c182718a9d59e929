(import (scheme base) (srfi 64) (nodwyn checks))

;; The message and the irritants of the error that `thunk` raises, or (accepted).
(define (outcome thunk)
  (guard (object (#t (cons (error-object-message object) (error-object-irritants object))))
    (thunk)
    '(accepted)))

(define circle (let ((pair (list 1))) (set-cdr! pair pair) pair))

(test-begin "nodwyn-checks")

(test-group "what is accepted"
  (test-equal '(accepted)
    (outcome (lambda ()
               (let ((items '(1 2)) (n 0))
                 (check-procedure "f" "p" car)
                 (check-list "f" "items" items)
                 (check-count "f" "n" n)
                 (check-number "f" "n" n)
                 (check-range "f" 3 0 3)
                 (check-range "f" 3 3 3))))))

(test-group "what is rejected"
  (test-equal '("f: p must be a procedure, got" 5)
    (outcome (lambda () (check-procedure "f" "p" 5))))
  (test-equal '("f: items must be a proper list, got" (1 . 2))
    (outcome (lambda () (check-list "f" "items" '(1 . 2)))))
  (test-equal "f: items must be a proper list, got"
    (car (outcome (lambda () (check-list "f" "items" circle)))))
  (test-equal '("f: n must be a non-negative exact integer, got" -1)
    (outcome (lambda () (check-count "f" "n" -1))))
  (test-equal '("f: n must be a non-negative exact integer, got" 1.0)
    (outcome (lambda () (check-count "f" "n" 1.0))))
  (test-equal '("f: n must be a number, got" a)
    (outcome (lambda () (check-number "f" "n" 'a))))
  (test-equal '("f: end must be an index from 0 to 3, got" 4)
    (outcome (lambda () (check-range "f" 3 0 4))))
  (test-equal '("f: start must be an index from 0 to 2, got" 3)
    (outcome (lambda () (check-range "f" 3 3 2))))
  (test-equal '("f: start must be an index from 0 to 2, got" -1)
    (outcome (lambda () (check-range "f" 3 -1 2)))))

(test-end "nodwyn-checks")
