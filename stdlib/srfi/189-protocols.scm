;; Conversion from and to other ways of telling success from failure, and three-valued logic.

;;; A list: empty for failure

(define (maybe->list maybe)
  (check-maybe "maybe->list" maybe)
  (if (just? maybe) (just-payload maybe) '()))

(define (either->list either)
  (check-either "either->list" either)
  (if (right? either) (right-payload either) '()))

(define (list->maybe objects)
  (if (null? objects) the-nothing (list->just objects)))

(define (list->either objects . failures)
  (if (null? objects) (wrap-left failures) (list->right objects)))

;;; A true value, or #f

(define (maybe->truth maybe)
  (check-maybe "maybe->truth" maybe)
  (and (just? maybe) (only-value "maybe->truth" (just-payload maybe))))

(define (either->truth either)
  (check-either "either->truth" either)
  (and (right? either) (only-value "either->truth" (right-payload either))))

(define (truth->maybe object)
  (if object (just object) the-nothing))

(define (truth->either object . failures)
  (if object (right object) (wrap-left failures)))

;;; A list, or #f

(define (maybe->list-truth maybe)
  (check-maybe "maybe->list-truth" maybe)
  (and (just? maybe) (just-payload maybe)))

(define (either->list-truth either)
  (check-either "either->list-truth" either)
  (and (right? either) (right-payload either)))

(define (list-truth->maybe list-or-false)
  (if list-or-false (list->just list-or-false) the-nothing))

(define (list-truth->either list-or-false . failures)
  (if list-or-false (list->right list-or-false) (wrap-left failures)))

;;; A value, or an end-of-file object

(define (maybe->generation maybe)
  (check-maybe "maybe->generation" maybe)
  (if (just? maybe)
      (only-value "maybe->generation" (just-payload maybe))
      (eof-object)))

(define (either->generation either)
  (check-either "either->generation" either)
  (if (right? either)
      (only-value "either->generation" (right-payload either))
      (eof-object)))

(define (generation->maybe object)
  (if (eof-object? object) the-nothing (just object)))

(define (generation->either object . failures)
  (if (eof-object? object) (wrap-left failures) (right object)))

;;; Values, or none

(define (maybe->values maybe)
  (maybe-ref maybe values))

(define (either->values either)
  (either-ref either (lambda ignored (values))))

(define (values->maybe producer)
  (call-with-values producer
    (lambda objects
      (if (null? objects) the-nothing (wrap-just objects)))))

(define (values->either producer . failures)
  (call-with-values producer
    (lambda objects
      (if (null? objects) (wrap-left failures) (wrap-right objects)))))

;;; A value and whether there is one

(define (maybe->two-values maybe)
  (check-maybe "maybe->two-values" maybe)
  (if (just? maybe)
      (values (only-value "maybe->two-values" (just-payload maybe)) #t)
      (values #f #f)))

(define (two-values->maybe producer)
  (call-with-values producer
    (lambda (object success?)
      (if success? (just object) the-nothing))))

;;; Exceptions

(define (exception->either pred thunk)
  (call-with-current-continuation
   (lambda (return)
     (with-exception-handler
      (lambda (condition)
        (if (pred condition)
            (return (left condition))
            (raise-continuable condition)))
      (lambda ()
        (call-with-values thunk right))))))

;;; Logic: a Just of #f is false, any other Just is true, and Nothing is neither

(define (truth-of who maybe)
  (check-maybe who maybe)
  (cond ((nothing? maybe) 'unknown)
        ((only-value who (just-payload maybe)) 'true)
        (else 'false)))

(define (tri-not maybe)
  (case (truth-of "tri-not" maybe)
    ((true) (just #f))
    ((false) (just #t))
    (else maybe)))

(define (tri=? maybe . rest)
  (let ((first (truth-of "tri=?" maybe))
        (others (map (lambda (each) (truth-of "tri=?" each)) rest)))
    (just (and (not (eq? first 'unknown))
               (let loop ((others others))
                 (or (null? others)
                     (and (eq? first (car others)) (loop (cdr others)))))))))

;; The first of the maybes whose truth is not `passed`, or #f. All are looked at, so that an argument
;; that is no Maybe is always found.
(define (first-other who passed maybes)
  (let ((truths (map (lambda (maybe) (truth-of who maybe)) maybes)))
    (let loop ((truths truths) (maybes maybes))
      (cond ((null? maybes) #f)
            ((eq? (car truths) passed) (loop (cdr truths) (cdr maybes)))
            (else (car maybes))))))

(define (tri-and . maybes)
  (or (first-other "tri-and" 'true maybes) (just #t)))

(define (tri-or . maybes)
  (or (first-other "tri-or" 'false maybes) (just #f)))

(define (tri-merge . maybes)
  (or (first-other "tri-merge" 'unknown maybes) the-nothing))
