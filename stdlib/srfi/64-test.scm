(import (scheme base) (scheme write) (srfi 64))

;; Runs `thunk` under a null runner of its own and returns what `report` makes of that runner.
(define (under-runner thunk report)
  (let ((runner (test-runner-null)))
    (test-with-runner runner (thunk))
    (report runner)))

(define (counts runner)
  (list (test-runner-pass-count runner) (test-runner-fail-count runner)
        (test-runner-xpass-count runner) (test-runner-xfail-count runner)
        (test-runner-skip-count runner)))

;; The kinds of all results, in order, of the tests that `thunk` runs.
(define (kinds thunk)
  (let ((runner (test-runner-null)) (seen '()))
    (test-runner-on-test-end! runner
      (lambda (runner)
        (set! seen (cons (cons (test-runner-test-name runner) (test-result-kind runner)) seen))))
    (test-with-runner runner (thunk))
    (reverse seen)))

;; What `thunk` writes under a simple runner of its own.
(include "64-places.scm")

(define (whole-output-of thunk)
  (let ((port (open-output-string)))
    (parameterize ((current-output-port port))
      (test-with-runner (test-runner-simple) (thunk)))
    (get-output-string port)))

(define (output-of thunk) (without-places (whole-output-of thunk)))

(define (error-message thunk)
  (guard (object ((error-object? object) (error-object-message object)))
    (thunk)
    "no error"))

(test-begin "srfi-64")

(test-group "kinds of results"
  (test-equal '(("a" . pass) ("b" . fail) ("c" . fail))
    (kinds (lambda ()
             (test-begin "g")
             (test-assert "a" 'true)
             (test-assert "b" #f)
             (test-assert "c" (raise 'oops))
             (test-end "g"))))
  (test-equal '(1 0 0 0 0)
    (under-runner (lambda () (test-assert #t)) counts))
  (test-equal '(("" . pass) ("" . fail))
    (kinds (lambda () (test-eqv 2 (+ 1 1)) (test-eqv "a" (string #\a)))))
  (test-equal '(("" . pass) ("" . fail))
    (kinds (lambda () (test-eq 'a 'a) (test-eq (list 1) (list 1)))))
  (test-equal '(("" . pass) ("named" . fail))
    (kinds (lambda () (test-equal (list 1) (list 1)) (test-equal "named" '(1) '(2)))))
  (test-equal "an error in the expected value is a failure"
    '(("" . fail))
    (kinds (lambda () (test-equal (car '()) 1)))))

(test-group "test-approximate"
  (test-equal '(("" . pass) ("" . pass) ("" . fail) ("n" . pass))
    (kinds (lambda ()
             (test-approximate 1.0 1.05 0.1)
             (test-approximate 1.0 0.95 0.1)
             (test-approximate 1.0 1.2 0.1)
             (test-approximate "n" 1 1 0)))))

(test-group "test-error"
  (test-equal '(("" . pass) ("" . fail) ("" . pass) ("" . pass) ("" . fail) ("n" . pass) ("n" . pass))
    (kinds (lambda ()
             (test-error (car '()))
             (test-error 'fine)
             (test-error #t (raise 'x))
             (test-error symbol? (raise 'x))
             (test-error string? (raise 'x))
             (test-error "n" #t (error "bad"))
             (test-error "n" (error "bad")))))
  (test-equal "an unknown type of error is an error of the test suite"
    "test-error: expected #t or a predicate as the type of error"
    (error-message (lambda () (under-runner (lambda () (test-error 5 (error "bad"))) counts)))))

(test-group "names are evaluated once"
  (test-eqv 1
    (let ((times 0))
      (under-runner (lambda ()
                      (test-equal (begin (set! times (+ times 1)) "name") 1 1))
                    (lambda (runner) times))))
  (test-equal "the name of a test must be a string"
    (error-message (lambda () (under-runner (lambda () (test-assert 'name #t)) counts)))))

(test-group "result properties"
  (test-equal '(fail 1 2 (test-equal "n" 1 (+ 1 1)))
    (under-runner
     (lambda () (test-equal "n" 1 (+ 1 1)))
     (lambda (runner)
       (list (test-result-kind runner)
             (test-result-ref runner 'expected-value)
             (test-result-ref runner 'actual-value)
             (test-result-ref runner 'source-form)))))
  (test-equal '(oops none #f)
    (under-runner
     (lambda () (test-assert (raise 'oops)))
     (lambda (runner)
       (list (test-result-ref runner 'actual-error)
             (test-result-ref runner 'actual-value 'none)
             (test-result-ref runner 'actual-value)))))
  (test-equal '(#t oops)
    (under-runner
     (lambda () (test-error (raise 'oops)))
     (lambda (runner)
       (list (test-result-ref runner 'expected-error) (test-result-ref runner 'actual-error)))))
  (test-equal '(1 2 none ((kept . 1)) ())
    (let ((runner (test-runner-null)))
      (test-result-set! runner 'mine 1)
      (let ((first (test-result-ref runner 'mine)))
        (test-result-set! runner 'mine 2)
        (let ((second (test-result-ref runner 'mine)))
          (test-result-remove runner 'mine)
          (test-result-set! runner 'kept 1)
          (let ((archived (test-result-alist runner)))
            (test-result-clear runner)
            (list first second (test-result-ref runner 'mine 'none) archived
                  (test-result-alist runner)))))))
  (test-equal '(#f #t #f)
    (under-runner
     (lambda () #f)
     (lambda (runner)
       (let ((before (test-result-kind runner)))
         (test-with-runner runner (test-assert #t))
         (let ((passed (test-passed? runner)))
           (test-with-runner runner (test-assert #f))
           (list before passed (test-passed? runner)))))))
  (test-equal "the kind while a test begins"
    '(#f skip xfail)
    (let ((runner (test-runner-null)) (seen '()))
      (test-runner-on-test-begin! runner
        (lambda (runner) (set! seen (cons (test-result-kind runner) seen))))
      (test-with-runner runner
        (test-skip "s")
        (test-expect-fail "x")
        (test-assert "a" #t)
        (test-assert "s" #t)
        (test-assert "x" #f))
      (reverse seen))))

(test-group "test-skip"
  (test-equal '(("a" . pass) ("b" . skip))
    (kinds (lambda () (test-skip "b") (test-assert "a" #t) (test-assert "b" (error "not run")))))
  (test-equal '(("1" . skip) ("2" . skip) ("3" . pass))
    (kinds (lambda ()
             (test-skip 2)
             (test-assert "1" #f) (test-assert "2" #f) (test-assert "3" #t))))
  (test-equal "the end of a group undoes its specifiers"
    '(("a" . skip) ("b" . pass) ("a" . pass))
    (kinds (lambda ()
             (test-begin "outer")
             (test-begin "group")
             (test-skip "a")
             (test-assert "a" #f)
             (test-assert "b" #t)
             (test-end "group")
             (test-assert "a" #t)
             (test-end "outer"))))
  (test-equal "a whole group is skipped as one"
    '(1 0 0 0 1)
    (under-runner (lambda ()
                    (test-skip "no")
                    (test-group "no" (test-assert #f) (test-assert #f))
                    (test-group "yes" (test-assert #t)))
                  counts))
  (test-equal "test-skip: expected a specifier (a procedure, a count or a test name)"
    (error-message (lambda () (under-runner (lambda () (test-skip 'symbol)) counts)))))

(test-group "test-expect-fail"
  (test-equal '(("1" . xfail) ("2" . xpass) ("3" . fail))
    (kinds (lambda ()
             (test-expect-fail 2)
             (test-assert "1" #f) (test-assert "2" #t) (test-assert "3" #f))))
  (test-equal '(0 1 1 1 0)
    (under-runner (lambda ()
                    (test-expect-fail 2)
                    (test-assert #f) (test-assert #t) (test-assert #f))
                  counts)))

(test-group "specifiers"
  (test-equal '(("1" . pass) ("2" . skip) ("3" . skip) ("4" . pass))
    (kinds (lambda ()
             (test-skip (test-match-nth 2 2))
             (test-assert "1" #t) (test-assert "2" #t) (test-assert "3" #t) (test-assert "4" #t))))
  (test-equal '(("1" . pass) ("2" . skip) ("3" . pass))
    (kinds (lambda ()
             (test-skip (test-match-nth 2))
             (test-assert "1" #t) (test-assert "2" #t) (test-assert "3" #t))))
  (test-equal '(("a" . skip) ("b" . skip) ("c" . pass))
    (kinds (lambda ()
             (test-skip (test-match-any "a" (test-match-name "b")))
             (test-assert "a" #t) (test-assert "b" #t) (test-assert "c" #t))))
  (test-equal '(("a" . pass) ("b" . skip) ("b" . pass))
    (kinds (lambda ()
             (test-skip (test-match-all "b" (test-match-nth 2)))
             (test-assert "a" #t) (test-assert "b" #t) (test-assert "b" #t))))
  (test-equal "each specifier of test-match-any is applied"
    '(("a" . skip) ("b" . skip) ("c" . pass))
    (kinds (lambda ()
             (test-skip (test-match-any "a" 2))
             (test-assert "a" #t) (test-assert "b" #t) (test-assert "c" #t))))
  (test-equal "a procedure is given the runner"
    '(("long name" . skip) ("n" . pass))
    (kinds (lambda ()
             (test-skip (lambda (runner) (< 3 (string-length (test-runner-test-name runner)))))
             (test-assert "long name" #t) (test-assert "n" #t)))))

(test-group "groups and paths"
  (test-equal '(("outer" "inner") ("inner" "outer") ("outer") ())
    (let ((runner (test-runner-null)))
      (test-with-runner runner
        (test-begin "outer")
        (test-begin "inner")
        (let* ((path (test-runner-group-path runner))
               (stack (test-runner-group-stack runner)))
          (test-end "inner")
          (let ((after (test-runner-group-path runner)))
            (test-end)
            (list path stack after (test-runner-group-path runner)))))))
  (test-equal "a group ends when an error leaves it"
    '(caught ())
    (let ((runner (test-runner-null)))
      (test-with-runner runner
        (let ((result (guard (object (#t object))
                        (test-group "g" (raise 'caught)))))
          (list result (test-runner-group-path runner))))))
  (test-equal "a group may hold definitions and may be empty"
    '(1 0 0 0 0)
    (under-runner (lambda ()
                    (test-group "definitions" (define x 5) (test-eqv 5 x))
                    (test-group "empty"))
                  counts))
  (test-equal "test-end: no test group is open"
    (error-message (lambda () (under-runner (lambda () (test-end)) counts))))
  (test-equal '(body cleanup)
    (let ((steps '()))
      (under-runner (lambda ()
                      (test-group-with-cleanup "g"
                        (set! steps (cons 'body steps))
                        (set! steps (cons 'cleanup steps))))
                    (lambda (runner) (reverse steps)))))
  (test-equal "the cleanup form is evaluated when an error leaves the group"
    '(cleanup caught)
    (let* ((steps '())
           (result (under-runner
                    (lambda ()
                      (guard (object (#t (set! steps (cons object steps))))
                        (test-group-with-cleanup "g"
                          (raise 'caught)
                          (set! steps (cons 'cleanup steps)))))
                    (lambda (runner) #f))))
      (reverse steps))))

(test-group "callbacks"
  (test-equal
      '((group-begin "outer" 2) (test-begin "a") (test-end "a" pass)
        (group-begin "inner" #f) (test-begin "b") (test-end "b" fail) (group-end ("outer" "inner"))
        (group-end ("outer")) (final ()))
    (let ((runner (test-runner-null)) (events '()))
      (define (event! . parts) (set! events (cons parts events)))
      (test-runner-on-group-begin! runner
        (lambda (runner name count) (event! 'group-begin name count)))
      (test-runner-on-group-end! runner
        (lambda (runner) (event! 'group-end (test-runner-group-path runner))))
      (test-runner-on-test-begin! runner
        (lambda (runner) (event! 'test-begin (test-runner-test-name runner))))
      (test-runner-on-test-end! runner
        (lambda (runner)
          (event! 'test-end (test-runner-test-name runner) (test-result-kind runner))))
      (test-runner-on-final! runner
        (lambda (runner) (event! 'final (test-runner-group-path runner))))
      (test-with-runner runner
        (test-begin "outer" 2)
        (test-assert "a" #t)
        (test-begin "inner")
        (test-assert "b" #f)
        (test-end)
        (test-end))
      (reverse events)))
  (test-equal "a wrong count"
    '((1 2))
    (let ((runner (test-runner-null)) (seen '()))
      (test-runner-on-bad-count! runner
        (lambda (runner actual expected) (set! seen (cons (list actual expected) seen))))
      (test-with-runner runner
        (test-begin "good" 3)
        (test-assert #t)
        (test-skip 1)
        (test-assert #t)
        (test-group "counts as one" (test-assert #t) (test-assert #t))
        (test-end)
        (test-begin "bad" 2)
        (test-assert #t)
        (test-end))
      seen))
  (test-equal "a wrong name at the end"
    '(("begin" "end"))
    (let ((runner (test-runner-null)) (seen '()))
      (test-runner-on-bad-end-name! runner
        (lambda (runner begin-name end-name) (set! seen (cons (list begin-name end-name) seen))))
      (test-with-runner runner
        (test-begin "begin")
        (test-end "end"))
      seen))
  (test-assert "the callbacks can be read back"
    (let ((runner (test-runner-simple)))
      (and (eq? test-on-test-begin-simple (test-runner-on-test-begin runner))
           (eq? test-on-test-end-simple (test-runner-on-test-end runner))
           (eq? test-on-group-begin-simple (test-runner-on-group-begin runner))
           (eq? test-on-group-end-simple (test-runner-on-group-end runner))
           (eq? test-on-bad-count-simple (test-runner-on-bad-count runner))
           (eq? test-on-bad-end-name-simple (test-runner-on-bad-end-name runner))
           (eq? test-on-final-simple (test-runner-on-final runner))))))

(test-group "runners"
  (test-equal '(#t #f) (list (test-runner? (test-runner-null)) (test-runner? 5)))
  (test-assert "this test has a current runner" (test-runner? (test-runner-get)))
  (test-eqv 'extra
    (let ((runner (test-runner-null)))
      (test-runner-aux-value! runner 'extra)
      (test-runner-aux-value runner)))
  (test-equal '((0 0 0 0 0) () #f "")
    (under-runner
     (lambda () (test-skip 1) (test-assert "a" #f) (test-assert "b" #f))
     (lambda (runner)
       (test-runner-reset runner)
       (list (counts runner) (test-result-alist runner) (test-result-kind runner)
             (test-runner-test-name runner)))))
  (test-assert "without a current runner, test-begin makes one and test-end removes it"
    (let ((made #f) (factory (test-runner-factory)) (outside #t))
      (dynamic-wind
       (lambda ()
         (test-runner-factory (lambda () (set! made (test-runner-null)) made)))
       (lambda ()
         (test-with-runner #f
           (test-begin "group")
           (set! outside (eq? made (test-runner-current)))
           (test-end "group")
           (and outside made (not (test-runner-current)))))
       (lambda () (test-runner-factory factory)))))
  (test-equal "no test runner is current: open a group with test-begin or test-group first"
    (error-message (lambda () (test-with-runner #f (test-assert #t)))))
  (test-assert (eq? test-runner-simple (test-runner-factory)))
  (test-equal "test-runner-current: expected a test runner or #f"
    (error-message (lambda () (test-runner-current 5)))))

(test-group "test-apply"
  (test-equal '(("a" . skip) ("b" . pass) ("c" . skip))
    (kinds (lambda ()
             (test-apply "b"
               (lambda () (test-assert "a" #f) (test-assert "b" #t) (test-assert "c" #f))))))
  (test-equal "any of several specifiers, but no skipped test"
    '(("a" . pass) ("b" . skip) ("c" . skip) ("d" . pass))
    (kinds (lambda ()
             (test-skip "b")
             (test-apply "a" "b" (test-match-name "d")
               (lambda ()
                 (test-assert "a" #t) (test-assert "b" #f) (test-assert "c" #f)
                 (test-assert "d" #t))))))
  (test-equal "without specifiers everything runs"
    '(2 0 0 0 0)
    (let ((runner (test-runner-null)))
      (test-apply runner (lambda () (test-assert #t) (test-assert #t)))
      (counts runner)))
  (test-equal "with a runner"
    '(1 0 0 0 1)
    (let ((runner (test-runner-null)))
      (test-apply runner "a" (lambda () (test-assert "a" #t) (test-assert "b" #t)))
      (counts runner))))

(test-group "test-read-eval-string"
  (test-eqv #\newline (test-read-eval-string "#\\newline"))
  (test-error (test-read-eval-string "(+ 3 4"))
  (test-error (test-read-eval-string "(+ 3 4) "))
  (test-error (test-read-eval-string "")))

(test-group "the simple runner"
  (test-equal "Testing suite\n  passed: 2\n"
    (output-of (lambda () (test-begin "suite") (test-assert #t) (test-assert #t) (test-end "suite"))))
  (test-equal
      (string-append
       "Testing suite\nFAILED: suite / inner / sum\n  form: (test-eqv \"sum\" 3 (+ 1 1))\n"
       "  expected: 3\n  got: 2\n  failed: 1\n")
    (output-of (lambda ()
                 (test-begin "suite")
                 (test-begin "inner")
                 (test-eqv "sum" 3 (+ 1 1))
                 (test-end "inner")
                 (test-end "suite"))))
  (test-equal
      (string-append
       "FAILED: broken\n  form: (test-assert \"broken\" (error \"went wrong:\" 5))\n"
       "  raised: went wrong: 5\n")
    (output-of (lambda () (test-assert "broken" (error "went wrong:" 5)))))
  (test-equal "an error that the engine found"
    (string-append
     "FAILED: a test without a name\n  form: (test-assert (car 5))\n"
     "  raised: car: pair must be a pair, got 5\n")
    (output-of (lambda () (test-assert (car 5)))))
  (test-equal
      (string-append
       "Testing suite\nPASSED UNEXPECTEDLY: suite / a\n  form: (test-assert \"a\" #t)\n  got: #t\n"
       "WRONG COUNT: suite / ran 3 tests, but its test-begin says 4\n"
       "  passed unexpectedly: 1\n  failed as expected: 1\n  skipped: 1\n")
    (output-of (lambda ()
                 (test-begin "suite" 4)
                 (test-expect-fail 3)
                 (test-skip "c")
                 (test-assert "a" #t)
                 (test-assert "b" #f)
                 (test-assert "c" #f)
                 (test-end "suite"))))
  (test-equal "test-end: its name differs from that of the open group"
    (error-message
     (lambda () (output-of (lambda () (test-begin "a") (test-end "b")))))))

(test-group "where a test is"
  (define (place-of runner)
    (list (test-result-ref runner 'source-file) (test-result-ref runner 'source-line)))
  (let* ((places '())
         (runner (test-runner-null)))
    (test-runner-on-test-end! runner (lambda (runner) (set! places (cons (place-of runner) places))))
    (test-with-runner runner
      (test-assert #t)

      (test-equal "two lines on" 1
        1))
    (test-equal 2 (- (cadr (car places)) (cadr (cadr places))))
    (test-equal (car (car places)) (car (cadr places)))
    (test-assert (string? (car (car places)))))
  (let ((output (whole-output-of (lambda () (test-assert #f)))))
    (test-assert (not (string=? output (without-places output))))))

(test-end "srfi-64")
