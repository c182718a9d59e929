(import (scheme base) (srfi 64) (srfi 39))

(define (boolean-or-error x)
  (if (boolean? x) x (error "expected a boolean" x)))

(test-begin "srfi-39")

(test-group "make-parameter"
  (test-eqv 10 ((make-parameter 10)))
  (test-eqv 11 ((make-parameter 10 (lambda (x) (+ x 1)))))
  (test-error (make-parameter 0 boolean-or-error)))

(test-group "setting"
  (test-eqv 2 (let ((p (make-parameter 10))) (p 2) (p)))
  (test-equal "the converter is applied" "2"
    (let ((p (make-parameter 10 number->string))) (p 2) (p)))
  (test-equal "a refused value changes nothing" '(refused #t)
    (let* ((p (make-parameter #t boolean-or-error))
           (outcome (guard (object (#t 'refused)) (p 5))))
      (list outcome (p))))
  (test-equal "a value set inside a parameterize is undone at its end" '(1 3 0)
    (let ((p (make-parameter 0)) (seen '()))
      (define (note) (set! seen (cons (p) seen)))
      (parameterize ((p 1)) (note) (p 3) (note))
      (note)
      (reverse seen)))
  (test-eqv "an inner parameterize of another parameter undoes nothing" 5
    (let ((p (make-parameter 0)) (q (make-parameter 0)))
      (parameterize ((p 1))
        (parameterize ((q 2)) (p 5))
        (p))))
  (test-error ((make-parameter 0) 1 2)))

(test-group "parameterize"
  (test-equal '(16 10)
    (let* ((radix (make-parameter 10)) (inside (parameterize ((radix 16)) (radix))))
      (list inside (radix))))
  (test-equal "the converter is applied" '(("1") ("0"))
    (let* ((p (make-parameter 0 (lambda (x) (list (number->string x)))))
           (inside (parameterize ((p 1)) (p))))
      (list inside (p))))
  (test-equal "the values are computed outside" "1010"
    (let ((radix (make-parameter 2)) (prompt (make-parameter "")))
      (parameterize ((radix 8) (prompt (number->string 10 (radix)))) (prompt))))
  (test-equal "procedures see the binding of their callers" '("12" "1010")
    (let* ((radix (make-parameter 2)) (f (lambda (n) (number->string n (radix)))))
      (let ((inside (parameterize ((radix 8)) (f 10))))
        (list inside (f 10)))))
  (test-eqv "the body may have definitions" 3
    (let ((p (make-parameter 0)))
      (parameterize ((p 1))
        (define two (+ (p) 1))
        (+ two (p)))))
  (test-eqv "an exit restores the outer value" 0
    (let ((p (make-parameter 0)))
      (call-with-current-continuation
       (lambda (leave) (parameterize ((p 1)) (leave #f))))
      (p)))
  (test-error (parameterize ((5 1)) 'no-parameter)))

(test-group "the current ports are parameters"
  (test-equal "written"
    (let ((port (open-output-string)))
      (parameterize ((current-output-port port))
        (write-string "written"))
      (get-output-string port)))
  (test-eqv #\x
    (parameterize ((current-input-port (open-input-string "x")))
      (read-char))))

(test-end "srfi-39")
