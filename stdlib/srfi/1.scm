;;; Checks, constructors, predicates, selectors and the other first-order procedures.

(define (check-finite who parameter object)
  (unless (or (list? object) (not (circular-list? object)))
    (reject who parameter "a finite list" object)))

;; For what a loop over the pairs of a list stopped at.
(define (check-end who parameter object)
  (unless (null? object)
    (reject who parameter "a list that ends in (), not in a dotted tail" object)))

;;; Constructors

(define (xcons d a) (cons a d))

(define (list-tabulate n init-proc)
  (check-count "list-tabulate" "n" n)
  (check-procedure "list-tabulate" "init-proc" init-proc)
  (let loop ((i 0) (result '()))
    (if (< i n)
        (loop (+ i 1) (cons (init-proc i) result))
        (reverse result))))

(define (circular-list first . rest)
  (let* ((items (cons first rest)))
    (set-cdr! (last-pair items) items)
    items))

(define (iota count . options)
  (check-count "iota" "count" count)
  (if (null? options)
      (let loop ((i (- count 1)) (result '()))
        (if (< i 0)
            result
            (loop (- i 1) (cons i result))))
      (iota-from count (car options) (if (pair? (cdr options)) (cadr options) 1))))

(define (iota-from count start step)
  (check-number "iota" "start" start)
  (check-number "iota" "step" step)
  ;; Multiplying, since inexact steps would add up their errors.
  (let loop ((i (- count 1)) (result '()))
    (if (< i 0)
        result
        (loop (- i 1) (cons (+ start (* i step)) result)))))

;;; Predicates

(define (proper-list? x) (list? x))

(define (circular-list? x)
  (let loop ((slow x) (fast x))
    (and (pair? fast)
         (let ((fast (cdr fast)))
           (and (pair? fast)
                (let ((slow (cdr slow)) (fast (cdr fast)))
                  (or (eq? slow fast)
                      (loop slow fast))))))))

(define (dotted-list? x)
  (not (or (list? x) (circular-list? x))))

(define (not-pair? x) (not (pair? x)))

(define (null-list? lst)
  (cond ((pair? lst) #f)
        ((null? lst) #t)
        (else (reject "null-list?" "lst" "a proper or circular list" lst))))

(define (list= same? . lists)
  (check-procedure "list=" "same?" same?)
  (for-each (lambda (lst) (check-list "list=" "lst" lst)) lists)
  (or (null? lists)
      (let loop ((first (car lists)) (rest (cdr lists)))
        (or (null? rest)
            (and (equal-elements? same? first (car rest))
                 (loop (car rest) (cdr rest)))))))

(define (equal-elements? same? a b)
  (let loop ((a a) (b b))
    (cond ((eq? a b) #t)
          ((or (null? a) (null? b)) #f)
          ((same? (car a) (car b)) (loop (cdr a) (cdr b)))
          (else #f))))

;;; Selectors

;; The first four are called often: what they test is written out.

(define (first lst)
  (if (pair? lst)
      (car lst)
      (too-few "first" 1 lst)))

(define (second lst)
  (if (and (pair? lst) (pair? (cdr lst)))
      (cadr lst)
      (too-few "second" 2 lst)))

(define (third lst)
  (if (and (pair? lst) (pair? (cdr lst)) (pair? (cddr lst)))
      (caddr lst)
      (too-few "third" 3 lst)))

(define (fourth lst)
  (if (and (pair? lst) (pair? (cdr lst)) (pair? (cddr lst)) (pair? (cdddr lst)))
      (cadddr lst)
      (too-few "fourth" 4 lst)))

(define (fifth lst) (nth "fifth" 5 lst))
(define (sixth lst) (nth "sixth" 6 lst))
(define (seventh lst) (nth "seventh" 7 lst))
(define (eighth lst) (nth "eighth" 8 lst))
(define (ninth lst) (nth "ninth" 9 lst))
(define (tenth lst) (nth "tenth" 10 lst))

(define (nth who count lst)
  (let loop ((rest lst) (left count))
    (cond ((not (pair? rest)) (too-few who count lst))
          ((= left 1) (car rest))
          (else (loop (cdr rest) (- left 1))))))

(define (too-few who count lst)
  (reject who "lst" (string-append "a list of at least " (number->string count) (if (= count 1) " element" " elements"))
          lst))

(define (car+cdr pair) (values (car pair) (cdr pair)))

(define (too-short who i lst)
  (error (string-append who ": the list has fewer elements than") i lst))

(define (take lst i)
  (check-count "take" "i" i)
  (let loop ((rest lst) (left i) (taken '()))
    (cond ((= left 0) (reverse taken))
          ((pair? rest) (loop (cdr rest) (- left 1) (cons (car rest) taken)))
          (else (too-short "take" i lst)))))

(define (drop lst i)
  (check-count "drop" "i" i)
  (tail-after "drop" lst i))

(define (tail-after who lst i)
  (let loop ((rest lst) (left i))
    (cond ((= left 0) rest)
          ((pair? rest) (loop (cdr rest) (- left 1)))
          (else (too-short who i lst)))))

(define (take-right lst i)
  (check-count "take-right" "i" i)
  (check-finite "take-right" "lst" lst)
  (let loop ((lag lst) (lead (tail-after "take-right" lst i)))
    (if (pair? lead)
        (loop (cdr lag) (cdr lead))
        lag)))

(define (drop-right lst i)
  (check-count "drop-right" "i" i)
  (check-finite "drop-right" "lst" lst)
  (let loop ((lag lst) (lead (tail-after "drop-right" lst i)) (kept '()))
    (if (pair? lead)
        (loop (cdr lag) (cdr lead) (cons (car lag) kept))
        (reverse kept))))

(define (split-at lst i)
  (check-count "split-at" "i" i)
  (let loop ((rest lst) (left i) (taken '()))
    (cond ((= left 0) (values (reverse taken) rest))
          ((pair? rest) (loop (cdr rest) (- left 1) (cons (car rest) taken)))
          (else (too-short "split-at" i lst)))))

(define (last pair) (car (last-pair-of "last" pair)))
(define (last-pair pair) (last-pair-of "last-pair" pair))

(define (last-pair-of who pair)
  (unless (pair? pair)
    (reject who "pair" "a pair" pair))
  (check-finite who "pair" pair)
  (let loop ((pair pair))
    (let ((tail (cdr pair)))
      (if (pair? tail)
          (loop tail)
          pair))))

;;; Miscellaneous

(define (length+ lst)
  (cond ((list? lst) (length lst))
        ((circular-list? lst) #f)
        (else (reject "length+" "lst" "a proper or circular list" lst))))

(define (concatenate lists)
  (check-list "concatenate" "lists" lists)
  (append-reversed append (reverse lists)))

(define (concatenate! lists)
  (check-list "concatenate!" "lists" lists)
  (append-reversed append! (reverse lists)))

;; Joins lists of which the last one, which may be any object, comes first.
(define (append-reversed join reversed)
  (if (null? reversed)
      '()
      (let loop ((rest (cdr reversed)) (result (car reversed)))
        (if (pair? rest)
            (loop (cdr rest) (join (car rest) result))
            result))))

(define (append! . lists)
  (append-reversed append-two! (reverse lists)))

(define (append-two! head tail)
  (check-list "append!" "lst" head)
  (cond ((null? head) tail)
        (else
         (set-cdr! (last-pair head) tail)
         head)))

(define (append-reverse rev-head tail)
  (check-list "append-reverse" "rev-head" rev-head)
  (let loop ((rest rev-head) (result tail))
    (if (pair? rest)
        (loop (cdr rest) (cons (car rest) result))
        result)))

(define (append-reverse! rev-head tail)
  (check-list "append-reverse!" "rev-head" rev-head)
  (let loop ((pair rev-head) (result tail))
    (if (pair? pair)
        (let ((next (cdr pair)))
          (set-cdr! pair result)
          (loop next pair))
        result)))

(define (reverse! lst)
  (check-list "reverse!" "lst" lst)
  (append-reverse! lst '()))

(define (zip first . rest) (apply map list first rest))

(define (unzip1 lists) (map car lists))

(define (unzip2 lists)
  (values (map car lists) (map cadr lists)))

(define (unzip3 lists)
  (values (map car lists) (map cadr lists) (map caddr lists)))

(define (unzip4 lists)
  (values (map car lists) (map cadr lists) (map caddr lists) (map cadddr lists)))

(define (unzip5 lists)
  (values (map car lists) (map cadr lists) (map caddr lists) (map cadddr lists) (map fifth lists)))

;;; Association lists

(define (alist-cons key datum alist) (cons (cons key datum) alist))

(define (alist-copy alist)
  (map (lambda (entry) (cons (car entry) (cdr entry))) alist))

(define (alist-delete key alist . options)
  (check-list "alist-delete" "alist" alist)
  (let ((same? (if (pair? options) (car options) equal?)))
    (let loop ((rest alist) (kept '()))
      (cond ((null? rest) (reverse kept))
            ((same? key (caar rest)) (loop (cdr rest) kept))
            (else (loop (cdr rest) (cons (car rest) kept)))))))
