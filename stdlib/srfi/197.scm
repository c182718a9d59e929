;; A placeholder is whatever symbol the program chose, so each macro first learns it and then expands
;; into a local macro that has it as a literal. That one walks over a step, from left to right, and
;; collects the step with its placeholders replaced.

;; A placeholder or an ellipsis in the place of `name` is as good as any identifier: a pattern that fits everything.
(define-syntax with-identifier
  (syntax-rules ()
    ((_ name form)
     (let-syntax
         ((accept
           (syntax-rules ::: ()
             ((accept name continue) continue)
             ((accept other continue)
              (syntax-error "a placeholder or an ellipsis must be an identifier, not" name)))))
       (accept sample form)))))

;;; chain

(define-syntax chain
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial (datum . data) . steps)
     (chain-steps _ (... ...) initial ((datum . data) . steps)))
    ((_ initial placeholder)
     (with-identifier placeholder initial))
    ((_ initial placeholder (datum . data) . steps)
     (with-identifier placeholder (chain-steps placeholder unused initial ((datum . data) . steps))))
    ((_ initial placeholder ellipsis . steps)
     (with-identifier placeholder
       (with-identifier ellipsis (chain-steps placeholder ellipsis initial steps))))))

(define-syntax chain-steps
  (syntax-rules ()
    ((_ placeholder ellipsis value ()) value)
    ((_ placeholder ellipsis value (step . steps))
     (with-step placeholder ellipsis step
                (receive-values placeholder ellipsis value steps)))))

(define-syntax receive-values
  (syntax-rules ()
    ((_ placeholder ellipsis value steps () call)
     (chain-steps placeholder ellipsis
                  (call-with-values (lambda () value) (lambda ignored call))
                  steps))
    ((_ placeholder ellipsis value steps formals call)
     (chain-steps placeholder ellipsis
                  (call-with-values (lambda () value) (lambda formals call))
                  steps))))

;; Calls the macro form (next ... formals call) with the formals that a step needs and the call it makes.
;; All of the program's own text is handed to the local macro as arguments: in its templates it would
;; be renamed, and no longer see what the steps around it bind.
(define-syntax with-step
  (syntax-rules ()
    ((_ placeholder ellipsis () next)
     (syntax-error "a step must be a call, not ()"))
    ((_ placeholder ellipsis step next)
     (letrec-syntax
         ((walk
           (syntax-rules ::: (placeholder ellipsis)
             ((walk (next* :::) (variable :::) (collected :::) ())
              (next* ::: (variable :::) (collected :::)))
             ((walk (next* :::) (variable :::) (collected :::) (placeholder ellipsis))
              (next* ::: (variable ::: . others) (apply collected ::: others)))
             ((walk next* variables collected (placeholder ellipsis . more))
              (syntax-error "an ellipsis must end its step"))
             ((walk next* variables collected (ellipsis . more))
              (syntax-error "an ellipsis must follow a placeholder"))
             ((walk next* (variable :::) (collected :::) (placeholder . more))
              (walk next* (variable ::: value) (collected ::: value) more))
             ((walk next* variables (collected :::) (datum . more))
              (walk next* variables (collected ::: datum) more)))))
       (walk next () () step)))))

(define-syntax chain-lambda
  (syntax-rules ()
    ((_ (datum . data) . steps)
     (lambda-steps _ (... ...) (datum . data) steps))
    ((_ placeholder (datum . data) . steps)
     (with-identifier placeholder (lambda-steps placeholder unused (datum . data) steps)))
    ((_ placeholder ellipsis (datum . data) . steps)
     (with-identifier placeholder
       (with-identifier ellipsis (lambda-steps placeholder ellipsis (datum . data) steps))))))

(define-syntax lambda-steps
  (syntax-rules ()
    ((_ placeholder ellipsis first steps)
     (with-step placeholder ellipsis first
                (make-lambda placeholder ellipsis steps)))))

(define-syntax make-lambda
  (syntax-rules ()
    ((_ placeholder ellipsis steps formals call)
     (lambda formals (chain-steps placeholder ellipsis call steps)))))

;;; Macros with one value between steps. A step may leave its placeholder out, or must have it.

;; Calls the macro form (next ... result) with the step in which `replacement` stands for the placeholder.
(define-syntax with-replaced
  (syntax-rules ()
    ((_ placeholder replacement () must? next)
     (syntax-error "a step must be a call, not ()"))
    ((_ placeholder replacement step must? next)
     (letrec-syntax
         ((walk
           (syntax-rules ::: (placeholder)
             ((walk (next* :::) new #f (collected :::) ())
              (next* ::: (collected :::)))
             ((walk next* new #t collected ())
              (syntax-error "a step needs a placeholder" collected))
             ((walk next* new needed (collected :::) (placeholder . more))
              (finish next* (collected ::: new) more))
             ((walk next* new needed (collected :::) (datum . more))
              (walk next* new needed (collected ::: datum) more))))
          (finish
           (syntax-rules ::: (placeholder)
             ((finish (next* :::) collected ())
              (next* ::: collected))
             ((finish next* collected (placeholder . more))
              (syntax-error "a step has more than one placeholder" collected))
             ((finish next* (collected :::) (datum . more))
              (finish next* (collected ::: datum) more)))))
       (walk next replacement must? () step)))))

(define-syntax chain-and
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial (datum . data) . steps)
     (and-steps _ initial ((datum . data) . steps)))
    ((_ initial placeholder . steps)
     (with-identifier placeholder (and-steps placeholder initial steps)))))

(define-syntax and-steps
  (syntax-rules ()
    ((_ placeholder value ()) value)
    ((_ placeholder value (step . steps))
     (let ((current value))
       (and current
            (with-replaced placeholder current step #f (and-then placeholder steps)))))))

(define-syntax and-then
  (syntax-rules ()
    ((_ placeholder steps call)
     (and-steps placeholder call steps))))

(define-syntax chain-when
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial (first . rest) . clauses)
     (when-clauses _ initial ((first . rest) . clauses)))
    ((_ initial placeholder . clauses)
     (with-identifier placeholder (when-clauses placeholder initial clauses)))))

(define-syntax when-clauses
  (syntax-rules ()
    ((_ placeholder value ()) value)
    ((_ placeholder value ((step) . clauses))
     (when-clauses placeholder value ((#t step) . clauses)))
    ((_ placeholder value ((guard step) . clauses))
     (let ((current value))
       (with-replaced placeholder current step #f (when-then placeholder guard current clauses))))))

(define-syntax when-then
  (syntax-rules ()
    ((_ placeholder guard current clauses call)
     (when-clauses placeholder (if guard call current) clauses))))

;;; Nesting

(define-syntax nest
  (syntax-rules ()
    ((_ initial) initial)
    ((_ (datum . data) . rest)
     (nest-steps _ (datum . data) . rest))
    ((_ placeholder . rest)
     (with-identifier placeholder (nest-steps placeholder . rest)))))

(define-syntax nest-steps
  (syntax-rules ()
    ((_ placeholder initial) initial)
    ((_ placeholder step ... last initial)
     (with-replaced placeholder initial last #t (nest-steps placeholder step ...)))))

(define-syntax nest-reverse
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial (datum . data) . steps)
     (nest-reverse-steps _ ((datum . data) . steps) initial))
    ((_ initial placeholder . steps)
     (with-identifier placeholder (nest-reverse-steps placeholder steps initial)))))

(define-syntax nest-reverse-steps
  (syntax-rules ()
    ((_ placeholder () result) result)
    ((_ placeholder (step . steps) value)
     (with-replaced placeholder value step #t (nest-reverse-steps placeholder steps)))))
