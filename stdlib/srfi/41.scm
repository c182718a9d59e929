;;; The two types, what makes and takes them apart, and the syntax of streams.

;; The promise of a stream gives the empty cell or a full one.
(define-record-type <stream>
  (make-stream promise)
  stream?
  (promise stream-promise))

;; first and rest are a promise of the element and a stream.
(define-record-type <cell>
  (make-cell first rest)
  cell?
  (first cell-first)
  (rest cell-rest))

(define empty-cell (make-cell #f #f))

(define stream-null (make-stream (make-promise empty-cell)))

(define (check-stream who parameter object)
  (unless (stream? object)
    (reject who parameter "a stream" object)))

(define (promise-of object)
  (check-stream "stream" "the value of the body or of the second operand of stream-cons" object)
  (stream-promise object))

;; A stream that is computed when it is looked at. `delay-force`, so that a chain of streams each of
;; which is the value of the one before takes no space.
(define-syntax lazily
  (syntax-rules ()
    ((_ expression)
     (make-stream (delay-force (promise-of expression))))))

(define-syntax stream-cons
  (syntax-rules ()
    ((_ object stream)
     (make-stream (make-promise (make-cell (delay object) (lazily stream)))))))

(define (stream-null? object)
  (and (stream? object) (eq? (force (stream-promise object)) empty-cell)))

(define (stream-pair? object)
  (and (stream? object) (not (eq? (force (stream-promise object)) empty-cell))))

(define (cell-of who object)
  (check-stream who "stream" object)
  (let ((cell (force (stream-promise object))))
    (when (eq? cell empty-cell)
      (error (string-append who ": the stream is empty")))
    cell))

(define (stream-car stream) (force (cell-first (cell-of "stream-car" stream))))

(define (stream-cdr stream) (cell-rest (cell-of "stream-cdr" stream)))

(define-syntax stream-lambda
  (syntax-rules ()
    ((_ formals body1 body2 ...)
     (lambda formals (lazily (let () body1 body2 ...))))))

(define-syntax define-stream
  (syntax-rules ()
    ((_ (name . formals) body1 body2 ...)
     (define name (stream-lambda formals body1 body2 ...)))))

(define-syntax stream-let
  (syntax-rules ()
    ((_ tag ((variable expression) ...) body1 body2 ...)
     ((letrec ((tag (stream-lambda (variable ...) body1 body2 ...))) tag) expression ...))))

(define-syntax stream
  (syntax-rules ()
    ((_) stream-null)
    ((_ object rest ...) (stream-cons object (stream rest ...)))))

;;; stream-match

(define-syntax stream-match
  (syntax-rules ()
    ((_ expression clause ...)
     (let ((strm expression))
       (check-stream "stream-match" "the object to match" strm)
       (match-clauses strm clause ...)))))

(define-syntax match-clauses
  (syntax-rules ()
    ((_ strm)
     (error "stream-match: no pattern matches the stream"))
    ((_ strm (pattern expression) clause ...)
     (match-clauses strm (pattern #t expression) clause ...))
    ((_ strm (pattern fender expression) clause ...)
     (let ((try-next (lambda () (match-clauses strm clause ...))))
       (match-pattern strm pattern () fender expression (try-next))))))

;; (match-pattern stream pattern ((variable value) ...) fender expression otherwise)
;; The variables are bound together at the end, so that two of one name are an error.
(define-syntax match-pattern
  (syntax-rules (_)
    ((match-pattern strm () bindings fender expression otherwise)
     (if (stream-null? strm)
         (match-end bindings fender expression otherwise)
         otherwise))
    ((match-pattern strm (_ . rest) bindings fender expression otherwise)
     (if (stream-pair? strm)
         (let ((tail (stream-cdr strm)))
           (match-pattern tail rest bindings fender expression otherwise))
         otherwise))
    ((match-pattern strm (variable . rest) (binding ...) fender expression otherwise)
     (if (stream-pair? strm)
         (let ((value (stream-car strm)) (tail (stream-cdr strm)))
           (match-pattern tail rest (binding ... (variable value)) fender expression otherwise))
         otherwise))
    ((match-pattern strm _ bindings fender expression otherwise)
     (match-end bindings fender expression otherwise))
    ((match-pattern strm variable (binding ...) fender expression otherwise)
     (match-end (binding ... (variable strm)) fender expression otherwise))))

(define-syntax match-end
  (syntax-rules ()
    ((_ bindings fender expression otherwise)
     (let bindings
       (if fender expression otherwise)))))

;;; stream-of

(define-syntax stream-of
  (syntax-rules ()
    ((_ expression clause ...)
     (comprehend expression stream-null clause ...))))

;; (comprehend expression rest clause ...): the elements that the clauses give, then those of `rest`.
(define-syntax comprehend
  (syntax-rules (in is)
    ((_ expression rest)
     (stream-cons expression rest))
    ((_ expression rest (variable in strm) clause ...)
     (stream-let loop ((elements strm))
       (if (stream-null? elements)
           rest
           (let ((variable (stream-car elements)))
             (comprehend expression (loop (stream-cdr elements)) clause ...)))))
    ((_ expression rest (variable is value) clause ...)
     (let ((variable value))
       (comprehend expression rest clause ...)))
    ((_ expression rest test clause ...)
     (if test
         (comprehend expression rest clause ...)
         rest))))
