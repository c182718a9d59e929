;;; The slots <> and <...> are literals without a binding, as they are where they are used; so a
;;; program may import `cut` alone.

(define-syntax cut
  (syntax-rules ()
    ((_ item ...) (cut-items () () item ...))))

;; (cut-items (parameter ...) (operand ...) item ...)
(define-syntax cut-items
  (syntax-rules (<> <...>)
    ((_ parameters (operator operand ...))
     ;; `begin`, since the body must be a call also where the operator is the name of syntax.
     (lambda parameters ((begin operator) operand ...)))
    ((_ (parameter ...) (operator operand ...) <...>)
     (lambda (parameter ... . rest) (apply operator operand ... rest)))
    ((_ parameters () <...>)
     (syntax-error "a procedure or <> must come before <...>"))
    ((_ parameters operands <...> item ...)
     (syntax-error "<...> must come last in a cut expression"))
    ((_ (parameter ...) (operand ...) <> item ...)
     (cut-items (parameter ... slot) (operand ... slot) item ...))
    ((_ parameters (operand ...) expression item ...)
     (cut-items parameters (operand ... expression) item ...))))

(define-syntax cute
  (syntax-rules ()
    ((_ item ...) (cute-items () () () item ...))))

;; (cute-items (binding ...) (parameter ...) (operand ...) item ...)
(define-syntax cute-items
  (syntax-rules (<> <...>)
    ((_ bindings parameters (operator operand ...))
     (let bindings (lambda parameters (operator operand ...))))
    ((_ bindings (parameter ...) (operator operand ...) <...>)
     (let bindings (lambda (parameter ... . rest) (apply operator operand ... rest))))
    ((_ bindings parameters () <...>)
     (syntax-error "a procedure or <> must come before <...>"))
    ((_ bindings parameters operands <...> item ...)
     (syntax-error "<...> must come last in a cute expression"))
    ((_ bindings (parameter ...) (operand ...) <> item ...)
     (cute-items bindings (parameter ... slot) (operand ... slot) item ...))
    ((_ (binding ...) parameters (operand ...) expression item ...)
     (cute-items (binding ... (value expression)) parameters (operand ... value) item ...))))
