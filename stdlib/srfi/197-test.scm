(import (scheme base) (srfi 64) (srfi 197))

(define (exclamation text) (string-append text "!"))
(define (two) (values 1 2))
(define (four) (values 1 2 3 4))

(test-begin "srfi-197")

(test-group "chain"
  (test-equal 1 (chain 1))
  (test-equal 3 (chain 1 (+ _ 2)))
  (test-equal "bazbarfoo!" (chain "" (string-append "foo" _) (string-append "bar" _) (string-append "baz" _) (exclamation _)))
  (test-equal '(a b) (chain 'a (list _ 'b)))
  (test-equal '(x (y a b) c) (chain 'a (list 'y _ 'b) (list 'x _ 'c)))
  (test-equal 'done (chain (car '(a)) (list 'ignored) (begin 'done))))

(test-group "chain with several values"
  (test-equal '(1 2) (chain (two) (list _ _)))
  (test-equal '(1 x 2) (chain (two) (list _ 'x _)))
  (test-equal '(1 (2 3 4)) (chain (four) (list _ _ ...) ((lambda (first . rest) (list first rest)) 1 2 3 4)))
  (test-equal '(1 x 2 3 4) (chain (four) (list _ 'x _ ...)))
  (test-equal '(2 1) (chain (two) (values _ _) (list 2 1)))
  (test-equal '(3) (chain (two) (+ _ _) (list _)))
  (test-equal '() (chain (values) (list _ ...)))
  (test-equal '(1 2) (call-with-values (lambda () (chain (two) (values _ ...))) list))
  (test-equal 'none (chain (two) (begin 'none)))
  (test-error #t (chain (two) (list _)))
  (test-error #t (chain 1 (list _ _))))

(test-group "chain with other placeholders"
  (test-equal '(a b) (chain 'a <> (list <> 'b)))
  (test-equal '(1 x 2 3 4) (chain (four) - --- (list - 'x - ---)))
  (test-equal '(_ a) (chain 'a <> (list '_ <>)))
  (test-equal 1 (chain 1 <>)))

(test-group "whatever identifier is a placeholder"
  (test-equal '(1 2) (chain 1 ... (list ... 2)))
  (test-equal '(1 2) (chain 1 else (list else 2)))
  (test-equal '(1 _) (chain 1 accept (list accept '_)))
  (test-equal '(1 1) (let ((x 1)) (chain x continue other (list continue x)))))

(test-group "chain keeps to hygiene"
  (define-syntax twice-chained
    (syntax-rules ()
      ((_ value) (chain value <> (list <> <>) (list 'outer <>)))))
  (test-error #t (twice-chained 1))
  (let ((value 10) (walk 20) (collected 30))
    (test-equal '(1 10 20 30) (chain 1 (list _ value walk collected)))))

(test-group "chain evaluates steps in order, once"
  (let* ((trace '())
         (note (lambda (what) (set! trace (cons what trace)) what)))
    (chain (note 'first) (list _ (note 'second)) (list _ (note 'third)))
    (test-equal '(third second first) trace)))

(test-group "chain-and"
  (test-equal 1 (chain-and 1))
  (test-equal 6 (chain-and 1 (+ _ 2) (* _ 2)))
  (test-equal #f (chain-and #f (error "not reached" _)))
  (test-equal #f (chain-and 1 (memv _ '(2 3)) (error "not reached" _)))
  (test-equal 3 (chain-and '((a . 3)) (assq 'a _) (cdr _)))
  (test-equal 'other (chain-and 1 (begin 'other)))
  (test-equal '(1 _) (chain-and 1 <> (list <> '_))))

(test-group "chain-when"
  (define (describe-number n)
    (chain-when '()
      ((odd? n) (cons "odd" _))
      ((even? n) (cons "even" _))
      ((zero? n) (cons "zero" _))
      ((positive? n) (cons "positive" _))))
  (test-equal '("positive" "odd") (describe-number 3))
  (test-equal '("positive" "even") (describe-number 4))
  (test-equal 1 (chain-when 1))
  (test-equal 1 (chain-when 1 (#f (error "not reached" _))))
  (test-equal '(1) (chain-when 1 ((list _))))
  (test-equal 'other (chain-when 1 (#t (begin 'other))))
  (test-equal '((1)) (chain-when 1 <> ((list <>)) (#t (list <>)))))

(test-group "chain-lambda"
  (test-equal '(b (a 1)) ((chain-lambda (list 'a _) (list 'b _)) 1))
  (test-equal '(c (a 1 2)) ((chain-lambda (list 'a _ _) (list 'c _)) 1 2))
  (test-equal '(1 2 3) ((chain-lambda (list _ ...)) 1 2 3))
  (test-equal '(1 (2 3)) ((chain-lambda (list _ ((lambda () 0)) _ ...) ((lambda (all) (list (car all) (cddr all))) _)) 1 2 3))
  (test-equal 'x ((chain-lambda (begin 'x))))
  (test-equal '(1 _) ((chain-lambda <> (list <> '_)) 1))
  (test-equal '(1 2) ((chain-lambda - --- (list - ---)) 1 2))
  (test-error #t ((chain-lambda (list _)) 1 2)))

(test-group "nest"
  (test-equal 1 (nest 1))
  (test-equal '(a b (c d e)) (nest (list 'a 'b _) (list 'c 'd _) 'e))
  (test-equal '(1 2 (3 (4) 5)) (nest '_ (1 2 _) (3 _ 5) (_) 4))
  (test-equal '(1 2 3 (4 5 6)) (nest (nest _2 '_2 (1 2 3 _2) _ 6) (_ 5 _2) 4))
  (test-equal 5 (nest (let ((x 2)) _) (if (> x 1) _ 0) (+ x 3)))
  (test-equal '(x y) (nest (begin (list 'not 'this) _) (list 'x _) 'y)))

(test-group "nest-reverse"
  (test-equal 1 (nest-reverse 1))
  (test-equal '(a b (c d e)) (nest-reverse 'e (list 'c 'd _) (list 'a 'b _)))
  (test-equal '(1 2 (3 (4) 5)) (nest-reverse 4 (_) (3 _ 5) (1 2 _) '_))
  (test-equal '(1 (2 _)) (nest-reverse 2 <> (<> _) (1 <>) '<>)))

(test-end "srfi-197")
