;;; chain-when with a step that has no placeholder
(import (scheme base) (srfi 197))
(chain-when 1 (#f _) (_ (+ 1 _))) ; error 1: chain-when: a part of it does not fit; expected (chain-when initial)

;;; cut of nothing
(import (scheme base) (srfi 26))
(define f (cut)) ; error 11: cut: a part of it does not fit; expected (cut item ...)

;;; what must come last in cut
(import (scheme base) (srfi 26))
(define f (cut <...> 1)) ; error 11: cut: <...> must come last in a cut expression

;;; a macro of a library under another name
(import (scheme base) (prefix (srfi 26) p:))
(define f (p:cut)) ; error 11: p:cut: a part of it does not fit; expected (p:cut item ...)

;;; a macro of a library that another macro stands for
(import (scheme base) (srfi 8))
(define-syntax two (syntax-rules () ((_ x) (receive x))))
(two y) ; error 1: receive: expected (receive formals expression body1 body2 ...)

;;; define of nothing, curried
(import (except (scheme base) define) (srfi 219))
(define) ; error 1: define: expected (define ((head . outer) . inner) form ...)

;;; a placeholder of chain that is no identifier
(import (scheme base) (srfi 197))
(chain 1 2) ; error 1: chain: a placeholder or an ellipsis must be an identifier, not 2

;;; what receive binds
(import (scheme base) (srfi 8))
(receive (a 1) (values 1 2) a) ; error 13: receive: a part of it does not fit; expected (receive formals expression
