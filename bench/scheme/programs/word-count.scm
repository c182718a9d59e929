;;; Counting words in a hash table with string keys, then with integer keys.
(import (scheme base) (srfi 69))

(define words
  '#("the" "quick" "brown" "fox" "jumps" "over" "lazy" "dog" "and" "runs" "away" "from" "a" "bear" "that" "sleeps"))

(define (count-words n)
  (let ((counts (make-hash-table equal?)))
    (do ((i 0 (+ i 1))
         (seed 17 (modulo (+ (* seed 1664525) 1013904223) 4294967296)))
        ((= i n)
         (+ (hash-table-ref/default counts "the" 0)
            (* 100000 (hash-table-ref/default counts "bear" 0))))
      (let ((word (vector-ref words (quotient seed 268435456))))
        (hash-table-update!/default counts word (lambda (count) (+ count 1)) 0)))))

(define (count-remainders n)
  (let ((counts (make-hash-table equal?)))
    (do ((i 0 (+ i 1)))
        ((= i n)
         (hash-table-fold counts (lambda (key count sum) (+ sum (* key count))) 0))
      (let ((key (modulo (* i i) 1009)))
        (hash-table-set! counts key (+ 1 (hash-table-ref/default counts key 0)))))))

(define (run)
  (+ (count-words 300000) (count-remainders 150000)))
