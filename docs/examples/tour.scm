;;; A tour of the Scheme engine: run it with `make demo`, read it beside what it prints.

(import (scheme base) (scheme write) (only (srfi 1) filter fold iota))

(define (show label value)
  (display label)
  (display ": ")
  (write value)
  (newline))

;;; Closures: a procedure keeps the variables of where it was made.

(define (make-counter)
  (let ((count 0))
    (lambda ()
      (set! count (+ count 1))
      count)))

(define tick (make-counter))
(tick)
(tick)
(show "a counter, called a third time" (tick))

;;; Exact arithmetic: integers without bound, fractions without rounding.

(define (factorial n)
  (if (= n 0) 1 (* n (factorial (- n 1)))))

(define (harmonic n)
  (do ((i 1 (+ i 1))
       (sum 0 (+ sum (/ 1 i))))
      ((> i n) sum)))

(show "30 factorial" (factorial 30))
(show "1 + 1/2 + ... + 1/20" (harmonic 20))

;;; Proper tail calls: a million calls in constant space.

(define (count-down n)
  (if (= n 0) 'landed (count-down (- n 1))))

(show "a million calls down" (count-down 1000000))

;;; Records.

(define-record-type <point>
  (make-point x y)
  point?
  (x point-x)
  (y point-y set-point-y!))

(define corner (make-point 3 4))
(set-point-y! corner 5)
(show "a point" (list (point? corner) (point-x corner) (point-y corner)))

;;; Macros: `while` is not in the language, and is now.

(define-syntax while
  (syntax-rules ()
    ((_ condition body ...)
     (let loop ()
       (when condition
         body ...
         (loop))))))

(define (collatz n)
  (let ((steps 0))
    (while (> n 1)
      (set! n (if (even? n) (quotient n 2) (+ 1 (* 3 n))))
      (set! steps (+ steps 1)))
    steps))

(show "steps from 27 to 1" (collatz 27))

;;; Continuations, entered again: a generator walks a tree and rests at each leaf.

(define (leaves tree)
  (define return #f)
  (define (walk tree)
    (cond ((null? tree) 'nothing)
          ((pair? tree) (walk (car tree)) (walk (cdr tree)))
          (else (call/cc (lambda (rest)
                           (set! resume (lambda () (rest 'go-on)))
                           (return tree))))))
  (define resume
    (lambda ()
      (walk tree)
      (return (eof-object))))
  (lambda ()
    (call/cc (lambda (k)
               (set! return k)
               (resume)))))

(define (same-fringe? a b)
  (let ((next-a (leaves a)) (next-b (leaves b)))
    (let loop ()
      (let ((x (next-a)) (y (next-b)))
        (cond ((and (eof-object? x) (eof-object? y)) #t)
              ((eqv? x y) (loop))
              (else #f))))))

(show "the same leaves in two trees" (same-fringe? '((1 2) (3 (4))) '(1 (2 (3)) 4)))

;;; An extent is entered and left properly, however it is left.

(define (walk-out)
  (let ((trace '()))
    (define (note step)
      (set! trace (cons step trace)))
    (call/cc
     (lambda (leave)
       (dynamic-wind
         (lambda () (note 'enter))
         (lambda () (note 'work) (leave 'early) (note 'never))
         (lambda () (note 'tidy-up)))))
    (reverse trace)))

(show "leaving early" (walk-out))

;;; SRFI 1, the list library.

(show "squares of odd numbers, added up"
      (fold + 0 (map square (filter odd? (iota 10)))))

;;; String ports: reading and writing without a file.

(define (words text)
  (let ((in (open-input-string text)) (out (open-output-string)))
    (let loop ((found '()))
      (let ((char (read-char in)))
        (cond ((or (eof-object? char) (char=? char #\space))
               (let ((word (get-output-string out)))
                 (set! out (open-output-string))
                 (if (eof-object? char)
                     (reverse (cons word found))
                     (loop (cons word found)))))
              (else (write-char char out)
                    (loop found)))))))

(show "words" (words "to be or not to be"))

;;; Errors are objects: `guard` looks at them and decides.

(define (careful-ratio a b)
  (guard (condition ((error-object? condition)
                     (list 'refused (error-object-message condition) (error-object-irritants condition))))
    (if (zero? b)
        (error "nothing can be divided into no parts" a)
        (/ a b))))

(show "six in four parts" (careful-ratio 6 4))
(show "six in no parts" (careful-ratio 6 0))
