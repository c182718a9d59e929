;; The type, its constructors, and what deals with single associations.
;;
;; A table whose equality the host's own tables know is *fast*: `store` is one of those, and `sink`
;; is the same store while the table may be changed. Any other table has a false store and keeps
;; `chains`, a store from hash values to lists of (key . value), and the number of those associations.
;; Tables of the default comparator or of = also have `atoms`, a store for keys that are numbers, text or
;; constants, which the host compares as those do; it is #f in others.
;; A reader asks for the store, a writer for the sink, and both do the common work with one test.

(define-record-type <hash-table>
  (raw-table store sink atoms chains count kind equality hash type-test mutable?)
  hash-table?
  (store table-store)
  (sink table-sink set-table-sink!)
  (atoms table-atoms)
  (chains table-chains)
  (count table-count set-table-count!)
  (kind table-kind)
  (equality hash-table-equivalence-function)
  (hash hash-table-hash-function)
  (type-test table-type-test)
  (mutable? hash-table-mutable? set-table-mutable!))

(define absent (list 'absent))

(define default-equality
  (comparator-equality-predicate (make-default-comparator)))

;; The kind of host table that has this equality, or #f.
(define (kind-of equality)
  (cond ((eq? equality equal?) 'equal)
        ((or (eq? equality eqv?) (eq? equality char=?)) 'eqv)
        ((or (eq? equality eq?) (eq? equality symbol=?) (eq? equality boolean=?)) 'eq)
        ((eq? equality string=?) 'string)
        ((eq? equality string-ci=?) 'string-ci)
        (else #f)))

(define (default-hash-for equality)
  (cond ((eq? equality string=?) string-hash)
        ((eq? equality string-ci=?) string-ci-hash)
        ((eq? equality =) number-hash)
        ((eq? equality char-ci=?) char-ci-hash)
        ((or (kind-of equality) (eq? equality default-equality)) default-hash)
        (else
         (error "make-hash-table: this equality predicate needs a hash function" equality))))

(define (any-key? object) #t)

(define (new-table equality hash type-test)
  (let* ((kind (kind-of equality))
         (store (and kind (%table-make kind))))
    (raw-table store
               store
               (and (or (eq? equality default-equality) (eq? equality =))
                    (%table-make 'numeric))
               (if kind #f (%table-make 'eqv))
               0 kind equality hash type-test #t)))

(define (atom? key)
  (or (symbol? key) (string? key) (number? key) (char? key) (boolean? key) (null? key)))

;; The store for a key of a table that is not fast, or #f if the key belongs in a chain.
(define (atoms-for table key)
  (and (atom? key) (table-atoms table)))

;; Further arguments may ask for a capacity or for weakness, or be another implementation's own. Tables grow
;; by themselves and hold their keys and values strongly, which a program can tell apart only by the memory it uses.
(define (make-hash-table-as who comparator extras)
  (cond ((comparator? comparator)
         (if (not (comparator-hashable? comparator))
             (error (string-append who ": the comparator has no hash function") comparator))
         (new-table (comparator-equality-predicate comparator)
                    (comparator-hash-function comparator)
                    (comparator-type-test-predicate comparator)))
        ((not (procedure? comparator))
         (error (string-append who ": expected a comparator or an equality predicate") comparator))
        ((and (pair? extras) (procedure? (car extras)))
         (new-table comparator (car extras) (key-test comparator)))
        (else
         (new-table comparator (default-hash-for comparator) (key-test comparator)))))

(define (key-test equality)
  (if (eq? equality =) number? any-key?))

(define (make-hash-table comparator . extras)
  (make-hash-table-as "make-hash-table" comparator extras))

(define (freeze! table)
  (set-table-sink! table #f)
  (set-table-mutable! table #f)
  table)

(define (hash-table comparator . keys-and-values)
  (let ((table (make-hash-table-as "hash-table" comparator '())))
    (let loop ((rest keys-and-values))
      (cond ((null? rest) (freeze! table))
            ((null? (cdr rest))
             (error "hash-table: this key has no value" (car rest)))
            ((hash-table-contains? table (car rest))
             (error "hash-table: this key is given twice" (car rest)))
            (else
             (hash-table-set! table (car rest) (cadr rest))
             (loop (cddr rest)))))))

(define (hash-table-unfold stop? mapper successor seed comparator . extras)
  (let ((table (make-hash-table-as "hash-table-unfold" comparator extras)))
    (let loop ((seed seed))
      (if (stop? seed)
          table
          (begin
            (call-with-values
                (lambda () (mapper seed))
              (lambda (key value) (hash-table-set! table key value)))
            (loop (successor seed)))))))

(define (alist->hash-table alist comparator . extras)
  (let ((table (make-hash-table-as "alist->hash-table" comparator extras)))
    (if (not (list? alist))
        (error "alist->hash-table: not an association list" alist))
    (for-each
     (lambda (association)
       (if (not (hash-table-contains? table (car association)))
           (hash-table-set! table (car association) (cdr association))))
     alist)
    table))

;;; Chains

(define (chain-hash table key)
  (let ((hash ((hash-table-hash-function table) key)))
    (if (and (exact-integer? hash) (>= hash 0))
        hash
        (error "the hash function of a hash table must return an exact non-negative integer" hash key))))

(define (entry-in entries key same?)
  (let loop ((entries entries))
    (cond ((null? entries) #f)
          ((same? (car (car entries)) key) (car entries))
          (else (loop (cdr entries))))))

(define (chain-entry table key)
  (entry-in (%table-ref (table-chains table) (chain-hash table key) '())
            key
            (hash-table-equivalence-function table)))

(define (refuse-immutable who table)
  (if (not (hash-table-mutable? table))
      (error (string-append who ": the hash table is immutable") table)))

(define (chain-set! table key value)
  (let* ((chains (table-chains table))
         (hash (chain-hash table key))
         (entries (%table-ref chains hash '()))
         (entry (entry-in entries key (hash-table-equivalence-function table))))
    (if entry
        (set-cdr! entry value)
        (begin
          (%table-set! chains hash (cons (cons key value) entries))
          (set-table-count! table (+ (table-count table) 1))))))

(define (chain-delete! table key)
  (let* ((chains (table-chains table))
         (hash (chain-hash table key))
         (entries (%table-ref chains hash '()))
         (entry (entry-in entries key (hash-table-equivalence-function table))))
    (and entry
         (let ((others (without entry entries)))
           (if (null? others)
               (%table-delete! chains hash)
               (%table-set! chains hash others))
           (set-table-count! table (- (table-count table) 1))
           #t))))

(define (without entry entries)
  (if (eq? entry (car entries))
      (cdr entries)
      (cons (car entries) (without entry (cdr entries)))))

;;; The same for all tables that are not fast

(define (slow-ref table key default)
  (let ((atoms (atoms-for table key)))
    (if atoms
        (%table-ref atoms key default)
        (let ((entry (chain-entry table key)))
          (if entry (cdr entry) default)))))

(define (slow-set! table key value)
  (refuse-immutable "hash-table-set!" table)
  (if (not ((table-type-test table) key))
      (error "hash-table-set!: the table's comparator does not take this key" key))
  (let ((atoms (atoms-for table key)))
    (if atoms
        (%table-set! atoms key value)
        (chain-set! table key value))))

(define (slow-delete! table key)
  (refuse-immutable "hash-table-delete!" table)
  (let ((atoms (atoms-for table key)))
    (if atoms
        (%table-delete! atoms key)
        (chain-delete! table key))))

;;; Single associations

(define (hash-table-contains? table key)
  (let ((store (table-store table)))
    (if store
        (%table-contains? store key)
        (not (eq? absent (slow-ref table key absent))))))

(define hash-table-exists? hash-table-contains?)

(define (hash-table-ref/default table key default)
  (let ((store (table-store table)))
    (if store
        (%table-ref store key default)
        (slow-ref table key default))))

(define (missing-key who key)
  (error (string-append who ": the hash table has no such key") key))

(define hash-table-ref
  (case-lambda
    ((table key)
     (let ((value (hash-table-ref/default table key absent)))
       (if (eq? value absent) (missing-key "hash-table-ref" key) value)))
    ((table key failure)
     (let ((value (hash-table-ref/default table key absent)))
       (if (eq? value absent) (failure) value)))
    ((table key failure success)
     (let ((value (hash-table-ref/default table key absent)))
       (if (eq? value absent) (failure) (success value))))))

(define hash-table-set!
  (case-lambda
    ((table key value)
     (let ((sink (table-sink table)))
       (if sink
           (%table-set! sink key value)
           (slow-set! table key value))))
    ((table . keys-and-values) (set-all! table keys-and-values))))

(define (set-all! table keys-and-values)
  (refuse-immutable "hash-table-set!" table)
  (let loop ((rest keys-and-values))
    (if (pair? rest)
        (if (null? (cdr rest))
            (error "hash-table-set!: this key has no value" (car rest))
            (begin
              (hash-table-set! table (car rest) (cadr rest))
              (loop (cddr rest)))))))

(define (delete-one! table key)
  (let ((sink (table-sink table)))
    (if sink
        (%table-delete! sink key)
        (slow-delete! table key))))

(define hash-table-delete!
  (case-lambda
    ((table key) (if (delete-one! table key) 1 0))
    ((table . keys)
     (refuse-immutable "hash-table-delete!" table)
     (let loop ((keys keys) (deleted 0))
       (cond ((null? keys) deleted)
             ((delete-one! table (car keys)) (loop (cdr keys) (+ deleted 1)))
             (else (loop (cdr keys) deleted)))))))

(define (hash-table-intern! table key failure)
  (let ((value (hash-table-ref/default table key absent)))
    (if (eq? value absent)
        (let ((made (failure)))
          (hash-table-set! table key made)
          made)
        value)))

(define hash-table-update!
  (case-lambda
    ((table key updater)
     (let ((value (hash-table-ref/default table key absent)))
       (if (eq? value absent) (missing-key "hash-table-update!" key))
       (hash-table-set! table key (updater value))))
    ((table key updater failure)
     (hash-table-set! table key (updater (hash-table-ref table key failure))))
    ((table key updater failure success)
     (hash-table-set! table key (updater (hash-table-ref table key failure success))))))

;; The updater stands here once, so that a procedure written out in a call is part of it.
(define (hash-table-update!/default table key updater default)
  (let* ((sink (table-sink table))
         (value (updater (if sink
                             (%table-ref sink key default)
                             (hash-table-ref/default table key default)))))
    (if sink
        (%table-set! sink key value)
        (hash-table-set! table key value))))
