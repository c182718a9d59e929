(define-syntax define-curried
  (syntax-rules ()
    ((_ ((head . outer) . inner) form ...)
     (define-curried (head . outer) (lambda inner form ...)))
    ((_ (name . formals) form ...)
     (define (name . formals) form ...))
    ((_ name expression)
     (define name expression))))
