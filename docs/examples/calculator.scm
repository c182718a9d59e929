;;; A calculator for exact arithmetic: text is read from a port, one character ahead, by procedures that mirror the
;;; grammar, and computed as it is read. Mistakes are conditions, and the calculator goes on with the next line.

(import (scheme base) (scheme char) (scheme write))

;;; expression = term { ("+" | "-") term }
;;; term       = factor { ("*" | "/") factor }
;;; factor     = number | "-" factor | "(" expression ")"

(define (peek port)
  (let ((char (peek-char port)))
    (cond ((eof-object? char) #\.)
          ((char-whitespace? char) (read-char port) (peek port))
          (else char))))

(define (accept? port . chars)
  (and (memv (peek port) chars)
       (read-char port)))

(define (expression port)
  (let loop ((value (term port)))
    (case (accept? port #\+ #\-)
      ((#\+) (loop (+ value (term port))))
      ((#\-) (loop (- value (term port))))
      (else value))))

(define (term port)
  (let loop ((value (factor port)))
    (case (accept? port #\* #\/)
      ((#\*) (loop (* value (factor port))))
      ((#\/) (loop (/ value (factor port))))
      (else value))))

(define (factor port)
  (cond ((accept? port #\-) (- (factor port)))
        ((accept? port #\()
         (let ((value (expression port)))
           (unless (accept? port #\))
             (error "a parenthesis is not closed"))
           value))
        ((char-numeric? (peek port)) (number port 0))
        (else (error "a number is missing before" (peek port)))))

(define (number port value)
  (let ((char (peek-char port)))
    (if (and (char? char) (char-numeric? char))
        (number port (+ (* 10 value) (digit-value (read-char port))))
        value)))

(define (calculate line)
  (let* ((port (open-input-string line))
         (value (expression port)))
    (unless (char=? (peek port) #\.)
      (error "this cannot follow:" (peek port)))
    value))

(define (answer line)
  (display line)
  (display " = ")
  (guard (condition
          ((error-object? condition)
           (display (error-object-message condition))
           (for-each
            (lambda (irritant) (display " ") (display irritant))
            (error-object-irritants condition))))
    (write (calculate line)))
  (newline))

(for-each answer
  '("1 + 2 * 3"
    "(1 + 2) * 3"
    "1/3 + 1/6"
    "-(2 - 5) * 100000000000000000000"
    "7 / (3 - 3)"
    "2 * (3 + 4"
    "2 * * 3"
    "1 2"))
