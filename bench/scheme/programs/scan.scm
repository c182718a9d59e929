;;; Looking at every character of a string, by index and by string-for-each.
(import (scheme base) (scheme char))

(define text
  (let loop ((i 0) (parts '()))
    (if (= i 2000)
        (apply string-append parts)
        (loop (+ i 1) (cons "The quick brown fox, 42 of them, jumps over the lazy dog. " parts)))))

(define (count-words text)
  (let ((end (string-length text)))
    (let loop ((i 0) (inside #f) (words 0))
      (if (= i end)
          (if inside (+ words 1) words)
          (let ((c (string-ref text i)))
            (if (or (char=? c #\space) (char=? c #\,) (char=? c #\.))
                (loop (+ i 1) #f (if inside (+ words 1) words))
                (loop (+ i 1) #t words)))))))

(define (count-vowels text)
  (let ((vowels 0))
    (string-for-each
     (lambda (c)
       (case c ((#\a #\e #\i #\o #\u) (set! vowels (+ vowels 1)))))
     text)
    vowels))

(define (sum-digits text)
  (let ((end (string-length text)))
    (do ((i 0 (+ i 1))
         (sum 0 (let ((c (string-ref text i)))
                  (if (char-numeric? c) (+ sum (digit-value c)) sum))))
        ((= i end) sum))))

(define (run)
  (let loop ((round 0) (sum 0))
    (if (= round 12)
        sum
        (loop (+ round 1) (+ sum (count-words text) (count-vowels text) (sum-digits text))))))
