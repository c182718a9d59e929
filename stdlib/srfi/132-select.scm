;; Selection by partitioning around a pivot, and the median.

(define (swap! v i j)
  (let ((item (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j item)))

(define (median-of-three less? a b c)
  (if (less? a b)
      (cond ((less? b c) b)
            ((less? a c) c)
            (else a))
      (cond ((less? a c) a)
            ((less? b c) c)
            (else b))))

;; Moves what is less than the pivot to the front of the range and what is greater to its end; calls
;; `receive` with the range between, whose elements equal the pivot.
(define (partition! less? v start end receive)
  (let ((pivot (median-of-three less?
                                (vector-ref v start)
                                (vector-ref v (quotient (+ start end) 2))
                                (vector-ref v (- end 1)))))
    (let loop ((low start) (index start) (high end))
      (if (= index high)
          (receive low high)
          (let ((item (vector-ref v index)))
            (cond ((less? item pivot)
                   (swap! v low index)
                   (loop (+ low 1) (+ index 1) high))
                  ((less? pivot item)
                   (swap! v index (- high 1))
                   (loop low index (- high 1)))
                  (else (loop low (+ index 1) high))))))))

;; Brings the element of rank `rank` to that index of v, and no greater one before it. Each round
;; should halve the range; input made to defeat the choice of pivots is sorted once rounds run out.
(define (select-rank! less? v rank start end)
  (let loop ((start start) (end end) (rounds (* 4 (exact-integer-length (- end start)))))
    (cond ((<= (- end start) 1))
          ((= rounds 0) (vector-sort! less? v start end))
          (else
           (partition! less? v start end
                       (lambda (low high)
                         (cond ((< rank low) (loop start low (- rounds 1)))
                               ((>= rank high) (loop high end (- rounds 1))))))))))

(define (exact-integer-length n)
  (let loop ((n n) (bits 0))
    (if (= n 0) bits (loop (quotient n 2) (+ bits 1)))))

(define-ranged (vector-select! "vector-select!" less? v k) (v start end)
  (if (not (and (exact-integer? k) (<= 0 k) (< k (- end start))))
      (error "vector-select!: k must be an index into the range" k start end))
  (select-rank! less? v (+ start k) start end)
  (vector-ref v (+ start k)))

(define-ranged (vector-separate! "vector-separate!" less? v k) (v start end)
  (if (not (and (exact-integer? k) (<= 0 k (- end start))))
      (error "vector-separate!: k must be a number of elements of the range" k start end))
  (if (< 0 k (- end start))
      (select-rank! less? v (+ start k) start end)))

;;; Median

(define (arithmetic-mean a b)
  (/ (+ a b) 2))

(define (greatest less? v end)
  (let loop ((index 1) (greatest (vector-ref v 0)))
    (cond ((= index end) greatest)
          ((less? greatest (vector-ref v index)) (loop (+ index 1) (vector-ref v index)))
          (else (loop (+ index 1) greatest)))))

(define vector-find-median
  (case-lambda
    ((less? v knil) (vector-find-median less? v knil arithmetic-mean))
    ((less? v knil mean)
     (check-procedure "vector-find-median" less?)
     (let* ((length (length-of "vector-find-median" v))
            (copy (vector-copy v))
            (half (quotient length 2)))
       (if (= length 0)
           knil
           (begin
             (select-rank! less? copy half 0 length)
             (if (odd? length)
                 (vector-ref copy half)
                 (mean (greatest less? copy half) (vector-ref copy half)))))))))

(define vector-find-median!
  (case-lambda
    ((less? v knil) (vector-find-median! less? v knil arithmetic-mean))
    ((less? v knil mean)
     (check-procedure "vector-find-median!" less?)
     (let* ((length (length-of "vector-find-median!" v))
            (half (quotient length 2)))
       (vector-sort! less? v 0 length)
       (cond ((= length 0) knil)
             ((odd? length) (vector-ref v half))
             (else (mean (vector-ref v (- half 1)) (vector-ref v half))))))))
