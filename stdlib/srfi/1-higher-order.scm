;;; Folding, unfolding, mapping, filtering, searching and deleting.
;;;
;;; Each procedure for any number of lists has a loop of its own for one list, the common case.
;;; Results are built by `reverse` of what was collected, never by changing pairs, so that a
;;; continuation captured in a procedure argument can be entered again.

;;; Several lists at a time

(define (check-lists who lists)
  (unless (let loop ((rest lists))
            (and (pair? rest)
                 (or (list? (car rest)) (loop (cdr rest)))))
    (when (let loop ((rest lists))
            (or (null? rest)
                (and (circular-list? (car rest)) (loop (cdr rest)))))
      (error (string-append who ": at least one of the lists must be finite")))))

;; Whether one of the lists has run out.
(define (exhausted? who lists)
  (let loop ((rest lists))
    (cond ((null? rest) #f)
          ((pair? (car rest)) (loop (cdr rest)))
          (else (check-end who "each list" (car rest)) #t))))

;; The elements `a b …` as a list that ends with `final`, for `apply`.
(define (cars+ lists final)
  (let loop ((rest (reverse lists)) (result (list final)))
    (if (pair? rest)
        (loop (cdr rest) (cons (caar rest) result))
        result)))

(define (cars lists) (map car lists))

(define (cdrs lists) (map cdr lists))

;; The lists and all their tails that are to be visited, last ones first.
(define (reversed-tails who lists)
  (let loop ((lists lists) (seen '()))
    (if (exhausted? who lists)
        seen
        (loop (cdrs lists) (cons lists seen)))))

;;; Folds

(define (fold kons knil first . rest)
  (check-procedure "fold" "kons" kons)
  (cond ((null? rest)
         (check-list "fold" "lst" first)
         (let loop ((lst first) (result knil))
           (if (pair? lst)
               (loop (cdr lst) (kons (car lst) result))
               result)))
        (else
         (let ((lists (cons first rest)))
           (check-lists "fold" lists)
           (let loop ((lists lists) (result knil))
             (if (exhausted? "fold" lists)
                 result
                 (loop (cdrs lists) (apply kons (cars+ lists result)))))))))

(define (fold-right kons knil first . rest)
  (check-procedure "fold-right" "kons" kons)
  (cond ((null? rest)
         (check-list "fold-right" "lst" first)
         (let loop ((lst (reverse first)) (result knil))
           (if (pair? lst)
               (loop (cdr lst) (kons (car lst) result))
               result)))
        (else
         (let ((lists (cons first rest)))
           (check-lists "fold-right" lists)
           (let loop ((tails (reversed-tails "fold-right" lists)) (result knil))
             (if (pair? tails)
                 (loop (cdr tails) (apply kons (cars+ (car tails) result)))
                 result))))))

(define (pair-fold kons knil first . rest)
  (check-procedure "pair-fold" "kons" kons)
  (cond ((null? rest)
         (check-list "pair-fold" "lst" first)
         (let loop ((pair first) (result knil))
           (if (pair? pair)
               (let ((next (cdr pair)))
                 (loop next (kons pair result)))
               result)))
        (else
         (let ((lists (cons first rest)))
           (check-lists "pair-fold" lists)
           (let loop ((lists lists) (result knil))
             (if (exhausted? "pair-fold" lists)
                 result
                 (let ((next (cdrs lists)))
                   (loop next (apply kons (append lists (list result)))))))))))

(define (pair-fold-right kons knil first . rest)
  (check-procedure "pair-fold-right" "kons" kons)
  (let ((lists (cons first rest)))
    (check-lists "pair-fold-right" lists)
    (let loop ((tails (reversed-tails "pair-fold-right" lists)) (result knil))
      (if (pair? tails)
          (loop (cdr tails) (apply kons (append (car tails) (list result))))
          result))))

(define (reduce f ridentity lst)
  (check-procedure "reduce" "f" f)
  (check-list "reduce" "lst" lst)
  (if (null? lst)
      ridentity
      (let loop ((rest (cdr lst)) (result (car lst)))
        (if (pair? rest)
            (loop (cdr rest) (f (car rest) result))
            result))))

(define (reduce-right f ridentity lst)
  (check-list "reduce-right" "lst" lst)
  (reduce f ridentity (reverse lst)))

(define (unfold stop? mapper successor seed . options)
  (check-procedure "unfold" "stop?" stop?)
  (check-procedure "unfold" "mapper" mapper)
  (check-procedure "unfold" "successor" successor)
  (let loop ((seed seed) (result '()))
    (cond ((not (stop? seed))
           (loop (successor seed) (cons (mapper seed) result)))
          ((null? options) (reverse result))
          (else (append-reverse result ((car options) seed))))))

(define (unfold-right stop? mapper successor seed . options)
  (check-procedure "unfold-right" "stop?" stop?)
  (check-procedure "unfold-right" "mapper" mapper)
  (check-procedure "unfold-right" "successor" successor)
  (let loop ((seed seed) (result (if (pair? options) (car options) '())))
    (if (stop? seed)
        result
        (loop (successor seed) (cons (mapper seed) result)))))

;;; Maps

;; The results of `f` on the elements, last one first.
(define (reversed-results who f first rest)
  (check-procedure who "f" f)
  (cond ((null? rest)
         (check-list who "lst" first)
         (let loop ((lst first) (results '()))
           (if (pair? lst)
               (loop (cdr lst) (cons (f (car lst)) results))
               results)))
        (else
         (let ((lists (cons first rest)))
           (check-lists who lists)
           (let loop ((lists lists) (results '()))
             (if (exhausted? who lists)
                 results
                 (loop (cdrs lists) (cons (apply f (cars lists)) results))))))))

(define (map-in-order f first . rest)
  (reverse (reversed-results "map-in-order" f first rest)))

(define (append-map f first . rest)
  (append-reversed append (reversed-results "append-map" f first rest)))

(define (append-map! f first . rest)
  (append-reversed append! (reversed-results "append-map!" f first rest)))

(define (filter-map f first . rest)
  (check-procedure "filter-map" "f" f)
  (cond ((null? rest)
         (check-list "filter-map" "lst" first)
         (let loop ((lst first) (results '()))
           (if (pair? lst)
               (let ((result (f (car lst))))
                 (loop (cdr lst) (if result (cons result results) results)))
               (reverse results))))
        (else
         (let loop ((results (reversed-results "filter-map" f first rest)) (kept '()))
           (if (pair? results)
               (loop (cdr results) (if (car results) (cons (car results) kept) kept))
               kept)))))

(define (pair-for-each f first . rest)
  (check-procedure "pair-for-each" "f" f)
  (let ((lists (cons first rest)))
    (check-lists "pair-for-each" lists)
    (let loop ((lists lists))
      (unless (exhausted? "pair-for-each" lists)
        (let ((next (cdrs lists)))
          (apply f lists)
          (loop next))))))

(define (count pred first . rest)
  (check-procedure "count" "pred" pred)
  (cond ((null? rest)
         (check-list "count" "lst" first)
         (let loop ((lst first) (total 0))
           (if (pair? lst)
               (loop (cdr lst) (if (pred (car lst)) (+ total 1) total))
               total)))
        (else
         (let ((lists (cons first rest)))
           (check-lists "count" lists)
           (let loop ((lists lists) (total 0))
             (if (exhausted? "count" lists)
                 total
                 (loop (cdrs lists) (if (apply pred (cars lists)) (+ total 1) total))))))))

;;; Filtering and partitioning

(define (filter pred lst)
  (check-procedure "filter" "pred" pred)
  (check-list "filter" "lst" lst)
  (let ((captures (%captures)))
    (let loop ((rest lst) (kept '()))
      (if (pair? rest)
          (let ((item (car rest)))
            (if (pred item)
                (loop (cdr rest) (cons item kept))
                (loop (cdr rest) kept)))
          (%reverse-new kept captures)))))

(define (remove pred lst)
  (check-procedure "remove" "pred" pred)
  (check-list "remove" "lst" lst)
  (let ((captures (%captures)))
    (let loop ((rest lst) (kept '()))
      (if (pair? rest)
          (let ((item (car rest)))
            (if (pred item)
                (loop (cdr rest) kept)
                (loop (cdr rest) (cons item kept))))
          (%reverse-new kept captures)))))

(define (partition pred lst)
  (check-procedure "partition" "pred" pred)
  (check-list "partition" "lst" lst)
  (let ((captures (%captures)))
    (let loop ((rest lst) (in '()) (out '()))
      (if (pair? rest)
          (let ((item (car rest)))
            (if (pred item)
                (loop (cdr rest) (cons item in) out)
                (loop (cdr rest) in (cons item out))))
          (values (%reverse-new in captures) (%reverse-new out captures))))))

;;; Searching

(define (find pred lst)
  (check-procedure "find" "pred" pred)
  (let loop ((rest lst))
    (cond ((pair? rest)
           (let ((item (car rest)))
             (if (pred item) item (loop (cdr rest)))))
          (else (check-end "find" "lst" rest) #f))))

(define (find-tail pred lst)
  (check-procedure "find-tail" "pred" pred)
  (let loop ((rest lst))
    (cond ((pair? rest)
           (if (pred (car rest)) rest (loop (cdr rest))))
          (else (check-end "find-tail" "lst" rest) #f))))

(define (take-while pred lst)
  (check-procedure "take-while" "pred" pred)
  (let loop ((rest lst) (taken '()))
    (cond ((not (pair? rest))
           (check-end "take-while" "lst" rest)
           (reverse taken))
          ((pred (car rest)) (loop (cdr rest) (cons (car rest) taken)))
          (else (reverse taken)))))

(define (drop-while pred lst)
  (check-procedure "drop-while" "pred" pred)
  (let loop ((rest lst))
    (cond ((not (pair? rest))
           (check-end "drop-while" "lst" rest)
           '())
          ((pred (car rest)) (loop (cdr rest)))
          (else rest))))

(define (span pred lst)
  (check-procedure "span" "pred" pred)
  (let loop ((rest lst) (taken '()))
    (cond ((not (pair? rest))
           (check-end "span" "lst" rest)
           (values (reverse taken) '()))
          ((pred (car rest)) (loop (cdr rest) (cons (car rest) taken)))
          (else (values (reverse taken) rest)))))

(define (break pred lst)
  (check-procedure "break" "pred" pred)
  (let loop ((rest lst) (taken '()))
    (cond ((not (pair? rest))
           (check-end "break" "lst" rest)
           (values (reverse taken) '()))
          ((pred (car rest)) (values (reverse taken) rest))
          (else (loop (cdr rest) (cons (car rest) taken))))))

;; The last call of the predicate is a tail call, hence the look at the tail before each call.
(define (any pred first . rest)
  (check-procedure "any" "pred" pred)
  (cond ((pair? rest) (any-of-several pred (cons first rest)))
        ((pair? first)
         (let loop ((item (car first)) (tail (cdr first)))
           (cond ((pair? tail) (or (pred item) (loop (car tail) (cdr tail))))
                 ((null? tail) (pred item))
                 (else (or (pred item) (check-end "any" "lst" tail))))))
        (else (check-end "any" "lst" first) #f)))

(define (any-of-several pred lists)
  (check-lists "any" lists)
  (and (not (exhausted? "any" lists))
       (let loop ((items (cars lists)) (tails (cdrs lists)))
         (if (exhausted? "any" tails)
             (apply pred items)
             (or (apply pred items)
                 (loop (cars tails) (cdrs tails)))))))

(define (every pred first . rest)
  (check-procedure "every" "pred" pred)
  (cond ((pair? rest) (every-of-several pred (cons first rest)))
        ((pair? first)
         (let loop ((item (car first)) (tail (cdr first)))
           (cond ((pair? tail) (and (pred item) (loop (car tail) (cdr tail))))
                 ((null? tail) (pred item))
                 (else (and (pred item) (check-end "every" "lst" tail))))))
        (else (check-end "every" "lst" first) #t)))

(define (every-of-several pred lists)
  (check-lists "every" lists)
  (or (exhausted? "every" lists)
      (let loop ((items (cars lists)) (tails (cdrs lists)))
        (if (exhausted? "every" tails)
            (apply pred items)
            (and (apply pred items)
                 (loop (cars tails) (cdrs tails)))))))

(define (list-index pred first . rest)
  (check-procedure "list-index" "pred" pred)
  (if (null? rest)
      (let loop ((lst first) (i 0))
        (cond ((not (pair? lst)) (check-end "list-index" "lst" lst) #f)
              ((pred (car lst)) i)
              (else (loop (cdr lst) (+ i 1)))))
      (let ((lists (cons first rest)))
        (check-lists "list-index" lists)
        (let loop ((lists lists) (i 0))
          (cond ((exhausted? "list-index" lists) #f)
                ((apply pred (cars lists)) i)
                (else (loop (cdrs lists) (+ i 1))))))))

;;; Deleting

(define (delete x lst . options)
  (check-list "delete" "lst" lst)
  (let ((same? (if (pair? options) (car options) equal?))
        (captures (%captures)))
    (let loop ((rest lst) (kept '()))
      (if (pair? rest)
          (let ((item (car rest)))
            (loop (cdr rest) (if (same? x item) kept (cons item kept))))
          (%reverse-new kept captures)))))

(define (delete-duplicates lst . options)
  (check-list "delete-duplicates" "lst" lst)
  (let ((same? (if (pair? options) (car options) equal?)))
    (let loop ((rest lst) (kept '()))
      (if (pair? rest)
          (let ((item (car rest)))
            (loop (cdr rest)
                  (if (some-same? same? kept item) kept (cons item kept))))
          (reverse kept)))))

;; Whether `(same? y x)` for an element y of the list.
(define (some-same? same? lst x)
  (let loop ((rest lst))
    (cond ((null? rest) #f)
          ((same? (car rest) x) #t)
          (else (loop (cdr rest))))))

