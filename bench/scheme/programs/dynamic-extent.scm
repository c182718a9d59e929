;;; dynamic-wind and parameterize, against try/finally and context variables.
(import (scheme base))

(define indent (make-parameter 0))
(define opened 0)

(define (with-resource thunk)
  (dynamic-wind
   (lambda () (set! opened (+ opened 1)))
   thunk
   (lambda () (set! opened (- opened 1)))))

(define (depth-sum n)
  (if (= n 0)
      (indent)
      (parameterize ((indent (+ (indent) 2)))
        (+ (indent) (depth-sum (- n 1))))))

(define (run)
  (do ((i 0 (+ i 1))
       (sum 0 (+ sum
                 (with-resource (lambda () (+ i opened)))
                 (depth-sum 5))))
      ((= i 80000) (+ sum opened))))
