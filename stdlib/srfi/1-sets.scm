;;; Lists as sets. The order of the arguments of `same?` is the document's; it may not be symmetric.

;; Whether `(same? x y)` for an element y of the list.
(define (same-as-some? same? x lst)
  (let loop ((rest lst))
    (cond ((null? rest) #f)
          ((same? x (car rest)) #t)
          (else (loop (cdr rest))))))

(define (same-as-some-of? same? x lists)
  (let loop ((lists lists))
    (and (pair? lists)
         (or (same-as-some? same? x (car lists))
             (loop (cdr lists))))))

(define (same-as-some-of-each? same? x lists)
  (let loop ((lists lists))
    (or (null? lists)
        (and (same-as-some? same? x (car lists))
             (loop (cdr lists))))))

(define (check-sets who same? lists)
  (check-procedure who "same?" same?)
  (let loop ((rest lists))
    (when (pair? rest)
      (check-list who "lst" (car rest))
      (loop (cdr rest)))))

(define (subset? same? a b)
  (or (eq? a b)
      (every (lambda (x) (same-as-some? same? x b)) a)))

(define (superset? same? a b)
  (or (eq? a b)
      (every (lambda (y) (some-same? same? a y)) b)))

;; Whether `related?` holds of each list and the next one.
(define (chain? related? lists)
  (or (null? lists)
      (let loop ((first (car lists)) (rest (cdr lists)))
        (or (null? rest)
            (and (related? first (car rest))
                 (loop (car rest) (cdr rest)))))))

(define (lset<= same? . lists)
  (check-sets "lset<=" same? lists)
  (chain? (lambda (a b) (subset? same? a b)) lists))

(define (lset= same? . lists)
  (check-sets "lset=" same? lists)
  (chain? (lambda (a b) (and (subset? same? a b) (superset? same? a b))) lists))

(define (lset-adjoin same? lst . items)
  (check-sets "lset-adjoin" same? (list lst))
  (add-missing same? lst items))

(define (add-missing same? lst items)
  (let loop ((items items) (result lst))
    (if (pair? items)
        (loop (cdr items)
              (if (some-same? same? result (car items))
                  result
                  (cons (car items) result)))
        result)))

(define (lset-union same? . lists)
  (check-sets "lset-union" same? lists)
  (reduce (lambda (b a)
            (cond ((null? a) b)
                  ((eq? a b) a)
                  (else (add-missing same? a b))))
          '()
          lists))

(define (lset-intersection same? first . rest)
  (check-sets "lset-intersection" same? (cons first rest))
  (filter (lambda (x) (same-as-some-of-each? same? x rest)) first))

(define (lset-difference same? first . rest)
  (check-sets "lset-difference" same? (cons first rest))
  (remove (lambda (x) (same-as-some-of? same? x rest)) first))

(define (lset-xor same? . lists)
  (check-sets "lset-xor" same? lists)
  (reduce (lambda (b a)
            (append-reverse
             (remove (lambda (x) (same-as-some? same? x b)) a)
             (remove (lambda (y) (same-as-some? same? y a)) b)))
          '()
          lists))

(define (lset-diff+intersection same? first . rest)
  (check-sets "lset-diff+intersection" same? (cons first rest))
  (partition (lambda (x) (not (same-as-some-of? same? x rest))) first))

(define lset-union! lset-union)
(define lset-intersection! lset-intersection)
(define lset-difference! lset-difference)
(define lset-xor! lset-xor)
(define lset-diff+intersection! lset-diff+intersection)
