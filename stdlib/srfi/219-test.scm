(import (except (scheme base) define) (srfi 64) (srfi 219))

(define plain 5)

(define (add a b) (+ a b))

(define ((greet-with prefix) suffix)
  (string-append prefix " " suffix))

(define ((append-to . a) . b)
  (apply append (append a b)))

(define (((volume a) b . more) c)
  (define product (* a b c))
  (cons product more))

(test-begin "srfi-219")

(test-group "as in (scheme base)"
  (test-eqv 5 plain)
  (test-eqv 3 (add 1 2)))

(test-group "curried"
  (test-equal "Hello there!" ((greet-with "Hello") "there!"))
  (test-equal '() ((append-to)))
  (test-equal '(1 2 3 4 5 6 7 8) ((append-to '(1 2) '(3 4)) '(5 6) '(7 8)))
  (test-equal '(24 x) (((volume 2) 3 'x) 4))
  (test-error ((greet-with "Hello")))
  (test-error (greet-with "Hello" "there!")))

(test-group "inside a body"
  (test-eqv 6
    (let ()
      (define ((plus a) b) (+ a b))
      ((plus 2) 4))))

(test-end "srfi-219")
