(import (scheme base) (scheme char) (srfi 64) (srfi 69))

(define (sorted-contents table)
  (let insert ((alist (hash-table->alist table)) (sorted '()))
    (if (null? alist)
        sorted
        (insert (cdr alist)
                (let place ((sorted sorted))
                  (if (or (null? sorted) (< (car (car alist)) (car (car sorted))))
                      (cons (car alist) sorted)
                      (cons (car sorted) (place (cdr sorted)))))))))

(test-begin "srfi-69")

(test-group "make-hash-table compares with equal? unless told otherwise"
  (let ((table (make-hash-table)))
    (test-assert (hash-table? table))
    (hash-table-set! table (list 1 "a") 'found)
    (test-eq 'found (hash-table-ref table (list 1 (string #\a))))
    (test-eq equal? (hash-table-equivalence-function table))
    (test-assert (procedure? (hash-table-hash-function table))))
  (test-assert (not (hash-table? (vector))))
  (let ((table (make-hash-table string-ci=?)))
    (hash-table-set! table "ABC" 1)
    (test-equal 1 (hash-table-ref table "abc"))))

(test-group "an unknown equality no coarser than equal? needs no hash function"
  (let ((table (make-hash-table (lambda (a b) (equal? a b)))))
    (hash-table-set! table "key" 1)
    (test-equal 1 (hash-table-ref table (string #\k #\e #\y)))))

(test-group "hash functions may take a bound or not"
  (let ((with (make-hash-table (lambda (a b) (= a b)) modulo))
        (without (make-hash-table (lambda (a b) (= a b)) (lambda (n) n))))
    (hash-table-set! with 12345678901234567890 'big)
    (hash-table-set! without 12 'small)
    (test-eq 'big (hash-table-ref with 12345678901234567890))
    (test-eq 'small (hash-table-ref without 12))))

(test-group "alist->hash-table prefers earlier associations"
  (test-equal '((1 . a) (2 . b)) (sorted-contents (alist->hash-table '((1 . a) (2 . b) (1 . c)))))
  (test-equal '((1 . a)) (sorted-contents (alist->hash-table '((1 . a) (1 . b)) = modulo)))
  (test-equal '((1 . a)) (sorted-contents (alist->hash-table '((1 . a) (1 . b)) eqv?))))

(test-group "single elements"
  (let ((table (make-hash-table)))
    (test-error #t (hash-table-ref table 'a))
    (test-eq 'none (hash-table-ref table 'a (lambda () 'none)))
    (test-eq 'none (hash-table-ref/default table 'a 'none))
    (hash-table-set! table 'a 1)
    (test-assert (hash-table-exists? table 'a))
    (hash-table-update! table 'a (lambda (n) (+ n 1)))
    (hash-table-update! table 'b (lambda (n) (+ n 1)) (lambda () 10))
    (hash-table-update!/default table 'b (lambda (n) (+ n 1)) 0)
    (test-error #t (hash-table-update! table 'c list))
    (test-equal 2 (hash-table-ref table 'a))
    (test-equal 12 (hash-table-ref table 'b))
    (hash-table-delete! table 'a)
    (hash-table-delete! table 'a)
    (test-assert (not (hash-table-exists? table 'a)))
    (test-equal 1 (hash-table-size table))))

(test-group "whole tables"
  (let ((table (alist->hash-table '((1 . 10) (2 . 20)))))
    (test-equal 3 (apply + (hash-table-keys table)))
    (test-equal 30 (apply + (hash-table-values table)))
    (test-equal 33 (hash-table-fold table (lambda (key value sum) (+ key value sum)) 0))
    (let ((sum 0))
      (hash-table-walk table (lambda (key value) (set! sum (+ sum key value))))
      (test-equal 33 sum))
    (let ((copy (hash-table-copy table)))
      (hash-table-set! copy 3 30)
      (test-equal '((1 . 10) (2 . 20)) (sorted-contents table))
      (test-equal '((1 . 10) (2 . 20) (3 . 30)) (sorted-contents copy)))))

(test-group "hash-table-merge! takes the second table's values"
  (let ((table (alist->hash-table '((1 . 10) (2 . 20)))))
    (test-eq table (hash-table-merge! table (alist->hash-table '((2 . 21) (3 . 31)))))
    (test-equal '((1 . 10) (2 . 21) (3 . 31)) (sorted-contents table))))

(test-group "hash functions agree with their equality and keep the bound"
  (test-equal (hash (list 1 2.5 "a")) (hash (list 1 2.5 (string #\a))))
  (test-equal (string-ci-hash "ABC") (string-ci-hash "abc"))
  (let ((object (list 1)))
    (let ((before (hash-by-identity object)))
      (set-car! object 2)
      (test-equal before (hash-by-identity object))))
  (for-each
   (lambda (hash)
     (test-assert (<= 0 (hash "some text")))
     (test-assert (<= 0 (hash "some text" 7) 6))
     (test-error #t (hash "some text" -1)))
   (list hash string-hash string-ci-hash hash-by-identity))
  (test-error #t (string-hash 'symbol)))

(test-end "srfi-69")
