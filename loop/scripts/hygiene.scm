;; What the window keeps. Nothing is ever lost by it: the log has everything, and recall brings it back.
;;
;; A change of what the model has already seen costs the provider's cache of the conversation. So nothing is changed
;; until the window is filled to a part of what the model takes, and then enough at once:
;;   at fold-at      old file reads are shown as an outline, repeated reads as a pointer;
;;   at elide-at     the oldest results become stubs, down to low_water;
;;   at high_water   the model writes a handover note, and the conversation goes on from it.
;; What alone is longer than the model takes, as a very long reply, is cut: no note could be asked for while it stands.

(import (only (srfi 1) any drop filter take) (only (srfi 13) string-join string-prefix?)
        (only (srfi 69) hash-table-ref/default hash-table-set! make-hash-table))

(define fold-at 0.5)           ; parts of the context
(define elide-at 0.65)
(define kept-rounds 6)         ; the latest results that stay as they are
(define worth-eliding 150)     ; tokens below which a stub would gain nothing
(define worth-a-stub 40)       ; tokens below which a stub is as long as what it stands for
(define worth-a-break 0.15)    ; the part of the context that a change must free

(define (tokens-of entry) (field entry 'tokens))

;; Called before each request. Returns #f, or how the turn ends when it cannot make room, as run-turn does.
(define (tidy-window)
  (let* ((policy (window-policy)) (context (field policy 'context)))
    (define (enough? entries) (> (total-tokens entries) (* worth-a-break context)))
    (when (and (> (window-size) (* fold-at context)) (enough? (old-reads))) (fold-old-reads))
    (when (and (> (window-size) (* elide-at context)) (enough? (old-results (window-entries))))
      (elide-down-to (field policy 'low_water)))
    (and (> (window-size) (field policy 'high_water))
         (hand-over))))

;; The request was too long for the model, whatever our estimate says. Returns as tidy-window does.
(define (shrink-window)
  (if (halve-window) #f (hand-over)))

;; Takes away or cuts what can be, down to half of what there is. Returns whether that is a good part of it.
(define (halve-window)
  (let* ((size (window-size)) (half (quotient size 2)))
    (define (enough?) (< (window-size) (* 0.8 size)))
    (fold-old-reads)
    (elide-down-to half)
    (unless (enough?) (cut-down-to half))
    (enough?)))

;; Gives a fresh result the form in which a model reads it.
(define (shape-result result)
  (when (and (field result 'ok) (string=? (field result 'name) "shell-exec"))
    (fold-result (field result 'seq) (shell-text (field result 'value) (field result 'seq)) 'shell)))

;; Of what the window holds, the results that the model has replied to, but for the latest ones; the oldest first.
(define (old-results entries)
  (let ((results (filter (lambda (entry) (and (string=? (field entry 'kind) "tool.result")
                                              (field entry 'answered)
                                              (not (field entry 'elided))))
                         entries)))
    (take results (max 0 (- (length results) kept-rounds)))))

;; Of the old results, the reads of files that are still shown as they were.
(define (old-reads)
  (filter (lambda (entry) (and (equal? (field entry 'name) "fs-read")
                               (not (field entry 'folded))
                               (> (tokens-of entry) worth-eliding)))
          (old-results (window-entries))))

(define (total-tokens entries) (apply + (map tokens-of entries)))

;; Old reads become outlines; a file that was read again later becomes a pointer to that.
(define (fold-old-reads)
  (let ((latest (latest-reads (window-entries))))
    (for-each (lambda (entry) (fold-read entry (hash-table-ref/default latest (field entry 'arguments) #f)))
              (old-reads))))

(define (fold-read entry latest)
  (let ((path (or-empty (field (field entry 'arguments) 'path))) (seq (field entry 'seq)))
    (if (and latest (> latest seq))
        (fold-result seq (string-append "[" path " was read again later: seq=" (number->string latest) "]") 'read-again)
        (fold-result seq (outline path seq) 'outline))))

;; By the arguments of each read, the seq of the latest one that has them.
(define (latest-reads entries)
  (let ((latest (make-hash-table equal?)))
    (for-each (lambda (entry)
                (when (equal? (field entry 'name) "fs-read")
                  (hash-table-set! latest (field entry 'arguments) (field entry 'seq))))
              entries)
    latest))

(define most-outlined 60)      ; lines of an outline

;; The lines of a file that begin something, with their numbers.
(define (outline path seq)
  (let* ((all (result-lines seq))
         (kept (filter (lambda (line) (begins-something? (cdr line))) all))
         (shown (if (> (length kept) most-outlined) (take kept most-outlined) kept)))
    (string-append
     "[outline of " path ", " (number->string (length all)) " lines; (fs-read \"" path "\") has the text as it is now,"
     " (recall " (number->string seq) ") as it was]\n"
     (string-join (map (lambda (line) (string-append (number->string (car line)) ": " (cdr line))) shown) "\n"))))

(define declarations
  '("def " "class " "func " "function " "fn " "pub " "type " "struct " "enum " "trait " "impl " "interface " "export "
    "const " "var " "let " "module " "package " "(define" "# " "## " "### " "async " "static " "public " "private "))

(define (begins-something? line)
  (let next ((words declarations))
    (and (pair? words)
         (or (string-prefix? (car words) line) (next (cdr words))))))

;; The lines of a recorded result, numbered from 1.
(define (result-lines seq)
  (let next ((port (open-input-string (result-text seq))) (number 1) (lines '()))
    (let ((line (read-line port)))
      (if (eof-object? line)
          (reverse lines)
          (next port (+ number 1) (cons (cons number line) lines))))))

;; The oldest results become stubs until the window is no larger than so many tokens.
(define (elide-down-to tokens)
  (let next ((entries (old-results (window-entries))) (size (window-size)) (chosen '()))
    (cond ((or (null? entries) (<= size tokens))
           (elide-all (reverse chosen) 'budget))
          ((> (tokens-of (car entries)) worth-eliding)
           (next (cdr entries) (- size (tokens-of (car entries))) (cons (field (car entries) 'seq) chosen)))
          (else (next (cdr entries) size chosen)))))

(define most-elided 1000)      ; events that one elision may name

(define (elide-all seqs rule)
  (if (> (length seqs) most-elided)
      (begin (elide (take seqs most-elided) rule)
             (elide-all (drop seqs most-elided) rule))
      (elide seqs rule)))

(define worth-cutting 1100)    ; tokens below which nothing is cut, as what a note carries is
(define cut-head 1000)         ; characters that a cut leaves of the beginning
(define cut-tail 500)          ; and of the end

;; The longest of what the window holds is cut, until that is no larger than so many tokens. What the model has replied
;; to becomes a stub; the latest results are shown by their ends; a note takes the place of the latest reply, or of a
;; message of the person's that is not what the turn works on.
(define (cut-down-to tokens)
  (let next ((tried '()))
    (when (> (window-size) tokens)
      (let* ((entries (window-entries))
             (longest (longest-of (filter (lambda (entry) (and (> (tokens-of entry) worth-cutting)
                                                               (not (memv (field entry 'seq) tried))
                                                               (can-be-cut? entry entries)))
                                          entries))))
        (when longest
          (cut-entry longest entries)
          (next (cons (field longest 'seq) tried)))))))

(define (longest-of entries)
  (let next ((entries entries) (longest #f))
    (cond ((null? entries) longest)
          ((or (not longest) (> (tokens-of (car entries)) (tokens-of longest))) (next (cdr entries) (car entries)))
          (else (next (cdr entries) longest)))))

(define (can-be-cut? entry entries)
  (let ((kind (field entry 'kind)))
    (and (not (field entry 'elided))
         (cond ((string=? kind "attachment") (field entry 'answered))
               ((string=? kind "user.msg") (not (eqv? (field entry 'seq) (message-under-way entries))))
               (else (member kind '("llm.resp" "tool.result")))))))

;; The seq of the person's message that the turn works on, or #f.
(define (message-under-way entries)
  (let ((said (filter (lambda (entry) (string=? (field entry 'kind) "user.msg")) entries)))
    (and (turn-message) (pair? said) (field (car (reverse said)) 'seq))))

(define (cut-entry entry entries)
  (let ((seq (field entry 'seq)) (kind (field entry 'kind)))
    (cond ((string=? kind "user.msg") (narrow seq seq (cut-note "a message of the person's" entry '())))
          ((field entry 'answered) (elide (list seq) 'overflow))
          ((string=? kind "tool.result")
           (fold-result seq (cut-middle (result-text seq) cut-head cut-tail seq) 'overflow))
          (else
           (let ((results (results-of seq entries)))
             (narrow seq (apply max seq results) (cut-note "a reply of yours" entry results)))))))

;; The seqs of what became of the calls in the latest reply.
(define (results-of reply entries)
  (filter (lambda (seq) (> seq reply))
          (map (lambda (entry) (field entry 'seq))
               (filter (lambda (entry) (member (field entry 'kind) '("tool.result" "interruption" "tool.call")))
                       entries))))

(define (cut-note what entry results)
  (let ((seq (field entry 'seq)))
    (string-append
     "Here stood " what " of about " (number->string (tokens-of entry)) " tokens, which is too long to be shown. It"
     " begins so:\n" (cut-middle (recall seq) cut-head 0 seq)
     (if (null? results) "" "\nThe results of its calls: ")
     (string-join (map (lambda (each) (string-append "(recall " (number->string each) ")")) results) ", "))))

(define handover-request
  "The conversation is about to be shortened: you will go on from the note that you write now, without what came before.
Write a handover note, and call no tool. Say: what the person wants, word for word where it matters; what was done, with
paths; what was found out that took effort; what is decided; what is left, in order; what must not be forgotten. Leave
out what a look at the files shows. Begin with the state of the work.")

(define handover-again "That was no note, and no call in it was run. Write the note now, in words.")

;; Whether anything was said or done that no note stands for so far.
(define (worth-a-note? entries)
  (any (lambda (entry) (or (member (field entry 'kind) '("llm.resp" "tool.result" "attachment" "summary"))
                           (> (tokens-of entry) worth-cutting)))
       entries))

(define frees-enough 0.8)      ; a note must leave at most this part of what there was
(define futile-notes 0)        ; notes in a row that freed too little

;; Has the model write a note, from which the conversation goes on. Returns #f, or how the turn ends when that does not
;; help.
(define (hand-over)
  (let* ((before (window-size)) (entries (begin (make-room-to-ask) (window-entries))))
    (cond ((null? entries) #f)
          ((too-long-message entries))
          (else
           (let ((reply (ask-for-note)))
             (cond ((string=? (field reply 'stop) "failed")
                    (no-note (if (equal? (field reply 'failed) "budget") 'budget 'error) (field reply 'text)))
                   ((why-unusable reply) => (lambda (why) (no-note 'stopped why)))
                   ((blank-text? (field reply 'text))
                    (no-note 'error "the model wrote no note"))
                   (else
                    (narrow (field (car entries) 'seq) (field reply 'seq) (field reply 'text))
                    (judge-note before (window-size)))))))))

;; How the turn ends when the message that it works on leaves no room for anything, or #f.
(define (too-long-message entries)
  (let* ((seq (message-under-way entries))
         (entry (and seq (longest-of (filter (lambda (entry) (eqv? (field entry 'seq) seq)) entries))))
         (context (field (window-policy) 'context)))
    (and entry
         (> (window-size) context)
         (> (* 2 (tokens-of entry)) context)
         (list 'error
               (string-append
                "your message has about " (number->string (tokens-of entry)) " tokens, and the model takes "
                (number->string context) " with all the rest. Put the text into a file and name that, send less, or"
                " take a model that takes more; context in models.toml says what one takes")))))

;; Where the request for a note would be too long itself.
(define (make-room-to-ask)
  (let ((policy (window-policy)))
    (when (> (window-size) (field policy 'context))
      (elide-all (map (lambda (entry) (field entry 'seq)) (old-words (window-entries))) 'overflow)
      (cut-down-to (field policy 'high_water)))))

;; What stands in the way of a request for a note, where the model takes less than the one before, or a conversation was
;; never shortened: all replies and results but the latest.
(define (old-words entries)
  (let ((old (filter (lambda (entry) (and (member (field entry 'kind) '("llm.resp" "tool.result" "attachment"))
                                          (field entry 'answered)
                                          (not (field entry 'elided))
                                          (> (tokens-of entry) worth-a-stub)))
                     entries)))
    (take old (max 0 (- (length old) kept-rounds)))))

;; Returns the reply that has the note. A model that goes on calling tools instead is told so once.
(define (ask-for-note)
  (say handover-request 'handover)
  (let ((reply (call-for-note)))
    (if (or (blank-text? (field reply 'text)) (pair? (field reply 'calls)))
        (begin (say handover-again 'handover)
               (model-call))
        reply)))

;; The reply to what was just said; the window is made smaller as long as that is too long for the model, and can be.
(define (call-for-note)
  (let ((reply (model-call)))
    (if (and (equal? (field reply 'failed) "overflow") (halve-window))
        (call-for-note)
        reply)))

(define (no-note how why)
  (say "There will be no note now. Go on as before." 'handover)
  (list how (string-append "the conversation could not be shortened: " why)))

(define (judge-note before after)
  (set! futile-notes (if (> after (* frees-enough before)) (+ futile-notes 1) 0))
  (and (>= futile-notes 2)
       (begin
         (set! futile-notes 0)
         (list
          'error
          (string-append
           "two handover notes in a row freed too little: " (number->string before) " tokens before, "
           (number->string after) " after. Begin a new session, or take a model that takes more")))))
