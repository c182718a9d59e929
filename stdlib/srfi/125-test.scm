(import (scheme base) (scheme char) (srfi 64) (srfi 125) (srfi 128))

(define default (make-default-comparator))
(define integers (make-comparator exact-integer? = < number-hash))
(define strings (make-comparator string? string=? string<? string-hash))
(define (same-tenth? a b) (= (quotient a 10) (quotient b 10)))
(define (tenth-hash n) (quotient n 10))
(define (bad-hash n) 1)
(define (same-number? a b) (= a b))

(define (contents table)
  (let insert ((alist (hash-table->alist table)) (sorted '()))
    (if (null? alist)
        sorted
        (insert (cdr alist)
                (let place ((sorted sorted))
                  (if (or (null? sorted) (<? default (car (car alist)) (car (car sorted))))
                      (cons (car alist) sorted)
                      (cons (car sorted) (place (cdr sorted)))))))))

(define (table-of . keys-and-values)
  (let ((table (make-hash-table default)))
    (apply hash-table-set! table keys-and-values)
    table))

(define (chained . keys-and-values)
  (let ((table (make-hash-table same-number? bad-hash)))
    (apply hash-table-set! table keys-and-values)
    table))

(define (raises? thunk)
  (guard (condition ((error-object? condition) (string? (error-object-message condition))))
    (thunk)
    #f))

(test-begin "srfi-125")

(test-group "tables of every equality find what was put in"
  (for-each
   (lambda (table key same other)
     (hash-table-set! table key 'value)
     (test-eq 'value (hash-table-ref table same))
     (test-equal 1 (hash-table-size table))
     (test-assert (hash-table-contains? table same))
     (test-assert (not (hash-table-contains? table other)))
     (hash-table-set! table same 'changed)
     (test-equal 1 (hash-table-size table))
     (test-eq 'changed (hash-table-ref/default table key #f))
     (test-equal 1 (hash-table-delete! table same))
     (test-assert (hash-table-empty? table)))
   (list (make-hash-table eq?) (make-hash-table eqv?) (make-hash-table equal?)
         (make-hash-table string=?) (make-hash-table string-ci=?) (make-hash-table =)
         (make-hash-table default) (make-hash-table strings) (make-hash-table integers)
         (make-hash-table (make-eq-comparator)) (make-hash-table (make-eqv-comparator))
         (make-hash-table (make-equal-comparator)) (make-hash-table same-tenth? tenth-hash)
         (make-hash-table same-number? bad-hash))
   (list 'key 2.5 (list 1 "two" #\3) "text" "Text" 3 (list 1 "x") "abc" 7 'a 100000000000 '#(1 2) 35 35)
   (list 'key 2.5 (list 1 (string #\t #\w #\o) #\3) (string #\t #\e #\x #\t) "tEXT" 3.0
         (list 1 (string #\x)) (string #\a #\b #\c) 7 'a 100000000000 (vector 1 2) 38 35)
   (list 'other 2 (list 1 2) "Text" "test" 4 (list 1.5 "x") "abd" 8 'b 1 '#(1) 45 45)))

(test-group "constructors check what they are given"
  (test-error #t (make-hash-table (lambda (a b) #t)))
  (test-error #t (make-hash-table 'eq?))
  (test-error #t (make-hash-table (make-comparator symbol? eq? #f #f)))
  (test-assert (hash-table? (make-hash-table eq? 100 'weak-keys)))
  (test-assert (hash-table? (make-hash-table eq? 'of "another" #(implementation))))
  (test-assert (hash-table? (make-hash-table default 100)))
  (test-assert (not (hash-table? '()))))

(test-group "hash-table makes an immutable table"
  (let ((table (hash-table default 'a 1 'b 2)))
    (test-equal '((a . 1) (b . 2)) (contents table))
    (test-assert (not (hash-table-mutable? table)))
    (test-error #t (hash-table-set! table 'c 3))
    (test-error #t (hash-table-set! table 'c 3 'd 4))
    (test-error #t (hash-table-delete! table 'a))
    (test-error #t (hash-table-clear! table))
    (test-error #t (hash-table-pop! table))
    (test-error #t (hash-table-update!/default table 'a list 0))
    (test-error #t (hash-table-map! list table))
    (test-error #t (hash-table-union! table (table-of 1 2))))
  (let ((table (hash-table (make-eq-comparator) 'a 1)))
    (test-error #t (hash-table-set! table 'c 3))
    (test-error #t (hash-table-delete! table 'a)))
  (test-error #t (hash-table default 'a 1 'a 2))
  (test-error #t (hash-table default 'a)))

(test-group "hash-table-unfold"
  (test-equal '((1 . 1) (2 . 4) (3 . 9))
    (contents (hash-table-unfold (lambda (n) (> n 3)) (lambda (n) (values n (* n n)))
                                 (lambda (n) (+ n 1)) 1 integers))))

(test-group "alist->hash-table prefers earlier associations"
  (test-equal '((a . 1) (b . 2)) (contents (alist->hash-table '((a . 1) (b . 2) (a . 3)) default)))
  (test-equal '((1 . 1)) (contents (alist->hash-table '((1 . 1) (1 . 2)) same-number? bad-hash)))
  (test-equal 2 (hash-table-ref (alist->hash-table '(("a" . 2)) string=?) "a"))
  (let ((ring (list '(a . 1))))
    (set-cdr! ring ring)
    (test-error #t (alist->hash-table ring default))))

(test-group "hash-table-ref with failure and success"
  (let ((table (table-of 'a 1 'false #f)))
    (test-equal 1 (hash-table-ref table 'a))
    (test-equal #f (hash-table-ref table 'false))
    (test-error #t (hash-table-ref table 'none))
    (test-eq 'failed (hash-table-ref table 'none (lambda () 'failed)))
    (test-equal 1 (hash-table-ref table 'a (lambda () 'failed)))
    (test-equal '(1) (hash-table-ref table 'a (lambda () 'failed) list))
    (test-eq 'failed (hash-table-ref table 'none (lambda () 'failed) list))
    (test-equal #f (hash-table-ref/default table 'false 5))
    (test-equal 5 (hash-table-ref/default table 'none 5))))

(test-group "hash-table-set! and hash-table-delete! with several keys"
  (let ((table (table-of)))
    (hash-table-set! table)
    (hash-table-set! table 'a 1 'b 2 'a 3)
    (test-equal '((a . 3) (b . 2)) (contents table))
    (test-error #t (hash-table-set! table 'a))
    (test-error #t (hash-table-set! table 'a 1 'b))
    (test-equal 0 (hash-table-delete! table))
    (test-equal 0 (hash-table-delete! table 'z))
    (test-equal 2 (hash-table-delete! table 'a 'z 'b))
    (test-equal '() (contents table))))

(test-group "keys in one chain do not disturb each other"
  (let ((table (chained 1 'one 2 'two 3 'three)))
    (test-equal 3 (hash-table-size table))
    (test-equal 1 (hash-table-delete! table 2))
    (test-equal '((1 . one) (3 . three)) (contents table))
    (test-equal 1 (hash-table-delete! table 3))
    (test-equal 1 (hash-table-delete! table 1))
    (test-assert (hash-table-empty? table))))

(test-group "a table takes the keys that its comparator takes"
  (test-error #t (hash-table-set! (make-hash-table integers) "a" 1))
  (test-error #t (hash-table-set! (make-hash-table =) 'a 1))
  (test-error #t (hash-table-set! (make-hash-table string=?) 'a 1)))

(test-group "the default comparator takes keys of all types, and numbers that are = for one"
  (let ((table (table-of 1 'one 1/2 'half 'a 'symbol "a" 'string #\a 'char #t 'true '() 'null
                         '(1 2) 'list '#(1 2) 'vector '#u8(1 2) 'bytes)))
    (test-equal 10 (hash-table-size table))
    (for-each
     (lambda (key value) (test-eq value (hash-table-ref table key)))
     (list 1.0 0.5 'a (string #\a) #\a #t '() (list 1.0 2) (vector 1 2.0) (bytevector 1 2))
     '(one half symbol string char true null list vector bytes))
    (hash-table-set! table 1.0 'uno)
    (test-equal 10 (hash-table-size table))
    (test-eq 'uno (hash-table-ref table 1))
    (test-equal 2 (hash-table-delete! table 1.0 (list 1 2)))
    (test-equal 8 (hash-table-size table))
    (hash-table-set! table 2.0 'two)
    (test-assert (memv 2.0 (hash-table-keys table)))
    (test-equal 1 (hash-table-delete! table 2))
    (hash-table-set! table 2 'two)
    (test-assert (memv 2 (hash-table-keys table)))
    (let loop ((left (hash-table-size table)))
      (if (> left 0)
          (begin
            (hash-table-pop! table)
            (loop (- left 1)))))
    (test-assert (hash-table-empty? table))))

(test-group "a hash function must return a non-negative exact integer"
  (test-error #t (hash-table-set! (make-hash-table same-tenth? (lambda (n) 1.5)) 1 1))
  (test-error #t (hash-table-set! (make-hash-table same-tenth? (lambda (n) -1)) 1 1)))

(test-group "hash-table-intern!"
  (let ((table (table-of 'a 1)))
    (test-equal 1 (hash-table-intern! table 'a (lambda () 2)))
    (test-equal 2 (hash-table-intern! table 'b (lambda () 2)))
    (test-equal '((a . 1) (b . 2)) (contents table))))

(test-group "hash-table-update! and hash-table-update!/default"
  (let ((table (table-of 'a 1)))
    (hash-table-update! table 'a (lambda (n) (+ n 1)))
    (hash-table-update! table 'b (lambda (n) (+ n 1)) (lambda () 10))
    (hash-table-update! table 'a list (lambda () 10) -)
    (hash-table-update!/default table 'c (lambda (n) (+ n 1)) 0)
    (hash-table-update!/default table 'c (lambda (n) (+ n 1)) 0)
    (test-equal '((a -2) (b . 11) (c . 2)) (contents table))
    (test-error #t (hash-table-update! table 'none list))
    (let ((fast (make-hash-table eq?)))
      (hash-table-update!/default fast 'c (lambda (n) (+ n 1)) 0)
      (test-equal 1 (hash-table-ref fast 'c)))))

(test-group "hash-table-pop! and hash-table-clear!"
  (for-each
   (lambda (table)
     (hash-table-set! table 1 10 2 20)
     (call-with-values (lambda () (hash-table-pop! table))
       (lambda (key value)
         (test-equal (* 10 key) value)
         (test-equal 1 (hash-table-size table))
         (test-assert (not (hash-table-contains? table key)))))
     (hash-table-clear! table)
     (test-equal 0 (hash-table-size table))
     (test-equal '() (hash-table->alist table))
     (test-error #t (hash-table-pop! table)))
   (list (make-hash-table eqv?) (make-hash-table default) (make-hash-table same-number? bad-hash))))

(test-group "keys, values and entries"
  (for-each
   (lambda (table)
     (hash-table-set! table 1 10 2 20 3 30)
     (test-equal 6 (apply + (hash-table-keys table)))
     (test-equal 60 (apply + (hash-table-values table)))
     (call-with-values (lambda () (hash-table-entries table))
       (lambda (keys values)
         (test-equal values (map (lambda (key) (* 10 key)) keys)))))
   (list (make-hash-table eqv?) (make-hash-table same-number? bad-hash))))

(test-group "hash-table->alist is a copy"
  (for-each
   (lambda (table)
     (hash-table-set! table 1 10)
     (set-cdr! (car (hash-table->alist table)) 'spoilt)
     (test-equal 10 (hash-table-ref table 1)))
   (list (make-hash-table eqv?) (make-hash-table same-number? bad-hash))))

(test-group "finding and counting"
  (let ((table (table-of 1 10 2 20 3 30)))
    (test-equal 20 (hash-table-find (lambda (key value) (and (even? key) value)) table (lambda () 'none)))
    (test-eq 'none (hash-table-find (lambda (key value) #f) table (lambda () 'none)))
    (test-equal 2 (hash-table-count (lambda (key value) (odd? key)) table))))

(test-group "mapping"
  (let ((table (table-of 1 10 2 20)))
    (test-equal '((1 . -10) (2 . -20)) (contents (hash-table-map - integers table)))
    (test-equal '((1 . -10) (2 . -20)) (contents (hash-table-map - (make-eqv-comparator) table)))
    (let ((sum 0))
      (hash-table-for-each (lambda (key value) (set! sum (+ sum key value))) table)
      (test-equal 33 sum)
      (hash-table-walk table (lambda (key value) (set! sum (- sum key value))))
      (test-equal 0 sum))
    (test-equal 33 (apply + (hash-table-map->list + table)))
    (hash-table-map! + table)
    (test-equal '((1 . 11) (2 . 22)) (contents table))))

(test-group "folding, with the table last or, as SRFI 69 has it, first"
  (let ((table (table-of 1 10 2 20)))
    (test-equal 133 (hash-table-fold (lambda (key value sum) (+ key value sum)) 100 table))
    (test-equal 133 (hash-table-fold table (lambda (key value sum) (+ key value sum)) 100))))

(test-group "pruning"
  (for-each
   (lambda (table)
     (hash-table-set! table 1 10 2 20 3 30)
     (hash-table-prune! (lambda (key value) (odd? key)) table)
     (test-equal '((2 . 20)) (contents table)))
   (list (make-hash-table eqv?) (make-hash-table same-number? bad-hash))))

(test-group "hash-table=?"
  (test-assert (hash-table=? integers (table-of 1 10 2 20) (table-of 2 20 1 10)))
  (test-assert (not (hash-table=? integers (table-of 1 10) (table-of 1 11))))
  (test-assert (not (hash-table=? integers (table-of 1 10) (table-of 2 10))))
  (test-assert (not (hash-table=? integers (table-of 1 10) (table-of 1 10 2 20))))
  (test-assert (hash-table=? strings (table-of 1 "a") (table-of 1 (string #\a)))))

(test-group "copies"
  (for-each
   (lambda (table)
     (hash-table-set! table 1 10)
     (let ((frozen (hash-table-copy table))
           (also-frozen (hash-table-copy table #f))
           (copy (hash-table-copy table #t))
           (empty (hash-table-empty-copy table)))
       (hash-table-set! copy 2 20)
       (hash-table-set! empty 3 30)
       (test-assert (not (hash-table-mutable? frozen)))
       (test-assert (not (hash-table-mutable? also-frozen)))
       (test-error #t (hash-table-set! frozen 2 20))
       (test-assert (hash-table-mutable? copy))
       (test-assert (hash-table-mutable? (hash-table-copy frozen #t)))
       (test-equal '((1 . 10)) (contents frozen))
       (test-equal '((1 . 10)) (contents table))
       (test-equal '((1 . 10) (2 . 20)) (contents copy))
       (test-equal '((3 . 30)) (contents empty))))
   (list (make-hash-table eqv?) (make-hash-table default) (make-hash-table same-number? bad-hash))))

(test-group "tables as sets"
  (define (first) (table-of 'a 1 'b 2 'c 3))
  (define (second) (table-of 'a 4 'b 5 'd 6))
  (let ((table (first)))
    (test-eq table (hash-table-union! table (second)))
    (test-equal '((a . 1) (b . 2) (c . 3) (d . 6)) (contents table)))
  (test-equal '((a . 1) (b . 2) (c . 3) (d . 6)) (contents (hash-table-merge! (first) (second))))
  (test-equal '((a . 1) (b . 2)) (contents (hash-table-intersection! (first) (second))))
  (test-equal '((c . 3)) (contents (hash-table-difference! (first) (second))))
  (test-equal '((c . 3) (d . 6)) (contents (hash-table-xor! (first) (second))))
  (let ((table (first)))
    (test-equal '() (contents (hash-table-xor! table table)))))

(test-group "hash functions take a bound, as SRFI 69 has it"
  (test-equal (hash '(1 2)) (hash (list 1 2)))
  (test-equal (string-ci-hash "a") (string-ci-hash "A"))
  (test-assert (<= 0 (hash '(1 2) 10) 9))
  (test-assert (<= 0 (string-hash "a" 10) 9))
  (test-assert (<= 0 (string-ci-hash "a" 10) 9))
  (test-assert (<= 0 (hash-by-identity (list 1) 10) 9)))

(test-group "reflection"
  (test-eq eq? (hash-table-equivalence-function (make-hash-table eq?)))
  (test-eq bad-hash (hash-table-hash-function (make-hash-table same-number? bad-hash)))
  (test-eq string-hash (hash-table-hash-function (make-hash-table strings))))

(test-group "only hash tables are accepted"
  (test-error #t (hash-table-ref '() 1))
  (test-error #t (hash-table-set! '() 1 2))
  (test-error #t (hash-table-size 5)))

(test-group "a procedure may leave a walk by a continuation and go on later"
  (let ((table (table-of 1 10 2 20 3 30))
        (resume #f)
        (seen '()))
    (call-with-current-continuation
     (lambda (leave)
       (hash-table-for-each
        (lambda (key value)
          (call-with-current-continuation
           (lambda (here) (set! resume here) (set! seen (cons key seen)) (leave #f))))
        table)
       (set! resume #f)))
    (if resume (resume #f))
    (test-equal 6 (apply + seen))))

(test-end "srfi-125")
