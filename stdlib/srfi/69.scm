;; Where SRFI 69 differs from its successor: a default equality, hash functions that may want a bound,
;; copies that can be changed, and a merge in which the second table wins.

(define (appropriate-hash equality)
  (cond ((eq? equality string=?) string-hash)
        ((eq? equality string-ci=?) string-ci-hash)
        ((eq? equality eq?) hash-by-identity)
        (else hash)))

;; Hash functions of this interface may want the bound as their second argument, or go without.
(define largest-bound 1152921504606846976)

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
