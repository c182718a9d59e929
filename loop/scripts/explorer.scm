;; An explorer: a sub-agent that only looks, so that what it reads does not fill the window of who asks.

(define explorer-tools look-tools)
(define explorer-limits '((rounds . 30)))

(define (explore task)
  (run-agent "explorer" task explorer-tools explorer-limits))

(offer-tool 'explore
  "Have a sub-agent look into a question about this project and answer it in few words, with paths and line numbers. It
can read, find and search, and changes nothing. Use it for what needs many looks and has a short answer; for a look or two
look yourself. It knows nothing but the task: say all that it needs."
  '((task string "the question, complete in itself"))
  (lambda (arguments) (explore (field arguments 'task))))

(set! tools (append tools '(explore)))
