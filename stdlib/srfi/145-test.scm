(import (scheme base) (srfi 64) (srfi 145))

(test-begin "srfi-145")

(test-group "assumptions that hold"
  (test-eqv #t (assume (= 1 1)))
  (test-equal "the value is that of the expression" '(b c) (assume (memq 'b '(a b c)) "is there"))
  (test-eqv "messages are not evaluated" 1 (assume 1 (car '()))))

(test-group "assumptions that do not hold"
  (test-error error-object? (assume #f))
  (test-equal '("this assumption does not hold:" (= x 2) "x is two" 1)
    (let ((x 1))
      (guard (object (#t (cons (error-object-message object) (error-object-irritants object))))
        (assume (= x 2) "x is two" x)))))

(test-end "srfi-145")
