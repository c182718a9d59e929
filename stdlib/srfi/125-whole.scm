;; What deals with all associations of a table. Procedures of the program are called over a copy of
;; the associations, so a table that they change does not disturb the walk.

(define (hash-table-size table)
  (let ((store (table-store table)))
    (if store
        (%table-size store)
        (+ (table-count table)
           (if (table-atoms table) (%table-size (table-atoms table)) 0)))))

(define (hash-table-empty? table)
  (= 0 (hash-table-size table)))

(define (copy-entries entries onto)
  (if (null? entries)
      onto
      (cons (cons (car (car entries)) (cdr (car entries)))
            (copy-entries (cdr entries) onto))))

(define (hash-table->alist table)
  (let ((store (table-store table)))
    (if store
        (%table-entries store)
        (let loop ((chains (%table-values (table-chains table)))
                   (alist (if (table-atoms table) (%table-entries (table-atoms table)) '())))
          (if (null? chains)
              alist
              (loop (cdr chains) (copy-entries (car chains) alist)))))))

(define (hash-table-keys table)
  (let ((store (table-store table)))
    (if store
        (%table-keys store)
        (map car (hash-table->alist table)))))

(define (hash-table-values table)
  (let ((store (table-store table)))
    (if store
        (%table-values store)
        (map cdr (hash-table->alist table)))))

(define (hash-table-entries table)
  (let ((alist (hash-table->alist table)))
    (values (map car alist) (map cdr alist))))

(define (hash-table-clear! table)
  (refuse-immutable "hash-table-clear!" table)
  (if (table-store table)
      (%table-clear! (table-store table))
      (begin
        (if (table-atoms table) (%table-clear! (table-atoms table)))
        (%table-clear! (table-chains table))
        (set-table-count! table 0))))

(define (hash-table-pop! table)
  (refuse-immutable "hash-table-pop!" table)
  (cond ((hash-table-empty? table)
         (error "hash-table-pop!: the hash table is empty" table))
        ((table-store table) (pop-from (table-store table)))
        ((= 0 (table-count table)) (pop-from (table-atoms table)))
        (else
         (let* ((chain (%table-pop! (table-chains table)))
                (entries (cdr chain)))
           (if (pair? (cdr entries))
               (%table-set! (table-chains table) (car chain) (cdr entries)))
           (set-table-count! table (- (table-count table) 1))
           (values (car (car entries)) (cdr (car entries)))))))

(define (pop-from store)
  (let ((entry (%table-pop! store)))
    (values (car entry) (cdr entry))))

(define (hash-table=? value-comparator table1 table2)
  (let ((same? (comparator-equality-predicate value-comparator)))
    (and (= (hash-table-size table1) (hash-table-size table2))
         (let loop ((entries (hash-table->alist table1)))
           (or (null? entries)
               (let ((value (hash-table-ref/default table2 (car (car entries)) absent)))
                 (and (not (eq? value absent))
                      (same? (cdr (car entries)) value)
                      (loop (cdr entries)))))))))

(define (hash-table-find proc table failure)
  (let loop ((entries (hash-table->alist table)))
    (if (null? entries)
        (failure)
        (or (proc (car (car entries)) (cdr (car entries)))
            (loop (cdr entries))))))

(define (hash-table-count pred table)
  (let loop ((entries (hash-table->alist table)) (count 0))
    (cond ((null? entries) count)
          ((pred (car (car entries)) (cdr (car entries))) (loop (cdr entries) (+ count 1)))
          (else (loop (cdr entries) count)))))

(define (hash-table-map proc comparator table)
  (let ((result (make-hash-table-as "hash-table-map" comparator '())))
    (hash-table-for-each
     (lambda (key value) (hash-table-set! result key (proc value)))
     table)
    result))

(define (hash-table-for-each proc table)
  (let loop ((entries (hash-table->alist table)))
    (if (pair? entries)
        (begin
          (proc (car (car entries)) (cdr (car entries)))
          (loop (cdr entries))))))

(define (hash-table-walk table proc)
  (hash-table-for-each proc table))

(define (hash-table-map! proc table)
  (refuse-immutable "hash-table-map!" table)
  (hash-table-for-each
   (lambda (key value) (hash-table-set! table key (proc key value)))
   table))

(define (hash-table-map->list proc table)
  (map (lambda (entry) (proc (car entry) (cdr entry)))
       (hash-table->alist table)))

(define (hash-table-fold proc seed table)
  (if (hash-table? proc)
      (hash-table-fold seed table proc)
      (let loop ((entries (hash-table->alist table)) (result seed))
        (if (null? entries)
            result
            (loop (cdr entries)
                  (proc (car (car entries)) (cdr (car entries)) result))))))

(define (hash-table-prune! proc table)
  (refuse-immutable "hash-table-prune!" table)
  (hash-table-for-each
   (lambda (key value)
     (if (proc key value) (hash-table-delete! table key)))
   table))

;;; Copies

(define (hash-table-empty-copy table)
  (new-table (hash-table-equivalence-function table)
             (hash-table-hash-function table)
             (table-type-test table)))

(define (copy-mutable table)
  (if (table-store table)
      (let ((store (%table-copy (table-store table))))
        (raw-table store store #f #f 0 (table-kind table)
                   (hash-table-equivalence-function table)
                   (hash-table-hash-function table)
                   (table-type-test table)
                   #t))
      (let ((copy (hash-table-empty-copy table)))
        (hash-table-for-each (lambda (key value) (hash-table-set! copy key value)) table)
        copy)))

(define hash-table-copy
  (case-lambda
    ((table) (freeze! (copy-mutable table)))
    ((table mutable?)
     (if mutable?
         (copy-mutable table)
         (freeze! (copy-mutable table))))))

;;; Tables as sets of keys

(define (hash-table-union! table1 table2)
  (refuse-immutable "hash-table-union!" table1)
  (hash-table-for-each
   (lambda (key value)
     (if (not (hash-table-contains? table1 key))
         (hash-table-set! table1 key value)))
   table2)
  table1)

(define hash-table-merge! hash-table-union!)

(define (hash-table-intersection! table1 table2)
  (hash-table-prune!
   (lambda (key value) (not (hash-table-contains? table2 key)))
   table1)
  table1)

(define (hash-table-difference! table1 table2)
  (hash-table-prune!
   (lambda (key value) (hash-table-contains? table2 key))
   table1)
  table1)

(define (hash-table-xor! table1 table2)
  (refuse-immutable "hash-table-xor!" table1)
  (hash-table-for-each
   (lambda (key value)
     (if (hash-table-contains? table1 key)
         (hash-table-delete! table1 key)
         (hash-table-set! table1 key value)))
   table2)
  table1)
