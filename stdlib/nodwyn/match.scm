(define (no-match value)
  (error "match: no clause matches this value:" value))

(define-syntax match
  (syntax-rules ()
    ((_ expression clause ...)
     (let ((value expression))
       (match-clauses value clause ...)))))

(define-syntax match-lambda
  (syntax-rules ()
    ((_ clause ...)
     (lambda (value) (match-clauses value clause ...)))))

(define-syntax match-lambda*
  (syntax-rules ()
    ((_ clause ...)
     (lambda values (match-clauses values clause ...)))))

(define-syntax match-let
  (syntax-rules ()
    ((_ ((pattern expression) ...) body ...)
     (match-let-all () ((pattern expression) ...) body ...))
    ((_ name ((pattern expression) ...) body ...)
     ((letrec ((name (match-lambda* ((pattern ...) body ...)))) name) expression ...))))

;; Gives each expression a name first, so that none sees the variables of the patterns.
(define-syntax match-let-all
  (syntax-rules ()
    ((_ ((value pattern expression) ...) () body ...)
     (let ((value expression) ...)
       (match-let* ((pattern value) ...) body ...)))
    ((_ (named ...) ((pattern expression) more ...) body ...)
     (match-let-all (named ... (value pattern expression)) (more ...) body ...))))

(define-syntax match-let*
  (syntax-rules ()
    ((_ () body ...)
     (let () body ...))
    ((_ ((pattern expression) more ...) body ...)
     (match expression (pattern (match-let* (more ...) body ...))))))

(define-syntax match-letrec
  (syntax-rules ()
    ((_ ((pattern expression) ...) body ...)
     (match-letrec-all () ((pattern expression) ...) body ...))))

;; Collects the names of all patterns before anything is defined.
(define-syntax match-letrec-all
  (syntax-rules ()
    ((_ (((name ...) pattern expression) ...) () body ...)
     (let ()
       (define-values (name ...) (match expression (pattern (values name ...))))
       ...
       (let () body ...)))
    ((_ named ((pattern expression) more ...) body ...)
     (match-names pattern () () (match-letrec-named named pattern expression (more ...) body ...)))))

(define-syntax match-letrec-named
  (syntax-rules ()
    ((_ names (named ...) pattern expression more body ...)
     (match-letrec-all (named ... (names pattern expression)) more body ...))))

(define-syntax match-clauses
  (syntax-rules (=>)
    ((_ value)
     (no-match value))
    ((_ value (pattern (=> next) body ...) clause ...)
     (let ((next (lambda () (match-clauses value clause ...))))
       (match-if pattern value () (match-body body ...) (next))))
    ((_ value (pattern body ...) clause ...)
     (match-if pattern value () (match-body body ...) (match-clauses value clause ...)))))

;;; Matching
;;;
;;; (match-one pattern value (name ...) (then argument ...))
;;;
;;; expands to a test of the variable `value`, without a call of its own: a chain of conditions is what the
;;; compiler is best at. The names are those that the pattern has bound so far. Where the match succeeds stands
;;; (then (name ...) argument ...), `then` being a macro and the names all that are bound by then; where it fails
;;; stands #f. Ellipses of these macros are written :::, since ... is a pattern.

(define-syntax match-one
  (syntax-rules ::: (_ quote quasiquote ... ___ ..1 and or not ? =)
    ((match-one _ value names (then . arguments))
     (then names . arguments))
    ((match-one () value names (then . arguments))
     (and (null? value) (then names . arguments)))
    ((match-one (quote x) value names then)
     (match-constant x value names then))
    ((match-one (quasiquote x) . arguments)
     (match-quasi x match-one . arguments))
    ((match-one (and) value names (then . arguments))
     (then names . arguments))
    ((match-one (and p q :::) value names then)
     (match-one p value names (match-then (and q :::) value then)))
    ((match-one (or) value names then)
     #f)
    ((match-one (or p) . arguments)
     (match-one p . arguments))
    ((match-one (or p q :::) value names then)
     (match-names p names ()
                  (match-kept () (or p q :::) value names (match-also names then) #f)))
    ((match-one (not p) value names (then . arguments))
     (if (match-one p value names (match-yes))
         #f
         (then names . arguments)))
    ((match-one (? predicate p :::) value names then)
     (and (predicate value)
          (match-one (and p :::) value names then)))
    ((match-one (= f p) value names then)
     (let ((image (f value)))
       (match-one p image names then)))
    ((match-one (p ... . tail) . arguments)
     (match-repeated p 0 tail . arguments))
    ((match-one (p ___ . tail) . arguments)
     (match-repeated p 0 tail . arguments))
    ((match-one (p ..1 . tail) . arguments)
     (match-repeated p 1 tail . arguments))
    ((match-one (p . q) value names then)
     (and (pair? value)
          (let ((head (car value)) (tail (cdr value)))
            (match-one p head names (match-then q tail then)))))
    ((match-one #(p :::) . arguments)
     (match-one (? vector? (= vector->list (p :::))) . arguments))
    ((match-one x value names then)
     (match-atom x names match-equal match-bind match-equal (x value names then)))))

(define-syntax match-constant
  (syntax-rules ()
    ((_ () value names (then . arguments))
     (and (null? value) (then names . arguments)))
    ((_ (x . y) value names then)
     (match-equal '(x . y) value names then))
    ((_ #(x ...) value names then)
     (match-equal '#(x ...) value names then))
    ((_ x value names then)
     (match-atom x () match-equal match-same match-equal ('x value names then)))))

;; (match-atom x (name ...) on-name on-new-name on-literal arguments) expands to the form that
;; begins with the macro that is chosen. It tells a literal from an identifier by that only the
;; latter, as a pattern of syntax-rules, matches any form.
(define-syntax match-atom
  (syntax-rules ::: ()
    ((_ x (name :::) on-name on-new-name on-literal arguments)
     (let-syntax
         ((choose
           (syntax-rules (name :::)
             ((choose name probe rest) (on-name . rest)) :::
             ((choose other x rest) (on-new-name . rest))
             ((choose other probe rest) (on-literal . rest)))))
       (choose x probe arguments)))))

(define-syntax match-equal
  (syntax-rules ()
    ((_ x value names (then . arguments))
     (and (equal? value x) (then names . arguments)))))

(define-syntax match-same
  (syntax-rules ()
    ((_ x value names (then . arguments))
     (and (eq? value x) (then names . arguments)))))

(define-syntax match-bind
  (syntax-rules ()
    ((_ x value (name ...) (then . arguments))
     (let ((x value))
       (then (x name ...) . arguments)))))

;;; What to do where a match succeeds

(define-syntax match-body
  (syntax-rules ()
    ((_ names body ...) (let () body ...))))

(define-syntax match-then
  (syntax-rules ()
    ((_ names pattern value then)
     (match-one pattern value names then))))

(define-syntax match-also
  (syntax-rules ()
    ((_ (new ...) (name ...) (then . arguments))
     (then (new ... name ...) . arguments))))

(define-syntax match-call
  (syntax-rules ()
    ((_ names call) call)))

(define-syntax match-yes
  (syntax-rules ()
    ((_ names) #t)))

;;; (match-if pattern value (name ...) (then argument ...) otherwise) is the condition that a pattern makes: with
;;; (then (new ...) argument ...), in which the names that it binds are bound, where it matches, and otherwise `otherwise`.
;;; The test keeps what it finds in variables of its own, which nothing else sees, until it is known to succeed.

(define-syntax match-if
  (syntax-rules ()
    ((_ pattern value names then otherwise)
     (match-names pattern names () (match-kept () pattern value names then otherwise)))))

;; Pairs each name with a variable that keeps its value.
(define-syntax match-kept
  (syntax-rules ::: ()
    ((_ (new . more) (kept :::) . arguments)
     (match-kept more (kept ::: (new value-of-new)) . arguments))
    ((_ () ((new kept) :::) pattern value names (then . arguments) otherwise)
     (let ((kept #f) :::)
       (if (match-any pattern value names (match-keep (new kept) :::))
           (let ((new kept) :::)
             (then (new :::) . arguments))
           otherwise)))))

(define-syntax match-keep
  (syntax-rules ()
    ((_ names (new kept) ...)
     (begin (set! kept new) ... #t))))

;; Of alternatives, any.
(define-syntax match-any
  (syntax-rules ::: (or)
    ((_ (or p :::) value names then)
     (or (match-one p value names then) :::))
    ((_ pattern value names then)
     (match-one pattern value names then))))

;;; Repetition: (match-repeated pattern least tail value names then)

(define-syntax match-repeated
  (syntax-rules (_)
    ((match-repeated _ 0 () value names (then . arguments))
     (and (list? value) (then names . arguments)))
    ((match-repeated (p . q) . arguments)
     (match-each (p . q) . arguments))
    ((match-repeated () . arguments)
     (match-each () . arguments))
    ((match-repeated #(p ...) . arguments)
     (match-each #(p ...) . arguments))
    ((match-repeated x 0 () value names then)
     (match-atom x names match-each match-bind-list match-each (x 0 () value names then)))
    ((match-repeated x . arguments)
     (match-each x . arguments))))

;; A name alone is bound to the list itself.
(define-syntax match-bind-list
  (syntax-rules ()
    ((_ x 0 () value names then)
     (and (list? value)
          (match-bind x value names then)))))

(define-syntax match-each
  (syntax-rules ()
    ((_ pattern least tail value names then)
     (match-names pattern names ()
                  (match-collect () pattern least tail value names then)))))

;; Pairs each name with a variable that collects its values, then loops.
(define-syntax match-collect
  (syntax-rules ::: ()
    ((_ (new . more) (collected :::) . arguments)
     (match-collect more (collected ::: (new values-of-new)) . arguments))
    ((_ () ((new collected) :::) pattern least tail value (name :::) then)
     (let ((count (- (count-pairs value) (match-length tail))))
       (and (>= count least)
            (let loop ((rest value) (left count) (collected '()) :::)
              (if (= left 0)
                  (let ((new (reverse collected)) :::)
                    (match-one tail rest (new ::: name :::) then))
                  (let ((item (car rest)))
                    (match-one pattern item (name :::)
                               (match-call (loop (cdr rest) (- left 1) (cons new collected) :::)))))))))))

;; The number of pairs along the cdrs; negative if they have no end.
(define (count-pairs object)
  (if (list? object)
      (length object)
      (let loop ((slow object) (fast object) (count 0))
        (cond ((not (pair? fast)) count)
              ((not (pair? (cdr fast))) (+ count 1))
              (else
               (let ((slow (cdr slow)) (fast (cddr fast)))
                 (if (eq? slow fast)
                     -1
                     (loop slow fast (+ count 2)))))))))

;; The number of pairs that the pattern after a repetition needs.
(define-syntax match-length
  (syntax-rules ::: (quote quasiquote ... ___ ..1 and or not ? =)
    ((_ (quote x)) 0)
    ((_ (quasiquote x)) (match-quasi x match-length))
    ((_ (and . x)) 0)
    ((_ (or . x)) 0)
    ((_ (not x)) 0)
    ((_ (? . x)) 0)
    ((_ (= f x)) 0)
    ((_ (p ... . q)) (syntax-error "a pattern may repeat one element of a list only" (p ... . q)))
    ((_ (p ___ . q)) (syntax-error "a pattern may repeat one element of a list only" (p ___ . q)))
    ((_ (p ..1 . q)) (syntax-error "a pattern may repeat one element of a list only" (p ..1 . q)))
    ((_ (p . q)) (+ 1 (match-length q)))
    ((_ x) 0)))

;;; (match-quasi template macro argument ...) calls the macro with the quasi-pattern as an ordinary
;;; one, in which quasi-patterns may be left, and the arguments.

(define-syntax match-quasi
  (syntax-rules ::: (unquote unquote-splicing ... ___ ..1)
    ((_ (unquote p) macro . arguments) (macro p . arguments))
    ((_ ((unquote-splicing p)) macro . arguments) (macro p . arguments))
    ((_ ((unquote-splicing p) . x) macro . arguments)
     (syntax-error "in a quasi-pattern ,@ must come last" p))
    ((_ (x ... . y) macro . arguments) (macro (`x ... . `y) . arguments))
    ((_ (x ___ . y) macro . arguments) (macro (`x ___ . `y) . arguments))
    ((_ (x ..1 . y) macro . arguments) (macro (`x ..1 . `y) . arguments))
    ((_ (x . y) macro . arguments) (macro (`x . `y) . arguments))
    ((_ #(x :::) macro . arguments)
     (macro (? vector? (= vector->list `(x :::))) . arguments))
    ((_ x macro . arguments) (macro 'x . arguments))))

;;; (match-names pattern (name ...) (new ...) (then argument ...)) expands to
;;; (then (new ...) argument ...) with the further names that the pattern binds.

(define-syntax match-names
  (syntax-rules ::: (_ quote quasiquote ... ___ ..1 and or not ? =)
    ((match-names _ names new (then . arguments)) (then new . arguments))
    ((match-names () names new (then . arguments)) (then new . arguments))
    ((match-names (quote x) names new (then . arguments)) (then new . arguments))
    ((match-names (quasiquote x) . arguments) (match-quasi x match-names . arguments))
    ((match-names (and p :::) . arguments) (match-names (p :::) . arguments))
    ((match-names (or) names new (then . arguments)) (then new . arguments))
    ((match-names (or p q :::) . arguments) (match-names p . arguments))
    ((match-names (not p) names new (then . arguments)) (then new . arguments))
    ((match-names (? predicate p :::) . arguments) (match-names (p :::) . arguments))
    ((match-names (= f p) . arguments) (match-names p . arguments))
    ((match-names (p ... . q) . arguments) (match-names (p . q) . arguments))
    ((match-names (p ___ . q) . arguments) (match-names (p . q) . arguments))
    ((match-names (p ..1 . q) . arguments) (match-names (p . q) . arguments))
    ((match-names (p . q) names new then)
     (match-names p names new (match-names-then q names then)))
    ((match-names #(p :::) . arguments) (match-names (p :::) . arguments))
    ((match-names x (name :::) (new :::) then)
     (match-atom x (name ::: new :::) match-old-name match-new-name match-old-name
                 (x (new :::) then)))))

(define-syntax match-names-then
  (syntax-rules ()
    ((_ new pattern names then) (match-names pattern names new then))))

(define-syntax match-old-name
  (syntax-rules ()
    ((_ x new (then . arguments)) (then new . arguments))))

(define-syntax match-new-name
  (syntax-rules ()
    ((_ x (new ...) (then . arguments)) (then (new ... x) . arguments))))
