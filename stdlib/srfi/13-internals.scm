;; string-lib-internals: what other string libraries are written with.

;;; Optional start and end arguments

(define (client-name proc)
  (cond ((symbol? proc) (symbol->string proc))
        ((string? proc) proc)
        (else "string procedure")))

(define (refuse-range proc s start end)
  (error (string-append (client-name proc) ": start and end do not select a part of the string")
         s start end proc))

(define (substring-spec-ok? s start end)
  (and (string? s)
       (exact-integer? start)
       (exact-integer? end)
       (<= 0 start end (string-length s))))

(define (check-substring-spec proc s start end)
  (if (not (substring-spec-ok? s start end))
      (refuse-range proc s start end)))

(define (string-parse-start+end proc s args)
  (let ((length (if (string? s)
                    (string-length s)
                    (error (string-append (client-name proc) ": not a string") s proc))))
    (if (null? args)
        (values '() 0 length)
        (let* ((start (car args))
               (rest (cdr args))
               (end (if (pair? rest) (car rest) length)))
          (check-substring-spec proc s start end)
          (values (if (pair? rest) (cdr rest) rest) start end)))))

(define (string-parse-final-start+end proc s args)
  (call-with-values
      (lambda () (string-parse-start+end proc s args))
    (lambda (rest start end)
      (if (pair? rest)
          (error (string-append (client-name proc) ": too many arguments") rest proc)
          (values start end)))))

(define-syntax let-string-start+end
  (syntax-rules ()
    ((_ (start end rest) proc s args body ...)
     (call-with-values
         (lambda () (string-parse-start+end proc s args))
       (lambda (rest start end) body ...)))
    ((_ (start end) proc s args body ...)
     (call-with-values
         (lambda () (string-parse-final-start+end proc s args))
       (lambda (start end) body ...)))))

;;; Searching by Knuth, Morris and Pratt

;; Element i is the length of the longest proper prefix of the pattern that also ends its first i
;; characters: how much is still matched when character i turns out wrong. Element 0 is -1.
(define (restart-vector s same? start end)
  (let* ((length (- end start))
         (restarts (make-vector length -1)))
    (do ((index 1 (+ index 1)))
        ((>= index length) restarts)
      (let ((char (string-ref s (+ start index -1))))
        (let loop ((matched (vector-ref restarts (- index 1))))
          (if (or (< matched 0) (same? char (string-ref s (+ start matched))))
              (vector-set! restarts index (+ matched 1))
              (loop (vector-ref restarts matched))))))))

(define make-kmp-restart-vector
  (let ((who "make-kmp-restart-vector"))
    (case-lambda
      ((s) (restart-vector s char=? 0 (length-of who s)))
      ((s same?) (restart-vector s same? 0 (length-of who s)))
      ((s same? start)
       (let ((end (length-of who s)))
         (check-range who start end end)
         (restart-vector s same? start end)))
      ((s same? start end)
       (check-range who start end (length-of who s))
       (restart-vector s same? start end)))))

(define (kmp-step pattern restarts char matched same? p-start)
  (let loop ((matched matched))
    (cond ((< matched 0) 0)
          ((same? char (string-ref pattern (+ matched p-start))) (+ matched 1))
          (else (loop (vector-ref restarts matched))))))

(define (partial-search pattern restarts s matched same? p-start start end)
  (let ((length (vector-length restarts)))
    (let loop ((index start) (matched matched))
      (cond ((= matched length) (- index))
            ((= index end) matched)
            (else
             (loop (+ index 1)
                   (kmp-step pattern restarts (string-ref s index) matched same? p-start)))))))

(define string-kmp-partial-search
  (let ((who "string-kmp-partial-search"))
    (case-lambda
      ((pattern restarts s matched)
       (partial-search pattern restarts s matched char=? 0 0 (length-of who s)))
      ((pattern restarts s matched same?)
       (partial-search pattern restarts s matched same? 0 0 (length-of who s)))
      ((pattern restarts s matched same? p-start)
       (partial-search pattern restarts s matched same? p-start 0 (length-of who s)))
      ((pattern restarts s matched same? p-start s-start)
       (let ((end (length-of who s)))
         (check-range who s-start end end)
         (partial-search pattern restarts s matched same? p-start s-start end)))
      ((pattern restarts s matched same? p-start s-start s-end)
       (check-range who s-start s-end (length-of who s))
       (partial-search pattern restarts s matched same? p-start s-start s-end)))))
