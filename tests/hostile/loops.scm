;;; named let
(let loop () (loop))

;;; named let that counts
(let loop ((i 0)) (loop (+ i 1)))

;;; do without an end
(do ((i 0 (+ i 1))) (#f) i)

;;; do without variables
(do () (#f))

;;; nested loops
(let outer ((i 0)) (let inner ((j 0)) (if (< j 10) (inner (+ j 1)) (outer (+ i 1)))))

;;; a procedure that calls itself
(define (f) (f))
(f)

;;; mutual tail calls
(define (f n) (g (+ n 1)))
(define (g n) (f (- n 1)))
(f 0)

;;; a loop through an assigned variable
(define f #f)
(set! f (lambda () (f)))
(f)

;;; a loop through apply
(define (f . items) (apply f items))
(f 1 2 3)

;;; a loop through cond and =>
(define (f x) (cond (x => f) (else 1)))
(f 1)

;;; a loop through and, or, when, unless and case
(define (f n) (and #t (g n)))
(define (g n) (or #f (h n)))
(define (h n) (when #t (i n)))
(define (i n) (unless #f (j n)))
(define (j n) (case n ((0) (f 0)) (else (f 0))))
(f 0)

;;; a loop through the arguments of a procedure
(define (omega x) (x x))
(omega omega)

;;; a continuation that is called with itself
(let ((k (call/cc (lambda (k) k)))) (k k))

;;; a continuation entered again and again
(define again #f)
(define n 0)
(call/cc (lambda (k) (set! again k)))
(set! n (+ n 1))
(again #t)

;;; two coroutines that hand over for ever
(define (coroutine other) (let ((here (call/cc (lambda (k) (other k) k)))) (coroutine here)))
(let ((k (call/cc (lambda (k) k)))) (if (procedure? k) (k (lambda (x) (k k))) (k k)))

;;; a loop in a procedure given to map
(map (lambda (x) (let loop () (loop))) '(1 2))

;;; a loop in a procedure given to for-each
(for-each (lambda (x) (let loop () (loop))) '(1 2))

;;; a loop in a procedure given to vector-map
(vector-map (lambda (x) (let loop () (loop))) #(1 2))

;;; a loop in a procedure given to string-for-each
(string-for-each (lambda (c) (let loop () (loop))) "ab")

;;; a loop in a comparison given to member
(member 1 '(2 3) (lambda (a b) (let loop () (loop))))

;;; a loop in a comparison given to a sort
(import (scheme base) (srfi 132))
(list-sort (lambda (a b) (let loop () (loop))) '(3 2 1))

;;; a loop in the update of a hash table
(import (scheme base) (srfi 69))
(hash-table-update! (make-hash-table) 1 (lambda (x) (let loop () (loop))) (lambda () 0))

;;; a loop in the equality of a hash table
(import (scheme base) (srfi 69))
(define table (make-hash-table (lambda (a b) (let loop () (loop))) (lambda (x . bound) 0)))
(hash-table-set! table 1 1)
(hash-table-set! table 2 2)

;;; a loop in a promise
(import (scheme base) (scheme lazy))
(force (delay (let loop () (loop))))

;;; a promise that delays itself for ever
(import (scheme base) (scheme lazy))
(define (next n) (delay-force (next (+ n 1))))
(force (next 0))

;;; a loop in a parameter's converter
(make-parameter 1 (lambda (x) (let loop () (loop))))

;;; a loop that evaluates
(import (scheme base) (scheme eval) (scheme repl))
(define e (environment '(scheme base)))
(let loop () (eval '(+ 1 1) e) (loop))

;;; a loop inside what is evaluated
(import (scheme base) (scheme eval))
(eval '(let loop () (loop)) (environment '(scheme base)))

;;; a loop that writes to a string port and empties it
(let loop () (let ((port (open-output-string))) (write-string "x" port) (get-output-string port)) (loop))

;;; a loop in dynamic-wind
(let loop () (dynamic-wind (lambda () 1) (lambda () 2) (lambda () 3)) (loop))

;;; a loop that raises and catches
(let loop () (guard (e (#t #f)) (raise 'again)) (loop))

;;; a loop that makes errors and catches them
(let loop () (guard (e (#t #f)) (car 5)) (loop))

;;; a loop that leaves by call/cc
(let loop ((i 0)) (loop (call/cc (lambda (k) (for-each (lambda (x) (k x)) '(1 2)) 0))))

;;; a loop over bignums of constant size
(let loop ((n (expt 7 1000))) (loop (modulo (* n n) (expt 11 900))))

;;; a search for an element in a circular list that is not in it
(import (scheme base) (srfi 1))
(define c (circular-list 1 2 3))
(find (lambda (x) (= x 4)) c)

;;; an odd number that is perfect
(let loop ((n 3))
  (define (divisor-sum n) (do ((d 1 (+ d 1)) (s 0 (if (= 0 (modulo n d)) (+ s d) s))) ((= d n) s)))
  (if (= n (divisor-sum n)) n (loop (+ n 2))))

;;; ackermann of large arguments
(define (ack m n) (cond ((= m 0) (+ n 1)) ((= n 0) (ack (- m 1) 1)) (else (ack (- m 1) (ack m (- n 1))))))
(ack 4 3)

;;; fibonacci, the slow way
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(fib 80)

;;; a generator of all numbers
(define return #f)
(define (numbers)
  (let loop ((n 0))
    (call/cc (lambda (rest) (set! numbers (lambda () (rest #t))) (return n)))
    (loop (+ n 1))))
(define (next) (call/cc (lambda (k) (set! return k) (numbers))))
(let loop () (next) (loop))

;;; an endless string search
(import (scheme base) (srfi 13))
(let loop () (string-contains (make-string 1000 #\a) "b") (loop))

;;; list-tail far along a circular list
(define c (list 1 2))
(set-cdr! (cdr c) c)
(list-tail c 100000000000)

;;; list-ref far along a circular list
(define c (list 1 2))
(set-cdr! (cdr c) c)
(list-ref c 100000000000)

;;; a regular expression that backtracks
(import (scheme base) (srfi 115))
(let loop () (regexp-matches '(: (* (* "a")) "b") (make-string 40 #\a)) (loop))
