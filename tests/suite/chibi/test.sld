;; What the public suites of chibi-scheme need of its test library, written for running them here: it counts, names
;; each failure on standard error, and the last `test-end` ends the program with the status 1 if there was one.
(define-library (chibi test)
  (import (scheme base) (scheme inexact) (scheme complex) (scheme process-context) (scheme write))
  (export test test-values test-assert test-error test-begin test-end test-group test-not test-exit)
  (begin
    (define passed 0)
    (define failures 0)
    (define groups '())

    (define (close? expected got)
      (cond
       ((and (number? expected) (number? got) (inexact? expected))
        (or (eqv? expected got)
            (and (inexact? got)
                 (let ((size (max (magnitude expected) (magnitude got))))
                   (and (finite? size) (< (magnitude (- expected got)) (* 1e-5 (max 1 size))))))))
       ((and (pair? expected) (pair? got))
        (and (close? (car expected) (car got)) (close? (cdr expected) (cdr got))))
       ((and (vector? expected) (vector? got))
        (close? (vector->list expected) (vector->list got)))
       (else (equal? expected got))))

    (define (note name right? . got)
      (if right?
          (set! passed (+ passed 1))
          (let ((port (current-error-port)))
            (set! failures (+ failures 1))
            (write (append groups (list name)) port)
            (for-each (lambda (each) (display " " port) (write each port)) got)
            (newline port))))

    (define (condition-text condition)
      (if (error-object? condition)
          (cons (error-object-message condition) (error-object-irritants condition))
          condition))

    (define (check name expected thunk)
      (call-with-current-continuation
       (lambda (return)
         (with-exception-handler
          (lambda (condition) (return (note name #f 'expected expected 'raised (condition-text condition))))
          (lambda ()
            (let ((got (thunk)))
              (note name (close? expected got) 'expected expected 'got got)))))))

    (define-syntax test
      (syntax-rules ()
        ((_ expected expression) (test 'expression expected expression))
        ((_ name expected expression) (check name expected (lambda () expression)))))

    (define-syntax test-values
      (syntax-rules ()
        ((_ expected expression) (test-values 'expression expected expression))
        ((_ name expected expression)
         (check name
                (call-with-values (lambda () expected) list)
                (lambda () (call-with-values (lambda () expression) list))))))

    (define-syntax test-assert
      (syntax-rules ()
        ((_ expression) (test-assert 'expression expression))
        ((_ name expression) (check name #t (lambda () (if expression #t #f))))))

    (define-syntax test-not
      (syntax-rules ()
        ((_ expression) (check 'expression #f (lambda () expression)))))

    (define-syntax test-error
      (syntax-rules ()
        ((_ expression) (test-error 'expression expression))
        ((_ name expression)
         (note name (guard (condition (#t #t)) expression #f) 'raised 'nothing))))

    (define (test-begin . name)
      (set! groups (append groups name)))

    (define (test-end . name)
      (if (pair? groups)
          (set! groups (reverse (cdr (reverse groups)))))
      (if (null? groups) (test-exit)))

    (define-syntax test-group
      (syntax-rules ()
        ((_ name expression ...)
         (begin (test-begin name) expression ... (set! groups (reverse (cdr (reverse groups))))))))

    (define (test-exit)
      (display passed)
      (display " passed, ")
      (display failures)
      (display " failed")
      (newline)
      (exit (= failures 0)))))
