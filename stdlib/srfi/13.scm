;; The procedures of string-lib that call procedures of the program. The others are the host's: a
;; string is text of Python, and its own operations are the fastest way through it.
;;
;; Where a procedure takes a char/char-set/pred, only a procedure is applied here, one character at a
;; time; for characters and sets the host searches.

(define (refuse who what object)
  (error (string-append who ": " what) object))

(define (length-of who s)
  (if (string? s)
      (string-length s)
      (refuse who "not a string" s)))

(define (check-range who start end length)
  (if (not (and (exact-integer? start) (exact-integer? end) (<= 0 start end length)))
      (error (string-append who ": start and end must be indices with 0 <= start <= end <= "
                            (number->string length))
             start end)))

;; (define-ranged (name "name" parameter ... ) (s start end) body ...) defines a procedure whose last two
;; parameters, start and end, are optional and select a part of the string s.
(define-syntax define-ranged
  (syntax-rules ()
    ((_ (name text parameter ...) (s start end) body ...)
     (define name
       (let ((work (lambda (parameter ... start end) body ...)))
         (case-lambda
           ((parameter ...)
            (work parameter ... 0 (length-of text s)))
           ((parameter ... start)
            (let ((end (length-of text s)))
              (check-range text start end end)
              (work parameter ... start end)))
           ((parameter ... start end)
            (check-range text start end (length-of text s))
            (work parameter ... start end))))))))

;; Such a procedure as an expression. The name is what errors call it.
(define-syntax ranged
  (syntax-rules ()
    ((_ (name text parameter ...) (s start end) body ...)
     (let ()
       (define-ranged (name text parameter ...) (s start end) body ...)
       name))))

;;; Predicates

(define-ranged (string-every "string-every" criterion s) (s start end)
  (cond ((not (procedure? criterion))
         (not (%string-skip s criterion start end)))
        ((= start end) #t)
        (else
         (let ((last (- end 1)))
           (let loop ((index start))
             (if (= index last)
                 (criterion (string-ref s index))
                 (and (criterion (string-ref s index))
                      (loop (+ index 1)))))))))

(define-ranged (string-any "string-any" criterion s) (s start end)
  (cond ((not (procedure? criterion))
         (and (%string-index s criterion start end) #t))
        ((= start end) #f)
        (else
         (let ((last (- end 1)))
           (let loop ((index start))
             (if (= index last)
                 (criterion (string-ref s index))
                 (or (criterion (string-ref s index))
                     (loop (+ index 1)))))))))

;;; Constructors

(define (string-tabulate proc len)
  (if (not (and (exact-integer? len) (>= len 0)))
      (refuse "string-tabulate" "the length must be an exact non-negative integer" len))
  (let loop ((index 0) (chars '()))
    (if (= index len)
        (reverse-list->string chars)
        (loop (+ index 1) (cons (proc index) chars)))))

(define string-unfold
  (case-lambda
    ((stop? mapper successor seed)
     (string-unfold stop? mapper successor seed "" (lambda (seed) "")))
    ((stop? mapper successor seed base)
     (string-unfold stop? mapper successor seed base (lambda (seed) "")))
    ((stop? mapper successor seed base make-final)
     (let loop ((seed seed) (chars '()))
       (if (stop? seed)
           (string-append base (reverse-list->string chars) (make-final seed))
           (loop (successor seed) (cons (mapper seed) chars)))))))

(define string-unfold-right
  (case-lambda
    ((stop? mapper successor seed)
     (string-unfold-right stop? mapper successor seed "" (lambda (seed) "")))
    ((stop? mapper successor seed base)
     (string-unfold-right stop? mapper successor seed base (lambda (seed) "")))
    ((stop? mapper successor seed base make-final)
     (let loop ((seed seed) (chars '()))
       (if (stop? seed)
           (string-append (make-final seed) (list->string chars) base)
           (loop (successor seed) (cons (mapper seed) chars)))))))

;;; Searching

(define (search-left s holds? start end)
  (let loop ((index start))
    (cond ((= index end) #f)
          ((holds? (string-ref s index)) index)
          (else (loop (+ index 1))))))

(define (search-right s holds? start end)
  (let loop ((index (- end 1)))
    (cond ((< index start) #f)
          ((holds? (string-ref s index)) index)
          (else (loop (- index 1))))))

(define (opposite holds?)
  (lambda (char) (not (holds? char))))

(define-ranged (string-index "string-index" s criterion) (s start end)
  (if (procedure? criterion)
      (search-left s criterion start end)
      (%string-index s criterion start end)))

(define-ranged (string-index-right "string-index-right" s criterion) (s start end)
  (if (procedure? criterion)
      (search-right s criterion start end)
      (%string-index-right s criterion start end)))

(define-ranged (string-skip "string-skip" s criterion) (s start end)
  (if (procedure? criterion)
      (search-left s (opposite criterion) start end)
      (%string-skip s criterion start end)))

(define-ranged (string-skip-right "string-skip-right" s criterion) (s start end)
  (if (procedure? criterion)
      (search-right s (opposite criterion) start end)
      (%string-skip-right s criterion start end)))

(define-ranged (string-count "string-count" s criterion) (s start end)
  (if (procedure? criterion)
      (let loop ((index start) (count 0))
        (cond ((= index end) count)
              ((criterion (string-ref s index)) (loop (+ index 1) (+ count 1)))
              (else (loop (+ index 1) count))))
      (%string-count s criterion start end)))

;;; Selection by a criterion

;; Defines a trimming procedure, for which the criterion is optional too.
(define-syntax define-trimming
  (syntax-rules ()
    ((_ (name text s criterion start end) body)
     (define name
       (let ((trim (ranged (name text s criterion) (s start end) body)))
         (case-lambda
           ((s) (trim s (%char-set 'whitespace)))
           ((s criterion . range) (apply trim s criterion range))))))))

(define-trimming (string-trim "string-trim" s criterion start end)
  (let ((first (string-skip s criterion start end)))
    (if first (substring s first end) (substring s end end))))

(define-trimming (string-trim-right "string-trim-right" s criterion start end)
  (let ((last (string-skip-right s criterion start end)))
    (if last (substring s start (+ last 1)) (substring s start start))))

(define-trimming (string-trim-both "string-trim-both" s criterion start end)
  (let ((first (string-skip s criterion start end)))
    (if first
        (substring s first (+ (string-skip-right s criterion first end) 1))
        (substring s end end))))

(define (filtered s keep? start end)
  (let loop ((index start) (chars '()))
    (if (= index end)
        (reverse-list->string chars)
        (let ((char (string-ref s index)))
          (loop (+ index 1) (if (keep? char) (cons char chars) chars))))))

(define-ranged (string-filter "string-filter" criterion s) (s start end)
  (if (procedure? criterion)
      (filtered s criterion start end)
      (%string-filter criterion s start end)))

(define-ranged (string-delete "string-delete" criterion s) (s start end)
  (if (procedure? criterion)
      (filtered s (opposite criterion) start end)
      (%string-delete criterion s start end)))

(define tokens-of
  (ranged (string-tokenize "string-tokenize" s token-set) (s start end)
    (if (procedure? token-set)
        (tokens-by s token-set start end)
        (%string-tokenize s token-set start end))))

(define (tokens-by s token? start end)
  (let loop ((end end) (tokens '()))
    (let ((last (search-right s token? start end)))
      (if (not last)
          tokens
          (let* ((before (search-right s (opposite token?) start last))
                 (first (if before (+ before 1) start)))
            (loop first (cons (substring s first (+ last 1)) tokens)))))))

(define string-tokenize
  (case-lambda
    ((s) (tokens-of s (%char-set 'graphic)))
    ((s token-set . range) (apply tokens-of s token-set range))))

;;; Comparison

(define-syntax define-comparison
  (syntax-rules ()
    ((_ name who prefix-length less?)
     (define name
       (case-lambda
         ((s1 s2 proc< proc= proc>)
          (compare who prefix-length less? s1 s2 proc< proc= proc>
                   0 (length-of who s1) 0 (length-of who s2)))
         ((s1 s2 proc< proc= proc> start1)
          (compare who prefix-length less? s1 s2 proc< proc= proc>
                   start1 (length-of who s1) 0 (length-of who s2)))
         ((s1 s2 proc< proc= proc> start1 end1)
          (compare who prefix-length less? s1 s2 proc< proc= proc>
                   start1 end1 0 (length-of who s2)))
         ((s1 s2 proc< proc= proc> start1 end1 start2)
          (compare who prefix-length less? s1 s2 proc< proc= proc>
                   start1 end1 start2 (length-of who s2)))
         ((s1 s2 proc< proc= proc> start1 end1 start2 end2)
          (compare who prefix-length less? s1 s2 proc< proc= proc> start1 end1 start2 end2)))))))

(define (compare who prefix-length less? s1 s2 proc< proc= proc> start1 end1 start2 end2)
  (check-range who start1 end1 (length-of who s1))
  (check-range who start2 end2 (length-of who s2))
  (let ((mismatch (+ start1 (prefix-length s1 s2 start1 end1 start2 end2))))
    (cond ((less? s1 s2 start1 end1 start2 end2) (proc< mismatch))
          ((less? s2 s1 start2 end2 start1 end1) (proc> mismatch))
          (else (proc= mismatch)))))

(define-comparison string-compare "string-compare" string-prefix-length string<)
(define-comparison string-compare-ci "string-compare-ci" string-prefix-length-ci string-ci<)

;;; Appending. Nothing shares storage here, so the variants that may are the ones that do not.

(define string-append/shared string-append)
(define string-concatenate/shared string-concatenate)
(define string-concatenate-reverse/shared string-concatenate-reverse)

;;; Folding and mapping. Given further strings, mapping and iteration do what R7RS's do.

(define map-range
  (ranged (string-map "string-map" proc s) (s start end)
    (let loop ((index start) (chars '()))
      (if (= index end)
          (reverse-list->string chars)
          (loop (+ index 1) (cons (proc (string-ref s index)) chars))))))

(define (string-map proc s . rest)
  (if (and (pair? rest) (string? (car rest)))
      (apply base:string-map proc s rest)
      (apply map-range proc s rest)))

(define-ranged (string-map! "string-map!" proc s) (s start end)
  (do ((index start (+ index 1)))
      ((= index end))
    (string-set! s index (proc (string-ref s index)))))

(define-ranged (string-fold "string-fold" kons knil s) (s start end)
  (let loop ((index start) (result knil))
    (if (= index end)
        result
        (loop (+ index 1) (kons (string-ref s index) result)))))

(define-ranged (string-fold-right "string-fold-right" kons knil s) (s start end)
  (let loop ((index (- end 1)) (result knil))
    (if (< index start)
        result
        (loop (- index 1) (kons (string-ref s index) result)))))

(define for-each-in-range
  (ranged (string-for-each "string-for-each" proc s) (s start end)
    (do ((index start (+ index 1)))
        ((= index end))
      (proc (string-ref s index)))))

(define (string-for-each proc s . rest)
  (if (and (pair? rest) (string? (car rest)))
      (apply base:string-for-each proc s rest)
      (apply for-each-in-range proc s rest)))

(define-ranged (string-for-each-index "string-for-each-index" proc s) (s start end)
  (do ((index start (+ index 1)))
      ((= index end))
    (proc index)))
