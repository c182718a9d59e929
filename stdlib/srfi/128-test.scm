(import (scheme base) (scheme complex) (srfi 64) (srfi 128))

(define integers (make-comparator exact-integer? = < number-hash))
(define booleans (make-comparator boolean? boolean=? (lambda (a b) (and (not a) b)) boolean-hash))
(define unordered (make-comparator symbol? eq? #f #f))
(define any (make-default-comparator))
(define bytes (make-vector-comparator integers bytevector? bytevector-length bytevector-u8-ref))
(define lists (make-list-comparator integers list? null? car cdr))

(define (ascending? comparator . objects)
  (let outer ((rest objects))
    (or (null? rest)
        (and (=? comparator (car rest) (car rest))
             (let inner ((others (cdr rest)))
               (or (null? others)
                   (and (<? comparator (car rest) (car others))
                        (not (<? comparator (car others) (car rest)))
                        (not (=? comparator (car rest) (car others)))
                        (inner (cdr others)))))
             (outer (cdr rest))))))

(test-begin "srfi-128")

(test-group "predicates"
  (test-assert (comparator? integers))
  (test-assert (not (comparator? car)))
  (test-assert (comparator-ordered? integers))
  (test-assert (comparator-hashable? integers))
  (test-assert (not (comparator-ordered? unordered)))
  (test-assert (not (comparator-hashable? unordered)))
  (test-equal '(#t #f) (list (comparator-ordered? integers) (comparator-ordered? unordered))))

(test-group "a missing ordering or hash function signals when it is used"
  (test-error #t (<? unordered 'a 'b))
  (test-error #t (comparator-hash unordered 'a))
  (test-error #t (make-comparator 5 eq? #f #f))
  (test-error #t (make-comparator symbol? eq? 'less #f)))

(test-group "accessors and invokers"
  (test-eq exact-integer? (comparator-type-test-predicate integers))
  (test-eq = (comparator-equality-predicate integers))
  (test-eq < (comparator-ordering-predicate integers))
  (test-eq number-hash (comparator-hash-function integers))
  (test-assert (comparator-test-type integers 3))
  (test-assert (not (comparator-test-type integers "3")))
  (test-assert (comparator-check-type integers 3))
  (test-error #t (comparator-check-type integers "3"))
  (test-equal (number-hash 17) (comparator-hash integers 17)))

(test-group "comparison of two and more objects"
  (test-assert (=? integers 1 1))
  (test-assert (=? integers 1 1 1 1))
  (test-assert (not (=? integers 1 1 2)))
  (test-assert (<? integers 1 2 3))
  (test-assert (not (<? integers 1 2 2)))
  (test-assert (>? integers 3 2 1))
  (test-assert (not (>? integers 3 1 2)))
  (test-assert (<=? integers 1 2 2 3))
  (test-assert (not (<=? integers 2 1)))
  (test-assert (>=? integers 3 2 2 1))
  (test-assert (not (>=? integers 1 2))))

(test-group "pair comparators"
  (let ((pairs (make-pair-comparator integers booleans)))
    (test-assert (comparator-test-type pairs '(1 . #t)))
    (test-assert (not (comparator-test-type pairs '(1 . 2))))
    (test-assert (not (comparator-test-type pairs '())))
    (test-assert (ascending? pairs '(1 . #f) '(1 . #t) '(2 . #f)))
    (test-equal (comparator-hash pairs (cons 1 #t)) (comparator-hash pairs (cons 1 #t)))
    (test-assert (not (comparator-ordered? (make-pair-comparator integers unordered))))))

(test-group "list comparators"
  (test-assert (comparator-test-type lists '(1 2)))
  (test-assert (not (comparator-test-type lists '(1 a))))
  (test-assert (not (comparator-test-type lists '(1 . 2))))
  (test-assert (ascending? lists '() '(1) '(1 0) '(1 5) '(2)))
  (test-equal (comparator-hash lists (list 1 2 3)) (comparator-hash lists (list 1 2 3))))

(test-group "vector comparators"
  (test-assert (comparator-test-type bytes #u8(1 2)))
  (test-assert (not (comparator-test-type bytes '#(1 2))))
  (test-assert (ascending? bytes #u8() #u8(9) #u8(1 2) #u8(1 3) #u8(0 0 0)))
  (test-equal (comparator-hash bytes (bytevector 1 2)) (comparator-hash bytes (bytevector 1 2))))

(test-group "eq, eqv and equal comparators"
  (test-assert (=? (make-eq-comparator) 'a 'a))
  (test-assert (not (=? (make-eq-comparator) (list 1) (list 1))))
  (test-assert (=? (make-eqv-comparator) 2.5 2.5))
  (test-assert (not (=? (make-eqv-comparator) "a" (string #\a))))
  (test-assert (=? (make-equal-comparator) (list 1 "b") (list 1 (string #\b))))
  (test-assert (comparator-test-type (make-equal-comparator) car))
  (test-equal (comparator-hash (make-equal-comparator) (list 1 "b"))
    (comparator-hash (make-equal-comparator) (list 1 (string #\b)))))

(test-group "standard hash functions"
  (for-each
   (lambda (hash object)
     (test-assert (exact-integer? (hash object)))
     (test-assert (<= 0 (hash object) (- (hash-bound) 1)))
     (test-equal (hash object) (default-hash object)))
   (list boolean-hash char-hash string-hash symbol-hash number-hash)
   (list #t #\a "text" 'name 12))
  (test-equal (char-ci-hash #\a) (char-ci-hash #\A))
  (test-equal (string-ci-hash "Straße") (string-ci-hash "sTRASSE"))
  (test-equal (number-hash 1) (number-hash 1.0))
  (test-equal (number-hash 1/2) (number-hash 0.5))
  (test-error #t (string-hash 'a))
  (test-error #t (symbol-hash "a"))
  (test-error #t (number-hash "1"))
  (test-error #t (boolean-hash 1))
  (test-assert (< -1 (hash-salt) (hash-bound))))

(test-group "the default comparator orders all standard types"
  (test-assert
      (ascending? any '() '(1) #f #t #\A #\a "" "a" "b" 'a 'b -1 0.5 1 2 '#() '#(9) '#(1 1) #u8() #u8(1)))
  (test-assert (ascending? any '(1 . 2) '(1 . 3) '(2)))
  (test-assert (ascending? any '(1) '(1 2) '(1 3) '(2)))
  (test-assert (ascending? any '((1) 2) '((1) 3) '((2) 0)))
  (test-assert (ascending? any '#(1 (2)) '#(1 (3)))))

(test-group "the default comparator compares numbers with = and complex ones by their parts"
  (test-assert (=? any 1 1.0))
  (test-equal (default-hash 1) (default-hash 1.0))
  (test-assert (<? any (make-rectangular 1 2) (make-rectangular 1 3)))
  (test-assert (<? any (make-rectangular 1 9) 2))
  (test-assert (=? any (make-rectangular 1 2) (make-rectangular 1 2))))

(test-group "the default comparator hashes equal structures alike"
  (test-equal (default-hash (list 1 "a" 'b)) (default-hash (list 1 (string #\a) 'b)))
  (test-equal (default-hash (vector 1 2)) (default-hash (vector 1 2))))

(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(define-record-type lone (make-lone) lone?)

(test-group "registered comparators extend the default one"
  (comparator-register-default!
   (make-comparator point?
                    (lambda (a b) (= (point-x a) (point-x b)))
                    (lambda (a b) (< (point-x a) (point-x b)))
                    (lambda (p) (number-hash (point-x p)))))
  (test-assert (=? any (make-point 1 2) (make-point 1 3)))
  (test-assert (<? any (make-point 1 2) (make-point 2 2)))
  (test-assert (<? any 5 (make-point 0 0)))
  (test-assert (=? any (list (make-point 1 2)) (list (make-point 1 3))))
  (test-equal (number-hash 7) (default-hash (make-point 7 0)))
  (test-equal (default-hash (list (make-point 1 2))) (default-hash (list (make-point 1 3)))))

(test-group "objects of unregistered types are equal to themselves and have no order"
  (let ((one (make-lone)))
    (test-assert (=? any one one))
    (test-assert (not (=? any one (make-lone))))
    (test-error #t (<? any one (make-lone)))
    (test-assert (<? any 1 one))))

(test-group "circular lists are an error"
  (let ((ring (list 1 2 3)) (other (list 1 2 3)))
    (set-cdr! (cddr ring) ring)
    (set-cdr! (cddr other) other)
    (test-error #t (=? any ring other))
    (test-error #t (<? any ring other))
    (test-assert (exact-integer? (default-hash ring)))))

(test-group "comparator-if<=>"
  (test-equal 'less (comparator-if<=> integers 1 2 'less 'equal 'greater))
  (test-equal 'equal (comparator-if<=> integers 2 2 'less 'equal 'greater))
  (test-equal 'greater (comparator-if<=> integers 3 2 'less 'equal 'greater))
  (test-equal 'less (comparator-if<=> "a" "b" 'less 'equal 'greater)))

(test-end "srfi-128")
