;;; a string of a trillion characters
(make-string 1000000000000 #\a)

;;; a vector of a trillion
(make-vector 1000000000000 0)

;;; a list of a trillion
(make-list 1000000000000 0)

;;; a bytevector of a trillion
(make-bytevector 1000000000000 0)

;;; a vector of a thousand digits of length
(make-vector (expt 10 1000) 0)

;;; a tower of powers
(expt 10 (expt 10 (expt 10 10)))

;;; ten to the power of a hundred million
(expt 10 (expt 10 8))

;;; a power of a negative base
(expt -3 1000000000)

;;; a power of a fraction
(expt 1/3 1000000000)

;;; a negative power
(expt 3 -1000000000)

;;; squaring in a loop
(let loop ((x 3)) (loop (* x x)))

;;; squaring a fraction in a loop
(let loop ((x 3/7)) (loop (* x x)))

;;; squaring a complex number in a loop
(let loop ((x 3+4i)) (loop (* x x)))

;;; squaring through apply
(let loop ((x 3)) (loop (apply * (list x x))))

;;; a factorial of ten million
(let loop ((n 10000000) (product 1)) (if (= n 0) product (loop (- n 1) (* n product))))

;;; a sum that doubles
(let loop ((x 1)) (loop (+ x x)))

;;; the product of many
(apply * (let loop ((i 0) (items '())) (if (= i 100000) items (loop (+ i 1) (cons (+ i (expt 10 300)) items)))))

;;; shifting
(import (scheme base) (srfi 151))
(arithmetic-shift 1 100000000000)

;;; lcm of many
(apply lcm (let loop ((i 1) (items '())) (if (= i 100000) items (loop (+ i 1) (cons i items)))))

;;; a literal with a hundred million zeros
(display #e1e100000000)

;;; a number in text with a hundred million zeros
(string->number "#e1e100000000")

;;; a number in text, long
(string->number (make-string 10000000 #\9))

;;; a string that doubles
(let loop ((s "ab")) (loop (string-append s s)))

;;; a string that grows by a piece
(define (f) (let loop ((s "")) (loop (string-append s "0123456789012345678901234567890123456789"))))
(f)

;;; a string that grows by assignment
(define (f piece) (let ((s "")) (do () (#f) (set! s (string-append s piece "-")))))
(f (make-string 100 #\a))

;;; a vector that doubles
(let loop ((v #(1 2))) (loop (vector-append v v)))

;;; a list that doubles
(let loop ((items '(1 2))) (loop (append items items)))

;;; a bytevector that doubles
(let loop ((b (bytevector 1 2))) (loop (bytevector-append b b)))

;;; a string joined from many times the same
(import (scheme base) (srfi 13))
(let ((s (make-string 10000000 #\a))) (string-concatenate (let loop ((i 0) (l '())) (if (= i 100) l (loop (+ i 1) (cons s l))))))

;;; a string padded
(import (scheme base) (srfi 13))
(string-pad "a" 1000000000000)

;;; a range of a trillion
(import (scheme base) (srfi 1))
(iota 1000000000000)

;;; a table of a trillion
(import (scheme base) (srfi 1))
(list-tabulate 1000000000000 (lambda (i) i))

;;; a list that grows
(let loop ((items '())) (loop (cons 1 items)))

;;; a hash table that grows
(import (scheme base) (srfi 69))
(define table (make-hash-table))
(let loop ((i 0)) (hash-table-set! table i i) (loop (+ i 1)))

;;; a string port that grows
(define port (open-output-string))
(let loop () (write-string "some text that is written again and again" port) (loop))

;;; symbols that are made
(let loop ((i 0) (kept '())) (loop (+ i 1) (cons (string->symbol (number->string i)) kept)))

;;; closures that are kept
(let loop ((f (lambda () 1))) (loop (lambda () (f))))

;;; vectors in vectors
(let loop ((v (vector))) (loop (make-vector 1000 v)))

;;; a deep list of lists
(let loop ((items '())) (loop (list items)))

;;; continuations that are kept
(define kept '())
(let loop () (call/cc (lambda (k) (set! kept (cons k kept)))) (loop))

;;; many winders
(define (f) (dynamic-wind (lambda () #f) (lambda () (+ 1 (f))) (lambda () #f)))
(f)
