;; Searching, for one vector and for several in parallel.

;; The first index from `first` on, `step` at a time, until `stop`, where `pred?` gives `wanted`, or #f.
(define (search pred? wanted first stop step v rest)
  (if (null? rest)
      (let loop ((index first))
        (cond ((= index stop) #f)
              ((eq? wanted (and (pred? (vector-ref v index)) #t)) index)
              (else (loop (+ index step)))))
      (let ((vectors (cons v rest)))
        (let loop ((index first))
          (cond ((= index stop) #f)
                ((eq? wanted (and (apply pred? (elements-at vectors index)) #t)) index)
                (else (loop (+ index step))))))))

(define (search-left who pred? wanted v rest)
  (search pred? wanted 0 (shortest who v rest) 1 v rest))

(define (search-right who pred? wanted v rest)
  (let ((length (length-of who v)))
    (for-each
     (lambda (other)
       (if (not (= length (length-of who other)))
           (error (string-append who ": the vectors must have the same length") v other)))
     rest)
    (search pred? wanted (- length 1) -1 -1 v rest)))

(define (vector-index pred? v . rest)
  (search-left "vector-index" pred? #t v rest))

(define (vector-skip pred? v . rest)
  (search-left "vector-skip" pred? #f v rest))

(define (vector-index-right pred? v . rest)
  (search-right "vector-index-right" pred? #t v rest))

(define (vector-skip-right pred? v . rest)
  (search-right "vector-skip-right" pred? #f v rest))

(define (vector-binary-search v value cmp)
  (let loop ((low 0) (high (length-of "vector-binary-search" v)))
    (and (< low high)
         (let* ((middle (quotient (+ low high) 2))
                (order (cmp (vector-ref v middle) value)))
           (cond ((= order 0) middle)
                 ((< order 0) (loop (+ middle 1) high))
                 (else (loop low middle)))))))

(define vector-any
  (case-lambda
    ((pred? v)
     (let ((length (length-of "vector-any" v)))
       (let loop ((index 0))
         (and (< index length)
              (or (pred? (vector-ref v index))
                  (loop (+ index 1)))))))
    ((pred? v . rest)
     (let ((length (shortest "vector-any" v rest))
           (vectors (cons v rest)))
       (let loop ((index 0))
         (and (< index length)
              (or (apply pred? (elements-at vectors index))
                  (loop (+ index 1)))))))))

(define vector-every
  (case-lambda
    ((pred? v)
     (let ((length (length-of "vector-every" v)))
       (let loop ((index 0) (last #t))
         (if (= index length)
             last
             (let ((value (pred? (vector-ref v index))))
               (and value (loop (+ index 1) value)))))))
    ((pred? v . rest)
     (let ((length (shortest "vector-every" v rest))
           (vectors (cons v rest)))
       (let loop ((index 0) (last #t))
         (if (= index length)
             last
             (let ((value (apply pred? (elements-at vectors index))))
               (and value (loop (+ index 1) value)))))))))

(define (vector-partition pred? v)
  (let loop ((rest (reverse-vector->list v)) (yes '()) (no '()) (count 0))
    (if (null? rest)
        (values (list->vector (append yes no)) count)
        (let ((element (car rest)))
          (if (pred? element)
              (loop (cdr rest) (cons element yes) no (+ count 1))
              (loop (cdr rest) yes (cons element no) count))))))
