;;; An evaluator that compiles expressions to closures, running a recursive procedure of its own language.
(import (scheme base) (scheme cxr))

;; An environment is a list of values; a variable is known by its position.
(define (position name names)
  (let loop ((names names) (i 0))
    (cond ((null? names) (error "unbound" name))
          ((eq? (car names) name) i)
          (else (loop (cdr names) (+ i 1))))))

(define functions '())

(define (define-function! name parameters body)
  (let ((cell (list name #f)))
    (set! functions (cons cell functions))
    (set-car! (cdr cell) (compile-expression body parameters))))

(define (compile-expression e names)
  (cond ((symbol? e) (compile-variable (position e names)))
        ((not (pair? e)) (lambda (env) e))
        ((eq? (car e) 'if)
         (let ((test (compile-expression (cadr e) names))
               (then (compile-expression (caddr e) names))
               (otherwise (compile-expression (cadddr e) names)))
           (lambda (env) (if (test env) (then env) (otherwise env)))))
        ((memq (car e) '(+ - <))
         (compile-operation (car e)
                            (compile-expression (cadr e) names)
                            (compile-expression (caddr e) names)))
        (else
         (let ((cell (assq (car e) functions))
               (operands (map (lambda (operand) (compile-expression operand names)) (cdr e))))
           (lambda (env)
             ((cadr cell) (map (lambda (operand) (operand env)) operands)))))))

(define (compile-variable i)
  (case i
    ((0) (lambda (env) (car env)))
    ((1) (lambda (env) (cadr env)))
    (else (lambda (env) (list-ref env i)))))

(define (compile-operation op a b)
  (case op
    ((+) (lambda (env) (+ (a env) (b env))))
    ((-) (lambda (env) (- (a env) (b env))))
    (else (lambda (env) (< (a env) (b env))))))

(define-function! 'fib '(n)
  '(if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))

(define-function! 'tak '(x y z)
  '(if (< y x)
       (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))
       z))

(define (call name . arguments)
  ((cadr (assq name functions)) arguments))

(define (run) (+ (call 'fib 24) (call 'tak 14 8 3)))
