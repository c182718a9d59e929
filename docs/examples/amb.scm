;;; Who lives where? A puzzle solved by trying: `amb` picks one of its alternatives, and when a requirement fails, the
;;; program goes back in time to the last choice and makes another. Time travel is call/cc: the continuation of
;;; a choice is kept, and entered again.

(import (scheme base) (scheme write))

;;; The choices that can still be made differently, the last one first.
(define open-choices '())

(define (fail)
  (if (null? open-choices)
      (error "there is no solution")
      (let ((last-choice (car open-choices)))
        (set! open-choices (cdr open-choices))
        (last-choice))))

(define (one-of alternatives)
  (call/cc
   (lambda (go-on)
     (for-each
      (lambda (alternative)
        (call/cc
         (lambda (next)
           (set! open-choices (cons (lambda () (next #f)) open-choices))
           (go-on alternative))))
      alternatives)
     (fail))))

(define-syntax amb
  (syntax-rules ()
    ((_ alternative ...) (one-of (list alternative ...)))))

(define (require condition)
  (unless condition (fail)))

(define (distinct? items)
  (or (null? items)
      (and (not (memv (car items) (cdr items)))
           (distinct? (cdr items)))))

(define (next-to? a b)
  (= 1 (abs (- a b))))

;;; Five people live on five floors. Baker does not live on the top floor, nor Cooper at the bottom; Fletcher at
;;; neither. Miller lives above Cooper. Smith does not live next to Fletcher, nor Fletcher next to Cooper.

(define (floors)
  (let ((baker (amb 1 2 3 4 5))
        (cooper (amb 1 2 3 4 5))
        (fletcher (amb 1 2 3 4 5)))
    (require (not (= baker 5)))
    (require (not (= cooper 1)))
    (require (not (or (= fletcher 1) (= fletcher 5))))
    (require (not (next-to? fletcher cooper)))
    (let ((miller (amb 1 2 3 4 5))
          (smith (amb 1 2 3 4 5)))
      (require (> miller cooper))
      (require (not (next-to? smith fletcher)))
      (require (distinct? (list baker cooper fletcher miller smith)))
      (list (cons 'baker baker)
            (cons 'cooper cooper)
            (cons 'fletcher fletcher)
            (cons 'miller miller)
            (cons 'smith smith)))))

(for-each
 (lambda (entry)
   (write (car entry))
   (display " lives on floor ")
   (write (cdr entry))
   (newline))
 (floors))
