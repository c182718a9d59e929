;;; All primes, as many as are asked for: streams whose tails are promises. Nothing is computed before it is looked at,
;;; and nothing twice.

(import (scheme base) (scheme lazy) (scheme write))

;;; A stream is a promise of a pair: an element, and the stream of the others.
(define-syntax stream-cons
  (syntax-rules ()
    ((_ first rest) (delay (cons first rest)))))

(define (first stream) (car (force stream)))
(define (rest stream) (cdr (force stream)))

(define (numbers-from n)
  (stream-cons n (numbers-from (+ n 1))))

(define (keep wanted? stream)
  ;; delay-force, and not delay: a million elements may be left out one after another, in constant space.
  (delay-force
   (if (wanted? (first stream))
       (stream-cons (first stream) (keep wanted? (rest stream)))
       (keep wanted? (rest stream)))))

(define (prime? n)
  (let loop ((candidates primes))
    (let ((p (first candidates)))
      (cond ((> (* p p) n) #t)
            ((= 0 (remainder n p)) #f)
            (else (loop (rest candidates)))))))

;;; The stream is defined by means of itself: to know whether a number is prime, only smaller primes are looked at.
(define primes
  (stream-cons 2 (keep prime? (numbers-from 3))))

(define (take n stream)
  (if (= n 0)
      '()
      (cons (first stream) (take (- n 1) (rest stream)))))

(define (nth n stream)
  (if (= n 0)
      (first stream)
      (nth (- n 1) (rest stream))))

(display "The first twenty primes: ")
(write (take 20 primes))
(newline)
(display "The thousandth: ")
(write (nth 999 primes))
(newline)

;;; A twin is a pair of primes two apart.
(define (twins stream)
  (let ((p (first stream)) (q (first (rest stream))))
    (if (= q (+ p 2))
        (stream-cons (cons p q) (twins (rest stream)))
        (delay-force (twins (rest stream))))))

(display "Twins: ")
(write (take 8 (twins primes)))
(newline)
