;;; SRFI 158: generators and accumulators. All the names of SRFI 121 are among these.
;;; Source: https://srfi.schemers.org/srfi-158/srfi-158.html
;;;
;;; Choices that the document leaves open: numbers of ranges are computed as start + i * step, so
;;; that inexact steps do not add up their errors; gindex makes indices that do not increase an error.
(define-library (srfi 158)
  (export
    ;; Constructors of generators
    generator circular-generator make-iota-generator make-range-generator
    make-coroutine-generator list->generator vector->generator reverse-vector->generator
    string->generator bytevector->generator make-for-each-generator make-unfold-generator
    ;; Generators from generators
    gcons* gappend gflatten ggroup gmerge gmap gcombine gfilter gremove gstate-filter
    gtake gdrop gtake-while gdrop-while gdelete gdelete-neighbor-dups gindex gselect
    ;; Consumers
    generator->list generator->reverse-list generator->vector generator->vector!
    generator->string generator-fold generator-map->list generator-for-each generator-find
    generator-count generator-any generator-every generator-unfold
    ;; Accumulators
    make-accumulator count-accumulator list-accumulator reverse-list-accumulator
    vector-accumulator reverse-vector-accumulator vector-accumulator! string-accumulator
    bytevector-accumulator bytevector-accumulator! sum-accumulator product-accumulator)
  (import (scheme base) (scheme case-lambda) (nodwyn checks))
  (include "158.scm" "158-operations.scm" "158-consumers.scm"))
