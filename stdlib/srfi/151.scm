;; The operations on bits that take procedures.

(define (bitwise-fold proc seed i)
  (let ((size (integer-length i)))
    (let loop ((index 0) (result seed))
      (if (= index size)
          result
          (loop (+ index 1) (proc (bit-set? index i) result))))))

(define (bitwise-for-each proc i)
  (let ((size (integer-length i)))
    (do ((index 0 (+ index 1)))
        ((= index size))
      (proc (bit-set? index i)))))

;; The bits are kept in a list rather than a growing integer, which each step would copy.
(define (bitwise-unfold stop? mapper successor seed)
  (let loop ((state seed) (booleans '()))
    (if (stop? state)
        (list->bits (reverse booleans))
        (loop (successor state)
              (cons (if (mapper state) #t #f) booleans)))))

(define (make-bitwise-generator i)
  (let ((index -1))
    (lambda ()
      (set! index (+ index 1))
      (bit-set? index i))))
