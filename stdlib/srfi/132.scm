;; Sorting. Every sort here is stable. With the order of a builtin such as < or string<? the host
;; sorts; with any other it is a merge sort in Scheme, so that a comparison can raise, escape, or capture a
;; continuation that is entered again when the sort has gone on: each return of it goes on from where it was.

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

;; It works in place, on a vector of its own, as long as no comparison captures a continuation. One that does may be
;; returned from again: the vector stays as it is then, and the sort goes on with lists, none of which is changed.

;; Sorts v from start to end in place, with the help of spare, a vector as long as half of that at least, and returns
;; #f; or returns the elements in order, as a list, because a comparison has captured a continuation.
(define (sort-range! less? v spare start end)
  (let ((length (- end start)))
    (cond ((< length 2) #f)
          ((= length 2) (sort-two! less? v start))
          (else
           (let* ((middle (+ start (quotient length 2)))
                  (left (sort-range! less? v spare start middle))
                  (right (if left
                             (sort-elements less? (vector->list v middle end) (- end middle))
                             (sort-range! less? v spare middle end))))
             (if (or left right)
                 (merge less? (or left (vector->list v start middle)) right)
                 (join-halves! less? v spare start middle end)))))))

(define (sort-two! less? v start)
  (let* ((first (vector-ref v start))
         (second (vector-ref v (+ start 1)))
         (swap? (less? second first)))
    (cond ((%resumed?)
           (if swap? (list second first) (list first second)))
          (swap?
           (vector-set! v start second)
           (vector-set! v (+ start 1) first)
           #f)
          (else #f))))

(define (join-halves! less? v spare start middle end)
  (let ((mixed? (less? (vector-ref v middle) (vector-ref v (- middle 1)))))
    (cond ((%resumed?)
           (if mixed?
               (merge less? (vector->list v start middle) (vector->list v middle end))
               (vector->list v start end)))
          ;; Two halves that are in order as they stand make sorted input cost one pass.
          (mixed? (merge-halves! less? v spare start middle end))
          (else #f))))

(define (merge-halves! less? v spare start middle end)
  (vector-copy! spare 0 v start middle)
  (let ((left-end (- middle start)))
    (let loop ((left 0) (right middle) (to start))
      (cond ((= left left-end) #f)
            ((= right end)
             (vector-copy! v to spare left left-end)
             #f)
            (else
             (let* ((from-left (vector-ref spare left))
                    (from-right (vector-ref v right))
                    (right-first? (less? from-right from-left)))
               (cond ((%resumed?)
                      (append (vector->list v start to)
                              (if right-first? (list from-right) (list from-left))
                              (merge less?
                                     (vector->list spare (if right-first? left (+ left 1)) left-end)
                                     (vector->list v (if right-first? (+ right 1) right) end))))
                     (right-first?
                      (vector-set! v to from-right)
                      (loop left (+ right 1) (+ to 1)))
                     (else
                      (vector-set! v to from-left)
                      (loop (+ left 1) right (+ to 1))))))))))

;; Returns the first count elements of a list in order.
(define (sort-elements less? lis count)
  (if (< count 2)
      (if (= count 0) '() (list (car lis)))
      (let ((half (quotient count 2)))
        (merge less?
               (sort-elements less? lis half)
               (sort-elements less? (list-tail lis half) (- count half))))))

;; Sorts a vector that nobody else has, unless a list is returned: that of its elements in order.
(define (sort-own! less? v)
  (let ((length (vector-length v)))
    (sort-range! less? v (make-vector (quotient (+ 1 length) 2) #f) 0 length)))

(define-ranged (vector-sort "vector-sort" less? v) (v start end)
  (let ((copy (vector-copy v start end))
        (order (host-order less?)))
    (if order
        (begin
          (%vector-sort! order copy)
          copy)
        (let ((sorted (sort-own! less? copy)))
          (if sorted (list->vector sorted) copy)))))

(define-ranged (vector-sort! "vector-sort!" less? v) (v start end)
  (let ((order (host-order less?)))
    (if order
        (%vector-sort! order v start end)
        (vector-copy! v start (vector-sort less? v start end)))))

(define (list-sort less? lis)
  (check-procedure "list-sort" less?)
  (let ((order (host-order less?)))
    (cond (order (%list-sort order lis))
          ((list? lis)
           (let ((v (list->vector lis)))
             (or (sort-own! less? v) (vector->list v))))
          (else (check-list "list-sort" lis)))))

(define vector-stable-sort! vector-sort!)
(define vector-stable-sort vector-sort)
(define list-stable-sort list-sort)
(define list-sort! list-sort)
(define list-stable-sort! list-sort)
