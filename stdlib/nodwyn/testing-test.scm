(import (scheme base) (srfi 64) (nodwyn testing))

;; Path, passed and failed of each group, without the texts.
(define (summary results)
  (map (lambda (result) (list (car result) (cadr result) (list-ref result 2))) results))

(include "../srfi/64-places.scm")

(define (reports results) (apply append (map (lambda (result) (list-ref result 3)) results)))

(test-begin "nodwyn-testing")

(test-group "results of each group"
  (test-equal '((("suite" "a") 2 0) (("suite" "b") 1 1) (("suite") 1 0))
    (summary
     (run-and-collect
      (lambda ()
        (test-begin "suite")
        (test-group "a" (test-assert #t) (test-assert #t))
        (test-group "b" (test-assert #t) (test-assert #f))
        (test-group "nothing here")
        (test-assert #t)
        (test-end "suite")))))
  (test-equal "skipped and expected failures pass, unexpected passes fail"
    '((("suite") 2 1))
    (summary
     (run-and-collect
      (lambda ()
        (test-begin "suite")
        (test-skip 1)
        (test-assert #f)
        (test-expect-fail 2)
        (test-assert #f)
        (test-assert #t)
        (test-end "suite"))))))

(test-group "reports"
  (test-equal '("FAILED: suite / sum\n  form: (test-eqv \"sum\" 3 (+ 1 1))\n  expected: 3\n  got: 2\n")
    (map without-places (reports
     (run-and-collect
      (lambda ()
        (test-begin "suite")
        (test-eqv "sum" 3 (+ 1 1))
        (test-end "suite")))))))

(test-group "failures outside of tests"
  (test-equal "an error belongs to the group that it left"
    '((("suite" "g") 1 1))
    (summary
     (run-and-collect
      (lambda ()
        (test-begin "suite")
        (test-group "g" (test-assert #t) (error "oops"))
        (test-end "suite")))))
  (test-equal '((("suite") 1 1))
    (summary (run-and-collect (lambda () (test-begin "suite" 2) (test-assert #t) (test-end)))))
  (test-equal '((("suite") 1 1))
    (summary (run-and-collect (lambda () (test-begin "suite") (test-assert #t) (test-end "other")))))
  (test-equal '((("suite") 0 1))
    (summary (run-and-collect (lambda () (test-begin "suite"))))))

(test-end "nodwyn-testing")
