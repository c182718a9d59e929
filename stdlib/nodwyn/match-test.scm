(import (scheme base) (srfi 64) (nodwyn match))

(define circle (let ((pair (list 1))) (set-cdr! pair pair) pair))

(test-begin "nodwyn-match")

(test-group "names and constants"
  (test-eqv 5 (match 5 (x x)))
  (test-eqv 'any (match 5 (_ 'any)))
  (test-eqv 'five (match 5 (4 'four) (5 'five)))
  (test-equal '(string char true vector float)
    (map (lambda (x)
           (match x
             ("a" 'string) (#\a 'char) (#t 'true) (#(1) 'vector) (1.5 'float)))
         (list (string #\a) #\a #t (vector 1) 1.5)))
  (test-eqv 'empty (match '() (() 'empty)))
  (test-equal '(symbol list string vector empty)
    (map (lambda (x)
           (match x
             ('a 'symbol) ('(a b) 'list) ('"s" 'string) ('#(a) 'vector) ('() 'empty)))
         (list 'a '(a b) "s" #(a) '())))
  (test-eqv "exactness matters" 'no (match 1.0 (1 'yes) (_ 'no))))

(test-group "lists and pairs"
  (test-equal '(1 2) (match '(1 2) ((x y) (list x y))))
  (test-equal '(1 (2 3)) (match '(1 2 3) ((x . y) (list x y))))
  (test-equal '(1 2 3) (match '(1 2 . 3) ((x y . z) (list x y z))))
  (test-equal '(1 2 3) (match '(1 (2 (3))) ((a (b (c))) (list a b c))))
  (test-eqv 'other (match '(1 2) ((x) 'one) ((x y z) 'three) (_ 'other)))
  (test-eqv 'other (match '(1 . 2) ((x) 'one) (_ 'other)))
  (test-equal '(add 1 2) (match '(+ 1 2) (('- a b) 'sub) (('+ a b) (list 'add a b)))))

(test-group "repeated names"
  (test-equal '(same different)
    (map (lambda (x) (match x ((a a) 'same) ((a b) 'different)))
         '(((1 2) (1 2)) (1 2))))
  (test-eqv 'ok (match '(1 (2 1) 2) ((a (b a) b) 'ok)))
  (test-eqv 'no (match '(1 (2 1) 3) ((a (b a) b) 'ok) (_ 'no)))
  (test-equal "in a repetition, each of them" '(yes no)
    (map (lambda (x) (match x ((a a ...) 'yes) (_ 'no))) '((1 1 1) (1 1 2)))))

(test-group "repetition"
  (test-equal '(1 2 3) (match '(1 2 3) ((x ...) x)))
  (test-equal '() (match '() ((x ...) x)))
  (test-equal '((1 2) 3) (match '(1 2 3) ((x ... y) (list x y))))
  (test-equal '(() 1) (match '(1) ((x ... y) (list x y))))
  (test-eqv 'no (match '() ((x ... y) 'yes) (_ 'no)))
  (test-equal '(1 (2 3) 4 5) (match '(1 2 3 4 5) ((a b ... c d) (list a b c d))))
  (test-equal '((a b) (1 2)) (match '((a 1) (b 2)) (((name value) ...) (list name value))))
  (test-equal '(((1 2) (3))) (match '((1 2) (3)) (((x ...) ...) (list x))))
  (test-equal '((1 2) 3) (match '(1 2 . 3) ((x ... . y) (list x y))))
  (test-equal '(() 3) (match 3 ((x ... . y) (list x y))))
  (test-equal '((1) (2 . 3)) (match '(1 2 . 3) ((x ... y . z) (list x (cons y z)))))
  (test-eqv 'no (match '(1 2 . 3) ((x ...) 'yes) (_ 'no)))
  (test-eqv 'no (match '((a 1) (b)) (((name value) ...) 'yes) (_ 'no)))
  (test-equal '(1 2) (match '(1 2) ((x ___) x)))
  (test-equal '((1 2) none) (map (lambda (x) (match x ((x ..1) x) (_ 'none))) '((1 2) ())))
  (test-equal '((1) 2) (match '(1 2) ((x ..1 y) (list x y))))
  (test-equal '(yes no) (map (lambda (x) (match x ((_ ...) 'yes) (_ 'no))) '((1 2) (1 . 2))))
  (test-equal '(yes no) (map (lambda (x) (match x ((5 ...) 'yes) (_ 'no))) '((5 5) (5 6))))
  (test-equal '(1 2) (match '((k . 1) (k . 2)) ((('k . x) ...) x)))
  (test-equal "circular data match no repetition" 'no (match circle ((x ...) 'yes) ((x ... y) 'yes) (_ 'no)))
  (test-eqv 50000 (length (match (make-list 50000 '(1)) (((x) ...) x)))))

(test-group "vectors"
  (test-equal '(1 2) (match #(1 2) (#(x y) (list x y))))
  (test-eqv 'no (match #(1 2) (#(x) 'yes) (_ 'no)))
  (test-eqv 'no (match '(1 2) (#(x y) 'yes) (_ 'no)))
  (test-equal '(1 (2 3)) (match #(1 2 3) (#(x y ...) (list x y))))
  (test-eqv 'empty (match #() (#() 'empty))))

(test-group "and or not"
  (test-equal '((1 2) 1 2) (match '(1 2) ((and all (a b)) (list all a b))))
  (test-eqv 'any (match 1 ((and) 'any)))
  (test-eqv 'no (match 1 ((or) 'yes) (_ 'no)))
  (test-equal '(small small large) (map (lambda (x) (match x ((or 1 2) 'small) (_ 'large))) '(1 2 3)))
  (test-equal '(1 1)
    (map (lambda (x) (match x ((or ('left x) (x 'right)) x))) '((left 1) (1 right))))
  (test-equal "what follows an alternative" '(1 2)
    (match '((b 1) 2) (((or ('a x) ('b x)) y) (list x y))))
  (test-equal '(no yes) (map (lambda (x) (match x ((not 1) 'yes) (_ 'no))) '(1 2)))
  (test-equal '(2 3) (match '(1 2 3) (((not 2) x y) (list x y))))
  (test-equal '(no (2)) (map (lambda (x) (match x ((and (not ()) (x ...)) x) (_ 'no))) '(() (2)))))

(test-group "predicates and procedures"
  (test-equal '(number symbol other)
    (map (lambda (x) (match x ((? number?) 'number) ((? symbol?) 'symbol) (_ 'other))) '(1 a "s")))
  (test-eqv 6 (match 5 ((? number? x) (+ x 1))))
  (test-eqv 5 (match '(5) ((? pair? (x) _) x)))
  (test-eqv 'large (match 50 ((? (lambda (x) (< x 10))) 'small) (_ 'large)))
  (test-eqv 25 (match 5 ((= (lambda (x) (* x x)) y) y)))
  (test-equal '(1 (2)) (match '(1 2) ((and (= car a) (= cdr b)) (list a b))))
  (test-equal '(2 4) (match '((2) (4)) (((= car x) ...) x))))

(test-group "quasi-patterns"
  (test-equal '(1 2) (match '(+ 1 2) (`(- ,a ,b) 'no) (`(+ ,a ,b) (list a b))))
  (test-equal '(1 (2 3)) (match '(a 1 2 3) (`(a ,x . ,y) (list x y))))
  (test-equal '(1 (2 3)) (match '(a 1 2 3) (`(a ,x ,@y) (list x y))))
  (test-equal '(2 3) (match '(a 2 3) (`(a ,x ...) x)))
  (test-equal '((x y) (1 2) (body))
    (match '(let ((x 1) (y 2)) body)
      (`(let ((,names ,values) ...) . ,body) (list names values body))))
  (test-equal '((1 2) 3) (match '(a 1 2 b 3) (`(a ,x ... b ,y) (list x y))))
  (test-eqv 'yes (match '(a "s" 1 #\c #(b)) (`(a "s" 1 #\c #(b)) 'yes)))
  (test-equal '(1 (2 3)) (match #(a 1 2 3) (`#(a ,x ,y ...) (list x y))))
  (test-equal '(2) (match '(1 (2)) (`(1 ,(x ...)) x)))
  (test-eqv 'empty (match '() (`() 'empty))))

(test-group "clauses"
  (test-equal "(=> next) goes on with the next clause" '(odd even)
    (map (lambda (n) (match n (x (=> next) (if (odd? x) 'odd (next))) (_ 'even))) '(1 2)))
  (test-eqv "the body may have definitions" 3 (match 1 (x (define y 2) (+ x y))))
  (test-eqv "the expression is evaluated once" 1
    (let ((times 0))
      (match (begin (set! times (+ times 1)) 5) (4 'four) ((? even?) 'even) (_ times))))
  (test-eqv "a body is in tail position" 'done
    (let loop ((n 20000))
      (match n (0 'done) (_ (loop (- n 1))))))
  (test-equal "a value that no clause matches is an error that has it" '((1 2))
    (guard (object (#t (error-object-irritants object)))
      (match '(1 2) ((x) x))))
  (test-error error-object? (match 1)))

(test-group "match-lambda"
  (test-equal '(1 none) (map (match-lambda ((x . _) x) (() 'none)) '((1 2) ())))
  (test-equal '(none 1 (1 2))
    (let ((f (match-lambda* (() 'none) ((x) x) (all all))))
      (list (f) (f 1) (f 1 2)))))

(test-group "match-let"
  (test-equal '(1 2 3) (match-let (((a b) '(1 2)) (c 3)) (list a b c)))
  (test-equal "no expression sees the names" '(2 1)
    (let ((a 1) (b 2)) (match-let ((a b) (b a)) (list a b))))
  (test-equal "match-let*: each expression sees those before it" '(1 2 (2))
    (match-let* (((a . b) '(1 2)) ((c) b)) (list a c b)))
  (test-eqv 5 (match-let () 5))
  (test-eqv 5 (match-let* () 5))
  (test-equal '(3 2 1)
    (match-let loop (((first . rest) '(1 2 3)) (seen '()))
      (if (null? rest)
          (cons first seen)
          (loop rest (cons first seen)))))
  (test-error error-object? (match-let (((a b) '(1))) a)))

(test-group "match-letrec"
  (test-equal '(#t #f)
    (match-letrec (((even odd)
                    (list (lambda (n) (or (= n 0) (odd (- n 1))))
                          (lambda (n) (and (> n 0) (even (- n 1)))))))
      (list (even 10) (odd 10))))
  (test-equal '(1 2) (match-letrec ((a 1) ((b _) (list (+ a 1) 0))) (list a b))))

(test-group "what a pattern finds is its own"
  (test-equal '(1 2 3)
    (let ((readers (map (lambda (x) (match x ((a) (lambda () (set! a (+ a 1)) a)))) '((0) (1) (2)))))
      (map (lambda (read) (read)) readers)))
  (test-equal "of each entry into a test"
    '((two 1) (one 1) (two 1))
    (let* ((again #f)
           (seen '())
           (answer (lambda (x) (call/cc (lambda (k) (if (not again) (set! again k)) x))))
           (result (match '(1 2)
                     ((a (? (lambda (b) (answer (= b 2))))) (list 'two a))
                     ((a b) (list 'one a)))))
      (set! seen (cons result seen))
      (case (length seen)
        ((1) (again #f))
        ((2) (again #t))
        (else seen))))
  (test-equal "in tail position"
    'done
    (let loop ((n 100000) (list '(1 2)))
      (match list
        (() 'never)
        ((a b) (if (= n 0) 'done (loop (- n 1) list)))))))

(test-group "an evaluator"
  (define (evaluate expression environment)
    (match expression
      ((? number?) expression)
      ((? symbol?) (cdr (assq expression environment)))
      (`(lambda ,(names ...) ,body)
       (lambda arguments (evaluate body (append (map cons names arguments) environment))))
      (`(let ((,names ,values) ...) ,body)
       (evaluate `((lambda ,names ,body) ,@values) environment))
      ((operator operands ...)
       (apply (evaluate operator environment)
              (map (lambda (operand) (evaluate operand environment)) operands)))))
  (test-eqv 42
    (evaluate '(let ((x 6) (square (lambda (n) (* n n)))) (+ x (square x)))
              (list (cons '+ +) (cons '* *)))))

(test-end "nodwyn-match")
