;;; A state machine of four procedures that tail-call each other: it reads a program text as outside, word, number
;;; or comment.
(import (scheme base) (scheme char))

(define text
  (let loop ((i 0) (parts '()))
    (if (= i 15000)
        (apply string-append parts)
        (loop (+ i 1) (cons "let total = price * 42 + tax27 ; a comment runs to the end\nprint total " parts)))))

(define end (string-length text))

(define (outside i words numbers comments)
  (if (= i end)
      (+ words (* 1000 numbers) (* 1000000 comments))
      (let ((c (string-ref text i)))
        (cond ((char-alphabetic? c) (word (+ i 1) (+ words 1) numbers comments))
              ((char-numeric? c) (number (+ i 1) words (+ numbers 1) comments))
              ((char=? c #\;) (comment (+ i 1) words numbers (+ comments 1)))
              (else (outside (+ i 1) words numbers comments))))))

(define (word i words numbers comments)
  (if (= i end)
      (outside i words numbers comments)
      (let ((c (string-ref text i)))
        (if (or (char-alphabetic? c) (char-numeric? c))
            (word (+ i 1) words numbers comments)
            (outside i words numbers comments)))))

(define (number i words numbers comments)
  (if (and (< i end) (char-numeric? (string-ref text i)))
      (number (+ i 1) words numbers comments)
      (outside i words numbers comments)))

(define (comment i words numbers comments)
  (cond ((= i end) (outside i words numbers comments))
        ((char=? (string-ref text i) #\newline) (outside (+ i 1) words numbers comments))
        (else (comment (+ i 1) words numbers comments))))

(define (run) (outside 0 0 0 0))
