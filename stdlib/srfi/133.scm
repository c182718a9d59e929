;; Constructors, iteration, mutators and conversions.

(define (length-of who v)
  (if (vector? v)
      (vector-length v)
      (error (string-append who ": not a vector") v)))

(define (check-range who v start end)
  (if (not (and (exact-integer? start)
                (exact-integer? end)
                (<= 0 start end (length-of who v))))
      (error (string-append who ": start and end must be indices with 0 <= start <= end <= "
                            (number->string (vector-length v)))
             start end)))

(define (check-size who size)
  (if (not (and (exact-integer? size) (>= size 0)))
      (error (string-append who ": the length must be an exact non-negative integer") size)))

;; (define-ranged (name "name" parameter ...) (v start end) body ...) defines a procedure whose last two
;; parameters, start and end, are optional and select a part of the vector v.
(define-syntax define-ranged
  (syntax-rules ()
    ((_ (name text parameter ...) (v start end) body ...)
     (define name
       (let ((work (lambda (parameter ... start end)
                     (check-range text v start end)
                     body ...)))
         (case-lambda
           ((parameter ...) (work parameter ... 0 (length-of text v)))
           ((parameter ... start) (work parameter ... start (length-of text v)))
           ((parameter ... start end) (work parameter ... start end))))))))

;; The length of the shortest of several vectors.
(define (shortest who v rest)
  (let loop ((rest rest) (length (length-of who v)))
    (if (null? rest)
        length
        (loop (cdr rest) (min length (length-of who (car rest)))))))

(define (elements-at vectors index)
  (map (lambda (v) (vector-ref v index)) vectors))

;;; Constructors

;; Generates elements for the indices of v from `first` on, `step` at a time, until `stop`.
(define (fill-unfolding! who f v first stop step seeds)
  (cond ((null? seeds)
         (do ((index first (+ index step)))
             ((= index stop))
           (vector-set! v index (f index))))
        ((null? (cdr seeds))
         (let loop ((index first) (seed (car seeds)))
           (if (not (= index stop))
               (call-with-values
                   (lambda () (f index seed))
                 (lambda (element seed)
                   (vector-set! v index element)
                   (loop (+ index step) seed))))))
        (else
         (let ((count (length seeds)))
           (let loop ((index first) (seeds seeds))
             (if (not (= index stop))
                 (call-with-values
                     (lambda () (apply f index seeds))
                   (lambda (element . seeds)
                     (if (not (= count (length seeds)))
                         (error (string-append who ": the number of seeds varies") seeds))
                     (vector-set! v index element)
                     (loop (+ index step) seeds)))))))))

(define (vector-unfold f length . seeds)
  (check-size "vector-unfold" length)
  (let ((v (make-vector length #f)))
    (fill-unfolding! "vector-unfold" f v 0 length 1 seeds)
    v))

(define (vector-unfold-right f length . seeds)
  (check-size "vector-unfold-right" length)
  (let ((v (make-vector length #f)))
    (fill-unfolding! "vector-unfold-right" f v (- length 1) -1 -1 seeds)
    v))

(define (vector-unfold! f v start end . seeds)
  (check-range "vector-unfold!" v start end)
  (fill-unfolding! "vector-unfold!" f v start end 1 seeds))

(define (vector-unfold-right! f v start end . seeds)
  (check-range "vector-unfold-right!" v start end)
  (fill-unfolding! "vector-unfold-right!" f v (- end 1) (- start 1) -1 seeds))

(define-ranged (vector-reverse-copy "vector-reverse-copy" v) (v start end)
  (list->vector (reverse (vector->list v start end))))

(define (vector-concatenate vectors)
  (if (not (list? vectors))
      (error "vector-concatenate: not a list" vectors))
  (apply vector-append vectors))

(define (vector-append-subvectors . arguments)
  (let loop ((rest arguments) (parts '()))
    (cond ((null? rest)
           (apply vector-append (reverse parts)))
          ((or (null? (cdr rest)) (null? (cddr rest)))
           (error "vector-append-subvectors: a vector needs a start and an end" (car rest)))
          (else
           (check-range "vector-append-subvectors" (car rest) (cadr rest) (car (cddr rest)))
           (loop (cdr (cddr rest))
                 (cons (vector-copy (car rest) (cadr rest) (car (cddr rest))) parts))))))

;;; Predicates

(define (vector-empty? v)
  (= 0 (length-of "vector-empty?" v)))

(define (vector= same? . vectors)
  (for-each (lambda (v) (length-of "vector=" v)) vectors)
  (or (null? vectors)
      (let loop ((first (car vectors)) (rest (cdr vectors)))
        (or (null? rest)
            (and (two-equal? same? first (car rest))
                 (loop (car rest) (cdr rest)))))))

(define (two-equal? same? a b)
  (let ((length (vector-length a)))
    (and (= length (vector-length b))
         (let loop ((index 0))
           (or (= index length)
               (and (same? (vector-ref a index) (vector-ref b index))
                    (loop (+ index 1))))))))

;;; Iteration

(define vector-fold
  (case-lambda
    ((kons knil v)
     (let ((length (length-of "vector-fold" v)))
       (let loop ((index 0) (state knil))
         (if (= index length)
             state
             (loop (+ index 1) (kons state (vector-ref v index)))))))
    ((kons knil v . rest)
     (let ((length (shortest "vector-fold" v rest))
           (vectors (cons v rest)))
       (let loop ((index 0) (state knil))
         (if (= index length)
             state
             (loop (+ index 1) (apply kons state (elements-at vectors index)))))))))

(define vector-fold-right
  (case-lambda
    ((kons knil v)
     (let loop ((index (- (length-of "vector-fold-right" v) 1)) (state knil))
       (if (< index 0)
           state
           (loop (- index 1) (kons state (vector-ref v index))))))
    ((kons knil v . rest)
     (let ((vectors (cons v rest)))
       (let loop ((index (- (shortest "vector-fold-right" v rest) 1)) (state knil))
         (if (< index 0)
             state
             (loop (- index 1) (apply kons state (elements-at vectors index)))))))))

(define (vector-map! f v . rest)
  (let ((length (length-of "vector-map!" v)))
    (if (< (shortest "vector-map!" v rest) length)
        (error "vector-map!: the first vector has more elements than another" v))
    (if (null? rest)
        (do ((index 0 (+ index 1)))
            ((= index length))
          (vector-set! v index (f (vector-ref v index))))
        (let ((vectors (cons v rest)))
          (do ((index 0 (+ index 1)))
              ((= index length))
            (vector-set! v index (apply f (elements-at vectors index))))))))

(define vector-count
  (case-lambda
    ((pred? v)
     (vector-fold (lambda (count element) (if (pred? element) (+ count 1) count)) 0 v))
    ((pred? v . rest)
     (apply vector-fold
            (lambda (count . elements) (if (apply pred? elements) (+ count 1) count))
            0 v rest))))

(define (vector-cumulate f knil v)
  (let* ((length (length-of "vector-cumulate" v))
         (result (make-vector length #f)))
    (let loop ((index 0) (state knil))
      (if (= index length)
          result
          (let ((state (f state (vector-ref v index))))
            (vector-set! result index state)
            (loop (+ index 1) state))))))

;;; Mutators

(define (vector-swap! v i j)
  (let ((element (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j element)))

(define-ranged (vector-reverse! "vector-reverse!" v) (v start end)
  (vector-copy! v start (vector-reverse-copy v start end)))

(define-ranged (vector-reverse-copy! "vector-reverse-copy!" to at from) (from start end)
  (check-range "vector-reverse-copy!" to at (length-of "vector-reverse-copy!" to))
  (if (> (- end start) (- (vector-length to) at))
      (error "vector-reverse-copy!: the elements do not fit" to at from start end))
  (vector-copy! to at (vector-reverse-copy from start end)))

;;; Conversion

(define-ranged (reverse-vector->list "reverse-vector->list" v) (v start end)
  (reverse (vector->list v start end)))

(define (reverse-list->vector lis)
  (list->vector (reverse lis)))
