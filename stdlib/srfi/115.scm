;; What is syntax, or calls procedures of the program. The rest of the library is the host's.

(define-syntax rx
  (syntax-rules ()
    ((_ sre ...) (regexp `(: sre ...)))))

(define regexp-fold
  (case-lambda
    ((re kons knil str)
     (regexp-fold re kons knil str (lambda (i match str acc) acc)))
    ((re kons knil str finish)
     (regexp-fold re kons knil str finish 0 (string-length str)))
    ((re kons knil str finish start)
     (regexp-fold re kons knil str finish start (string-length str)))
    ((re kons knil str finish start end)
     (let ((re (regexp re))
           (end (or end (string-length str))))
       (let loop ((place start) (last start) (taken -1) (acc knil))
         (let ((match (%regexp-search-from re str place start end taken)))
           (if match
               (let* ((match-start (regexp-match-submatch-start match 0))
                      (match-end (regexp-match-submatch-end match 0))
                      (acc (kons last match str acc)))
                 (loop (if (= match-start match-end) (+ match-end 1) match-end)
                       match-end
                       match-end
                       acc))
               (finish last #f str acc))))))))
