;;; SRFI 1: list library.
;;; Source: https://srfi.schemers.org/srfi-1/srfi-1.html
;;;
;;; Choices that the document leaves open: a circular or dotted list where a proper one is needed is
;;; an error; so are lists that are all circular where one must be finite. The linear-update
;;; procedures append!, append-reverse!, reverse!, concatenate! and append-map! reuse pairs, the
;;; others are the pure ones. Procedures are called from left to right.
(define-library (srfi 1)
  (export
    ;; Constructors
    cons list xcons cons* make-list list-tabulate list-copy circular-list iota
    ;; Predicates
    pair? null? proper-list? circular-list? dotted-list? not-pair? null-list? list=
    ;; Selectors
    car cdr caar cadr cdar cddr
    caaar caadr cadar caddr cdaar cdadr cddar cdddr
    caaaar caaadr caadar caaddr cadaar cadadr caddar cadddr
    cdaaar cdaadr cdadar cdaddr cddaar cddadr cdddar cddddr
    list-ref first second third fourth fifth sixth seventh eighth ninth tenth
    car+cdr take drop take-right drop-right take! drop-right! split-at split-at! last last-pair
    ;; Miscellaneous
    length length+ append concatenate reverse append! concatenate! reverse!
    append-reverse append-reverse! zip unzip1 unzip2 unzip3 unzip4 unzip5 count
    ;; Fold, unfold and map
    map for-each fold unfold pair-fold reduce fold-right unfold-right pair-fold-right reduce-right
    append-map append-map! map! map-in-order pair-for-each filter-map
    ;; Filtering and partitioning
    filter partition remove filter! partition! remove!
    ;; Searching
    member memq memv find find-tail any every list-index
    take-while drop-while take-while! span break span! break!
    ;; Deleting
    delete delete-duplicates delete! delete-duplicates!
    ;; Association lists
    assoc assq assv alist-cons alist-copy alist-delete alist-delete!
    ;; Sets
    lset<= lset= lset-adjoin lset-union lset-union! lset-intersection lset-intersection!
    lset-difference lset-difference! lset-xor lset-xor!
    lset-diff+intersection lset-diff+intersection!
    ;; Side effects
    set-car! set-cdr!)
  (import (scheme base) (scheme cxr) (only (nodwyn builtins) cons* %captures %reverse-new) (nodwyn checks))
  (include "1.scm" "1-higher-order.scm" "1-linear.scm" "1-sets.scm"))
