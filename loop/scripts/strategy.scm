;; The strategy: what happens from a person's message to the end of the work on it.
;;
;; (run-turn) is called for each message. It asks the model, runs the calls in its reply, and goes on until the model
;; answers without a call, or a limit is reached. It returns how the turn ended: done, stopped, budget, error,
;; unanswered or idle, or a list of that and the reason.
;;
;; Every procedure here is looked up by its name when it is used: define it anew, or (advise! 'NAME …), and the next
;; step takes yours.

(import (only (srfi 1) any delete-duplicates filter last)
        (only (srfi 13) string-contains string-suffix? string-tokenize string-trim-both))

;; What the model is offered, as far as there is it here.
(define tools
  '(fs-read fs-list fs-find fs-write fs-edit shell-exec git-status git-diff git-log git-show
    index-grep index-search index-update recall plan-set project-notes project-notes-save))

;; Of these, what a model with a small context is not offered: their descriptions would fill a good part of it, and it can
;; do without.
(define spare-tools
  '(git-status git-diff git-log git-show index-update plan-set project-notes project-notes-save explore))

(define small-context 16000)   ; tokens

;; Calls that only look. They do not count as progress, and a sub-agent that explores has no others.
(define look-tools
  '(fs-read fs-list fs-find git-status git-diff git-log git-show index-grep index-search recall))

(define max-rounds 200)        ; requests in one turn
(define max-repeats 3)         ; replies with the same call and the same result, before the model is told
(define max-circles 12)        ; replies with the same call and the same result, before the turn ends
(define max-dead-ends 8)       ; rounds in a row in which every call failed
(define max-continuations 3)   ; replies in a row that were cut off at the model's limit

;; A field of what a primitive returned.
(define (field record name)
  (let ((entry (assq name record)))
    (and entry (cdr entry))))

;; What a turn has to remember from round to round.
(define-record-type <progress>
  (make-progress agent? rounds seen dead-ends cut-off nudged unanswered changed said)
  progress?
  (agent? progress-agent?)                                   ; whether it is a sub-agent's work
  (rounds progress-rounds set-progress-rounds!)
  (seen progress-seen set-progress-seen!)                    ; ((call . result) . times)
  (dead-ends progress-dead-ends set-progress-dead-ends!)
  (cut-off progress-cut-off set-progress-cut-off!)
  (nudged progress-nudged set-progress-nudged!)              ; whether it was told that its reply does nothing
  (unanswered progress-unanswered set-progress-unanswered!)  ; the last call that nobody could allow, or #f
  (changed progress-changed set-progress-changed!)           ; whether a file was written since the last second look
  (said progress-said set-progress-said!))                   ; the text of the latest reply

(define (new-progress agent?) (make-progress agent? 0 '() 0 0 #f #f #f ""))

(define (run-turn)
  (use-recipe (system-prompt) (offered tools))
  (rounds (new-progress #f)))

;; Of some tools, those that there are here and that the model has room for.
(define (offered tools)
  (let ((small? (< (field (window-policy) 'context) small-context)))
    (filter (lambda (tool) (and (tool? tool) (not (and small? (memq tool spare-tools))))) tools)))

;; Asks the model and does what it asks for, until the turn is over.
(define (rounds progress)
  (set-progress-rounds! progress (+ 1 (progress-rounds progress)))
  (cond ((> (progress-rounds progress) max-rounds)
         (list 'stopped (string-append "after " (number->string max-rounds) " rounds; say go on, and it will")))
        ((tidy-window))
        (else
         (when (and (progress-agent? progress) (eqv? (remaining 'rounds) 1))
           (say "This is your last request. Answer now, without a call, with what you found so far." 'last-request))
         (answer-reply (model-call) progress))))

(define (answer-reply reply progress)
  (let ((stop (field reply 'stop)) (calls (field reply 'calls)))
    (unless (string=? stop "failed") (set-progress-said! progress (field reply 'text)))
    (cond ((string=? stop "failed") (answer-failure reply progress))
          ((and (or (null? calls) (string=? stop "refusal")) (why-unusable reply)) => (lambda (why) (list 'stopped why)))
          ((pair? calls)
           (let ((results (run-calls (field reply 'seq) calls)))
             (for-each shape-result results)
             (watch-changes results progress)
             (or (dead-end results progress)
                 (watch-repeats calls results progress)
                 (rounds progress))))
          ((string=? stop "pause") (rounds progress))
          ((string=? stop "length") (answer-cut-off progress))
          ((progress-unanswered progress)
           => (lambda (name) (list 'unanswered (string-append name " needed the person's yes"))))
          ((and (not (progress-nudged progress)) (does-nothing reply progress))
           => (lambda (words)
                (set-progress-nudged! progress #t)
                (say words 'nothing-done)
                (rounds progress)))
          ((and second-look? (progress-changed progress) (not (progress-agent? progress)) (look-again))
           => (lambda (found)
                (set-progress-changed! progress #f)
                (say (string-append "A second look at the work says:\n" found) 'second-look)
                (rounds progress)))
          ((no-answer reply) => (lambda (why) (list 'idle why)))
          (else 'done))))

;; Why nothing can be built on a reply, or #f. Of a reason that is not known here it cannot be said that it is whole.
(define (why-unusable reply)
  (let ((stop (field reply 'stop)))
    (cond ((string=? stop "refusal") "the model refused to answer")
          ((member stop '("end" "calls" "length" "pause")) #f)
          (else (string-append "the model's reply ended for a reason that is not known here, " stop
                               ": it may not be whole")))))

;; Why a reply without a call is no answer, or #f.
(define (no-answer reply)
  (let ((text (field reply 'text)))
    (cond ((blank-text? text) "the model's last reply was empty")
          ((call-in-words? text) "the model's last reply has a call written as text, which was not run")
          (else #f))))

;; Smaller models end their turn without a word, write a call down in place of making it, or say what they will do and
;; do nothing. Returns what they are told, or #f.
(define (does-nothing reply progress)
  (let ((text (field reply 'text)))
    (cond ((blank-text? text)
           "Your reply was empty. If the task is done, say what you did; else go on.")
          ((call-in-words? text)
           "Your reply has a call written as text, which was not run. Make that call now, in the form in which the tools
that you were given are called: one call, with its name and its arguments.")
          ((or (announces? text) (and (null? (progress-seen progress)) (begins-announcing? text)))
           "You said what you will do, and called no tool. If the task needs work, begin it now, with a call. If it needs
none, answer the person.")
          (else #f))))

(define longest-announcement 500) ; characters
(define looked-at (* 2 longest-announcement)) ; characters of the beginning and the end of a reply

;; Whether a text ends with the announcement of work: "Now I will run the tests.", "Let me edit the file:".
(define (announces? text) (announcement? (last-sentence text)))

;; Whether it begins with one, and asks nothing at its end.
(define (begins-announcing? text)
  (and (announcement? (first-sentence text)) (not (asks? (last-sentence text)))))

(define (first-sentence text)
  (let ((beginning (sentences (substring text 0 (min looked-at (string-length text))))))
    (if (pair? beginning) (car beginning) "")))

(define (last-sentence text)
  (let ((end (sentences (substring text (max 0 (- (string-length text) looked-at))))))
    (if (pair? end) (last end) "")))

(define (asks? sentence) (string-suffix? "?" sentence))

(define (announcement? sentence)
  (and (<= (string-length sentence) longest-announcement) (announces-work? sentence)))

(define (announces-work? sentence)
  (let* ((words (filter (lambda (word) (not (member word spare-words))) (plain-words sentence)))
         (rest (any (lambda (beginning) (words-after beginning words)) announcing-words)))
    (and (pair? rest) (member (car rest) verbs-of-doing) (not (asks? sentence)) (not (waits-for-you? rest)))))

(define spare-words '("now" "next" "first" "then" "ok" "okay" "so" "also" "just"))

(define announcing-words
  '(("let" "me") ("i'll") ("i" "will") ("i" "need" "to") ("i'm" "going" "to") ("i" "am" "going" "to")))

(define verbs-of-doing
  '("add" "analyse" "analyze" "apply" "begin" "build" "change" "check" "continue" "create" "debug" "delete" "edit"
    "examine" "execute" "explore" "find" "fix" "implement" "inspect" "install" "investigate" "list" "locate" "look"
    "make" "mend" "modify" "move" "open" "read" "refactor" "remove" "rename" "replace" "review" "rewrite" "run"
    "scan" "search" "start" "test" "try" "update" "use" "verify" "view" "write"))

;; What of some words follows others that they begin with, or #f.
(define (words-after beginning words)
  (cond ((null? beginning) words)
        ((and (pair? words) (string=? (car beginning) (car words))) (words-after (cdr beginning) (cdr words)))
        (else #f)))

(define (waits-for-you? words)
  (and (pair? words)
       (or (and (member (car words) '("if" "when" "once" "unless" "until" "after")) (words-after '("you") (cdr words)))
           (waits-for-you? (cdr words)))))

;; The sentences of a text. Each ends with its line, or with a mark before a space.
(define (sentences text)
  (let ((end (string-length text)))
    (let next ((start 0) (at 0) (found '()))
      (define (with-this) (cons (string-trim-both (substring text start at)) found))
      (cond ((= at end)
             (filter (lambda (sentence) (not (blank-text? sentence))) (reverse (with-this))))
            ((or (char=? (string-ref text at) #\newline)
                 (and (> at 0)
                      (char-whitespace? (string-ref text at))
                      (memv (string-ref text (- at 1)) '(#\. #\! #\?))))
             (next (+ at 1) (+ at 1) (with-this)))
            (else (next start (+ at 1) found))))))

;; The words of a sentence, in small letters.
(define (plain-words sentence)
  (define (plain char)
    (cond ((char=? char #\x2019) #\')
          ((or (char-alphabetic? char) (char=? char #\')) (char-downcase char))
          (else #\space)))
  (string-tokenize (string-map plain sentence)))

(define (call-in-words? text)
  (define (has? part) (string-contains text part))
  (and (has? "\"name\"")
       (or (has? "\"arguments\"") (has? "\"parameters\""))
       (any (lambda (tool) (has? (string-append "\"" (symbol->string tool) "\""))) tools)))

(define (watch-changes results progress)
  (for-each (lambda (result)
              (when (and (field result 'ok) (member (field result 'name) '("fs-write" "fs-edit")))
                (set-progress-changed! progress #t)))
            results))

;; A request came to no reply. Retries were made already: what is left is to make it smaller, or to stop.
(define (answer-failure reply progress)
  (let ((kind (string->symbol (field reply 'failed))) (message (field reply 'text)))
    (case kind
      ((overflow)
       (or (shrink-window) (rounds progress)))
      ((budget) (list 'budget message))
      (else (list 'error message)))))

;; The reply ended at the model's own limit.
(define (answer-cut-off progress)
  (set-progress-cut-off! progress (+ 1 (progress-cut-off progress)))
  (cond ((> (progress-cut-off progress) max-continuations)
         (list 'stopped "the model's replies were cut off at its limit again and again"))
        (else
         (say "Your reply was cut off at its limit; a call that was cut was not run. Go on from there, in smaller steps."
              'cut-off)
         (rounds progress))))

;; Runs the calls of a reply, in their order; neighbours that only look go side by side. Returns their results.
(define (run-calls reply calls)
  (define (look? call) (memq (string->symbol (field call 'name)) look-tools))
  (define (id call) (field call 'id))
  (let next ((calls calls) (results '()))
    (if (null? calls)
        results
        (let ((together (or (first-run look? calls) (list (car calls)))))
          (next (list-tail calls (length together))
                (append results (call-tools reply (map id together))))))))

;; The longest beginning of a list whose elements all satisfy a predicate; #f when the first does not.
(define (first-run wanted? items)
  (let next ((rest items) (run '()))
    (if (and (pair? rest) (wanted? (car rest)))
        (next (cdr rest) (cons (car rest) run))
        (and (pair? run) (reverse run)))))

;; A model that sees nothing but failures will not find out by itself.
(define (dead-end results progress)
  (define (any? name) (memv #t (map (lambda (result) (field result name)) results)))
  (let ((unanswered (filter (lambda (result) (field result 'unanswered)) results)))
    (set-progress-unanswered! progress (and (pair? unanswered) (field (car unanswered) 'name))))
  (set-progress-dead-ends! progress (if (any? 'ok) 0 (+ 1 (progress-dead-ends progress))))
  (set-progress-cut-off! progress 0)
  (set-progress-nudged! progress #f)
  (and (>= (progress-dead-ends progress) max-dead-ends)
       (if (progress-unanswered progress)
           (list 'unanswered (string-append (progress-unanswered progress) " needed the person's yes"))
           (list 'stopped (string-append "every call failed, " (number->string max-dead-ends) " rounds in a row")))))

;; The same call with the same result once more: the model is told, once for each; one that does not leave it off then
;; is stopped. Equal calls of one reply are one: it was made before any result was seen. Returns that ending, or #f.
(define (watch-repeats calls results progress)
  (define (with-result call result)
    (cons (list (field call 'name) (field call 'arguments)) (field result 'value)))
  (any (lambda (what) (watch-repeat (caar what) (times-seen what progress)))
       (delete-duplicates (map with-result calls results))))

(define (watch-repeat name times)
  (define (again beginning)
    (string-append beginning " " (number->string times) " times with the same arguments, and the result was the same"
                   " each time"))
  (when (= times max-repeats)
    (say (string-append (again (string-append "You have called " name))
                        ". Do something else, or say what is missing.")
         'repeat))
  (and (>= times max-circles)
       (list 'stopped (again (string-append name " was called")))))

;; Counts a call with its result, ((name arguments) . value); returns how often they came so far in the turn.
(define (times-seen what progress)
  (let* ((before (assoc what (progress-seen progress)))
         (times (+ 1 (if before (cdr before) 0))))
    (if before
        (set-cdr! before times)
        (set-progress-seen! progress (cons (cons what times) (progress-seen progress))))
    times))

;; Asks a sub-agent, which has its own window, to do a task; returns its answer. Limits are an association list, such as
;; ((rounds . 20)); they lie within the turn's.
(define (run-agent name task tools limits)
  (call-as-agent name task tools (leaving-a-round limits)
    (lambda ()
      (use-recipe (agent-prompt (shown name)) (offered tools))
      (let ((progress (new-progress #t)))
        (agent-answer name (rounds progress) (progress-said progress))))))

;; Limits under which whoever asks the sub-agent still has a round left to use its answer.
(define (leaving-a-round limits)
  (let ((left (remaining 'rounds)) (own (field limits 'rounds)))
    (if left
        (cons (cons 'rounds (max 0 (min (- left 1) (or own left))))
              (filter (lambda (limit) (not (eq? (car limit) 'rounds))) limits))
        limits)))

;; What a sub-agent's work came to that ended so: how, and its answer: what it said last, or why that is none.
(define (agent-answer name ending text)
  (let ((how (if (pair? ending) (car ending) ending)) (silent? (blank-text? text)))
    (list
     how
     (if (or (eq? how 'done) (and (eq? how 'unanswered) (not silent?)))
         text
         (string-append (shown name) " came to no answer: " (if (pair? ending) (cadr ending) (symbol->string how))
                        (if silent? "" (string-append "\nThe last that it said: " text)))))))

;; /compact: the conversation goes on from a note.
(define (compact)
  (use-recipe (system-prompt) (offered tools))
  (cond ((null? (window-entries)) '(done "there is nothing to compact: nothing was said so far"))
        ((not (worth-a-note? (window-entries)))
         '(done "there is nothing to compact: nothing was said since the last note"))
        (else (or (hand-over) 'done))))
