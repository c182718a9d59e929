(define-syntax rec
  (syntax-rules ()
    ((_ (name . formals) body1 body2 ...)
     (letrec ((name (lambda formals body1 body2 ...))) name))
    ((_ name expression)
     (letrec ((name expression)) name))))
