;;; A generator over a list by re-entry, as it is written with for-each, against a Python generator.
(import (scheme base))

(define (list-generator items)
  (define return #f)
  (define (resume)
    (for-each
     (lambda (item)
       (call/cc
        (lambda (rest)
          (set! resume (lambda () (rest #t)))
          (return item))))
     items)
    (return 'done))
  (lambda ()
    (call/cc
     (lambda (k)
       (set! return k)
       (resume)))))

(define (run)
  (let ((next (list-generator (make-list 200000 3))))
    (let loop ((sum 0))
      (let ((item (next)))
        (if (eq? item 'done)
            sum
            (loop (+ sum item)))))))
