;;; a sum without an end
(define (f n) (+ 1 (f n)))
(f 1)

;;; a list without an end
(define (f n) (cons n (f (+ n 1))))
(f 1)

;;; recursion through map
(define (f x) (map f (list x)))
(f 1)

;;; recursion through for-each
(define (f x) (for-each f (list x)) 1)
(f 1)

;;; recursion through vector-map
(define (f x) (vector-map f (vector x)))
(f 1)

;;; recursion through apply
(define (f . items) (+ 1 (apply f items)))
(f 1)

;;; recursion through call/cc
(define (f) (+ 1 (call/cc (lambda (k) (f)))))
(f)

;;; tail calls in call/cc
(define (f) (call/cc (lambda (k) (f))))
(f)

;;; recursion through call-with-values
(define (f) (call-with-values f list))
(f)

;;; recursion through dynamic-wind
(define (f) (dynamic-wind (lambda () #f) f (lambda () #f)))
(f)

;;; recursion in a before thunk
(define (f) (dynamic-wind f (lambda () #f) (lambda () #f)))
(f)

;;; recursion through with-exception-handler
(define (f) (with-exception-handler (lambda (e) 1) f))
(f)

;;; recursion through guard
(define (f) (guard (e (#t 1)) (+ 1 (f))))
(let again () (f) (again))

;;; recursion in a guard's clause
(define (f) (guard (e (#t (+ 1 (f)))) (raise 'x)))
(f)

;;; recursion through parameterize
(define p (make-parameter 1))
(define (f) (parameterize ((p 2)) (+ 1 (f))))
(f)

;;; recursion through a parameter's converter
(define (f x) (+ 1 ((make-parameter x f))))
(f 1)

;;; recursion through promises
(import (scheme base) (scheme lazy))
(define (f) (+ 1 (force (delay (f)))))
(f)

;;; recursion through eval
(import (scheme base) (scheme eval) (scheme repl))
(define (f) (+ 1 (eval '(f) (interaction-environment))))
(eval '(define (f) (+ 1 (eval '(f) (interaction-environment)))) (interaction-environment))
(eval '(begin (import (scheme eval) (scheme repl)) (f)) (interaction-environment))

;;; recursion through a sort's comparison
(import (scheme base) (srfi 132))
(define (f) (list-sort (lambda (a b) (f) #t) (list 2 1)))
(f)

;;; recursion through the update of a hash table
(import (scheme base) (srfi 69))
(define (f) (hash-table-update!/default (make-hash-table) 1 (lambda (x) (f)) 0))
(f)

;;; recursion through the walk of a hash table
(import (scheme base) (srfi 69))
(define table (make-hash-table))
(hash-table-set! table 1 1)
(define (f) (hash-table-walk table (lambda (key value) (f))))
(f)

;;; recursion through string-map
(define (f c) (string-ref (string-map f "a") 0))
(f #\a)

;;; recursion through a port's procedure
(define (f) (call-with-port (open-input-string "a") (lambda (port) (+ 1 (f)))))
(f)

;;; recursion through member's comparison
(define (f a b) (member 1 '(2) f))
(f 1 2)

;;; recursion through fold
(import (scheme base) (srfi 1))
(define (f x y) (+ 1 (fold f 0 '(1))))
(f 1 2)

;;; recursion in a handler
(define (handler e) (+ 1 (raise-continuable e)))
(define (f) (with-exception-handler handler (lambda () (+ 1 (f)))))
(f)

;;; a macro that expands for ever
(define-syntax m (syntax-rules () ((_ x) (m (x)))))
(m 1)

;;; a macro that doubles
(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...))))
(m 1 2)

;;; two macros that expand to each other
(define-syntax a (syntax-rules () ((_ x) (b x))))
(define-syntax b (syntax-rules () ((_ x) (a x))))
(a 1)

;;; a macro that nests its uses
(define-syntax m (syntax-rules () ((_ x) (list (m (x x)) (m (x x))))))
(m 1)

;;; a macro that makes macros
(define-syntax m (syntax-rules () ((_ name) (begin (define-syntax name (syntax-rules () ((_ x) (m x)))) (m name)))))
(m a)
