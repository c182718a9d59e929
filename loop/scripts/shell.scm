;; How the result of a shell command reads for a model: how it ended, what it printed with its middle cut, its errors.

(import (only (srfi 13) string-join))

(define shell-head 1500)       ; characters kept from the beginning of the output
(define shell-tail 6000)       ; and from its end

;; The text that stands in the window for a result of shell-exec.
(define (shell-text value seq)
  (string-append
   (how-ended value) "\n"
   (cut-middle (or-empty (field value 'output)) shell-head shell-tail seq)
   (section "[stderr]" (cut-middle (or-empty (field value 'errors)) shell-head shell-tail seq))
   (section "[notes]" (string-join (map shown (other-notes value)) "\n"))))

;; How a command ended. One that did not exit by itself has no status; the first note on it says what became of it.
(define (how-ended value)
  (let ((notes (listed (field value 'notes))))
    (cond ((exited? value) (string-append "exit " (shown (field value 'exit))))
          ((pair? notes) (shown (car notes)))
          (else "ended without an exit status"))))

(define (exited? value) (number? (field value 'exit)))

(define (other-notes value)
  (let ((notes (listed (field value 'notes))))
    (if (or (exited? value) (null? notes)) notes (cdr notes))))

(define (section title text)
  (if (string=? text "") "" (string-append "\n" title "\n" text)))

;; A long text without its middle; where it was, how much is missing and how to see it.
(define (cut-middle text head tail seq)
  (let ((length (string-length text)))
    (if (<= length (+ head tail))
        text
        (string-append
         (string-copy text 0 head)
         "\n[" (number->string (- length head tail)) " characters left out; (recall " (number->string seq)
         ") has them]\n"
         (string-copy text (- length tail))))))

(define (or-empty text) (if (string? text) text ""))

(define (listed value) (if (list? value) value '()))

(define (shown value)
  (if (string? value)
      value
      (let ((port (open-output-string)))
        (write value port)
        (get-output-string port))))
