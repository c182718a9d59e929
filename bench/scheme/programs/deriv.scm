;;; Symbolic derivatives: lists of symbols and numbers taken apart and built.
(import (scheme base) (scheme cxr))

(define (derivative e)
  (cond ((not (pair? e)) (if (eq? e 'x) 1 0))
        ((eq? (car e) '+) (cons '+ (map derivative (cdr e))))
        ((eq? (car e) '-) (cons '- (map derivative (cdr e))))
        ((eq? (car e) '*)
         (list '* e (cons '+ (map (lambda (factor) (list '/ (derivative factor) factor)) (cdr e)))))
        ((eq? (car e) '/)
         (list '-
               (list '/ (derivative (cadr e)) (caddr e))
               (list '/ (cadr e) (list '* (caddr e) (caddr e) (derivative (caddr e))))))
        (else (error "no rule for" (car e)))))

(define (size e)
  (if (pair? e)
      (+ (size (car e)) (size (cdr e)))
      1))

(define (run)
  (let loop ((i 0) (sum 0))
    (if (= i 10000)
        sum
        (loop (+ i 1)
              (+ sum (size (derivative '(+ (* 3 x x) (* a x x) (* b x) (/ x (- x 5)) 5))))))))
