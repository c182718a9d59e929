;;; if without branches
(if #t) ; error 1: if

;;; if with a branch too many
(if #t 1 2 3) ; error 1: if

;;; quote without a datum
(quote) ; error 1: quote

;;; quote with two
(quote a b) ; error 1: quote

;;; lambda without a body
(lambda (x)) ; error 1: lambda

;;; a parameter that is no identifier
(lambda (x 5) x) ; error 12: lambda

;;; a parameter twice
(lambda (x y x) x) ; error 14: x … twice

;;; define without a value to give
(define) ; error 1: define

;;; define of a number
(define 5 1) ; error 9: define

;;; define with two values
(define x 1 2) ; error 1: define

;;; a definition where an expression belongs
(display (if #t (define x 1) 2)) ; error 17: define … expression

;;; a body of definitions alone
(define (f) ; error 1: body … expression
  (define x 1))

;;; set! of a number
(set! 5 1) ; error 7: set!

;;; set! without a value
(define x 1)
(set! x) ; error 1: set!

;;; set! of what is not bound
(set! undefined-here 1) ; error 1: undefined-here

;;; set! of an imported name
(import (scheme base))
(set! car cdr) ; error 7: car … imported

;;; let with a binding that is none
(let ((x)) x) ; error 7: let

;;; let with an identifier for a binding
(let (x 1) x) ; error 7: let

;;; let without a body
(let ((x 1))) ; error 1: let

;;; let with one name twice
(let ((x 1) (x 2)) x) ; error 14: x … twice

;;; letrec with a binding of two values
(letrec ((x 1 2)) x) ; error 10: letrec

;;; a named let with a binding that is none
(let loop ((i)) (loop 1)) ; error 12: let

;;; let-values without values
(let-values (((a b))) a) ; error 14: let-values

;;; do without a test
(do ((i 0 (+ i 1)))) ; error 1: do

;;; do with an empty test
(do ((i 0 (+ i 1))) ()) ; error 21: do

;;; do with a step too many
(do ((i 0 (+ i 1) 2)) (#t)) ; error 6: do

;;; a clause of cond that is none
(cond 5) ; error 7: cond

;;; a clause of cond behind else
(cond (else 1) (#t 2)) ; error 7: else … last

;;; cond with => and nothing behind it
(cond (1 =>)) ; error 7: cond

;;; case without a key
(case) ; error 1: case

;;; case with a datum where a list of data belongs
(case 1 (1 'one)) ; error 10: case

;;; else outside
(display (else 1)) ; error 10: else

;;; the arrow outside
(display =>) ; error 10: =>

;;; a macro keyword for a variable
(display if) ; error 10: if

;;; unquote outside
(display ,x) ; error 10: unquote

;;; when without a test
(when) ; error 1: when

;;; unless without a body
(unless #t) ; error 1: unless

;;; case-lambda with a clause that is none
(case-lambda (x)) ; error 14: case-lambda

;;; parameterize with a binding that is none
(parameterize ((p)) 1) ; error 16: parameterize

;;; guard without a variable
(guard () 1) ; error 8: guard

;;; guard with a clause that is none
(guard (e 5) 1) ; error 11: guard

;;; delay without an expression
(delay) ; error 1: delay

;;; a record type without a name
(define-record-type 5 (make) five?) ; error 21: define-record-type

;;; a record constructor of an unknown field
(define-record-type point (make-point x z) point? (x point-x)) ; error 41: z … field

;;; a record field twice
(define-record-type point (make-point x) point?
  (x point-x) (x point-y)) ; error 16: x … twice

;;; syntax-rules without literals
(define-syntax m (syntax-rules)) ; error 18: syntax-rules

;;; a rule without a template
(define-syntax m (syntax-rules () ((_ x)))) ; error 35: syntax-rules

;;; two ellipses in one pattern
(define-syntax m (syntax-rules () ((_ x ... y ...) (list x ... y ...)))) ; error 47: ellipsis

;;; a pattern variable twice
(define-syntax m (syntax-rules () ((_ x x) x))) ; error 41: x … twice

;;; a pattern variable with too few ellipses
(define-syntax m (syntax-rules () ((_ x ...) x))) ; error 46: x … ellips

;;; a template with an ellipsis behind nothing that repeats
(define-syntax m (syntax-rules () ((_ x) (x ...)))) ; error 45: ellips

;;; define-syntax of an expression
(define-syntax m 5) ; error 18: syntax-rules

;;; a use that no rule matches
(define-syntax swap!
  (syntax-rules () ((_ a b) (let ((t a)) (set! a b) (set! b t)))))
(define x 1)
(swap! x) ; error 1: swap!

;;; syntax-error
(define-syntax only-pairs
  (syntax-rules () ((_ (a . b)) 'fine) ((_ x) (syntax-error "a pair is needed here" x))))
(only-pairs 7) ; error 1: a pair is needed here … 7

;;; a dotted procedure call
(display (list 1 . 2)) ; error 20: dot

;;; the empty combination
(display ()) ; error 10: ()

;;; a library that does not exist
(import (scheme bsae)) ; error 9: (scheme bsae) … (scheme base)

;;; a name that a library does not export
(import (only (scheme base) car cdrr)) ; error 33: cdrr

;;; an import set that is none
(import (only)) ; error 9: only

;;; a library that exports what it does not define
(define-library (shelf) (export book) (import (scheme base)) (begin (define page 1))) ; error 33: book

;;; a library that imports itself
(define-library (snake) (export tail) (import (snake)) (begin)) ; error 47: (snake)

;;; include of a file that is not there
(include "no-such-file.scm") ; error 10: include
