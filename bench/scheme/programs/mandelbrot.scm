;;; Flonum arithmetic in a loop within loops.
(import (scheme base))

(define (escape-time cr ci limit)
  (let loop ((zr 0.0) (zi 0.0) (n 0))
    (let ((zr2 (* zr zr)) (zi2 (* zi zi)))
      (if (or (= n limit) (> (+ zr2 zi2) 4.0))
          n
          (loop (+ (- zr2 zi2) cr) (+ (* 2.0 zr zi) ci) (+ n 1))))))

(define (mandelbrot size limit)
  (let ((step (/ 3.0 size)))
    (do ((y 0 (+ y 1))
         (sum 0 (do ((x 0 (+ x 1))
                     (sum sum (+ sum (escape-time (- (* x step) 2.0) (- (* y step) 1.5) limit))))
                    ((= x size) sum))))
        ((= y size) sum))))

(define (run) (mandelbrot 240 100))
