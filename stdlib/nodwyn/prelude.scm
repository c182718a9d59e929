;; Mapping (section 6.10)

(define (map procedure list1 . more)
  (if (null? more)
      (map1 procedure list1)
      (let loop ((lists (cons list1 more)) (done '()))
        (if (any-end? lists)
            (reverse done)
            (let ((value (apply procedure (cars lists))))
              (loop (cdrs lists) (cons value done)))))))

(define (map1 procedure items)
  (let loop ((rest items) (done '()))
    (if (pair? rest)
        (let ((value (procedure (car rest))))
          (loop (cdr rest) (cons value done)))
        (begin
          (check-end 'map rest items)
          (reverse done)))))

(define (for-each procedure list1 . more)
  (if (null? more)
      (let loop ((rest list1))
        (if (pair? rest)
            (begin
              (procedure (car rest))
              (loop (cdr rest)))
            (check-end 'for-each rest list1)))
      (let loop ((lists (cons list1 more)))
        (if (not (any-end? lists))
            (begin
              (apply procedure (cars lists))
              (loop (cdrs lists)))))))

(define (check-end name rest items)
  (if (not (null? rest))
      (%wrong-list name items)))

(define (any-end? lists)
  (let loop ((rest lists))
    (cond ((null? rest) #f)
          ((pair? (car rest)) (loop (cdr rest)))
          (else #t))))

(define (cars lists)
  (let loop ((rest lists) (done '()))
    (if (null? rest)
        (reverse done)
        (loop (cdr rest) (cons (caar rest) done)))))

(define (cdrs lists)
  (let loop ((rest lists) (done '()))
    (if (null? rest)
        (reverse done)
        (loop (cdr rest) (cons (cdar rest) done)))))

(define (shortest measure first more)
  (let loop ((rest more) (least (measure first)))
    (if (null? rest)
        least
        (loop (cdr rest) (min least (measure (car rest)))))))

(define (elements access sequences index)
  (let loop ((rest sequences) (done '()))
    (if (null? rest)
        (reverse done)
        (loop (cdr rest) (cons (access (car rest) index) done)))))

(define (indexed-for-each access measure procedure first more)
  (let ((count (shortest measure first more)))
    (if (null? more)
        (let loop ((index 0))
          (if (< index count)
              (begin
                (procedure (access first index))
                (loop (+ index 1)))))
        (let loop ((index 0))
          (if (< index count)
              (begin
                (apply procedure (elements access (cons first more) index))
                (loop (+ index 1))))))))

(define (indexed-map access measure procedure first more)
  (let ((count (shortest measure first more)))
    (if (null? more)
        (let loop ((index 0) (done '()))
          (if (< index count)
              (let ((value (procedure (access first index))))
                (loop (+ index 1) (cons value done)))
              (reverse done)))
        (let loop ((index 0) (done '()))
          (if (< index count)
              (let ((value (apply procedure (elements access (cons first more) index))))
                (loop (+ index 1) (cons value done)))
              (reverse done))))))

(define (vector-map procedure vector1 . more)
  (if (null? more)
      (let ((count (vector-length vector1)))
        (let loop ((index 0) (done '()))
          (if (< index count)
              (let ((value (procedure (vector-ref vector1 index))))
                (loop (+ index 1) (cons value done)))
              (list->vector (reverse done)))))
      (list->vector (indexed-map vector-ref vector-length procedure vector1 more))))

(define (vector-for-each procedure vector1 . more)
  (if (null? more)
      (let ((count (vector-length vector1)))
        (let loop ((index 0))
          (if (< index count)
              (begin
                (procedure (vector-ref vector1 index))
                (loop (+ index 1))))))
      (indexed-for-each vector-ref vector-length procedure vector1 more)))

(define (string-map procedure string1 . more)
  (list->string (indexed-map string-ref string-length procedure string1 more)))

(define (string-for-each procedure string1 . more)
  (indexed-for-each string-ref string-length procedure string1 more))

;; Lists searched with a procedure (section 6.4)

(define member
  (case-lambda
    ((item items) (%member item items))
    ((item items same?)
     (let loop ((rest items))
       (cond ((pair? rest) (if (same? item (car rest)) rest (loop (cdr rest))))
             (else (check-end 'member rest items) #f))))))

(define assoc
  (case-lambda
    ((key entries) (%assoc key entries))
    ((key entries same?)
     (let loop ((rest entries))
       (cond ((pair? rest) (if (same? key (caar rest)) (car rest) (loop (cdr rest))))
             (else (check-end 'assoc rest entries) #f))))))

;; Dynamic extent (section 6.10)

(define (dynamic-wind before thunk after)
  (before)
  (let ((outer (%winders)))
    (%set-winders! (cons (cons before after) outer))
    (let ((result (thunk)))
      (%set-winders! outer)
      (after)
      result)))

(define (common-tail first second)
  (let loop ((first first) (second second) (difference (- (length first) (length second))))
    (cond ((> difference 0) (loop (cdr first) second (- difference 1)))
          ((< difference 0) (loop first (cdr second) (+ difference 1)))
          ((eq? first second) first)
          (else (loop (cdr first) (cdr second) 0)))))

(define (unwind-to target)
  (let ((winders (%winders)))
    (if (not (eq? winders target))
        (begin
          (%set-winders! (cdr winders))
          ((cdar winders))
          (unwind-to target)))))

(define (wind-to target common)
  (if (not (eq? target common))
      (begin
        (wind-to (cdr target) common)
        ((caar target))
        (%set-winders! target))))

(%set-rewind!
 (lambda (continuation value)
   (let* ((target (%continuation-winders continuation))
          (common (common-tail (%winders) target)))
     (unwind-to common)
     (wind-to target common)
     (%throw continuation value))))

(define (exit . code)
  (unwind-to '())
  (apply %exit code))

;; Promises (section 4.2.5)

(define (force promise)
  (if (promise? promise)
      (let loop ()
        (if (%promise-done? promise)
            (%promise-content promise)
            (let ((value ((%promise-content promise))))
              (%promise-settle! promise value)
              (loop))))
      promise))

;; Ports (section 6.13)

(define (call-with-port port procedure)
  (let ((result (procedure port)))
    (close-port port)
    result))

(define (call-with-input-file file procedure)
  (call-with-port (open-input-file file) procedure))

(define (call-with-output-file file procedure)
  (call-with-port (open-output-file file) procedure))

(define (with-input-from-file file thunk)
  (let* ((port (open-input-file file))
         (result (parameterize ((current-input-port port)) (thunk))))
    (close-port port)
    result))

(define (with-output-to-file file thunk)
  (let* ((port (open-output-file file))
         (result (parameterize ((current-output-port port)) (thunk))))
    (close-port port)
    result))

(define (call-with-output-string procedure)
  (let ((port (open-output-string)))
    (procedure port)
    (get-output-string port)))
