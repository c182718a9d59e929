;;; Matrix product on vectors of vectors in do loops.
(import (scheme base))

(define (make-matrix rows columns value)
  (let ((matrix (make-vector rows)))
    (do ((i 0 (+ i 1)))
        ((= i rows) matrix)
      (let ((row (make-vector columns)))
        (do ((j 0 (+ j 1)))
            ((= j columns))
          (vector-set! row j (value i j)))
        (vector-set! matrix i row)))))

(define (matrix-product a b n)
  (make-matrix n n
    (lambda (i j)
      (let ((row (vector-ref a i)))
        (do ((k 0 (+ k 1))
             (sum 0 (+ sum (* (vector-ref row k) (vector-ref (vector-ref b k) j)))))
            ((= k n) sum))))))

(define (run)
  (let* ((n 140)
         (a (make-matrix n n (lambda (i j) (+ i j))))
         (b (make-matrix n n (lambda (i j) (- i j))))
         (c (matrix-product a b n)))
    (+ (vector-ref (vector-ref c 3) 5) (vector-ref (vector-ref c 99) 98))))
