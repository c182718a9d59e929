(import (scheme base) (scheme char) (srfi 64) (srfi 132))

(define (by-car a b) (< (car a) (car b)))
(define (less? a b) (< a b))

;; A generator of the same numbers at every run.
(define (numbers count below)
  (let loop ((count count) (seed 42) (made '()))
    (if (= count 0)
        made
        (let ((seed (modulo (+ (* seed 1103515245) 12345) 2147483648)))
          (loop (- count 1) seed (cons (modulo (quotient seed 65536) below) made))))))

(define (insertion-sorted lis)
  (let loop ((rest lis) (sorted '()))
    (if (null? rest)
        sorted
        (loop (cdr rest)
              (let place ((sorted sorted))
                (if (or (null? sorted) (<= (car rest) (car sorted)))
                    (cons (car rest) sorted)
                    (cons (car sorted) (place (cdr sorted)))))))))

(test-begin "srfi-132")

(test-group "sortedness"
  (test-assert (list-sorted? < '()))
  (test-assert (list-sorted? < '(1)))
  (test-assert (list-sorted? < '(1 2 2 3)))
  (test-assert (not (list-sorted? < '(1 3 2))))
  (test-assert (vector-sorted? < '#()))
  (test-assert (vector-sorted? < '#(1 2 2 3)))
  (test-assert (not (vector-sorted? < '#(1 3 2))))
  (test-assert (vector-sorted? < '#(9 1 2 0) 1 3))
  (test-assert (vector-sorted? < '#(9 1 2) 1)))

(test-group "lists and vectors of every short length are sorted"
  (do ((length 0 (+ length 1)))
      ((= length 40))
    (let* ((lis (numbers length 20))
           (sorted (insertion-sorted lis)))
      (for-each
       (lambda (sort) (test-equal sorted (sort less? (list-copy lis))))
       (list list-sort list-stable-sort list-sort! list-stable-sort!))
      (test-equal sorted (list-sort < lis))
      (for-each
       (lambda (sort) (test-equal sorted (vector->list (sort less? (list->vector lis)))))
       (list vector-sort vector-stable-sort))
      (for-each
       (lambda (sort!)
         (let ((v (list->vector lis)))
           (sort! less? v)
           (test-equal sorted (vector->list v))))
       (list vector-sort! vector-stable-sort!)))))

(test-group "sorts keep the order of equal elements"
  (let* ((keys (numbers 200 10))
         (pairs (let loop ((keys keys) (index 0))
                  (if (null? keys)
                      '()
                      (cons (cons (car keys) index) (loop (cdr keys) (+ index 1))))))
         (strict (lambda (a b)
                   (or (< (car a) (car b))
                       (and (= (car a) (car b)) (< (cdr a) (cdr b)))))))
    (test-assert (list-sorted? strict (list-stable-sort by-car pairs)))
    (test-assert (vector-sorted? strict (vector-stable-sort by-car (list->vector pairs))))))

(test-group "the orders of builtins"
  (test-equal '(-1 1/2 0.75 3) (list-sort < '(3 0.75 -1 1/2)))
  (test-equal '(3 2 1) (list-sort > '(1 3 2)))
  (test-equal '("a" "b" "c") (list-sort string<? '("c" "a" "b")))
  (test-equal '("c" "b" "a") (list-sort string>? '("c" "a" "b")))
  (test-equal '("a" "B" "c") (list-sort string-ci<? '("c" "a" "B")))
  (test-equal '(#\a #\b) (list-sort char<? '(#\b #\a)))
  (test-equal '(#\b #\A) (list-sort char-ci>? '(#\A #\b)))
  (test-error #t (list-sort < '(1 a)))
  (test-error #t (list-sort string<? '("a" b)))
  (test-error #t (vector-sort < (vector 1 "2"))))

(test-group "sorting does not alter its argument unless it may"
  (let ((lis (list 3 1 2)) (v (vector 3 1 2)))
    (list-sort < lis)
    (vector-sort < v)
    (list-sort less? lis)
    (vector-sort less? v)
    (test-equal '(3 1 2) lis)
    (test-equal '#(3 1 2) v)))

(test-group "ranges"
  (test-equal '#(1 2 3) (vector-sort < '#(9 3 2 1 0) 1 4))
  (test-equal '#(0 1 2 3) (vector-sort less? '#(9 3 2 1 0) 1))
  (let ((v (vector 9 3 2 1 0)))
    (vector-sort! < v 1 4)
    (test-equal '#(9 1 2 3 0) v)
    (vector-sort! less? v 3)
    (test-equal '#(9 1 2 0 3) v))
  (test-error #t (vector-sort < '#(1 2) 3))
  (test-error #t (vector-sort < '#(1 2) 1 0))
  (test-error #t (vector-sort! < (vector 1 2) 0 3)))

(test-group "wrong arguments"
  (test-error #t (list-sort < '#(1 2)))
  (test-error #t (list-sort '(1 2) <))
  (test-error #t (list-sort less? '(1 . 2)))
  (test-error #t (vector-sort < '(1 2)))
  (let ((ring (list 1 2)))
    (set-cdr! (cdr ring) ring)
    (test-error #t (list-sort < ring))
    (test-error #t (list-sort less? ring))
    (test-error #t (list-sorted? < ring))
    (test-error #t (list-merge < ring '(1)))
    (test-error #t (list-merge! < '(1) ring))
    (test-error #t (list-delete-neighbor-dups = ring))
    (test-error #t (list-delete-neighbor-dups! = ring))))

(test-group "merging lists"
  (test-equal '(1 2 3 4 5) (list-merge < '(1 3 5) '(2 4)))
  (test-equal '(1 2) (list-merge < '() '(1 2)))
  (test-equal '(1 2) (list-merge < '(1 2) '()))
  (test-equal '((1 . a) (1 . b) (2 . a) (2 . b)) (list-merge by-car '((1 . a) (2 . a)) '((1 . b) (2 . b))))
  (test-equal '((1 . a) (1 . b) (2 . a) (2 . b))
    (list-merge! by-car (list '(1 . a) '(2 . a)) (list '(1 . b) '(2 . b))))
  (let* ((first (list 1 3)) (second (list 2 4)) (merged (list-merge! < first second)))
    (test-equal '(1 2 3 4) merged)
    (test-eq first merged))
  (test-equal '() (list-merge! < '() '())))

(test-group "merging vectors"
  (test-equal '#(1 2 3 4 5) (vector-merge < '#(1 3 5) '#(2 4)))
  (test-equal '#(3 4 5) (vector-merge < '#(1 3 5) '#(2 4) 1 3 1))
  (test-equal '#(2 3 4) (vector-merge < '#(1 3 5) '#(2 4) 1 2))
  (test-equal '#(2 3) (vector-merge < '#(1 3 5) '#(2 4) 1 2 0 1))
  (test-equal '#((1 . a) (1 . b)) (vector-merge by-car '#((1 . a)) '#((1 . b))))
  (let ((to (make-vector 6 0)))
    (vector-merge! < to '#(1 3 5) '#(2 4) 1)
    (test-equal '#(0 1 2 3 4 5) to)
    (vector-merge! < to '#(1 3 5) '#(2 4) 0 2 3 0 1)
    (test-equal '#(2 5 2 3 4 5) to)
    (test-error #t (vector-merge! < to '#(1 3 5) '#(2 4) 2))))

(test-group "deleting neighbours"
  (test-equal '(1 2 7 0 -2) (list-delete-neighbor-dups = '(1 1 2 7 7 7 0 -2 -2)))
  (test-equal '(1 2 7 0 -2) (list-delete-neighbor-dups! = (list 1 1 2 7 7 7 0 -2 -2)))
  (test-equal '() (list-delete-neighbor-dups = '()))
  (test-equal '() (list-delete-neighbor-dups! = '()))
  (test-equal '#(1 2 7 0 -2) (vector-delete-neighbor-dups = '#(1 1 2 7 7 7 0 -2 -2)))
  (test-equal '#(7 0 -2) (vector-delete-neighbor-dups = '#(1 1 2 7 7 7 0 -2 -2) 3))
  (test-equal '#(7) (vector-delete-neighbor-dups = '#(1 1 2 7 7 7 0 -2 -2) 3 6))
  (test-equal '#() (vector-delete-neighbor-dups = '#(1 1) 1 1))
  (let ((v (vector 0 0 0 1 1 2 2 3 3 4 4 5 5 6 6)))
    (test-equal 9 (vector-delete-neighbor-dups! = v 3))
    (test-equal '#(0 0 0 1 2 3 4 5 6 4 4 5 5 6 6) v)))

(test-group "the first of equal neighbours survives, and the predicate gets the earlier one first"
  (test-equal '(1 4 9) (list-delete-neighbor-dups (lambda (x y) (< (- y x) 3)) '(1 2 3 4 5 9))))

(test-group "median"
  (test-equal 'none (vector-find-median < '#() 'none))
  (test-equal 3 (vector-find-median < '#(5 1 3) 'none))
  (test-equal 7/2 (vector-find-median < '#(5 1 3 4) 'none))
  (test-equal '(3 4) (vector-find-median less? '#(5 1 4 3) 'none list))
  (let ((v (vector 5 1 4 3)))
    (test-equal 7/2 (vector-find-median! < v 'none))
    (test-equal '#(1 3 4 5) v)
    (test-equal 'none (vector-find-median! < (vector) 'none))
    (test-equal '(3 4) (vector-find-median! less? v 'none list))))

(test-group "selection and separation"
  (let ((lis (numbers 60 25)))
    (let ((sorted (insertion-sorted lis)))
      (do ((k 0 (+ k 1)))
          ((= k 60))
        (test-equal (list-ref sorted k) (vector-select! less? (list->vector lis) k))
        (let ((v (list->vector lis)))
          (vector-separate! less? v k)
          (test-equal sorted
            (append (insertion-sorted (vector->list v 0 k)) (insertion-sorted (vector->list v k))))))))
  (let ((v (vector 9 5 1 3 0)))
    (test-equal 3 (vector-select! < v 1 1 4))
    (test-equal '(9 0) (list (vector-ref v 0) (vector-ref v 4))))
  (test-error #t (vector-select! < (vector 1 2) 2))
  (test-error #t (vector-separate! < (vector 1 2) 3)))

(test-group "a comparison may raise, and leave by a continuation"
  (test-error #t (list-sort (lambda (a b) (error "no order" a b)) '(1 2)))
  (test-equal 'left
    (call-with-current-continuation
     (lambda (leave) (list-sort (lambda (a b) (leave 'left)) '(1 2 3))))))

;; Sorts by a comparison whose count-th answer is given four times: as it is, not so, and both once more. In between
;; the sort has gone on to its end. Returns what was returned each time, with what the vector of vector-sort! has then.
(define (sorted-again sort count)
  (let ((again #f) (calls 0) (returned '()))
    (let ((result (sort (lambda (a b)
                          (set! calls (+ calls 1))
                          (if (= calls count)
                              (let ((answer (call-with-current-continuation
                                             (lambda (continue) (set! again continue) (< a b)))))
                                answer)
                              (< a b))))))
      (set! returned (cons result returned))
      (if (and again (< (length returned) 4))
          (again (even? (length returned))))
      (reverse returned))))

(define (permutations? lists)
  (every-list (lambda (lis) (equal? '(1 2 3 4 5 6 7) (list-sort < lis))) lists))

(define (every-list true? lis)
  (or (null? lis) (and (true? (car lis)) (every-list true? (cdr lis)))))

(define (agree? lists)
  (every-list (lambda (lis) (or (equal? lis (cadr lists)) (equal? lis (caddr lists)))) lists))

(test-group "a comparison may be returned from again, when the sort has gone on"
  (do ((count 1 (+ count 1)))
      ((> count 18))
    (let ((lists (sorted-again (lambda (less?) (list-sort less? '(5 3 7 1 6 2 4))) count))
          (vectors (sorted-again (lambda (less?) (vector-sort less? (vector 5 3 7 1 6 2 4))) count))
          (changed (sorted-again (lambda (less?)
                                   (let ((v (vector 5 3 7 1 6 2 4)))
                                     (vector-sort! less? v)
                                     (vector->list v)))
                                 count)))
      (test-assert (permutations? lists))
      (test-assert (permutations? changed))
      (test-equal '(1 2 3 4 5 6 7) (car lists))
      (test-equal lists (map vector->list vectors))
      (test-equal lists changed)
      (if (pair? (cdr lists))
          (test-assert (agree? lists))))))

(test-end "srfi-132")
