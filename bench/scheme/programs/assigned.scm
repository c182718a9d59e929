;;; Variables that closures capture and assign: counters, an accumulator shared by two closures, a for-each that sums.
(import (scheme base))

(define (make-counter step)
  (let ((count 0))
    (lambda ()
      (set! count (+ count step))
      count)))

(define (make-account balance)
  (define (deposit! amount)
    (set! balance (+ balance amount))
    balance)
  (define (withdraw! amount)
    (if (> amount balance)
        balance
        (begin (set! balance (- balance amount)) balance)))
  (lambda (action amount)
    (if (eq? action 'deposit) (deposit! amount) (withdraw! amount))))

(define (total items)
  (let ((sum 0) (largest 0))
    (for-each
     (lambda (x)
       (set! sum (+ sum x))
       (when (> x largest) (set! largest x)))
     items)
    (+ sum largest)))

(define (run)
  (let ((by-two (make-counter 2)) (by-five (make-counter 5)) (account (make-account 100)))
    (do ((i 0 (+ i 1)))
        ((= i 400000))
      (by-two)
      (by-five)
      (account (if (even? i) 'deposit 'withdraw) i))
    (do ((i 0 (+ i 1)) (items '(3 1 4 1 5 9 2 6 5 3 5) items) (sum 0 (+ sum (total items))))
        ((= i 60000) (+ sum (by-two) (by-five) (account 'deposit 0))))))
