;; The default comparator: one total order over all standard types and those that a program registers.

(define registered '())

(define (comparator-register-default! comparator)
  (check-comparator "comparator-register-default!" comparator)
  (set! registered (append registered (list comparator))))

(define (registered-for object)
  (let loop ((rest registered))
    (cond ((null? rest) #f)
          ((comparator-test-type (car rest) object) (car rest))
          (else (loop (cdr rest))))))

;; Types are ordered by rank; each registered comparator ranks by itself, in the order of registration.
(define unknown-rank 9)
(define first-registered-rank 10)

(define (rank object)
  (cond ((null? object) 0)
        ((pair? object) 1)
        ((boolean? object) 2)
        ((char? object) 3)
        ((string? object) 4)
        ((symbol? object) 5)
        ((number? object) 6)
        ((vector? object) 7)
        ((bytevector? object) 8)
        (else
         (let loop ((rest registered) (rank first-registered-rank))
           (cond ((null? rest) unknown-rank)
                 ((comparator-test-type (car rest) object) rank)
                 (else (loop (cdr rest) (+ rank 1))))))))

(define (refuse-circular)
  (error "a default comparator cannot compare circular lists"))

;; Walks down two chains of pairs while `same?` holds of their cars, and gives the first tails or
;; cars that differ to `decide`. The second pointer into the first chain finds a circular one.
(define (compare-chains a b same? decide)
  (let loop ((a a) (b b) (slow a) (step? #f))
    (cond ((not (and (pair? a) (pair? b))) (decide a b))
          ((not (same? (car a) (car b))) (decide (car a) (car b)))
          (else
           (let ((a (cdr a))
                 (slow (if step? (cdr slow) slow)))
             (if (and (pair? a) (eq? a slow)) (refuse-circular))
             (loop a (cdr b) slow (not step?)))))))

(define (default=? a b)
  (let ((kind (rank a)))
    (and (= kind (rank b))
         (case kind
           ((0) #t)
           ((1) (compare-chains
                 a b default=?
                 (lambda (a b) (and (not (and (pair? a) (pair? b))) (default=? a b)))))
           ((2 5) (eq? a b))
           ((3) (char=? a b))
           ((4) (string=? a b))
           ((6) (= a b))
           ((7) (vector=? a b))
           ((8) (equal? a b))
           ((9) (eqv? a b))
           (else ((comparator-equality-predicate (registered-for a)) a b))))))

(define (default<? a b)
  (let ((kind (rank a))
        (other (rank b)))
    (cond ((< kind other) #t)
          ((> kind other) #f)
          (else
           (case kind
             ((0) #f)
             ((1) (compare-chains a b default=? default<?))
             ((2) (and (not a) b))
             ((3) (char<? a b))
             ((4) (string<? a b))
             ((5) (string<? (symbol->string a) (symbol->string b)))
             ((6) (number<? a b))
             ((7) (vector<? a b))
             ((8) (bytevector<? a b))
             ((9) (error "no order is defined for these objects; register a comparator for their type" a b))
             (else ((comparator-ordering-predicate (registered-for a)) a b)))))))

(define (number<? a b)
  (if (and (real? a) (real? b))
      (< a b)
      (let ((first (real-part a))
            (second (real-part b)))
        (or (< first second)
            (and (= first second)
                 (< (imag-part a) (imag-part b)))))))

(define (vector=? a b)
  (let ((length (vector-length a)))
    (and (= length (vector-length b))
         (let loop ((index 0))
           (or (= index length)
               (and (default=? (vector-ref a index) (vector-ref b index))
                    (loop (+ index 1))))))))

(define (vector<? a b)
  (let ((length (vector-length a))
        (other (vector-length b)))
    (cond ((< length other) #t)
          ((> length other) #f)
          (else
           (let loop ((index 0))
             (cond ((= index length) #f)
                   ((default=? (vector-ref a index) (vector-ref b index)) (loop (+ index 1)))
                   (else (default<? (vector-ref a index) (vector-ref b index)))))))))

(define (bytevector<? a b)
  (let ((length (bytevector-length a))
        (other (bytevector-length b)))
    (cond ((< length other) #t)
          ((> length other) #f)
          (else
           (let loop ((index 0))
             (and (< index length)
                  (let ((first (bytevector-u8-ref a index))
                        (second (bytevector-u8-ref b index)))
                    (or (< first second)
                        (and (= first second) (loop (+ index 1)))))))))))

;; Inside pairs and vectors %default-hash looks at a bounded part and takes objects of other types
;; for equal, so that it agrees with every comparator that may be registered for them.
(define (default-hash object . bound)
  (let ((comparator (and (pair? registered) (< 8 (rank object)) (registered-for object))))
    (if comparator
        (comparator-hash comparator object)
        (apply %default-hash object bound))))

(define (any-object? object) #t)

(define default-comparator
  (make-comparator any-object? default=? default<? default-hash))

(define (make-default-comparator)
  default-comparator)

;; No ordering agrees with these equalities for every type, so they have none.

(define eq-comparator (make-comparator any-object? eq? #f default-hash))
(define eqv-comparator (make-comparator any-object? eqv? #f default-hash))
(define equal-comparator (make-comparator any-object? equal? #f default-hash))

(define (make-eq-comparator) eq-comparator)
(define (make-eqv-comparator) eqv-comparator)
(define (make-equal-comparator) equal-comparator)
