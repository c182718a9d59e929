;; Mapping (section 6.10)

(define map
  (case-lambda
    ((procedure items) (map1 procedure items))
    ((procedure items1 items2) (map2 procedure items1 items2))
    ((procedure items1 items2 . more)
     (let loop ((lists (cons* items1 items2 more)) (done '()))
       (if (any-end? lists)
           (reverse done)
           (let ((value (apply procedure (cars lists))))
             (loop (cdrs lists) (cons value done))))))))

(define (map1 procedure items)
  (let ((captures (%captures)))
    (let loop ((rest items) (done '()))
      (if (pair? rest)
          (let ((value (procedure (car rest))))
            (loop (cdr rest) (cons value done)))
          (begin
            (if (not (null? rest)) (%wrong-list 'map items))
            (%reverse-new done captures))))))

(define (map2 procedure items1 items2)
  (let ((captures (%captures)))
    (let loop ((rest1 items1) (rest2 items2) (done '()))
      (if (and (pair? rest1) (pair? rest2))
          (let ((value (procedure (car rest1) (car rest2))))
            (loop (cdr rest1) (cdr rest2) (cons value done)))
          (begin
            (if (not (or (pair? rest1) (null? rest1))) (%wrong-list 'map items1))
            (if (not (or (pair? rest2) (null? rest2))) (%wrong-list 'map items2))
            (%reverse-new done captures))))))

(define for-each
  (case-lambda
    ((procedure items) (for-each1 procedure items))
    ((procedure items1 items2) (for-each2 procedure items1 items2))
    ((procedure items1 items2 . more)
     (let loop ((lists (cons* items1 items2 more)))
       (if (not (any-end? lists))
           (begin
             (apply procedure (cars lists))
             (loop (cdrs lists))))))))

(define (for-each1 procedure items)
  (let loop ((rest items))
    (if (pair? rest)
        (begin
          (procedure (car rest))
          (loop (cdr rest)))
        (if (not (null? rest)) (%wrong-list 'for-each items)))))

(define (for-each2 procedure items1 items2)
  (let loop ((rest1 items1) (rest2 items2))
    (if (and (pair? rest1) (pair? rest2))
        (begin
          (procedure (car rest1) (car rest2))
          (loop (cdr rest1) (cdr rest2)))
        (check-ends 'for-each rest1 items1 rest2 items2))))

(define (check-end name rest items)
  (if (not (null? rest))
      (%wrong-list name items)))

(define (check-ends name rest1 items1 rest2 items2)
  (if (not (pair? rest1))
      (check-end name rest1 items1))
  (if (not (pair? rest2))
      (check-end name rest2 items2)))

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

(define (shortest name measure sequences)
  (for-each1 (lambda (sequence) (check-sequence name measure sequence)) sequences)
  (let loop ((rest (cdr sequences)) (least (measure (car sequences))))
    (if (null? rest)
        least
        (loop (cdr rest) (min least (measure (car rest)))))))

(define (check-sequence name measure sequence)
  (if (eq? measure vector-length)
      (if (not (vector? sequence)) (%wrong-type name "vector" "a vector" sequence))
      (if (not (string? sequence)) (%wrong-type name "string" "a string" sequence))))

(define (elements access sequences index)
  (let loop ((rest sequences) (done '()))
    (if (null? rest)
        (reverse done)
        (loop (cdr rest) (cons (access (car rest) index) done)))))

(define (indexed-for-each name access measure procedure sequences)
  (let ((count (shortest name measure sequences)))
    (let loop ((index 0))
      (if (< index count)
          (begin
            (apply procedure (elements access sequences index))
            (loop (+ index 1)))))))

(define (indexed-map name access measure procedure sequences)
  (let ((count (shortest name measure sequences)))
    (let loop ((index 0) (done '()))
      (if (< index count)
          (let ((value (apply procedure (elements access sequences index))))
            (loop (+ index 1) (cons value done)))
          (reverse done)))))

(define vector-map
  (case-lambda
    ((procedure vector)
     (if (not (vector? vector)) (%wrong-type 'vector-map "vector" "a vector" vector))
     (let ((count (vector-length vector)) (captures (%captures)) (results (%collection)))
       (let loop ((index 0) (done results))
         (if (< index count)
             (let ((value (procedure (vector-ref vector index))))
               (if (= captures (%captures))
                   (begin
                     (%collect! results value)
                     (loop (+ index 1) done))
                   (loop (+ index 1) (%collect-anew done value))))
             (%collected-vector done)))))
    ((procedure vector1 vector2 . more)
     (list->vector (indexed-map 'vector-map vector-ref vector-length procedure (cons* vector1 vector2 more))))))

(define vector-for-each
  (case-lambda
    ((procedure vector)
     (if (not (vector? vector)) (%wrong-type 'vector-for-each "vector" "a vector" vector))
     (let ((count (vector-length vector)))
       (let loop ((index 0))
         (if (< index count)
             (begin
               (procedure (vector-ref vector index))
               (loop (+ index 1)))))))
    ((procedure vector1 vector2 . more)
     (indexed-for-each 'vector-for-each vector-ref vector-length procedure (cons* vector1 vector2 more)))))

(define string-map
  (case-lambda
    ((procedure string)
     (if (not (string? string)) (%wrong-type 'string-map "string" "a string" string))
     (let ((count (string-length string)) (captures (%captures)) (results (%collection)))
       (let loop ((index 0) (done results))
         (if (< index count)
             (let ((value (procedure (string-ref string index))))
               (if (= captures (%captures))
                   (begin
                     (%collect! results value)
                     (loop (+ index 1) done))
                   (loop (+ index 1) (%collect-anew done value))))
             (%collected-string done)))))
    ((procedure string1 string2 . more)
     (list->string (indexed-map 'string-map string-ref string-length procedure (cons* string1 string2 more))))))

(define string-for-each
  (case-lambda
    ((procedure string)
     (if (not (string? string)) (%wrong-type 'string-for-each "string" "a string" string))
     (let ((count (string-length string)))
       (let loop ((index 0))
         (if (< index count)
             (begin
               (procedure (string-ref string index))
               (loop (+ index 1)))))))
    ((procedure string1 string2 . more)
     (indexed-for-each 'string-for-each string-ref string-length procedure (cons* string1 string2 more)))))

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
  (let* ((outer (%enter-extent! before after))
         (result (thunk)))
    (%set-winders! outer)
    (after)
    result))

(define (common-tail first second)
  (let loop ((first first) (second second) (difference (- (length first) (length second))))
    (cond ((> difference 0) (loop (cdr first) second (- difference 1)))
          ((< difference 0) (loop first (cdr second) (+ difference 1)))
          ((eq? first second) first)
          (else (loop (cdr first) (cdr second) 0)))))

(define (unwind-to target)
  (if (not (eq? (%winders) target))
      (begin
        ((%leave-extent!))
        (unwind-to target))))

(define (wind-to target common)
  (if (not (eq? target common))
      (begin
        (wind-to (cdr target) common)
        ((%before-extent! target))
        (%set-winders! target))))

(%set-rewind!
 (lambda (continuation value)
   (let* ((target (%continuation-winders continuation))
          (common (common-tail (%winders) target)))
     (unwind-to common)
     (wind-to target common)
     (%throw continuation value))))

(define exit
  (case-lambda
    (() (unwind-to '()) (%exit))
    ((code) (unwind-to '()) (%exit code))))

;; Promises (section 4.2.5)

(define (force promise)
  (if (promise? promise)
      (let loop ()
        (if (%promise-done? promise)
            (%promise-content promise)
            ;; Asked before the thunk is called: once that has settled the promise, it may return to here again.
            (let* ((chains? (%promise-chains? promise))
                   (value ((%promise-content promise))))
              (%promise-settle! promise value chains?)
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
