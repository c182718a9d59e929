(import (scheme base) (srfi 64) (srfi 133))

(define (results thunk) (call-with-values thunk list))

(test-begin "srfi-133")

(test-group "unfolding"
  (test-equal '#(0 -1 -2 -3 -4) (vector-unfold (lambda (i x) (values x (- x 1))) 5 0))
  (test-equal '#(0 1 2) (vector-unfold values 3))
  (test-equal '#() (vector-unfold values 0))
  (test-equal '#((0 1 a) (1 2 a)) (vector-unfold (lambda (i x y) (values (list i x y) (+ x 1) y)) 2 1 'a))
  (test-equal '#((0 . 4) (1 . 3) (2 . 2) (3 . 1) (4 . 0))
    (vector-unfold-right (lambda (i x) (values (cons i x) (+ x 1))) 5 0))
  (test-equal '#(0 1 2) (vector-unfold-right values 3))
  (test-error #t (vector-unfold values -1))
  (test-error #t (vector-unfold (lambda (i x y) (values i x)) 2 1 2))
  (let ((v (vector 1 2 3 4 5)))
    (vector-unfold! (lambda (i x) (values (+ i x) (* 2 x))) v 1 4 10)
    (test-equal '#(1 11 22 43 5) v)
    (vector-unfold-right! (lambda (i x) (values (list i x) (+ x 1))) v 1 3 0)
    (test-equal '#(1 (1 1) (2 0) 43 5) v)
    (test-error #t (vector-unfold! values v 0 6))))

(test-group "copying in reverse"
  (test-equal '#(1 2 3 4) (vector-reverse-copy '#(5 4 3 2 1 0) 1 5))
  (test-equal '#(3 2 1) (vector-reverse-copy '#(1 2 3)))
  (test-equal '#(3 2) (vector-reverse-copy '#(1 2 3) 1))
  (test-error #t (vector-reverse-copy '#(1 2 3) 2 1))
  (test-error #t (vector-reverse-copy '(1 2 3)))
  (let ((v (vector 1 2 3 4 5)))
    (vector-reverse-copy! v 1 '#(a b c d) 1 3)
    (test-equal '#(1 c b 4 5) v)
    (vector-reverse-copy! v 0 v 1)
    (test-equal '#(5 4 b c 5) v)
    (test-error #t (vector-reverse-copy! v 4 '#(a b)))
    (test-error #t (vector-reverse-copy! v 6 '#()))))

(test-group "appending"
  (test-equal '#(a b c d) (vector-concatenate '(#(a b) #(c d))))
  (test-equal '#() (vector-concatenate '()))
  (test-error #t (vector-concatenate '(#(a) (b))))
  (let ((ring (list '#(1))))
    (set-cdr! ring ring)
    (test-error #t (vector-concatenate ring)))
  (test-equal '#(a b h i) (vector-append-subvectors '#(a b c d e) 0 2 '#(f g h i j) 2 4))
  (test-equal '#() (vector-append-subvectors))
  (test-error #t (vector-append-subvectors '#(a b) 0))
  (test-error #t (vector-append-subvectors '#(a b) 0 3)))

(test-group "predicates"
  (test-assert (vector-empty? '#()))
  (test-assert (not (vector-empty? '#(()))))
  (test-error #t (vector-empty? '()))
  (test-assert (vector= eq?))
  (test-assert (vector= eq? '#(a)))
  (test-assert (vector= eq? '#(a b c d) '#(a b c d)))
  (test-assert (not (vector= eq? '#(a b c d) '#(a b d c))))
  (test-assert (not (vector= = '#(1 2 3 4 5) '#(1 2 3 4))))
  (test-assert (vector= = '#(1 2) '#(1 2) '#(1 2)))
  (test-assert (not (vector= = '#(1 2) '#(1 2) '#(1 3))))
  (test-assert (not (vector= eq? (vector (vector 'a)) (vector (vector 'a)))))
  (test-assert (vector= equal? (vector (vector 'a)) (vector (vector 'a))))
  (test-error #t (vector= eq? '(a))))

(test-group "folding"
  (test-equal 6 (vector-fold (lambda (longest s) (max longest (string-length s))) 0 '#("a" "abcdef" "abc")))
  (test-equal '(c b a) (vector-fold (lambda (tail element) (cons element tail)) '() '#(a b c)))
  (test-equal '(a b c) (vector-fold-right (lambda (tail element) (cons element tail)) '() '#(a b c)))
  (test-equal 32 (vector-fold (lambda (sum x y) (+ sum (* x y))) 0 '#(1 2 3) '#(4 5 6 7)))
  (test-equal '((1 . 4) (2 . 5)) (vector-fold-right (lambda (tail x y) (cons (cons x y) tail)) '() '#(1 2 3) '#(4 5)))
  (test-error #t (vector-fold + 0 '(1 2))))

(test-group "mapping in place"
  (let ((v (vector 1 2 3)))
    (vector-map! (lambda (x) (* x x)) v)
    (test-equal '#(1 4 9) v)
    (vector-map! + v '#(10 20 30 40))
    (test-equal '#(11 24 39) v)
    (test-error #t (vector-map! + v '#(1 2)))))

(test-group "counting and cumulating"
  (test-equal 3 (vector-count even? '#(3 1 4 1 5 9 2 5 6)))
  (test-equal 2 (vector-count < '#(1 3 6 9) '#(2 4 6 8 10 12)))
  (test-equal '#(3 4 8 9 14 23 25 30 36) (vector-cumulate + 0 '#(3 1 4 1 5 9 2 5 6)))
  (test-equal '#() (vector-cumulate + 0 '#())))

(test-group "searching"
  (test-equal 2 (vector-index even? '#(3 1 4 1 5 9)))
  (test-equal 1 (vector-index < '#(3 1 4 1 5 9 2 5 6) '#(2 7 1 8 2)))
  (test-equal #f (vector-index = '#(3 1 4 1 5 9 2 5 6) '#(2 7 1 8 2)))
  (test-equal 3 (vector-index-right even? '#(3 2 1 4 5)))
  (test-equal 3 (vector-index-right < '#(3 1 4 1 5) '#(2 7 1 8 2)))
  (test-error #t (vector-index-right < '#(3 1 4) '#(2 7)))
  (test-equal 2 (vector-skip number? '#(1 2 a b 3 4 c d)))
  (test-equal #f (vector-skip number? '#(1 2)))
  (test-equal 1 (vector-skip = '#(1 2 3) '#(1 3)))
  (test-equal 2 (vector-skip-right number? '#(1 2 a 3)))
  (test-error #t (vector-skip-right = '#(1) '#(1 2))))

(test-group "binary search"
  (let ((v '#(1 3 5 7 9 11)))
    (do ((i 0 (+ i 1)))
        ((= i 6))
      (test-equal i (vector-binary-search v (vector-ref v i) -)))
    (test-equal #f (vector-binary-search v 4 -))
    (test-equal #f (vector-binary-search v 0 -))
    (test-equal #f (vector-binary-search v 12 -))
    (test-equal #f (vector-binary-search '#() 1 -))))

(test-group "any and every"
  (test-equal '(4) (vector-any (lambda (x) (and (even? x) (list x))) '#(1 4 5 6)))
  (test-equal #f (vector-any even? '#(1 3)))
  (test-equal #f (vector-any even? '#()))
  (test-equal 3 (vector-any (lambda (x y) (and (> x y) x)) '#(1 3) '#(2 2 2)))
  (test-equal 6 (vector-every (lambda (x) (and (even? x) x)) '#(4 6)))
  (test-equal #f (vector-every even? '#(4 5 6)))
  (test-equal #t (vector-every even? '#()))
  (test-equal 4 (vector-every (lambda (x y) (and (< x y) y)) '#(1 2) '#(3 4 0))))

(test-group "partition"
  (test-equal '(#(2 4 1 3 5) 2) (results (lambda () (vector-partition even? '#(1 2 3 4 5)))))
  (test-equal '(#(1 3) 0) (results (lambda () (vector-partition even? '#(1 3)))))
  (test-equal '(#(2) 1) (results (lambda () (vector-partition even? '#(2))))))

(test-group "mutators"
  (let ((v (vector 1 2 3 4)))
    (vector-swap! v 0 2)
    (test-equal '#(3 2 1 4) v)
    (vector-reverse! v)
    (test-equal '#(4 1 2 3) v)
    (vector-reverse! v 1 3)
    (test-equal '#(4 2 1 3) v)
    (vector-reverse! v 2)
    (test-equal '#(4 2 3 1) v)
    (test-error #t (vector-swap! v 0 4))
    (test-error #t (vector-reverse! v 3 2))))

(test-group "conversion in reverse"
  (test-equal '(c b a) (reverse-vector->list '#(a b c)))
  (test-equal '(c b) (reverse-vector->list '#(a b c) 1))
  (test-equal '(b) (reverse-vector->list '#(a b c) 1 2))
  (test-equal '#(c b a) (reverse-list->vector '(a b c)))
  (test-error #t (reverse-list->vector '(a . b)))
  (let ((ring (list 1)))
    (set-cdr! ring ring)
    (test-error #t (reverse-list->vector ring))))

(test-end "srfi-133")
