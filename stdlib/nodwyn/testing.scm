(define-record-type <group>
  (make-group path passed failed reports)
  group?
  (path group-path)
  (passed group-passed set-group-passed!)
  (failed group-failed set-group-failed!)
  (reports group-reports set-group-reports!))

;; The runner's auxiliary value is the list of its groups, last one first.
(define (collecting-runner)
  (let ((runner (test-runner-null)))
    (test-runner-aux-value! runner '())
    (test-runner-on-test-end! runner record-test!)
    (test-runner-on-bad-count! runner
      (lambda (runner actual expected)
        (record-failure! runner (written (lambda () (test-on-bad-count-simple runner actual expected))))))
    (test-runner-on-bad-end-name! runner
      (lambda (runner begin-name end-name)
        (record-failure! runner
          (string-append "test-end says " end-name ", but the open group is " begin-name "\n"))))
    runner))

(define (written thunk)
  (let ((port (open-output-string)))
    (parameterize ((current-output-port port))
      (thunk))
    (get-output-string port)))

(define (group-of runner)
  (let ((path (test-runner-group-path runner)))
    (let loop ((groups (test-runner-aux-value runner)))
      (cond ((null? groups)
             (let ((group (make-group path 0 0 '())))
               (test-runner-aux-value! runner (cons group (test-runner-aux-value runner)))
               group))
            ((equal? path (group-path (car groups))) (car groups))
            (else (loop (cdr groups)))))))

(define (record-failure! runner report)
  (let ((group (group-of runner)))
    (set-group-failed! group (+ 1 (group-failed group)))
    (set-group-reports! group (cons report (group-reports group)))))

(define (record-test! runner)
  (if (memq (test-result-kind runner) '(fail xpass))
      (record-failure! runner (written (lambda () (test-on-test-end-simple runner))))
      (let ((group (group-of runner)))
        (set-group-passed! group (+ 1 (group-passed group))))))

(define (record-stray-error! runner object)
  (record-failure! runner
    (string-append
     "an error outside of a test\n"
     (written
      (lambda ()
        (test-result-clear runner)
        (test-result-set! runner 'result-kind 'fail)
        (test-result-set! runner 'actual-error object)
        (test-on-test-end-simple runner))))))

;; Returns whether `thunk` came to its end. An error is recorded in its handler, where its group is
;; still open.
(define (run-catching runner thunk)
  (call-with-current-continuation
   (lambda (leave)
     (with-exception-handler
      (lambda (object)
        (record-stray-error! runner object)
        (leave #f))
      (lambda () (thunk) #t)))))

(define (run-and-collect thunk)
  (let ((runner (collecting-runner)))
    (test-with-runner runner
      (when (and (run-catching runner thunk) (pair? (test-runner-group-path runner)))
        (record-failure! runner "the group is never ended: test-end is missing\n")))
    (map (lambda (group)
           (list (group-path group) (group-passed group) (group-failed group)
                 (reverse (group-reports group))))
         (reverse (test-runner-aux-value runner)))))
