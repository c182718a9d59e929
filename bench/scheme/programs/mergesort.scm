;;; Merge sort on lists: recursion, pairs, a comparison that is a parameter.
(import (scheme base))

(define (random-list n)
  (let loop ((i 0) (seed 7) (out '()))
    (if (= i n)
        out
        (loop (+ i 1) (modulo (+ (* seed 16807) 11) 2147483647) (cons seed out)))))

(define (merge a b before?)
  (let loop ((a a) (b b) (out '()))
    (cond ((null? a) (prepend-reversed out b))
          ((null? b) (prepend-reversed out a))
          ((before? (car b) (car a)) (loop a (cdr b) (cons (car b) out)))
          (else (loop (cdr a) b (cons (car a) out))))))

(define (prepend-reversed items tail)
  (if (null? items)
      tail
      (prepend-reversed (cdr items) (cons (car items) tail))))

(define (split items n)
  (let loop ((items items) (n n) (out '()))
    (if (= n 0)
        (values out items)
        (loop (cdr items) (- n 1) (cons (car items) out)))))

(define (sorted items n before?)
  (if (< n 2)
      items
      (let ((half (quotient n 2)))
        (let-values (((front back) (split items half)))
          (merge (sorted front half before?)
                 (sorted back (- n half) before?)
                 before?)))))

(define (run)
  (let* ((n 40000) (items (sorted (random-list n) n <)))
    (let loop ((items items) (i 0) (sum 0))
      (if (null? items)
          sum
          (loop (cdr items) (+ i 1) (modulo (+ sum (* i (car items))) 1000000007))))))
