;; A second look at the work before a turn ends, by a sub-agent that has seen nothing of how it was done. It is off until
;; (set! second-look? #t), in init.scm or at the prompt, since it costs a few requests.

(import (only (srfi 13) string-prefix?))

(define second-look? #f)
(define second-look-tools look-tools)
(define second-look-limits '((rounds . 20)))

;; Returns #f when there is nothing to say, else what was found.
(define (look-again)
  (let ((answer (run-agent "second look" (second-look-task) second-look-tools second-look-limits)))
    (if (string-prefix? "OK" answer) #f answer)))

(define (second-look-task)
  (string-append
   "Somebody was asked to do this in the project that you are in:\n\n" (or-empty (turn-message)) "\n\nThey say that it is"
   " done. Look at what they changed (git-status, git-diff, or the files), and judge whether it does what was asked,"
   " whole and correctly. Answer OK, alone, or what is wrong or missing, in few lines, with paths and line numbers."))
