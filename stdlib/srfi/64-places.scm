;;; Of what a runner of SRFI 64 writes, for the tests of several.

;; A text without the lines that say where a test is: these depend on the directory.
(define (without-places text)
  (let ((in (open-input-string text)) (out (open-output-string)))
    (let loop ((line (read-line in)))
      (cond ((eof-object? line) (get-output-string out))
            ((and (> (string-length line) 6) (string=? (string-copy line 0 6) "  at: ")) (loop (read-line in)))
            (else
             (write-string line out)
             (newline out)
             (loop (read-line in)))))))
