;; Where SRFI 69 differs from its successor: a default equality, hash functions with a bound, copies
;; that can be changed, and a merge in which the second table wins.

(define (bounded who value bound)
  (if (and (exact-integer? bound) (> bound 0))
      (modulo value bound)
      (error (string-append who ": the bound must be a positive exact integer") bound)))

(define hash
  (case-lambda
    ((object) (%default-hash object))
    ((object bound) (bounded "hash" (%default-hash object) bound))))

(define string-hash
  (case-lambda
    ((string) (%string-hash string))
    ((string bound) (bounded "string-hash" (%string-hash string) bound))))

(define string-ci-hash
  (case-lambda
    ((string) (%string-ci-hash string))
    ((string bound) (bounded "string-ci-hash" (%string-ci-hash string) bound))))

(define hash-by-identity
  (case-lambda
    ((object) (%identity-hash object))
    ((object bound) (bounded "hash-by-identity" (%identity-hash object) bound))))

(define (appropriate-hash equality)
  (cond ((eq? equality string=?) string-hash)
        ((eq? equality string-ci=?) string-ci-hash)
        ((eq? equality eq?) hash-by-identity)
        (else hash)))

;; Hash functions of this interface may want the bound as their second argument, or go without.
(define largest-bound 268435456)

(define (one-argument hash)
  (if (%accepts-arguments? hash 1)
      hash
      (lambda (object) (hash object largest-bound))))

(define make-hash-table
  (case-lambda
    (() (make-table equal? hash))
    ((equality) (make-table equality (appropriate-hash equality)))
    ((equality hash . extras) (apply make-table equality (one-argument hash) extras))))

(define alist->hash-table
  (case-lambda
    ((alist) (alist->table alist equal? hash))
    ((alist equality) (alist->table alist equality (appropriate-hash equality)))
    ((alist equality hash . extras)
     (apply alist->table alist equality (one-argument hash) extras))))

(define (hash-table-copy table)
  (copy-table table #t))

(define (hash-table-merge! table1 table2)
  (hash-table-walk table2 (lambda (key value) (hash-table-set! table1 key value)))
  table1)
