;; A strategy from scratch, to take the place of the shipped one.
;;
;; Put it into the configuration directory as loop/strategy.scm (`nodwyn doctor` says where that is); the next
;; conversation works by it. It plans first, without tools, and then works until the model calls nothing more.

(define planning
  "You are a careful engineer. Say in at most five numbered steps what you would do. Do nothing yet.")

(define working
  "You are a careful engineer in the root of a project. Follow your plan with the tools. Run what shows that it works.")

(define my-tools '(fs-find fs-read fs-edit fs-write index-grep shell-exec))

(define (part record name) (cdr (assq name record)))

(define (run-turn)
  (use-recipe planning '())
  (let ((plan (model-call)))
    (if (string=? (part plan 'stop) "failed")
        (list 'error (part plan 'text))
        (begin
          (use-recipe working my-tools)
          (say "Now do it." 'go)
          (work 1)))))

(define (work round)
  (let ((reply (model-call)))
    (cond ((string=? (part reply 'stop) "failed") (list 'error (part reply 'text)))
          ((null? (part reply 'calls)) 'done)
          ((= round 40) (list 'stopped "after 40 rounds"))
          (else
           (call-tools (part reply 'seq)
                       (map (lambda (call) (part call 'id)) (part reply 'calls)))
           (work (+ round 1))))))
