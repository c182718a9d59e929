;; The comparator type, its constructors and the procedures that use one.

(define-record-type <comparator>
  (bundle type-test equality ordering hash ordered? hashable?)
  comparator?
  (type-test comparator-type-test-predicate)
  (equality comparator-equality-predicate)
  (ordering comparator-ordering-predicate)
  (hash comparator-hash-function)
  (ordered? comparator-ordered?)
  (hashable? comparator-hashable?))

(define (check-procedure who what object)
  (if (not (procedure? object))
      (error (string-append who ": " what " must be a procedure") object)))

(define (check-comparator who object)
  (if (not (comparator? object))
      (error (string-append who ": not a comparator") object)))

(define (unordered a b)
  (error "this comparator has no ordering predicate; cannot order" a b))

(define (unhashable object)
  (error "this comparator has no hash function; cannot hash" object))

(define (make-comparator type-test equality ordering hash)
  (check-procedure "make-comparator" "type test" type-test)
  (check-procedure "make-comparator" "equality predicate" equality)
  (if ordering (check-procedure "make-comparator" "ordering predicate" ordering))
  (if hash (check-procedure "make-comparator" "hash function" hash))
  (bundle type-test equality (or ordering unordered) (or hash unhashable)
          (and ordering #t) (and hash #t)))

;;; Bounds and salt. The standard hash functions are the host's; each takes a bound as a second
;;; argument, as SRFI 69 has them.

(define hash-together %hash-mix)

(define-syntax hash-bound
  (syntax-rules ()
    ((_) %hash-bound-value)))

(define %hash-bound-value 1152921504606846976)

(define-syntax hash-salt
  (syntax-rules ()
    ((_) (%hash-salt))))

;;; Comparators made of others. One without an ordering or a hash function of its own elements
;;; has none itself, so that comparator-ordered? and comparator-hashable? tell the truth.

(define (make-pair-comparator of-car of-cdr)
  (check-comparator "make-pair-comparator" of-car)
  (check-comparator "make-pair-comparator" of-cdr)
  (let ((car-test (comparator-type-test-predicate of-car))
        (cdr-test (comparator-type-test-predicate of-cdr))
        (car=? (comparator-equality-predicate of-car))
        (cdr=? (comparator-equality-predicate of-cdr))
        (car<? (comparator-ordering-predicate of-car))
        (cdr<? (comparator-ordering-predicate of-cdr))
        (car-hash (comparator-hash-function of-car))
        (cdr-hash (comparator-hash-function of-cdr)))
    (make-comparator
     (lambda (object)
       (and (pair? object) (car-test (car object)) (cdr-test (cdr object))))
     (lambda (a b)
       (and (car=? (car a) (car b)) (cdr=? (cdr a) (cdr b))))
     (and (comparator-ordered? of-car)
          (comparator-ordered? of-cdr)
          (lambda (a b)
            (cond ((not (car=? (car a) (car b))) (car<? (car a) (car b)))
                  ((not (cdr=? (cdr a) (cdr b))) (cdr<? (cdr a) (cdr b)))
                  (else #f))))
     (and (comparator-hashable? of-car)
          (comparator-hashable? of-cdr)
          (lambda (object)
            (hash-together (car-hash (car object)) (cdr-hash (cdr object))))))))

(define (make-list-comparator of-element type-test empty? head tail)
  (check-comparator "make-list-comparator" of-element)
  (check-procedure "make-list-comparator" "type test" type-test)
  (check-procedure "make-list-comparator" "empty?" empty?)
  (check-procedure "make-list-comparator" "head" head)
  (check-procedure "make-list-comparator" "tail" tail)
  (let ((element-test (comparator-type-test-predicate of-element))
        (element=? (comparator-equality-predicate of-element))
        (element<? (comparator-ordering-predicate of-element))
        (element-hash (comparator-hash-function of-element)))
    (make-comparator
     (lambda (object)
       (and (type-test object)
            (let loop ((rest object))
              (or (empty? rest)
                  (and (element-test (head rest)) (loop (tail rest)))))))
     (lambda (a b)
       (let loop ((a a) (b b))
         (cond ((empty? a) (empty? b))
               ((empty? b) #f)
               ((element=? (head a) (head b)) (loop (tail a) (tail b)))
               (else #f))))
     (and (comparator-ordered? of-element)
          (lambda (a b)
            (let loop ((a a) (b b))
              (cond ((empty? a) (not (empty? b)))
                    ((empty? b) #f)
                    ((element=? (head a) (head b)) (loop (tail a) (tail b)))
                    (else (element<? (head a) (head b)))))))
     (and (comparator-hashable? of-element)
          (lambda (object)
            (let loop ((rest object) (hash 0))
              (if (empty? rest)
                  hash
                  (loop (tail rest) (hash-together hash (element-hash (head rest)))))))))))

(define (make-vector-comparator of-element type-test length-of ref)
  (check-comparator "make-vector-comparator" of-element)
  (check-procedure "make-vector-comparator" "type test" type-test)
  (check-procedure "make-vector-comparator" "length" length-of)
  (check-procedure "make-vector-comparator" "ref" ref)
  (let ((element-test (comparator-type-test-predicate of-element))
        (element=? (comparator-equality-predicate of-element))
        (element<? (comparator-ordering-predicate of-element))
        (element-hash (comparator-hash-function of-element)))
    (make-comparator
     (lambda (object)
       (and (type-test object)
            (let ((length (length-of object)))
              (let loop ((index 0))
                (or (= index length)
                    (and (element-test (ref object index)) (loop (+ index 1))))))))
     (lambda (a b)
       (let ((length (length-of a)))
         (and (= length (length-of b))
              (let loop ((index 0))
                (or (= index length)
                    (and (element=? (ref a index) (ref b index)) (loop (+ index 1))))))))
     (and (comparator-ordered? of-element)
          (lambda (a b)
            (let ((length (length-of a))
                  (other (length-of b)))
              (cond ((< length other) #t)
                    ((> length other) #f)
                    (else
                     (let loop ((index 0))
                       (cond ((= index length) #f)
                             ((element=? (ref a index) (ref b index)) (loop (+ index 1)))
                             (else (element<? (ref a index) (ref b index))))))))))
     (and (comparator-hashable? of-element)
          (lambda (object)
            (let ((length (length-of object)))
              (let loop ((index 0) (hash length))
                (if (= index length)
                    hash
                    (loop (+ index 1) (hash-together hash (element-hash (ref object index))))))))))))

;;; Invokers and comparisons

(define (comparator-test-type comparator object)
  ((comparator-type-test-predicate comparator) object))

(define (comparator-check-type comparator object)
  (if ((comparator-type-test-predicate comparator) object)
      #t
      (error "comparator-check-type: the comparator does not take this object" comparator object)))

(define (comparator-hash comparator object)
  ((comparator-hash-function comparator) object))

(define (all-neighbours? holds? first second rest)
  (let loop ((first first) (second second) (rest rest))
    (and (holds? first second)
         (or (null? rest)
             (loop second (car rest) (cdr rest))))))

(define (=? comparator first second . rest)
  (all-neighbours? (comparator-equality-predicate comparator) first second rest))

(define (<? comparator first second . rest)
  (all-neighbours? (comparator-ordering-predicate comparator) first second rest))

(define (>? comparator first second . rest)
  (let ((less? (comparator-ordering-predicate comparator)))
    (all-neighbours? (lambda (a b) (less? b a)) first second rest)))

(define (<=? comparator first second . rest)
  (let ((less? (comparator-ordering-predicate comparator)))
    (all-neighbours? (lambda (a b) (not (less? b a))) first second rest)))

(define (>=? comparator first second . rest)
  (let ((less? (comparator-ordering-predicate comparator)))
    (all-neighbours? (lambda (a b) (not (less? a b))) first second rest)))

(define-syntax comparator-if<=>
  (syntax-rules ()
    ((_ first second less equal greater)
     (comparator-if<=> (make-default-comparator) first second less equal greater))
    ((_ comparator first second less equal greater)
     (let ((c comparator) (a first) (b second))
       (cond (((comparator-ordering-predicate c) a b) less)
             (((comparator-equality-predicate c) a b) equal)
             (else greater))))))
