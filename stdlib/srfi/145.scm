(define-syntax assume
  (syntax-rules ()
    ((_ expression message ...)
     (or expression
         (error "this assumption does not hold:" 'expression message ...)))))
