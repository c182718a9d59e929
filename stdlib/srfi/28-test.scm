(import (scheme base) (srfi 64) (srfi 28))

(test-begin "srfi-28")

(test-group "escape sequences"
  (test-equal "" (format ""))
  (test-equal "plain" (format "plain"))
  (test-equal "Hello, World!" (format "Hello, ~a" "World!"))
  (test-equal "say \"World!\"" (format "say ~s" "World!"))
  (test-equal "(one \"two\" 3)" (format "~s" '(one "two" 3)))
  (test-equal "(one two 3)" (format "~a" '(one "two" 3)))
  (test-equal "x #\\x" (format "~a ~s" #\x #\x))
  (test-equal "one\ntwo\n" (format "one~%two~%"))
  (test-equal "~ ~a" (format "~~ ~~a"))
  (test-equal "1 2 3" (format "~a ~s ~a" 1 2 3))
  (test-equal "an object may itself look like a template" "~a~%" (format "~a" "~a~%")))

(test-group "errors"
  (test-error (format "~a"))
  (test-error (format "~a ~s" 1))
  (test-error (format "unfinished ~"))
  (test-error (format "unknown ~q" 1))
  (test-error (format 5)))

(test-end "srfi-28")
