;;; an after thunk that loops
(dynamic-wind
  (lambda () #f)
  (lambda () (let loop () (loop)))
  (lambda () (let loop () (loop))))

;;; after thunks within after thunks
(define (nest n)
  (dynamic-wind
    (lambda () #f)
    (lambda () (if (= n 0) (let loop () (loop)) (nest (- n 1))))
    (lambda () (let loop () (loop)))))
(nest 100)

;;; a before thunk that loops
(dynamic-wind (lambda () (let loop () (loop))) (lambda () 1) (lambda () 2))

;;; an after thunk that goes back in
(define inside #f)
(define (spin) (let loop ((i 0)) (if (< i 100000000) (loop (+ i 1)))))
(dynamic-wind
  (lambda () #f)
  (lambda () (call/cc (lambda (k) (set! inside k))) (spin))
  (lambda () (inside #t)))

;;; guard around a loop, in a loop
(let again () (guard (e (#t #f)) (let loop () (loop))) (again))

;;; a guard whose clause loops
(guard (e (#t (let loop () (loop)))) (let loop () (loop)))

;;; a guard whose test loops
(guard (e ((let loop () (loop)) #t)) (let loop () (loop)))

;;; a guard that catches twice over
(define (try n) (guard (e (#t (try (+ n 1)))) (let loop () (loop))))
(try 0)

;;; a handler that returns
(with-exception-handler (lambda (e) 'go-on) (lambda () (let loop () (loop))))

;;; a handler that loops
(with-exception-handler (lambda (e) (let loop () (loop))) (lambda () (let loop () (loop))))

;;; a handler that leaves by a continuation and starts again
(define (start)
  (call/cc
    (lambda (k)
      (with-exception-handler (lambda (e) (k 'stopped)) (lambda () (let loop () (loop))))))
  (start))
(start)

;;; a handler that keeps the continuation of the stop
(define kept #f)
(define (start)
  (with-exception-handler
    (lambda (e) (call/cc (lambda (k) (set! kept k))) (kept #t))
    (lambda () (let loop () (loop)))))
(start)

;;; handlers a thousand deep
(define (nest n)
  (if (= n 0)
      (let loop () (loop))
      (with-exception-handler (lambda (e) (nest 1000)) (lambda () (nest (- n 1))))))
(nest 1000)

;;; a handler that raises anew
(with-exception-handler
  (lambda (e) (raise (list e)))
  (lambda () (let loop () (loop))))

;;; a handler that is its own
(define (handler e) (with-exception-handler handler (lambda () (raise e))))
(with-exception-handler handler (lambda () (raise 'once)))

;;; errors in after thunks
(define (nest) (dynamic-wind (lambda () #f) (lambda () (let loop () (loop))) (lambda () (car 5))))
(let again () (guard (e (#t #f)) (nest)) (again))

;;; exit out of a loop in an after thunk
(import (scheme base) (scheme process-context))
(dynamic-wind (lambda () #f) (lambda () (exit 3)) (lambda () (let loop () (loop))))
