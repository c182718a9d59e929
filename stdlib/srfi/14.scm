;; What calls procedures of the program, and the standard sets.

(define (char-set-copy cs)
  (->char-set cs))

(define list->char-set! list->char-set)
(define string->char-set! string->char-set)
(define ucs-range->char-set! ucs-range->char-set)

(define (char-set-fold kons knil cs)
  (let loop ((chars (char-set->list cs)) (result knil))
    (if (null? chars)
        result
        (loop (cdr chars) (kons (car chars) result)))))

(define char-set-unfold
  (case-lambda
    ((stop? mapper successor seed)
     (char-set-unfold stop? mapper successor seed char-set:empty))
    ((stop? mapper successor seed base)
     (let loop ((seed seed) (chars '()))
       (if (stop? seed)
           (list->char-set chars base)
           (loop (successor seed) (cons (mapper seed) chars)))))))

(define char-set-unfold! char-set-unfold)

(define (char-set-for-each proc cs)
  (for-each proc (char-set->list cs)))

(define (char-set-map proc cs)
  (list->char-set (map proc (char-set->list cs))))

(define char-set-filter
  (case-lambda
    ((pred cs) (char-set-filter pred cs char-set:empty))
    ((pred cs base)
     (list->char-set
      (char-set-fold (lambda (char kept) (if (pred char) (cons char kept) kept)) '() cs)
      base))))

(define char-set-filter! char-set-filter)

(define (char-set-count pred cs)
  (char-set-fold (lambda (char count) (if (pred char) (+ count 1) count)) 0 cs))

(define (char-set-every pred cs)
  (let loop ((chars (char-set->list cs)) (last #t))
    (if (null? chars)
        last
        (let ((value (pred (car chars))))
          (and value (loop (cdr chars) value))))))

(define (char-set-any pred cs)
  (let loop ((chars (char-set->list cs)))
    (and (pair? chars)
         (or (pred (car chars))
             (loop (cdr chars))))))

(define char-set:lower-case (%char-set 'lower-case))
(define char-set:upper-case (%char-set 'upper-case))
(define char-set:title-case (%char-set 'title-case))
(define char-set:letter (%char-set 'letter))
(define char-set:digit (%char-set 'digit))
(define char-set:letter+digit (%char-set 'letter+digit))
(define char-set:graphic (%char-set 'graphic))
(define char-set:printing (%char-set 'printing))
(define char-set:whitespace (%char-set 'whitespace))
(define char-set:iso-control (%char-set 'iso-control))
(define char-set:punctuation (%char-set 'punctuation))
(define char-set:symbol (%char-set 'symbol))
(define char-set:hex-digit (%char-set 'hex-digit))
(define char-set:blank (%char-set 'blank))
(define char-set:ascii (%char-set 'ascii))
(define char-set:empty (%char-set 'empty))
(define char-set:full (%char-set 'full))
