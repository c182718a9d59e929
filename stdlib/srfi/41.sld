;;; SRFI 41: streams, whose elements and whose tails are both computed when they are first needed.
;;; Source: https://srfi.schemers.org/srfi-41/srfi-41.html
;;;
;;; The document's (streams primitive) and (streams derived) are one library here. Arguments are
;;; checked when a procedure is called, not when its stream is first looked at.
(define-library (srfi 41)
  (export
    ;; Primitive
    stream-null stream-cons stream? stream-null? stream-pair? stream-car stream-cdr stream-lambda
    ;; Derived
    define-stream list->stream port->stream stream stream->list stream-append stream-concat
    stream-constant stream-drop stream-drop-while stream-filter stream-fold stream-for-each
    stream-from stream-iterate stream-length stream-let stream-map stream-match stream-of
    stream-range stream-ref stream-reverse stream-scan stream-take stream-take-while
    stream-unfold stream-unfolds stream-zip)
  (import (scheme base) (scheme lazy) (nodwyn checks))
  (include "41.scm" "41-derived.scm"))
