(define (reject who parameter expected object)
  (error (string-append who ": " parameter " must be " expected ", got") object))

(define-syntax check-procedure
  (syntax-rules ()
    ((_ who parameter object)
     (unless (procedure? object)
       (reject who parameter "a procedure" object)))))

(define-syntax check-list
  (syntax-rules ()
    ((_ who parameter object)
     (unless (list? object)
       (reject who parameter "a proper list" object)))))

(define-syntax check-count
  (syntax-rules ()
    ((_ who parameter object)
     (unless (and (exact-integer? object) (>= object 0))
       (reject who parameter "a non-negative exact integer" object)))))

(define-syntax check-number
  (syntax-rules ()
    ((_ who parameter object)
     (unless (number? object)
       (reject who parameter "a number" object)))))

(define (check-range who length start end)
  (unless (and (exact-integer? end) (<= 0 end length))
    (reject who "end" (string-append "an index from 0 to " (number->string length)) end))
  (unless (and (exact-integer? start) (<= 0 start end))
    (reject who "start" (string-append "an index from 0 to " (number->string end)) start)))
