;;; The procedures on streams.
;;;
;;; Those that walk along a stream call themselves for the next step, which keeps no reference to
;;; where they started: the elements behind them can be reclaimed.

;;; Constructors

(define (list->stream objects)
  (check-list "list->stream" "objects" objects)
  (stream-let loop ((rest objects))
    (if (null? rest)
        stream-null
        (stream-cons (car rest) (loop (cdr rest))))))

(define (port->stream . options)
  (let ((port (if (pair? options) (car options) (current-input-port))))
    (unless (input-port? port)
      (reject "port->stream" "port" "an input port" port))
    (stream-let loop ()
      (let ((char (read-char port)))
        (if (eof-object? char)
            stream-null
            (stream-cons char (loop)))))))

(define (stream-constant first . rest)
  (let ((objects (cons first rest)))
    (stream-let loop ((left objects))
      (if (null? left)
          (loop objects)
          (stream-cons (car left) (loop (cdr left)))))))

(define (stream-from first . options)
  (let ((step (if (pair? options) (car options) 1)))
    (check-number "stream-from" "first" first)
    (check-number "stream-from" "step" step)
    (stream-let loop ((number first))
      (stream-cons number (loop (+ number step))))))

(define (stream-range first past . options)
  (check-number "stream-range" "first" first)
  (check-number "stream-range" "past" past)
  (let ((step (cond ((pair? options) (car options))
                    ((< first past) 1)
                    (else -1))))
    (check-number "stream-range" "step" step)
    (let ((before? (if (< 0 step) < >)))
      (stream-let loop ((number first))
        (if (before? number past)
            (stream-cons number (loop (+ number step)))
            stream-null)))))

(define (stream-iterate proc base)
  (check-procedure "stream-iterate" "proc" proc)
  (stream-let loop ((value base))
    (stream-cons value (loop (proc value)))))

(define (stream-unfold mapper pred? generate base)
  (check-procedure "stream-unfold" "mapper" mapper)
  (check-procedure "stream-unfold" "pred?" pred?)
  (check-procedure "stream-unfold" "generate" generate)
  (stream-let loop ((base base))
    (if (pred? base)
        (stream-cons (mapper base) (loop (generate base)))
        stream-null)))

;; `results` is a stream of the lists of results that `proc` returned. Its first list is computed
;; at once, since its length is the number of streams to return.
(define (stream-unfolds proc seed)
  (check-procedure "stream-unfolds" "proc" proc)
  (define-stream (results-from seed) (step seed))
  (define (step seed)
    (call-with-values
     (lambda () (proc seed))
     (lambda (next . results)
       (stream-cons results (results-from next)))))
  (define-stream (column i results)
    (let ((result (list-ref (stream-car results) i)))
      (cond ((pair? result) (stream-cons (car result) (column i (stream-cdr results))))
            ((not result) (column i (stream-cdr results)))
            ((null? result) stream-null)
            (else (reject "stream-unfolds" "each result" "a list of one element, #f or ()" result)))))
  (let* ((results (step seed))
         (count (length (stream-car results))))
    (let loop ((i (- count 1)) (columns '()))
      (if (< i 0)
          (apply values columns)
          (loop (- i 1) (cons (column i results) columns))))))

;;; Streams of streams

(define (check-streams who streams)
  (for-each (lambda (strm) (check-stream who "strm" strm)) streams))

(define (any-null? streams)
  (let loop ((rest streams))
    (and (pair? rest)
         (or (stream-null? (car rest))
             (loop (cdr rest))))))

(define (stream-append . streams)
  (check-streams "stream-append" streams)
  (stream-let loop ((streams streams))
    (cond ((null? streams) stream-null)
          ((null? (cdr streams)) (car streams))
          ((stream-null? (car streams)) (loop (cdr streams)))
          (else
           (stream-cons (stream-car (car streams))
                        (loop (cons (stream-cdr (car streams)) (cdr streams))))))))

(define (stream-concat streams)
  (check-stream "stream-concat" "streams" streams)
  (stream-let loop ((streams streams))
    (if (stream-null? streams)
        stream-null
        (stream-let inner ((strm (stream-car streams)))
          (cond ((not (stream? strm)) (reject "stream-concat" "each element" "a stream" strm))
                ((stream-null? strm) (loop (stream-cdr streams)))
                (else (stream-cons (stream-car strm) (inner (stream-cdr strm)))))))))

(define (stream-map proc first . rest)
  (check-procedure "stream-map" "proc" proc)
  (check-streams "stream-map" (cons first rest))
  (if (null? rest)
      (stream-let loop ((strm first))
        (if (stream-null? strm)
            stream-null
            (stream-cons (proc (stream-car strm)) (loop (stream-cdr strm)))))
      (stream-let loop ((streams (cons first rest)))
        (if (any-null? streams)
            stream-null
            (stream-cons (apply proc (map stream-car streams)) (loop (map stream-cdr streams)))))))

(define (stream-zip first . rest) (apply stream-map list first rest))

(define (stream-for-each proc first . rest)
  (check-procedure "stream-for-each" "proc" proc)
  (check-streams "stream-for-each" (cons first rest))
  (if (null? rest)
      (for-each-element proc first)
      (for-each-elements proc (cons first rest))))

(define (for-each-element proc strm)
  (when (stream-pair? strm)
    (proc (stream-car strm))
    (for-each-element proc (stream-cdr strm))))

(define (for-each-elements proc streams)
  (unless (any-null? streams)
    (apply proc (map stream-car streams))
    (for-each-elements proc (map stream-cdr streams))))

;;; Parts of streams

(define (stream-take n strm)
  (check-count "stream-take" "n" n)
  (check-stream "stream-take" "strm" strm)
  (stream-let loop ((n n) (strm strm))
    (if (or (= n 0) (stream-null? strm))
        stream-null
        (stream-cons (stream-car strm) (loop (- n 1) (stream-cdr strm))))))

(define (stream-drop n strm)
  (check-count "stream-drop" "n" n)
  (check-stream "stream-drop" "strm" strm)
  (stream-let loop ((n n) (strm strm))
    (if (or (= n 0) (stream-null? strm))
        strm
        (loop (- n 1) (stream-cdr strm)))))

(define (stream-take-while pred? strm)
  (check-procedure "stream-take-while" "pred?" pred?)
  (check-stream "stream-take-while" "strm" strm)
  (stream-let loop ((strm strm))
    (if (and (stream-pair? strm) (pred? (stream-car strm)))
        (stream-cons (stream-car strm) (loop (stream-cdr strm)))
        stream-null)))

(define (stream-drop-while pred? strm)
  (check-procedure "stream-drop-while" "pred?" pred?)
  (check-stream "stream-drop-while" "strm" strm)
  (stream-let loop ((strm strm))
    (if (and (stream-pair? strm) (pred? (stream-car strm)))
        (loop (stream-cdr strm))
        strm)))

(define (stream-filter pred? strm)
  (check-procedure "stream-filter" "pred?" pred?)
  (check-stream "stream-filter" "strm" strm)
  (stream-let loop ((strm strm))
    (cond ((stream-null? strm) stream-null)
          ((pred? (stream-car strm))
           (stream-cons (stream-car strm) (loop (stream-cdr strm))))
          (else (loop (stream-cdr strm))))))

(define (stream-scan proc base strm)
  (check-procedure "stream-scan" "proc" proc)
  (check-stream "stream-scan" "strm" strm)
  (stream-let loop ((base base) (strm strm))
    (stream-cons base
                 (if (stream-null? strm)
                     stream-null
                     (loop (proc base (stream-car strm)) (stream-cdr strm))))))

;;; Values of streams

(define (stream-ref strm n)
  (check-count "stream-ref" "n" n)
  (cond ((= n 0) (stream-car strm))
        (else (stream-ref (stream-cdr strm) (- n 1)))))

(define (stream-fold proc base strm)
  (check-procedure "stream-fold" "proc" proc)
  (check-stream "stream-fold" "strm" strm)
  (if (stream-null? strm)
      base
      (stream-fold proc (proc base (stream-car strm)) (stream-cdr strm))))

(define (stream-length strm)
  (check-stream "stream-length" "strm" strm)
  (length-from strm 0))

(define (length-from strm count)
  (if (stream-null? strm)
      count
      (length-from (stream-cdr strm) (+ count 1))))

(define (stream-reverse strm)
  (check-stream "stream-reverse" "strm" strm)
  (lazily (reverse-onto strm stream-null)))

;; The elements are not computed: the new stream asks the old one for them.
(define (reverse-onto strm reversed)
  (if (stream-null? strm)
      reversed
      (reverse-onto (stream-cdr strm) (stream-cons (stream-car strm) reversed))))

(define (stream->list first . rest)
  (let ((n (if (pair? rest) first #f))
        (strm (if (pair? rest) (car rest) first)))
    (when n (check-count "stream->list" "n" n))
    (check-stream "stream->list" "strm" strm)
    (list-from strm n '())))

(define (list-from strm n reversed)
  (if (or (eqv? n 0) (stream-null? strm))
      (reverse reversed)
      (list-from (stream-cdr strm) (and n (- n 1)) (cons (stream-car strm) reversed))))
