;;; The linear-update procedures, which make their result of the pairs of their argument.

;; Keep the pairs of a list whose elements satisfy keep?.
(define (filtered! keep? lst)
  (let ((head (cons #f lst)))
    (let loop ((last head) (rest lst))
      (cond ((null? rest)
             (set-cdr! last '())
             (cdr head))
            ((keep? (car rest))
             (set-cdr! last rest)
             (loop rest (cdr rest)))
            (else (loop last (cdr rest)))))))

(define (filter! pred lst)
  (check-procedure "filter!" "pred" pred)
  (check-list "filter!" "lst" lst)
  (filtered! pred lst))

(define (remove! pred lst)
  (check-procedure "remove!" "pred" pred)
  (check-list "remove!" "lst" lst)
  (filtered! (lambda (item) (not (pred item))) lst))

(define (delete! x lst . options)
  (check-list "delete!" "lst" lst)
  (let ((same? (if (pair? options) (car options) equal?)))
    (filtered! (lambda (item) (not (same? x item))) lst)))

(define (delete-duplicates! lst . options)
  (check-list "delete-duplicates!" "lst" lst)
  (let ((same? (if (pair? options) (car options) equal?))
        (kept '()))
    (filtered! (lambda (item)
                 (and (not (some-same? same? kept item))
                      (begin (set! kept (cons item kept)) #t)))
               lst)))

(define (alist-delete! key alist . options)
  (check-list "alist-delete!" "alist" alist)
  (let ((same? (if (pair? options) (car options) equal?)))
    (filtered! (lambda (entry) (not (same? key (car entry)))) alist)))

(define (partition! pred lst)
  (check-procedure "partition!" "pred" pred)
  (check-list "partition!" "lst" lst)
  (let ((in (list #f)) (out (list #f)))
    (let loop ((rest lst) (last-in in) (last-out out))
      (cond ((null? rest)
             (set-cdr! last-in '())
             (set-cdr! last-out '())
             (values (cdr in) (cdr out)))
            ((pred (car rest))
             (set-cdr! last-in rest)
             (loop (cdr rest) rest last-out))
            (else
             (set-cdr! last-out rest)
             (loop (cdr rest) last-in rest))))))

(define (map! f first . rest)
  (let loop ((cell first) (last #f) (results (apply map-in-order f first rest)))
    (cond ((pair? results)
           (set-car! cell (car results))
           (loop (cdr cell) cell (cdr results)))
          (last
           (set-cdr! last '())
           first)
          (else '()))))

;; Cut a list behind its first i pairs; return them and the others.
(define (cut! who lst i)
  (check-count who "i" i)
  (if (= i 0)
      (values '() lst)
      (let* ((last (tail-after who lst (- i 1)))
             (rest (if (pair? last) (cdr last) (too-short who i lst))))
        (set-cdr! last '())
        (values lst rest))))

(define (take! lst i)
  (let-values (((taken rest) (cut! "take!" lst i)))
    taken))

(define (split-at! lst i)
  (cut! "split-at!" lst i))

(define (drop-right! lst i)
  (check-count "drop-right!" "i" i)
  (check-finite "drop-right!" "lst" lst)
  (let loop ((last #f) (lag lst) (lead (tail-after "drop-right!" lst i)))
    (cond ((pair? lead) (loop lag (cdr lag) (cdr lead)))
          (last
           (set-cdr! last '())
           lst)
          (else '()))))

;; Cut a list before the first element that does not satisfy keep?; return both parts.
(define (cut-before! who keep? lst)
  (let loop ((last #f) (rest lst))
    (cond ((and (pair? rest) (keep? (car rest))) (loop rest (cdr rest)))
          (else
           (if (not (pair? rest))
               (check-end who "lst" rest))
           (if last
               (begin (set-cdr! last '())
                      (values lst rest))
               (values '() rest))))))

(define (take-while! pred lst)
  (check-procedure "take-while!" "pred" pred)
  (let-values (((taken rest) (cut-before! "take-while!" pred lst)))
    taken))

(define (span! pred lst)
  (check-procedure "span!" "pred" pred)
  (cut-before! "span!" pred lst))

(define (break! pred lst)
  (check-procedure "break!" "pred" pred)
  (cut-before! "break!" (lambda (item) (not (pred item))) lst))
