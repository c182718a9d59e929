(define-syntax receive
  (syntax-rules ()
    ((_ formals expression body1 body2 ...)
     (call-with-values
      (lambda () expression)
      (lambda formals body1 body2 ...)))))
