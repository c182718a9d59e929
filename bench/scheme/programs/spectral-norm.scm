;;; Matrix products with a computed matrix: flonum vectors in do loops, an inner call of a small procedure.
(import (scheme base) (scheme inexact))

(define (element i j)
  (/ 1.0 (+ (quotient (* (+ i j) (+ i j 1)) 2) i 1)))

(define (multiply v n)
  (let ((result (make-vector n 0.0)))
    (do ((i 0 (+ i 1)))
        ((= i n) result)
      (do ((j 0 (+ j 1))
           (sum 0.0 (+ sum (* (element i j) (vector-ref v j)))))
          ((= j n) (vector-set! result i sum))))))

(define (multiply-transposed v n)
  (let ((result (make-vector n 0.0)))
    (do ((i 0 (+ i 1)))
        ((= i n) result)
      (do ((j 0 (+ j 1))
           (sum 0.0 (+ sum (* (element j i) (vector-ref v j)))))
          ((= j n) (vector-set! result i sum))))))

(define (spectral-norm n rounds)
  (let loop ((k 0) (u (make-vector n 1.0)) (v (make-vector n 0.0)))
    (if (< k rounds)
        (let ((v (multiply-transposed (multiply u n) n)))
          (loop (+ k 1) (multiply-transposed (multiply v n) n) v))
        (do ((i 0 (+ i 1))
             (vbv 0.0 (+ vbv (* (vector-ref u i) (vector-ref v i))))
             (vv 0.0 (+ vv (* (vector-ref v i) (vector-ref v i)))))
            ((= i n) (sqrt (/ vbv vv)))))))

(define (run) (spectral-norm 240 3))
