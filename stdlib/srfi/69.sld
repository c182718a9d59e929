;; SRFI 69: basic hash tables, the same type as (srfi 125)'s.

(define-library (srfi 69)
  (import (scheme base) (scheme case-lambda) (scheme char)
          (rename (except (srfi 125) hash-table-merge!)
                  (make-hash-table make-table)
                  (alist->hash-table alist->table)
                  (hash-table-copy copy-table))
          (only (nodwyn builtins) %accepts-arguments?))
  (export
   make-hash-table hash-table? alist->hash-table
   hash-table-equivalence-function hash-table-hash-function
   hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete! hash-table-exists?
   hash-table-update! hash-table-update!/default
   hash-table-size hash-table-keys hash-table-values hash-table-walk hash-table-fold hash-table->alist
   hash-table-copy hash-table-merge!
   hash string-hash string-ci-hash hash-by-identity)
  (include "69.scm"))
