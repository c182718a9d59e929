;; The host knows the syntax of JSON. What is here asks it for events, and calls what a program gives:
;; generators of characters, the procedures of a fold, and accumulators.

(define (json-null? object)
  (eq? object 'null))

(define (check-limit limit)
  (if (and (real? limit) (> limit 0))
      limit
      (error "a limit of JSON must be a positive real number" limit)))

(define json-nesting-depth-limit (make-parameter +inf.0 check-limit))
(define json-number-of-character-limit (make-parameter +inf.0 check-limit))

(define (new-reader)
  (%json-reader (json-nesting-depth-limit) (json-number-of-character-limit)))

(define (check-source who source)
  (if (not (or (procedure? source)
               (and (input-port? source) (textual-port? source))))
      (error (string-append who ": expected a textual input port or a generator of characters") source)))

;;; Reading

(define json-generator
  (case-lambda
    (() (json-generator (current-input-port)))
    ((source)
     (check-source "json-generator" source)
     (let ((reader (new-reader)))
       (if (procedure? source)
           (lambda () (push-until-event reader source (%json-push reader)))
           (lambda () (%json-pull reader source)))))))

(define want (%json-want))

(define (push-until-event reader source step)
  (if (eq? step want)
      (push-until-event reader source (%json-push reader (source)))
      step))

;; `waiting` holds, for each array and object around the place, the seed to go on with after it.
(define json-fold
  (case-lambda
    ((proc array-start array-end object-start object-end seed)
     (json-fold proc array-start array-end object-start object-end seed (current-input-port)))
    ((proc array-start array-end object-start object-end seed source)
     (let ((next (json-generator source)))
       (define (value-read object seed waiting)
         (let ((seed (proc object seed)))
           (if (null? waiting)
               ;; What ends the text is still to be read: a generator is done only when it says so.
               (begin (next) seed)
               (fold seed waiting))))
       (define (fold seed waiting)
         (let ((event (next)))
           (cond ((eof-object? event) seed)
                 ((eq? event 'array-start) (fold (array-start seed) (cons seed waiting)))
                 ((eq? event 'object-start) (fold (object-start seed) (cons seed waiting)))
                 ((eq? event 'array-end) (value-read (array-end seed) (car waiting) (cdr waiting)))
                 ((eq? event 'object-end) (value-read (object-end seed) (car waiting) (cdr waiting)))
                 (else (value-read event seed waiting)))))
       (fold seed '())))))

(define nothing-read (list 'nothing-read))

(define (members->alist members)
  (let loop ((members members) (alist '()))
    (if (null? members)
        alist
        (loop (cddr members)
              (cons (cons (string->symbol (cadr members)) (car members)) alist)))))

(define json-read
  (case-lambda
    (() (json-read (current-input-port)))
    ((source)
     (check-source "json-read" source)
     (if (procedure? source)
         (let ((value (json-fold (lambda (object seed)
                                   (if (eq? seed nothing-read) object (cons object seed)))
                                 (lambda (seed) '())
                                 (lambda (items) (list->vector (reverse items)))
                                 (lambda (seed) '())
                                 members->alist
                                 nothing-read
                                 source)))
           (if (eq? value nothing-read) (eof-object) value))
         (%json-read source (json-nesting-depth-limit) (json-number-of-character-limit))))))

;;; Several texts in one source

;; The text up to the separator, which is taken, or to the end of the source; end of file if there is none.
(define (text-until separator source)
  (if (procedure? source)
      (let loop ((chars '()))
        (let ((char (source)))
          (cond ((and (eof-object? char) (null? chars)) char)
                ((or (eof-object? char) (char=? char separator)) (list->string (reverse chars)))
                (else (loop (cons char chars))))))
      (%json-take-until source separator)))

(define (json-space? char)
  (memv char '(#\space #\tab #\newline #\return)))

(define (blank? text)
  (let ((length (string-length text)))
    (let loop ((index 0))
      (or (= index length)
          (and (json-space? (string-ref text index))
               (loop (+ index 1)))))))

(define (read-whole who text)
  (let* ((port (open-input-string text))
         (value (json-read port))
         (rest (read-string (+ (string-length text) 1) port)))
    (if (not (or (eof-object? rest) (blank? rest)))
        (%json-fail who "there is more than one value in one place" text))
    value))

(define json-lines-read
  (case-lambda
    (() (json-lines-read (current-input-port)))
    ((source)
     (check-source "json-lines-read" source)
     (lambda () (read-line-of-json source)))))

(define (read-line-of-json source)
  (let ((line (text-until #\newline source)))
    (cond ((eof-object? line) line)
          ((blank? line) (read-line-of-json source))
          (else (read-whole 'json-lines-read line)))))

(define record-separator (integer->char #x1e))

(define json-sequence-read
  (case-lambda
    (() (json-sequence-read (current-input-port)))
    ((source)
     (check-source "json-sequence-read" source)
     (let ((begun? #f))
       (define (next)
         (let ((record (text-until record-separator source))
               (first? (not begun?)))
           (set! begun? #t)
           (cond ((eof-object? record) record)
                 ((blank? record) (next))
                 (first?
                  (%json-fail 'json-sequence-read "the sequence does not begin with a record separator" record))
                 (else (read-record record)))))
       next))))

;; RFC 7464, section 2.4: a number or word with nothing after it may be the beginning of a longer one.
(define (read-record record)
  (let ((value (read-whole 'json-sequence-read record)))
    (if (and (or (number? value) (boolean? value) (json-null? value))
             (not (json-space? (string-ref record (- (string-length record) 1)))))
        (%json-fail 'json-sequence-read "the record may have been cut short" record))
    value))

;;; Writing

(define (writer-to who target)
  (cond ((procedure? target) target)
        ((and (output-port? target) (textual-port? target))
         (lambda (text) (write-string text target)))
        (else
         (error (string-append who ": expected a textual output port or an accumulator") target))))

(define (accumulator-fails message object)
  (%json-fail 'json-accumulator message object))

;; `place` tells what may come next: the list of what is open around it, innermost first, each one of
;; array (an element, after a comma), first-element, key, first-key and value.
(define (json-accumulator target)
  (let ((emit (writer-to "json-accumulator" target))
        (place '(text)))

    (define (begin-value event)
      (case (car place)
        ((text) (set! place '()))
        ((first-element) (set! place (cons 'array (cdr place))))
        ((array) (emit ","))
        ((value) (set! place (cons 'key (cdr place))))
        (else (accumulator-fails "a key must be a string" event))))

    (define (write-key key)
      (if (not (string? key))
          (accumulator-fails "a key must be a string" key))
      (if (eq? (car place) 'key) (emit ","))
      (emit (%json-scalar key))
      (emit ":")
      (set! place (cons 'value (cdr place))))

    (define (end closer places event)
      (if (not (memq (car place) places))
          (accumulator-fails "this ends what was not begun, or is not complete" event))
      (set! place (cdr place))
      (emit closer))

    (lambda (event)
      (cond ((eof-object? event)
             (if (pair? place)
                 (accumulator-fails "the text is not complete" event)))
            ((null? place)
             (accumulator-fails "the text is complete already" event))
            ((eq? event 'array-end) (end "]" '(first-element array) event))
            ((eq? event 'object-end) (end "}" '(first-key key) event))
            ((memq (car place) '(first-key key)) (write-key event))
            ((eq? event 'array-start)
             (begin-value event)
             (emit "[")
             (set! place (cons 'first-element place)))
            ((eq? event 'object-start)
             (begin-value event)
             (emit "{")
             (set! place (cons 'first-key place)))
            (else
             (let ((text (%json-scalar event)))
               (begin-value event)
               (emit text)))))))

(define json-write
  (case-lambda
    ((object) (json-write object (current-output-port)))
    ((object target)
     ;; The whole text is made first, so that nothing is written of an object that has none.
     ((writer-to "json-write" target) (%json-text object)))))
