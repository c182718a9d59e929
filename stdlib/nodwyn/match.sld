;;; Pattern matching in the style of Wright's `match` for Scheme.
;;;
;;; (match expression (pattern body ...) ...)           the body of the first pattern that matches
;;; (match expression (pattern (=> next) body ...) ...)  (next) goes on with the next clause
;;; (match-lambda clause ...)  (match-lambda* clause ...)  of one argument, of the argument list
;;; (match-let ((pattern expression) ...) body ...)      also with a name, as a named let
;;; match-let* match-letrec                              as let* and letrec*
;;;
;;; A value that no clause matches is an error. Patterns:
;;;
;;; _                  anything
;;; name               anything, bound to the name; the second time: what is equal? to the first
;;; 5 "a" #\a #t 'x    what is equal? to it
;;; (p q)  (p . q)     a list, a pair
;;; (p ... q)          any number of p, then q; in place of ... also ___, or ..1 for one at least;
;;;                    each name in p is bound to the list of what it matched
;;; #(p q)             a vector, with ... as in lists
;;; `(a ,p ,q ...)     the quoted parts literally, the unquoted ones as patterns; ,@p comes last
;;; (and p ...)        what all match
;;; (or p ...)         what one of them matches; all bind the same names
;;; (not p)            what p does not match; it binds no names
;;; (? pred p ...)     what pred holds of, and all p match
;;; (= f p)            what f turns into something that p matches
(define-library (nodwyn match)
  (export match match-lambda match-lambda* match-let match-let* match-letrec)
  (import (scheme base))
  (include "match.scm"))
