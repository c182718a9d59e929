;;; car of a number
(display (car 5)) ; error 10: car: pair must be a pair, got 5

;;; car of the empty list
(display (car '())) ; error 10: car: pair must be a pair, got ()

;;; cdr of a string
(display (cdr "abc")) ; error 10: cdr: pair must be a pair, got "abc"

;;; cadr of a list of one
(display (cadr '(1))) ; error 10: cadr: … pair … ()

;;; car in a procedure that is called deep down
(define (first-of x) (car x)) ; error 22: car: pair must be a pair, got 7
(define (outer x) (+ 1 (first-of x)))
(display (outer 7))

;;; set-car! of a vector
(set-car! (vector 1) 2) ; error 1: set-car!: pair must be a pair, got #(1)

;;; length of an improper list
(display (length '(1 2 . 3))) ; error 10: length: list must be a proper list, got (1 2 . 3)

;;; length of a number
(display (length 5)) ; error 10: length: list must be a … list, got 5

;;; reverse of a circular list
(define c (list 1 2))
(set-cdr! (cdr c) c)
(display (reverse c)) ; error 10: reverse: list must be a … list

;;; append with an improper list
(display (append '(1 . 2) '(3))) ; error 10: append: … list … (1 . 2)

;;; list-ref beyond the end
(display (list-ref '(a b c) 3)) ; error 10: list-ref: … 3

;;; list-tail of a fraction
(display (list-tail '(a b) 1/2)) ; error 10: list-tail: … exact non-negative integer … 1/2

;;; map over a number
(display (map car 5)) ; error 10: map: … list … 5

;;; map over two lists, one of them none
(display (map + '(1 2) 3)) ; error 10: map: … list … 3

;;; for-each over an improper list
(for-each display '(1 . 2)) ; error 1: for-each: … list

;;; assq in a list that has no pairs
(display (assq 'a '(1 2))) ; error 10: assq: … pair … 1

;;; member in a number
(display (member 1 2)) ; error 10: member: list must be a list, got 2

;;; apply with something that is no list
(display (apply + 1 2)) ; error 10: apply: … list … 2

;;; list-copy and list->string of a wrong element
(display (list->string '(#\a 1))) ; error 10: list->string: … character … 1
