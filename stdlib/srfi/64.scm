;;; Runners

(define-record-type <test-runner>
  (make-runner pass-count fail-count xpass-count xfail-count skip-count test-name result-alist
               frames skips expected-failures selected finished?
               on-test-begin on-test-end on-group-begin on-group-end on-bad-count on-bad-end-name on-final
               aux-value)
  test-runner?
  (pass-count test-runner-pass-count set-pass-count!)
  (fail-count test-runner-fail-count set-fail-count!)
  (xpass-count test-runner-xpass-count set-xpass-count!)
  (xfail-count test-runner-xfail-count set-xfail-count!)
  (skip-count test-runner-skip-count set-skip-count!)
  (test-name test-runner-test-name set-test-name!)
  (result-alist test-result-alist set-result-alist!)
  ;; The open groups, innermost first.
  (frames runner-frames set-runner-frames!)
  (skips runner-skips set-runner-skips!)
  (expected-failures runner-expected-failures set-runner-expected-failures!)
  ;; The specifiers of the innermost `test-apply`, or #f: every test is to run.
  (selected runner-selected set-runner-selected!)
  ;; Whether `on-final` has been called since the last test.
  (finished? runner-finished? set-runner-finished!)
  (on-test-begin test-runner-on-test-begin test-runner-on-test-begin!)
  (on-test-end test-runner-on-test-end test-runner-on-test-end!)
  (on-group-begin test-runner-on-group-begin test-runner-on-group-begin!)
  (on-group-end test-runner-on-group-end test-runner-on-group-end!)
  (on-bad-count test-runner-on-bad-count test-runner-on-bad-count!)
  (on-bad-end-name test-runner-on-bad-end-name test-runner-on-bad-end-name!)
  (on-final test-runner-on-final test-runner-on-final!)
  (aux-value test-runner-aux-value test-runner-aux-value!))

;; An open group: how many cases it has run, how many it should, what to restore at its end.
(define-record-type <frame>
  (make-frame name expected-count count skips expected-failures installed?)
  frame?
  (name frame-name)
  (expected-count frame-expected-count)
  (count frame-count set-frame-count!)
  (skips frame-skips)
  (expected-failures frame-expected-failures)
  (installed? frame-installed?))

(define (test-runner-null)
  (let ((ignore (lambda arguments #f)))
    (make-runner 0 0 0 0 0 "" '() '() '() '() #f #f
                 ignore ignore ignore ignore ignore ignore ignore #f)))

(define (test-runner-simple)
  (let ((runner (test-runner-null)))
    (test-runner-on-test-begin! runner test-on-test-begin-simple)
    (test-runner-on-test-end! runner test-on-test-end-simple)
    (test-runner-on-group-begin! runner test-on-group-begin-simple)
    (test-runner-on-group-end! runner test-on-group-end-simple)
    (test-runner-on-bad-count! runner test-on-bad-count-simple)
    (test-runner-on-bad-end-name! runner test-on-bad-end-name-simple)
    (test-runner-on-final! runner test-on-final-simple)
    runner))

(define (test-runner-reset runner)
  (set-pass-count! runner 0)
  (set-fail-count! runner 0)
  (set-xpass-count! runner 0)
  (set-xfail-count! runner 0)
  (set-skip-count! runner 0)
  (set-test-name! runner "")
  (set-result-alist! runner '())
  (set-runner-frames! runner '())
  (set-runner-skips! runner '())
  (set-runner-expected-failures! runner '())
  (set-runner-selected! runner #f)
  (set-runner-finished! runner #f))

(define current-runner #f)

(define test-runner-current
  (case-lambda
    (() current-runner)
    ((runner)
     (unless (or (not runner) (test-runner? runner))
       (error "test-runner-current: expected a test runner or #f" runner))
     (set! current-runner runner))))

(define (test-runner-get)
  (or current-runner
      (error "no test runner is current: open a group with test-begin or test-group first")))

(define current-factory test-runner-simple)

(define test-runner-factory
  (case-lambda
    (() current-factory)
    ((factory)
     (unless (procedure? factory)
       (error "test-runner-factory: expected a procedure" factory))
     (set! current-factory factory))))

(define (test-runner-create) (current-factory))

(define (test-runner-group-stack runner) (map frame-name (runner-frames runner)))

(define (test-runner-group-path runner) (reverse (test-runner-group-stack runner)))

(define (call-with-runner runner thunk)
  (let ((other runner))
    (define (swap)
      (let ((previous current-runner))
        (set! current-runner other)
        (set! other previous)))
    (dynamic-wind swap thunk swap)))

(define-syntax test-with-runner
  (syntax-rules ()
    ((_ runner)
     (call-with-runner runner (lambda () #f)))
    ((_ runner form ...)
     (call-with-runner runner (lambda () form ...)))))

;;; Specifiers

(define (specifier who object)
  (cond ((procedure? object) object)
        ((and (exact-integer? object) (>= object 0)) (test-match-nth 1 object))
        ((string? object) (test-match-name object))
        (else (error (string-append who ": expected a specifier (a procedure, a count or a test name)")
                     object))))

(define (test-match-name name)
  (lambda (runner) (equal? name (test-runner-test-name runner))))

(define test-match-nth
  (case-lambda
    ((n) (test-match-nth n 1))
    ((n count)
     (let ((calls 0))
       (lambda (runner)
         (set! calls (+ calls 1))
         (and (>= calls n) (< calls (+ n count))))))))

;; Every specifier is applied, since each may count its calls.
(define (any-match? specifiers runner)
  (let loop ((rest specifiers) (found #f))
    (if (null? rest)
        found
        (let ((matches ((car rest) runner)))
          (loop (cdr rest) (or found (and matches #t)))))))

(define (test-match-any . objects)
  (let ((specifiers (map (lambda (object) (specifier "test-match-any" object)) objects)))
    (lambda (runner) (any-match? specifiers runner))))

(define (test-match-all . objects)
  (let ((specifiers (map (lambda (object) (specifier "test-match-all" object)) objects)))
    (lambda (runner)
      (let loop ((rest specifiers) (all #t))
        (if (null? rest)
            all
            (let ((matches ((car rest) runner)))
              (loop (cdr rest) (and all matches #t))))))))

(define (test-skip object)
  (let ((runner (test-runner-get)))
    (set-runner-skips! runner (cons (specifier "test-skip" object) (runner-skips runner)))))

(define (test-expect-fail object)
  (let ((runner (test-runner-get)))
    (set-runner-expected-failures!
     runner
     (cons (specifier "test-expect-fail" object) (runner-expected-failures runner)))))

(define (test-apply first . rest)
  (cond ((test-runner? first)
         (call-with-runner first (lambda () (apply-selected first rest))))
        (current-runner
         (apply-selected current-runner (cons first rest)))
        (else
         (let ((runner (test-runner-create)))
           (call-with-runner runner (lambda () (apply-selected runner (cons first rest))))
           (unless (runner-finished? runner)
             ((test-runner-on-final runner) runner))))))

(define (apply-selected runner arguments)
  (when (null? arguments)
    (error "test-apply: expected a procedure as the last argument"))
  (let* ((reversed (reverse arguments))
         (thunk (car reversed))
         (selected (and (pair? (cdr reversed))
                        (map (lambda (object) (specifier "test-apply" object))
                             (reverse (cdr reversed)))))
         (outer (runner-selected runner)))
    (dynamic-wind
     (lambda () (set-runner-selected! runner (or selected outer)))
     thunk
     (lambda () (set-runner-selected! runner outer)))))

;;; Results

(define test-result-ref
  (case-lambda
    ((runner name) (test-result-ref runner name #f))
    ((runner name default)
     (let ((entry (assq name (test-result-alist runner))))
       (if entry (cdr entry) default)))))

(define (test-result-set! runner name value)
  (let ((entry (assq name (test-result-alist runner))))
    (if entry
        (set-cdr! entry value)
        (set-result-alist! runner (cons (cons name value) (test-result-alist runner))))))

(define (test-result-remove runner name)
  (let loop ((rest (test-result-alist runner)) (kept '()))
    (cond ((null? rest) (set-result-alist! runner (reverse kept)))
          ((eq? (caar rest) name) (loop (cdr rest) kept))
          (else (loop (cdr rest) (cons (car rest) kept))))))

(define (test-result-clear runner) (set-result-alist! runner '()))

(define test-result-kind
  (case-lambda
    (() (test-result-kind (test-runner-get)))
    ((runner) (test-result-ref runner 'result-kind))))

(define test-passed?
  (case-lambda
    (() (test-passed? (test-runner-get)))
    ((runner) (and (memq (test-result-kind runner) '(pass xpass)) #t))))

;;; Groups

(define test-begin
  (case-lambda
    ((name) (test-begin name #f))
    ((name count)
     (let ((install? (not current-runner)))
       (when install? (set! current-runner (test-runner-create)))
       (let ((runner current-runner))
         (set-test-name! runner name)
         ((test-runner-on-group-begin runner) runner name count)
         (set-runner-frames! runner
                             (cons (make-frame name count 0 (runner-skips runner)
                                               (runner-expected-failures runner) install?)
                                   (runner-frames runner))))))))

(define test-end
  (case-lambda
    (() (end-group (open-frame)))
    ((name)
     (let ((frame (open-frame)))
       (unless (equal? name (frame-name frame))
         ((test-runner-on-bad-end-name current-runner) current-runner (frame-name frame) name))
       (end-group frame)))))

(define (open-frame)
  (let ((frames (runner-frames (test-runner-get))))
    (if (null? frames)
        (error "test-end: no test group is open")
        (car frames))))

(define (end-group frame)
  (let ((runner current-runner)
        (expected (frame-expected-count frame)))
    (when (and expected (not (= expected (frame-count frame))))
      ((test-runner-on-bad-count runner) runner (frame-count frame) expected))
    ((test-runner-on-group-end runner) runner)
    (set-runner-skips! runner (frame-skips frame))
    (set-runner-expected-failures! runner (frame-expected-failures frame))
    (set-runner-frames! runner (cdr (runner-frames runner)))
    (count-case! runner)
    (when (null? (runner-frames runner))
      (set-runner-finished! runner #t)
      ((test-runner-on-final runner) runner))
    (when (frame-installed? frame)
      (set! current-runner #f))))

;; A test case, or a whole group, is one case of the group around it.
(define (count-case! runner)
  (let ((frames (runner-frames runner)))
    (when (pair? frames)
      (set-frame-count! (car frames) (+ 1 (frame-count (car frames)))))))

(define (skip-group? name)
  (and current-runner
       (begin
         (set-test-name! current-runner name)
         (any-match? (runner-skips current-runner) current-runner))))

(define (record-skip! runner)
  (test-result-set! runner 'result-kind 'skip)
  (set-skip-count! runner (+ 1 (test-runner-skip-count runner)))
  (count-case! runner))

(define (run-group name thunk)
  (if (skip-group? name)
      (begin
        (test-result-clear current-runner)
        (record-skip! current-runner))
      (dynamic-wind
       (lambda () (test-begin name))
       thunk
       (lambda () (test-end name)))))

(define-syntax test-group
  (syntax-rules ()
    ((_ name form ...)
     (run-group name (lambda () form ... (if #f #f))))))

(define-syntax test-group-with-cleanup
  (syntax-rules ()
    ((_ name cleanup)
     (run-group name (lambda () cleanup)))
    ((_ name form ... cleanup)
     (run-group name
                (lambda ()
                  (dynamic-wind
                   (lambda () #f)
                   (lambda () form ...)
                   (lambda () cleanup)))))))

;;; Test cases

(define (expected-kind runner)
  (let* ((selected (runner-selected runner))
         (chosen? (or (not selected) (any-match? selected runner)))
         (skipped? (any-match? (runner-skips runner) runner))
         (expected-failure? (any-match? (runner-expected-failures runner) runner)))
    (cond ((or skipped? (not chosen?)) 'skip)
          (expected-failure? 'xfail)
          (else #f))))

;; Runs one test case. `judge` sets what properties it likes and returns whether the test passed; the thunk is
;; where the test is.
(define (run-case name form thunk judge)
  (let ((runner (test-runner-get)))
    (unless (string? name)
      (error "the name of a test must be a string" name))
    (set-test-name! runner name)
    (test-result-clear runner)
    (set-runner-finished! runner #f)
    (test-result-set! runner 'source-form form)
    (let ((place (%procedure-place thunk)))
      (when place
        (test-result-set! runner 'source-file (car place))
        (test-result-set! runner 'source-line (cdr place))))
    (let ((kind (expected-kind runner)))
      (test-result-set! runner 'result-kind kind)
      ((test-runner-on-test-begin runner) runner)
      (if (eq? kind 'skip)
          (record-skip! runner)
          (record-outcome! runner (judge runner) (eq? kind 'xfail)))
      ((test-runner-on-test-end runner) runner))))

(define (record-outcome! runner passed? failure-expected?)
  (count-case! runner)
  (cond ((and passed? failure-expected?)
         (test-result-set! runner 'result-kind 'xpass)
         (set-xpass-count! runner (+ 1 (test-runner-xpass-count runner))))
        (passed?
         (test-result-set! runner 'result-kind 'pass)
         (set-pass-count! runner (+ 1 (test-runner-pass-count runner))))
        (failure-expected?
         (test-result-set! runner 'result-kind 'xfail)
         (set-xfail-count! runner (+ 1 (test-runner-xfail-count runner))))
        (else
         (test-result-set! runner 'result-kind 'fail)
         (set-fail-count! runner (+ 1 (test-runner-fail-count runner))))))

(define (run-assertion name form thunk)
  (run-case name form thunk
            (lambda (runner)
              (guard (object (#t (test-result-set! runner 'actual-error object) #f))
                (let ((value (thunk)))
                  (test-result-set! runner 'actual-value value)
                  value)))))

(define (run-comparison name form same? expected-thunk thunk)
  (run-case name form thunk
            (lambda (runner)
              (guard (object (#t (test-result-set! runner 'actual-error object) #f))
                (let ((expected (expected-thunk)))
                  (test-result-set! runner 'expected-value expected)
                  (let ((value (thunk)))
                    (test-result-set! runner 'actual-value value)
                    (same? expected value)))))))

(define (run-approximation name form expected-thunk thunk tolerance-thunk)
  (run-comparison name form
                  (lambda (expected value)
                    (let ((tolerance (tolerance-thunk)))
                      (and (>= value (- expected tolerance))
                           (<= value (+ expected tolerance)))))
                  expected-thunk
                  thunk))

(define (run-error-case name form type-thunk thunk)
  (run-case name form thunk
            (lambda (runner)
              (let ((type (type-thunk)))
                (test-result-set! runner 'expected-error type)
                (unless (or (eq? type #t) (procedure? type))
                  (error "test-error: expected #t or a predicate as the type of error" type))
                (guard (object
                        (#t
                         (test-result-set! runner 'actual-error object)
                         (or (eq? type #t) (type object))))
                  (test-result-set! runner 'actual-value (thunk))
                  #f)))))

;; `(test-error x expression)`: no string is a type of error, so a string is the name of the test.
(define (run-named-or-typed-error name-or-type form thunk)
  (if (string? name-or-type)
      (run-error-case name-or-type form (lambda () #t) thunk)
      (run-error-case "" form (lambda () name-or-type) thunk)))

(define-syntax test-assert
  (syntax-rules ()
    ((_ expression)
     (run-assertion "" '(test-assert expression) (lambda () expression)))
    ((_ name expression)
     (run-assertion name '(test-assert name expression) (lambda () expression)))))

(define-syntax define-comparison
  (syntax-rules ()
    ((_ form same?)
     (define-syntax form
       (syntax-rules ()
         ((_ expected expression)
          (run-comparison "" '(form expected expression) same?
                          (lambda () expected) (lambda () expression)))
         ((_ name expected expression)
          (run-comparison name '(form name expected expression) same?
                          (lambda () expected) (lambda () expression))))))))

(define-comparison test-eq eq?)
(define-comparison test-eqv eqv?)
(define-comparison test-equal equal?)

(define-syntax test-approximate
  (syntax-rules ()
    ((_ expected expression tolerance)
     (run-approximation "" '(test-approximate expected expression tolerance)
                        (lambda () expected) (lambda () expression) (lambda () tolerance)))
    ((_ name expected expression tolerance)
     (run-approximation name '(test-approximate name expected expression tolerance)
                        (lambda () expected) (lambda () expression) (lambda () tolerance)))))

(define-syntax test-error
  (syntax-rules ()
    ((_ expression)
     (run-error-case "" '(test-error expression) (lambda () #t) (lambda () expression)))
    ((_ name-or-type expression)
     (run-named-or-typed-error name-or-type '(test-error name-or-type expression)
                               (lambda () expression)))
    ((_ name type expression)
     (run-error-case name '(test-error name type expression)
                     (lambda () type) (lambda () expression)))))

(define (test-read-eval-string text)
  (let* ((port (open-input-string text))
         (form (read port)))
    (cond ((eof-object? form)
           (error "test-read-eval-string: the text holds no expression" text))
          ((not (eof-object? (peek-char port)))
           (error "test-read-eval-string: there is text after the first expression" text))
          (else
           (eval form (interaction-environment))))))

;;; What the simple runner writes

(define (write-line label value)
  (display "  ")
  (display label)
  (display ": ")
  (write value)
  (newline))

;; The message of an error that the engine found is complete and names its irritants itself.
(define (write-error label object)
  (cond ((error-object? object)
         (display "  ")
         (display label)
         (display ": ")
         (let ((procedure (%error-object-procedure object)))
           (when procedure
             (display procedure)
             (display ": ")))
         (display (error-object-message object))
         (when (eq? (%error-object-kind object) 'error)
           (for-each (lambda (irritant) (display " ") (write irritant))
                     (error-object-irritants object)))
         (newline))
        (else (write-line label object))))

(define (write-property runner name label write-value)
  (let ((entry (assq name (test-result-alist runner))))
    (when entry (write-value label (cdr entry)))))

(define (display-path runner)
  (for-each (lambda (name) (display name) (display " / "))
            (test-runner-group-path runner)))

(define (display-place runner)
  (let ((file (test-result-ref runner 'source-file))
        (line (test-result-ref runner 'source-line)))
    (when (and file line)
      (display "  at: ")
      (display file)
      (display ":")
      (display line)
      (newline))))

(define (test-on-test-begin-simple runner) #f)

(define (test-on-test-end-simple runner)
  (let ((kind (test-result-kind runner)))
    (when (memq kind '(fail xpass))
      (display (if (eq? kind 'fail) "FAILED: " "PASSED UNEXPECTEDLY: "))
      (display-path runner)
      (display (if (string=? (test-runner-test-name runner) "")
                   "a test without a name"
                   (test-runner-test-name runner)))
      (newline)
      (display-place runner)
      (write-property runner 'source-form "form" write-line)
      (write-property runner 'expected-value "expected" write-line)
      (write-property runner 'expected-error "expected error" write-line)
      (write-property runner 'actual-value "got" write-line)
      (write-property runner 'actual-error "raised" write-error))))

(define (test-on-group-begin-simple runner name count)
  (when (null? (runner-frames runner))
    (display "Testing ")
    (display name)
    (newline)))

(define (test-on-group-end-simple runner) #f)

(define (test-on-bad-count-simple runner actual expected)
  (display "WRONG COUNT: ")
  (display-path runner)
  (display "ran ")
  (display actual)
  (display " tests, but its test-begin says ")
  (display expected)
  (newline))

(define (test-on-bad-end-name-simple runner begin-name end-name)
  (error "test-end: its name differs from that of the open group" end-name begin-name))

(define (test-on-final-simple runner)
  (define (line label count)
    (unless (= count 0)
      (display "  ")
      (display label)
      (display ": ")
      (display count)
      (newline)))
  (line "passed" (test-runner-pass-count runner))
  (line "failed" (test-runner-fail-count runner))
  (line "passed unexpectedly" (test-runner-xpass-count runner))
  (line "failed as expected" (test-runner-xfail-count runner))
  (line "skipped" (test-runner-skip-count runner)))
