;; SRFI 132: sort libraries.

(define-library (srfi 132)
  (import (scheme base) (scheme case-lambda) (scheme char) (only (nodwyn builtins) %list-sort %resumed? %vector-sort!))
  (export
   list-sorted? vector-sorted?
   list-sort list-stable-sort list-sort! list-stable-sort!
   vector-sort vector-stable-sort vector-sort! vector-stable-sort!
   list-merge list-merge! vector-merge vector-merge!
   list-delete-neighbor-dups list-delete-neighbor-dups!
   vector-delete-neighbor-dups vector-delete-neighbor-dups!
   vector-find-median vector-find-median! vector-select! vector-separate!)
  (include "132.scm" "132-merge.scm" "132-select.scm"))
