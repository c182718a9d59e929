;; The model of the demo: no network, and no knowledge of the demo's files. Each reply follows from the results so far:
;; it looks for tests, runs them, looks up what the failing test calls, reads that, mends it, and runs the tests again.
;; It knows one kind of fault: a loop over a list that stops one before the end.

(import (only (srfi 1) any filter-map last)
        (only (srfi 13) string-join string-prefix?)
        (srfi 115)
        (only (srfi 180) json-read))

;; A call that was made, and its result.
(define-record-type <step>
  (make-step name arguments ok text)
  step?
  (name step-name)
  (arguments step-arguments)
  (ok step-ok?)
  (text step-text))

(define (reply request)
  (let ((steps (steps-of (latest-turn (field request 'messages)))))
    (if (null? steps)
        (look-for-tests)
        (answer (last steps) steps))))

(define (field record name)
  (let ((entry (assq name record)))
    (and entry (cdr entry))))

;; The messages after the person's last one.
(define (latest-turn messages)
  (let next ((rest messages) (turn '()))
    (cond ((null? rest) turn)
          ((string=? (field (car rest) 'role) "user") (next (cdr rest) (cdr rest)))
          (else (next (cdr rest) turn)))))

(define (steps-of messages)
  (define (blocks type)
    (apply append
           (map (lambda (message)
                  (filter-map (lambda (block) (and (string=? (field block 'type) type) block))
                              (field message 'content)))
                messages)))
  (define calls (blocks "call"))
  (map (lambda (result)
         (let ((call (assoc (field result 'id) (map (lambda (call) (cons (field call 'id) call)) calls))))
           (make-step (field result 'name)
                      (if call (field (cdr call) 'arguments) '())
                      (field result 'ok)
                      (field result 'text))))
       (blocks "result")))

;; What follows from the last step.
(define (answer step steps)
  (define text (step-text step))
  (cond ((not (step-ok? step))
         (list (string-append "I stop: " text)))
        ((string=? (step-name step) "shell-exec")
         (after-tests text (find-step "fs-edit" steps)))
        ((string=? (step-name step) "index-grep")
         (after-search (matches text) (find-step "shell-exec" steps)))
        ((string=? (step-name step) "fs-read")
         (after-reading text (field (step-arguments step) 'path) (called (step-text (find-step "shell-exec" steps)))))
        ((string=? (step-name step) "fs-edit")
         (list "Now the tests again."
               (run-line (field (step-arguments (find-step "shell-exec" steps)) 'line))))
        (else (list "I do not know what to do next."))))

(define (find-step name steps)
  (any (lambda (step) (and (string=? (step-name step) name) step)) steps))

(define (look-for-tests)
  (list "I look at what is here, and for tests."
        '(call fs-list)
        '(call index-grep (path . ".") (pattern . "^(import|from) unittest") (glob . "*.py"))))

(define (after-search found tests)
  (cond ((null? found) (list "I find nothing that I could run or read."))
        (tests
         (list (string-append "It is in " (match-path (car found)) ".")
               (list 'call 'fs-read (cons 'path (match-path (car found))))))
        (else
         (list "I run the tests to see what fails."
               (run-line (string-append "python3 -B " (quoted (match-path (car found)))))))))

(define (run-line line)
  (list 'call 'shell-exec (cons 'line line)))

(define (after-tests text edited)
  (define passed? (string-prefix? "exit 0" text))
  (define name (called text))
  (cond ((and passed? edited)
         (list (string-append "The tests pass now. The loop in " (field (step-arguments edited) 'path)
                              " stopped one before the end, so that the last element was never looked at.")))
        (passed? (list "All tests pass: there is nothing to mend."))
        (edited (list "The tests still fail. I leave it to you: undo takes my change back."))
        (name
         (list (string-append "A test of " name " fails. Where is it defined?")
               (list 'call 'index-grep (cons 'path ".")
                     (cons 'pattern (string-append "^def " name "\\(")) (cons 'glob "*.py"))))
        (else (list "The tests fail, and I do not see what they call."))))

;; The name of the procedure whose value a failing test did not expect, or #f.
(define (called text)
  (let ((found (regexp-search '(: "assert" (+ alphabetic) "(" ($ (+ (or alphanumeric "_"))) "(") text)))
    (and found (regexp-match-submatch found 1))))

(define (after-reading text path name)
  (let* ((lines (regexp-split #\newline text))
         (line (any (lambda (line) (and (too-short line) line)) (body-of name lines))))
    (if line
        (list (string-append "The loop in " name " leaves out the last element.")
              (list 'call 'fs-edit (cons 'path path) (cons 'old line) (cons 'new (too-short line))))
        (list (string-append "I have read " path " and see no fault that I know.")))))

;; The lines of a procedure: from its definition to the next one.
(define (body-of name lines)
  (define (begins? line) (string-prefix? "def " line))
  (let next ((rest lines) (inside #f) (body '()))
    (cond ((null? rest) (reverse body))
          ((begins? (car rest))
           (next (cdr rest) (string-prefix? (string-append "def " name "(") (car rest)) body))
          (inside (next (cdr rest) #t (cons (car rest) body)))
          (else (next (cdr rest) #f body)))))

;; A line whose loop goes to one before the end, mended; #f for any other.
(define (too-short line)
  (and (regexp-search short-loop line)
       (regexp-replace short-loop line '("range(len(" 1 "))"))))

(define short-loop
  (regexp '(: "range(len(" ($ (+ (or alphanumeric "_"))) ") - 1)")))

;; What a search found, and where.
(define (matches text)
  (vector->list (field (json-read (open-input-string text)) 'matches)))

(define (match-path match) (field match 'path))

;; A path as one word of a shell line.
(define (quoted path)
  (if (regexp-matches '(+ (or alphanumeric "_" "." "/" "-")) path)
      path
      (string-append "'" (string-join (regexp-split #\' path) "'\\''") "'")))
