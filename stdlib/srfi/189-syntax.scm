;; Syntax. The macros for Maybe and Either differ in the procedures that they use, which they hand on.

(define (checked-maybe who object)
  (check-maybe who object)
  object)

(define (checked-either who object)
  (check-either who object)
  object)

(define-syntax maybe-if
  (syntax-rules ()
    ((_ maybe consequent alternative)
     (if (just? (checked-maybe "maybe-if" maybe))
         consequent
         alternative))))

(define-syntax maybe-and
  (syntax-rules ()
    ((_) (just #t))
    ((_ maybe) (checked-maybe "maybe-and" maybe))
    ((_ maybe . rest)
     (let ((value (checked-maybe "maybe-and" maybe)))
       (if (just? value) (maybe-and . rest) value)))))

(define-syntax either-and
  (syntax-rules ()
    ((_) (right #t))
    ((_ either) (checked-either "either-and" either))
    ((_ either . rest)
     (let ((value (checked-either "either-and" either)))
       (if (right? value) (either-and . rest) value)))))

(define-syntax maybe-or
  (syntax-rules ()
    ((_) (nothing))
    ((_ maybe) (checked-maybe "maybe-or" maybe))
    ((_ maybe . rest)
     (let ((value (checked-maybe "maybe-or" maybe)))
       (if (just? value) value (maybe-or . rest))))))

(define-syntax either-or
  (syntax-rules ()
    ((_) (left #f))
    ((_ either) (checked-either "either-or" either))
    ((_ either . rest)
     (let ((value (checked-either "either-or" either)))
       (if (right? value) value (either-or . rest))))))

;; (let-claws who checked success? payload wrap claws body) for one value in each container.
(define-syntax let-claws
  (syntax-rules ()
    ((_ who checked success? payload wrap () body)
     (call-with-values (lambda () (let () . body)) wrap))
    ((_ who checked success? payload wrap ((variable expression) . claws) body)
     (let ((container (checked who expression)))
       (if (success? container)
           (let ((variable (only-value who (payload container))))
             (let-claws who checked success? payload wrap claws body))
           container)))
    ((_ who checked success? payload wrap ((expression) . claws) body)
     (let ((container (checked who expression)))
       (if (success? container)
           (begin
             (only-value who (payload container))
             (let-claws who checked success? payload wrap claws body))
           container)))
    ((_ who checked success? payload wrap (identifier . claws) body)
     (let-claws who checked success? payload wrap ((identifier) . claws) body))))

(define-syntax maybe-let*
  (syntax-rules ()
    ((_ claws . body)
     (let-claws "maybe-let*" checked-maybe just? just-payload just claws body))))

(define-syntax either-let*
  (syntax-rules ()
    ((_ claws . body)
     (let-claws "either-let*" checked-either right? right-payload right claws body))))

;; The same for any number of values, which formals take.
(define-syntax let-values-claws
  (syntax-rules ()
    ((_ who checked success? payload wrap () body)
     (call-with-values (lambda () (let () . body)) wrap))
    ((_ who checked success? payload wrap ((formals expression) . claws) body)
     (let ((container (checked who expression)))
       (if (success? container)
           (apply (lambda formals
                    (let-values-claws who checked success? payload wrap claws body))
                  (payload container))
           container)))
    ((_ who checked success? payload wrap ((expression) . claws) body)
     (let ((container (checked who expression)))
       (if (success? container)
           (let-values-claws who checked success? payload wrap claws body)
           container)))
    ((_ who checked success? payload wrap (identifier . claws) body)
     (let-values-claws who checked success? payload wrap ((identifier) . claws) body))))

(define-syntax maybe-let*-values
  (syntax-rules ()
    ((_ claws . body)
     (let-values-claws "maybe-let*-values" checked-maybe just? just-payload just claws body))))

(define-syntax either-let*-values
  (syntax-rules ()
    ((_ claws . body)
     (let-values-claws "either-let*-values" checked-either right? right-payload right claws body))))

(define-syntax either-guard
  (syntax-rules ()
    ((_ pred . body)
     (exception->either pred (lambda () . body)))))
