(import (scheme base) (srfi 64) (srfi 111))

(test-begin "srfi-111")

(test-group "contents"
  (test-eqv 1 (unbox (box 1)))
  (test-eqv 2 (let ((b (box 1))) (set-box! b 2) (unbox b)))
  (test-equal '(1) (unbox (unbox (box (box '(1)))))))

(test-group "box?"
  (test-assert (box? (box #f)))
  (test-assert (not (or (box? #f) (box? '(1)) (box? (vector 1)) (box? 'box))))
  (test-assert (let ((b (box 1)))
                 (not (or (pair? b) (vector? b) (procedure? b) (null? b) (symbol? b))))))

(test-group "identity"
  (test-assert (let ((b (box 1))) (and (eq? b b) (eqv? b b) (equal? b b))))
  (test-assert (let ((a (box 1)) (b (box 1))) (not (or (eq? a b) (eqv? a b))))))

(test-group "errors"
  (test-error error-object? (unbox 5))
  (test-error error-object? (set-box! '(1) 2)))

(test-end "srfi-111")
