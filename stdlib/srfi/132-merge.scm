;; Merging of sorted sequences, and deletion of neighbours that are equal.

(define (list-merge less? lis1 lis2)
  (check-procedure "list-merge" less?)
  (check-list "list-merge" lis1)
  (check-list "list-merge" lis2)
  (merge less? lis1 lis2))

(define (merge less? lis1 lis2)
  (let loop ((first lis1) (second lis2) (merged '()))
    (cond ((null? first) (append-reverse merged second))
          ((null? second) (append-reverse merged first))
          ((less? (car second) (car first))
           (loop first (cdr second) (cons (car second) merged)))
          (else
           (loop (cdr first) second (cons (car first) merged))))))

(define (append-reverse reversed tail)
  (if (null? reversed)
      tail
      (append-reverse (cdr reversed) (cons (car reversed) tail))))

(define (list-merge! less? lis1 lis2)
  (check-procedure "list-merge!" less?)
  (check-list "list-merge!" lis1)
  (check-list "list-merge!" lis2)
  (let ((head (list #f)))
    (let loop ((last head) (first lis1) (second lis2))
      (cond ((null? first) (set-cdr! last second))
            ((null? second) (set-cdr! last first))
            ((less? (car second) (car first))
             (set-cdr! last second)
             (loop second first (cdr second)))
            (else
             (set-cdr! last first)
             (loop first (cdr first) second))))
    (cdr head)))

(define (merge-into! less? to from1 from2 start start1 end1 start2 end2)
  (let loop ((first start1) (second start2) (index start))
    (cond ((= first end1) (vector-copy! to index from2 second end2))
          ((= second end2) (vector-copy! to index from1 first end1))
          ((less? (vector-ref from2 second) (vector-ref from1 first))
           (vector-set! to index (vector-ref from2 second))
           (loop first (+ second 1) (+ index 1)))
          (else
           (vector-set! to index (vector-ref from1 first))
           (loop (+ first 1) second (+ index 1))))))

(define vector-merge
  (case-lambda
    ((less? v1 v2)
     (vector-merge less? v1 v2 0 (length-of "vector-merge" v1) 0 (length-of "vector-merge" v2)))
    ((less? v1 v2 start1)
     (vector-merge less? v1 v2 start1 (length-of "vector-merge" v1) 0 (length-of "vector-merge" v2)))
    ((less? v1 v2 start1 end1)
     (vector-merge less? v1 v2 start1 end1 0 (length-of "vector-merge" v2)))
    ((less? v1 v2 start1 end1 start2)
     (vector-merge less? v1 v2 start1 end1 start2 (length-of "vector-merge" v2)))
    ((less? v1 v2 start1 end1 start2 end2)
     (check-procedure "vector-merge" less?)
     (check-range "vector-merge" v1 start1 end1)
     (check-range "vector-merge" v2 start2 end2)
     (let ((merged (make-vector (+ (- end1 start1) (- end2 start2)) #f)))
       (merge-into! less? merged v1 v2 0 start1 end1 start2 end2)
       merged))))

(define vector-merge!
  (let ((who "vector-merge!"))
    (case-lambda
      ((less? to from1 from2)
       (vector-merge! less? to from1 from2 0 0 (length-of who from1) 0 (length-of who from2)))
      ((less? to from1 from2 start)
       (vector-merge! less? to from1 from2 start 0 (length-of who from1) 0 (length-of who from2)))
      ((less? to from1 from2 start start1)
       (vector-merge! less? to from1 from2 start start1 (length-of who from1) 0 (length-of who from2)))
      ((less? to from1 from2 start start1 end1)
       (vector-merge! less? to from1 from2 start start1 end1 0 (length-of who from2)))
      ((less? to from1 from2 start start1 end1 start2)
       (vector-merge! less? to from1 from2 start start1 end1 start2 (length-of who from2)))
      ((less? to from1 from2 start start1 end1 start2 end2)
       (check-procedure who less?)
       (check-range who from1 start1 end1)
       (check-range who from2 start2 end2)
       (check-range who to start (+ start (- end1 start1) (- end2 start2)))
       (merge-into! less? to from1 from2 start start1 end1 start2 end2)))))

;;; Neighbours

(define (list-delete-neighbor-dups same? lis)
  (check-procedure "list-delete-neighbor-dups" same?)
  (check-list "list-delete-neighbor-dups" lis)
  (if (null? lis)
      '()
      (let loop ((kept (list (car lis))) (rest (cdr lis)))
        (cond ((null? rest) (reverse kept))
              ((same? (car kept) (car rest)) (loop kept (cdr rest)))
              (else (loop (cons (car rest) kept) (cdr rest)))))))

(define (list-delete-neighbor-dups! same? lis)
  (check-procedure "list-delete-neighbor-dups!" same?)
  (check-list "list-delete-neighbor-dups!" lis)
  (if (pair? lis)
      (let loop ((last lis) (rest (cdr lis)))
        (cond ((null? rest) (set-cdr! last '()))
              ((same? (car last) (car rest)) (loop last (cdr rest)))
              (else
               (set-cdr! last rest)
               (loop rest (cdr rest))))))
  lis)

;; Packs what survives of v from start to end into `to` from index `at` on; returns where it ends.
(define (pack! same? v start end to at)
  (if (= start end)
      at
      (let loop ((kept (vector-ref v start)) (index start) (at at))
        (vector-set! to at kept)
        (let ((next (next-different same? kept v (+ index 1) end)))
          (if (= next end)
              (+ at 1)
              (loop (vector-ref v next) next (+ at 1)))))))

(define (next-different same? kept v index end)
  (if (and (< index end) (same? kept (vector-ref v index)))
      (next-different same? kept v (+ index 1) end)
      index))

(define-ranged (vector-delete-neighbor-dups "vector-delete-neighbor-dups" same? v) (v start end)
  (let* ((packed (make-vector (- end start) #f))
         (length (pack! same? v start end packed 0)))
    (vector-copy packed 0 length)))

(define-ranged (vector-delete-neighbor-dups! "vector-delete-neighbor-dups!" same? v) (v start end)
  (pack! same? v start end v start))
