;; The four types, their accessors, and what chains and maps procedures over them.

(define-record-type <just>
  (wrap-just payload)
  just?
  (payload just-payload))

(define-record-type <nothing>
  (make-nothing)
  nothing?)

(define-record-type <right>
  (wrap-right payload)
  right?
  (payload right-payload))

(define-record-type <left>
  (wrap-left payload)
  left?
  (payload left-payload))

(define the-nothing (make-nothing))

(define (just . objects) (wrap-just objects))
(define (nothing) the-nothing)
(define (right . objects) (wrap-right objects))
(define (left . objects) (wrap-left objects))

(define (check-list who object)
  (if (list? object)
      (list-copy object)
      (error (string-append who ": not a list") object)))

(define (list->just objects) (wrap-just (check-list "list->just" objects)))
(define (list->right objects) (wrap-right (check-list "list->right" objects)))
(define (list->left objects) (wrap-left (check-list "list->left" objects)))

(define (maybe? object) (or (just? object) (nothing? object)))
(define (either? object) (or (right? object) (left? object)))

(define (check-maybe who object)
  (if (not (maybe? object))
      (error (string-append who ": not a Maybe") object)))

(define (check-either who object)
  (if (not (either? object))
      (error (string-append who ": not an Either") object)))

(define (only-value who payload)
  (if (and (pair? payload) (null? (cdr payload)))
      (car payload)
      (error (string-append who ": the container must hold exactly one value") payload)))

(define (maybe->either maybe . objects)
  (check-maybe "maybe->either" maybe)
  (if (just? maybe)
      (wrap-right (just-payload maybe))
      (wrap-left objects)))

(define (either->maybe either)
  (check-either "either->maybe" either)
  (if (right? either)
      (wrap-just (right-payload either))
      the-nothing))

(define (either-swap either)
  (check-either "either-swap" either)
  (if (right? either)
      (wrap-left (right-payload either))
      (wrap-right (left-payload either))))

;;; Equality

(define (payloads=? same? a b)
  (cond ((null? a) (null? b))
        ((null? b) #f)
        (else (and (same? (car a) (car b))
                   (payloads=? same? (cdr a) (cdr b))))))

(define (all-same? same? first rest)
  (or (null? rest)
      (and (same? first (car rest))
           (all-same? same? (car rest) (cdr rest)))))

(define (maybe= same? maybe . rest)
  (for-each (lambda (each) (check-maybe "maybe=" each)) (cons maybe rest))
  (all-same? (lambda (a b)
               (or (and (nothing? a) (nothing? b))
                   (and (just? a)
                        (just? b)
                        (payloads=? same? (just-payload a) (just-payload b)))))
             maybe
             rest))

(define (either= same? either . rest)
  (for-each (lambda (each) (check-either "either=" each)) (cons either rest))
  (all-same? (lambda (a b)
               (cond ((and (right? a) (right? b))
                      (payloads=? same? (right-payload a) (right-payload b)))
                     ((and (left? a) (left? b))
                      (payloads=? same? (left-payload a) (left-payload b)))
                     (else #f)))
             either
             rest))

;;; Accessors

(define maybe-ref
  (case-lambda
    ((maybe)
     (maybe-ref maybe (lambda () (error "maybe-ref: there is no value in Nothing"))))
    ((maybe failure) (maybe-ref maybe failure values))
    ((maybe failure success)
     (check-maybe "maybe-ref" maybe)
     (if (just? maybe)
         (apply success (just-payload maybe))
         (failure)))))

(define either-ref
  (case-lambda
    ((either failure) (either-ref either failure values))
    ((either failure success)
     (check-either "either-ref" either)
     (if (right? either)
         (apply success (right-payload either))
         (apply failure (left-payload either))))))

(define (maybe-ref/default maybe . defaults)
  (check-maybe "maybe-ref/default" maybe)
  (apply values (if (just? maybe) (just-payload maybe) defaults)))

(define (either-ref/default either . defaults)
  (check-either "either-ref/default" either)
  (apply values (if (right? either) (right-payload either) defaults)))

;;; Join and bind

(define (maybe-join maybe)
  (check-maybe "maybe-join" maybe)
  (if (nothing? maybe)
      maybe
      (let ((inner (only-value "maybe-join" (just-payload maybe))))
        (check-maybe "maybe-join" inner)
        inner)))

(define (either-join either)
  (check-either "either-join" either)
  (if (left? either)
      either
      (let ((inner (only-value "either-join" (right-payload either))))
        (check-either "either-join" inner)
        inner)))

;; The last procedure is called in tail position.
(define (bind-maybe who maybe mproc mprocs)
  (check-maybe who maybe)
  (cond ((nothing? maybe) maybe)
        ((null? mprocs) (apply mproc (just-payload maybe)))
        (else (bind-maybe who (apply mproc (just-payload maybe)) (car mprocs) (cdr mprocs)))))

(define (bind-either who either mproc mprocs)
  (check-either who either)
  (cond ((left? either) either)
        ((null? mprocs) (apply mproc (right-payload either)))
        (else (bind-either who (apply mproc (right-payload either)) (car mprocs) (cdr mprocs)))))

(define (maybe-bind maybe mproc . mprocs)
  (bind-maybe "maybe-bind" maybe mproc mprocs))

(define (either-bind either mproc . mprocs)
  (bind-either "either-bind" either mproc mprocs))

(define (maybe-compose mproc . mprocs)
  (lambda arguments
    (bind-maybe "maybe-compose" (wrap-just arguments) mproc mprocs)))

(define (either-compose mproc . mprocs)
  (lambda arguments
    (bind-either "either-compose" (wrap-right arguments) mproc mprocs)))

;;; Containers as sequences

(define (maybe-length maybe)
  (check-maybe "maybe-length" maybe)
  (if (just? maybe) 1 0))

(define (either-length either)
  (check-either "either-length" either)
  (if (right? either) 1 0))

(define (maybe-filter pred maybe)
  (check-maybe "maybe-filter" maybe)
  (if (and (just? maybe) (apply pred (just-payload maybe)))
      maybe
      the-nothing))

(define (maybe-remove pred maybe)
  (check-maybe "maybe-remove" maybe)
  (if (and (just? maybe) (not (apply pred (just-payload maybe))))
      maybe
      the-nothing))

(define (either-filter pred either . objects)
  (check-either "either-filter" either)
  (if (and (right? either) (apply pred (right-payload either)))
      either
      (wrap-left objects)))

(define (either-remove pred either . objects)
  (check-either "either-remove" either)
  (if (and (right? either) (not (apply pred (right-payload either))))
      either
      (wrap-left objects)))

(define maybe-sequence
  (case-lambda
    ((mappable map) (maybe-sequence mappable map list))
    ((mappable map aggregator)
     (call-with-current-continuation
      (lambda (return)
        (just (map (lambda (maybe)
                     (check-maybe "maybe-sequence" maybe)
                     (if (just? maybe)
                         (apply aggregator (just-payload maybe))
                         (return maybe)))
                   mappable)))))))

(define either-sequence
  (case-lambda
    ((mappable map) (either-sequence mappable map list))
    ((mappable map aggregator)
     (call-with-current-continuation
      (lambda (return)
        (right (map (lambda (either)
                      (check-either "either-sequence" either)
                      (if (right? either)
                          (apply aggregator (right-payload either))
                          (return either)))
                    mappable)))))))

;;; Map, fold and unfold

(define (maybe-map proc maybe)
  (check-maybe "maybe-map" maybe)
  (if (just? maybe)
      (call-with-values (lambda () (apply proc (just-payload maybe))) just)
      maybe))

(define (either-map proc either)
  (check-either "either-map" either)
  (if (right? either)
      (call-with-values (lambda () (apply proc (right-payload either))) right)
      either))

(define (maybe-for-each proc maybe)
  (check-maybe "maybe-for-each" maybe)
  (if (just? maybe) (apply proc (just-payload maybe)))
  #t)

(define (either-for-each proc either)
  (check-either "either-for-each" either)
  (if (right? either) (apply proc (right-payload either)))
  #t)

(define (maybe-fold kons nil maybe)
  (check-maybe "maybe-fold" maybe)
  (if (just? maybe)
      (apply kons (append (just-payload maybe) (list nil)))
      nil))

(define (either-fold kons nil either)
  (check-either "either-fold" either)
  (if (right? either)
      (apply kons (append (right-payload either) (list nil)))
      nil))

(define (check-stops who stop? successor seeds)
  (if (not (call-with-values (lambda () (apply successor seeds)) stop?))
      (error (string-append who ": the container would hold more than one element") seeds)))

(define (maybe-unfold stop? mapper successor . seeds)
  (if (apply stop? seeds)
      the-nothing
      (begin
        (check-stops "maybe-unfold" stop? successor seeds)
        (call-with-values (lambda () (apply mapper seeds)) just))))

(define (either-unfold stop? mapper successor . seeds)
  (if (apply stop? seeds)
      (wrap-left seeds)
      (begin
        (check-stops "either-unfold" stop? successor seeds)
        (call-with-values (lambda () (apply mapper seeds)) right))))
