;;; Constructors of generators.

;; What an exhausted generator returns.
(define end-of-values (eof-object))

(define (generator . items) (list->generator items))

(define (circular-generator first . rest)
  (let* ((items (cons first rest))
         (next items))
    (lambda ()
      (when (null? next) (set! next items))
      (let ((item (car next)))
        (set! next (cdr next))
        item))))

(define (list->generator items)
  (check-list "list->generator" "items" items)
  (lambda ()
    (if (pair? items)
        (let ((item (car items)))
          (set! items (cdr items))
          item)
        end-of-values)))

;; The first number of a range and its step, both inexact if one of them is.
(define (call-with-same-exactness start step receiver)
  (if (and (exact? start) (exact? step))
      (receiver start step)
      (receiver (inexact start) (inexact step))))

(define make-iota-generator
  (case-lambda
    ((count) (make-iota-generator count 0 1))
    ((count start) (make-iota-generator count start 1))
    ((count start step)
     (check-number "make-iota-generator" "count" count)
     (check-number "make-iota-generator" "start" start)
     (check-number "make-iota-generator" "step" step)
     (call-with-same-exactness start step
       (lambda (start step)
         (let ((i 0))
           (lambda ()
             (if (< i count)
                 (let ((number (+ start (* i step))))
                   (set! i (+ i 1))
                   number)
                 end-of-values))))))))

(define make-range-generator
  (case-lambda
    ((start)
     (check-number "make-range-generator" "start" start)
     (let ((next start))
       (lambda ()
         (let ((number next))
           (set! next (+ number 1))
           number))))
    ((start end) (make-range-generator start end 1))
    ((start end step)
     (check-number "make-range-generator" "start" start)
     (check-number "make-range-generator" "end" end)
     (check-number "make-range-generator" "step" step)
     (call-with-same-exactness start step
       (lambda (start step)
         (let ((i 0))
           (lambda ()
             (let ((number (+ start (* i step))))
               (cond ((< number end)
                      (set! i (+ i 1))
                      number)
                     (else end-of-values))))))))))

(define (make-coroutine-generator proc)
  (check-procedure "make-coroutine-generator" "proc" proc)
  ;; `return` is the continuation of the latest call of the generator, `resume` that of the latest
  ;; call of `yield`.
  (let ((return #f) (resume #f))
    (define (yield item)
      (call-with-current-continuation
       (lambda (continuation)
         (set! resume continuation)
         (return item))))
    (define (run)
      (proc yield)
      (set! resume (lambda (ignored) (return end-of-values)))
      (return end-of-values))
    (lambda ()
      (call-with-current-continuation
       (lambda (continuation)
         (set! return continuation)
         (if resume
             (resume #f)
             (run)))))))

(define (make-for-each-generator for-each obj)
  (check-procedure "make-for-each-generator" "for-each" for-each)
  (make-coroutine-generator (lambda (yield) (for-each yield obj))))

(define (make-unfold-generator stop? mapper successor seed)
  (check-procedure "make-unfold-generator" "stop?" stop?)
  (check-procedure "make-unfold-generator" "mapper" mapper)
  (check-procedure "make-unfold-generator" "successor" successor)
  (lambda ()
    (if (stop? seed)
        end-of-values
        (let ((item (mapper seed)))
          (set! seed (successor seed))
          item))))

;; Defines a constructor over an indexed sequence, with optional start and end.
(define-syntax define-indexed-generator
  (syntax-rules ()
    ((_ name text sequence? kind length ref)
     (define name
       (case-lambda
         ((sequence) (name sequence 0))
         ((sequence start)
          (unless (sequence? sequence) (reject text "its first argument" kind sequence))
          (name sequence start (length sequence)))
         ((sequence start end)
          (unless (sequence? sequence) (reject text "its first argument" kind sequence))
          (check-range text (length sequence) start end)
          (let ((i start))
            (lambda ()
              (if (< i end)
                  (let ((item (ref sequence i)))
                    (set! i (+ i 1))
                    item)
                  end-of-values)))))))))

(define-indexed-generator vector->generator "vector->generator"
  vector? "a vector" vector-length vector-ref)

(define-indexed-generator string->generator "string->generator"
  string? "a string" string-length string-ref)

(define-indexed-generator bytevector->generator "bytevector->generator"
  bytevector? "a bytevector" bytevector-length bytevector-u8-ref)

(define reverse-vector->generator
  (case-lambda
    ((vec) (reverse-vector->generator vec 0))
    ((vec start)
     (unless (vector? vec) (reject "reverse-vector->generator" "vec" "a vector" vec))
     (reverse-vector->generator vec start (vector-length vec)))
    ((vec start end)
     (unless (vector? vec) (reject "reverse-vector->generator" "vec" "a vector" vec))
     (check-range "reverse-vector->generator" (vector-length vec) start end)
     (let ((i end))
       (lambda ()
         (cond ((> i start)
                (set! i (- i 1))
                (vector-ref vec i))
               (else end-of-values)))))))
