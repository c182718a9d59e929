(import (scheme base) (srfi 64) (srfi 9))

(define-record-type pare
  (kons x y)
  pare?
  (x kar set-kar!)
  (y kdr))

(define-record-type <same-fields>
  (make-same-fields x y)
  same-fields?
  (x same-fields-x)
  (y same-fields-y))

;; The constructor takes the fields in an order of its own, and not all of them.
(define-record-type partial
  (make-partial c a)
  partial?
  (a partial-a)
  (b partial-b set-partial-b!)
  (c partial-c))

(test-begin "srfi-9")

(test-group "construction and access"
  (test-eqv 1 (kar (kons 1 2)))
  (test-eqv 2 (kdr (kons 1 2)))
  (test-equal '(1 2) (let ((p (make-partial 2 1))) (list (partial-a p) (partial-c p))))
  (test-eqv 'set (let ((p (make-partial 2 1))) (set-partial-b! p 'set) (partial-b p)))
  (test-eqv 3 (let ((p (kons 1 2))) (set-kar! p 3) (kar p))))

(test-group "types are disjoint"
  (test-equal '(#t #f #f #f #f)
    (map pare? (list (kons 1 2) (make-same-fields 1 2) (cons 1 2) (vector 'pare 1 2) 'pare)))
  (test-equal '(#f #f #f #f)
    (map (lambda (is?) (is? (kons 1 2))) (list pair? vector? procedure? symbol?)))
  (test-assert "each evaluation makes a type of its own"
    (let ()
      (define (make)
        (define-record-type local (make-local) local?)
        (cons make-local local?))
      (let ((first (make)) (second (make)))
        (and ((cdr first) ((car first)))
             (not ((cdr second) ((car first)))))))))

(test-group "errors"
  (test-error error-object? (kar (make-same-fields 1 2)))
  (test-error error-object? (kar 5))
  (test-error error-object? (set-kar! '(1 . 2) 3))
  (test-error (kons 1))
  (test-error (kons 1 2 3)))

(test-end "srfi-9")
