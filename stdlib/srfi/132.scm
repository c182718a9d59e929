;; Sorting. Every sort here is stable. With the order of a builtin such as < or string<? the host
;; sorts; with any other it is a merge sort in Scheme, so that a comparison can raise, escape or capture a
;; continuation. It works in place, also on the copy of list-sort and vector-sort: a comparison that is returned
;; from once more, when the sort has gone on, goes on with the elements as they stand by then.

(define (check-procedure who object)
  (if (not (procedure? object))
      (error (string-append who ": the order must be a procedure") object)))

(define (check-list who object)
  (if (not (list? object))
      (error (string-append who ": not a list") object)))

(define (check-range who v start end)
  (if (not (vector? v))
      (error (string-append who ": not a vector") v))
  (if (not (and (exact-integer? start)
                (exact-integer? end)
                (<= 0 start end (vector-length v))))
      (error (string-append who ": start and end must be indices with 0 <= start <= end <= "
                            (number->string (vector-length v)))
             start end)))

(define (length-of who v)
  (if (vector? v)
      (vector-length v)
      (error (string-append who ": not a vector") v)))

;; (define-ranged (name "name" parameter ...) (v start end) body ...) defines a procedure whose last two
;; parameters, start and end, are optional and select a part of the vector v.
(define-syntax define-ranged
  (syntax-rules ()
    ((_ (name text first parameter ...) (v start end) body ...)
     (define name
       (let ((work (lambda (first parameter ... start end)
                     (check-procedure text first)
                     (check-range text v start end)
                     body ...)))
         (case-lambda
           ((first parameter ...) (work first parameter ... 0 (length-of text v)))
           ((first parameter ... start) (work first parameter ... start (length-of text v)))
           ((first parameter ... start end) (work first parameter ... start end))))))))

;; The name of a builtin order that the host sorts by, or #f.
(define (host-order less?)
  (cond ((eq? less? <) '<)
        ((eq? less? >) '>)
        ((eq? less? string<?) 'string<?)
        ((eq? less? string>?) 'string>?)
        ((eq? less? string-ci<?) 'string-ci<?)
        ((eq? less? string-ci>?) 'string-ci>?)
        ((eq? less? char<?) 'char<?)
        ((eq? less? char>?) 'char>?)
        ((eq? less? char-ci<?) 'char-ci<?)
        ((eq? less? char-ci>?) 'char-ci>?)
        (else #f)))

;;; Predicates

(define (list-sorted? less? lis)
  (check-procedure "list-sorted?" less?)
  (check-list "list-sorted?" lis)
  (or (null? lis)
      (let loop ((first (car lis)) (rest (cdr lis)))
        (or (null? rest)
            (and (not (less? (car rest) first))
                 (loop (car rest) (cdr rest)))))))

(define-ranged (vector-sorted? "vector-sorted?" less? v) (v start end)
  (let loop ((index (+ start 1)))
    (or (>= index end)
        (and (not (less? (vector-ref v index) (vector-ref v (- index 1))))
             (loop (+ index 1))))))

;;; Merge sort

;; Sorts v from start to end with the help of spare, a vector as long as half of that at least.
(define (sort-range! less? v spare start end)
  (let ((length (- end start)))
    (cond ((< length 2))
          ((= length 2)
           (let ((first (vector-ref v start))
                 (second (vector-ref v (+ start 1))))
             (if (less? second first)
                 (begin
                   (vector-set! v start second)
                   (vector-set! v (+ start 1) first)))))
          (else
           (let ((middle (+ start (quotient length 2))))
             (sort-range! less? v spare start middle)
             (sort-range! less? v spare middle end)
             ;; Two halves that are in order as they stand make sorted input cost one pass.
             (if (less? (vector-ref v middle) (vector-ref v (- middle 1)))
                 (merge-halves! less? v spare start middle end)))))))

(define (merge-halves! less? v spare start middle end)
  (vector-copy! spare 0 v start middle)
  (let ((left-end (- middle start)))
    (let loop ((left 0) (right middle) (to start))
      (cond ((= left left-end))
            ((= right end)
             (vector-copy! v to spare left left-end))
            (else
             (let ((from-left (vector-ref spare left))
                   (from-right (vector-ref v right)))
               (if (less? from-right from-left)
                   (begin
                     (vector-set! v to from-right)
                     (loop left (+ right 1) (+ to 1)))
                   (begin
                     (vector-set! v to from-left)
                     (loop (+ left 1) right (+ to 1))))))))))

(define (sort-vector! less? v start end)
  (let ((order (host-order less?)))
    (if order
        (%vector-sort! order v start end)
        (sort-range! less? v (make-vector (quotient (+ 1 (- end start)) 2) #f) start end))))

(define-ranged (vector-sort! "vector-sort!" less? v) (v start end)
  (sort-vector! less? v start end))

(define-ranged (vector-sort "vector-sort" less? v) (v start end)
  (let ((copy (vector-copy v start end)))
    (sort-vector! less? copy 0 (- end start))
    copy))

(define (list-sort less? lis)
  (check-procedure "list-sort" less?)
  (let ((order (host-order less?)))
    (cond (order (%list-sort order lis))
          ((list? lis)
           (let ((v (list->vector lis)))
             (sort-vector! less? v 0 (vector-length v))
             (vector->list v)))
          (else (check-list "list-sort" lis)))))

(define vector-stable-sort! vector-sort!)
(define vector-stable-sort vector-sort)
(define list-stable-sort list-sort)
(define list-sort! list-sort)
(define list-stable-sort! list-sort)
