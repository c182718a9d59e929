(import (scheme base) (srfi 64) (srfi 180))

(define (read-text text) (json-read (open-input-string text)))

(define (characters text)
  (let ((port (open-input-string text)))
    (lambda () (read-char port))))

(define (drain generator)
  (let loop ((taken '()))
    (let ((object (generator)))
      (if (eof-object? object)
          (reverse taken)
          (loop (cons object taken))))))

(define (events source) (drain (json-generator source)))

(define (fails? thunk)
  (guard (condition ((json-error? condition) (string? (json-error-reason condition))))
    (thunk)
    #f))

(define (written object)
  (let ((port (open-output-string)))
    (json-write object port)
    (get-output-string port)))

(define (accumulated . events)
  (let* ((port (open-output-string))
         (accumulate (json-accumulator port)))
    (for-each accumulate events)
    (get-output-string port)))

(test-begin "srfi-180")

(test-group "values"
  (for-each
   (lambda (text value)
     (test-equal value (read-text text))
     (test-equal value (json-read (characters text))))
   '("null" "true" "false" "42" "-0.1" "0" "1e3" "12E-1" "123456789012345678901234567890"
     "\"text\"" "\"\"" "[]" "{}" " [ 1 , 2 ] " "{\"a\":1,\"b\":[2,{\"c\":null}]}" "[[],{}]"
     "{\"a\":1,\"a\":2}" "{\"\":0}" "\t\n\r 1 ")
   (list 'null #t #f 42 -0.1 0 1000.0 1.2 123456789012345678901234567890
         "text" "" '#() '() '#(1 2) '((a . 1) (b . #(2 ((c . null))))) '#(#() ())
         '((a . 1) (a . 2)) (list (cons (string->symbol "") 0)) 1)))

(test-group "escapes in strings"
  (test-equal "a\"\\/\x8;\xc;\n\r\t" (read-text "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\""))
  (test-equal "\x20ac;" (read-text "\"\\u20AC\""))
  (test-equal "\x1d11e;x" (read-text "\"\\ud834\\udd1ex\""))
  (test-equal "\xfffd;a\xfffd;" (read-text "\"\\ud834a\\udd1e\"")))

(test-group "what is no JSON"
  (for-each
   (lambda (text)
     (test-assert text (fails? (lambda () (read-text text))))
     (test-assert text (fails? (lambda () (json-read (characters text))))))
   '("[" "{" "]" "[1" "[1,]" "[,1]" "[1 2]" "{\"a\"}" "{\"a\":}" "{\"a\":1,}" "{a:1}" "{1:1}" "{\"a\" 1}"
     "01" "-" "1." ".5" "1e" "1e+" "+1" "-x" "0x1" "1x" "tru" "nul" "True" "NaN"
     "\"" "\"a" "\"\\x\"" "\"\\u12g4\"" "\"\\" "\"a\nb\"" "[1}" "{\"a\":1]" "'a'" "\xfeff;1" "/**/1"))
  #t)

(test-group "errors say what was wrong and where"
  (guard (condition ((json-error? condition)
                     (test-equal "expected a value, got ']' (character 4 of the text)"
                       (json-error-reason condition))))
    (read-text "[1,]"))
  (test-assert (not (json-error? 'null)))
  (test-assert (not (guard (condition (#t (json-error? condition))) (error "another"))))
  (test-error #t (json-error-reason 5)))

(test-group "one value after the other"
  (let ((port (open-input-string "42 101[1]\"a\"true{}")))
    (test-equal '(42 101 #(1) "a" #t ())
      (let loop ((taken '()))
        (let ((value (json-read port)))
          (if (eof-object? value) (reverse taken) (loop (cons value taken)))))))
  (let ((port (open-input-string "42x")))
    (test-assert (fails? (lambda () (json-read port)))))
  (let ((port (open-input-string "42,rest")))
    (test-equal 42 (json-read port))
    (test-equal #\, (read-char port)))
  (test-assert (eof-object? (read-text "")))
  (test-assert (eof-object? (read-text "  \n")))
  (test-assert (eof-object? (json-read (characters " "))))
  (test-assert (fails? (lambda () (json-read (characters "42[1]"))))))

(test-group "sources"
  (test-equal '#(1 2)
    (parameterize ((current-input-port (open-input-string "[1,2]")))
      (json-read)))
  (test-error #t (json-read "[1]"))
  (test-error #t (json-read (open-input-bytevector #u8(1))))
  (test-error #t (json-generator 5))
  (test-error #t (json-read (lambda () "not a character"))))

(test-group "events"
  (test-equal '(42) (events (open-input-string "42 101 1337")))
  (test-equal '(array-start 42 array-end) (events (open-input-string "[42] 101 1337")))
  (test-equal '(array-start 42 array-end) (events (characters "[42] 101 1337")))
  (test-equal '(object-start "a" array-start array-end "b" null object-end)
    (events (open-input-string "{\"a\": [], \"b\": null}")))
  (test-equal '() (events (open-input-string "")))
  (let* ((port (open-input-string "1 2"))
         (first (json-generator port)))
    (test-equal 1 (first))
    (test-assert (eof-object? (first)))
    (test-assert (eof-object? (first)))
    (test-equal 2 ((json-generator port)))))

(test-group "a generator by continuations gives characters"
  (define (coroutine text)
    (define return #f)
    (define resume #f)
    (define (yield object)
      (call-with-current-continuation
       (lambda (here)
         (set! resume here)
         (return object))))
    (lambda ()
      (call-with-current-continuation
       (lambda (back)
         (set! return back)
         (if resume
             (resume #f)
             (begin
               (string-for-each yield text)
               (return (eof-object))))))))
  (test-equal '#(1 "two" 3) (json-read (coroutine "[1, \"two\", 3]"))))

(test-group "folding"
  (define (depth text)
    (json-fold (lambda (object deepest) (if (number? object) (max object deepest) deepest))
               (lambda (seed) 0) (lambda (deepest) (+ 1 deepest))
               (lambda (seed) 0) (lambda (deepest) (+ 1 deepest))
               0
               (open-input-string text)))
  (define (texts text)
    (json-fold cons (lambda (seed) '()) reverse (lambda (seed) '()) reverse 'end (open-input-string text)))
  (test-equal '((1 ("a" 2 "b" ()) 3) . end) (texts "[1,{\"a\":2,\"b\":[]},3]"))
  (test-equal '(7 . end) (texts "7 8"))
  (test-equal 'end (texts ""))
  (test-equal 0 (depth "\"\""))
  (test-equal 3 (depth "[[[]]]")))

(test-group "limits"
  (parameterize ((json-nesting-depth-limit 2))
    (test-equal '#(#()) (read-text "[[]]"))
    (test-assert (fails? (lambda () (read-text "[[[]]]"))))
    (test-assert (fails? (lambda () (json-read (characters "[[{}]]")))))
    (test-assert (fails? (lambda () (events (open-input-string "[[[]]]"))))))
  (parameterize ((json-number-of-character-limit 5))
    (test-equal '#(1 2) (read-text "[1,2]"))
    (test-assert (fails? (lambda () (read-text "[1, 2]"))))
    (test-assert (fails? (lambda () (read-text "\"abcdefgh\""))))
    (test-assert (fails? (lambda () (json-read (characters "3.14159"))))))
  (test-equal +inf.0 (json-nesting-depth-limit))
  (test-equal +inf.0 (json-number-of-character-limit))
  (test-error #t (json-nesting-depth-limit 'none)))

(test-group "deep nesting"
  (let ((text (string-append (make-string 20000 #\[) (make-string 20000 #\]))))
    (test-equal text (written (read-text text)))))

(test-group "JSON lines"
  (test-equal '(1 #(2) ((a . 3))) (drain (json-lines-read (open-input-string "1\n[2]\r\n\n{\"a\":3}"))))
  (test-equal '(1 2) (drain (json-lines-read (characters "1\n2\n"))))
  (test-equal '() (drain (json-lines-read (open-input-string ""))))
  (let ((next (json-lines-read (open-input-string "1\n[2\n3 4\n5\n"))))
    (test-equal 1 (next))
    (test-assert (fails? next))
    (test-assert (fails? next))
    (test-equal 5 (next))
    (test-assert (eof-object? (next)))))

(test-group "JSON text sequences"
  (define (sequence . records)
    (apply string-append
           (map (lambda (record) (string-append "\x1e;" record "\n")) records)))
  (test-equal '(1 #(2) "three") (drain (json-sequence-read (open-input-string (sequence "1" "[2]" "\"three\"")))))
  (test-equal '(1 #(2)) (drain (json-sequence-read (characters (sequence "1" "" "[2]")))))
  (let ((next (json-sequence-read (open-input-string (sequence "1" "[2" "3")))))
    (test-equal 1 (next))
    (test-assert (fails? next))
    (test-equal 3 (next))
    (test-assert (eof-object? (next))))
  (let ((next (json-sequence-read (open-input-string "\x1e;123\x1e;[4]"))))
    (test-assert (fails? next))
    (test-equal '#(4) (next)))
  (test-assert (fails? (json-sequence-read (open-input-string "1\x1e;2\n")))))

(test-group "writing"
  (for-each
   (lambda (text object) (test-equal text (written object)))
   '("null" "true" "false" "42" "-0.5" "1.0" "\"te\\\"xt\\\\\\n\\u0001\"" "[]" "{}" "[1,\"a\",null]"
     "{\"a\":1,\"b\":[{\"c\":[]}]}" "{\"a\":{}}")
   (list 'null #t #f 42 -0.5 1.0 "te\"xt\\\n\x1;" '#() '() '#(1 "a" null)
         '((a . 1) (b . #(((c . #()))))) '((a))))
  (test-equal "\"\x20ac;\"" (written "\x20ac;"))
  (test-equal 1e300 (read-text (written 1e300)))
  (test-equal 5e-324 (read-text (written 5e-324)))
  (test-equal "[1]"
    (let ((port (open-output-string)))
      (parameterize ((current-output-port port)) (json-write '#(1)))
      (get-output-string port)))
  (test-equal "[1]"
    (let ((pieces '()))
      (json-write '#(1) (lambda (text) (set! pieces (cons text pieces))))
      (apply string-append (reverse pieces)))))

(test-group "what has no JSON text is an error before anything is written"
  (for-each
   (lambda (object)
     (let ((port (open-output-string)))
       (test-assert (fails? (lambda () (json-write (vector 1 object) port))))
       (test-equal "" (get-output-string port))))
   (list 'symbol +inf.0 -inf.0 +nan.0 1/2 #\a car '(1 2) '((1 . 2)) '(("a" . 1)) '((a . 1) . b) '((a . 1/2))
         (if #f #f) #u8(1)))
  (let ((v (vector 1)) (ring (list (cons 'a 1))) (inner (list (cons 'a 1))))
    (vector-set! v 0 v)
    (set-cdr! ring ring)
    (set-cdr! (car inner) inner)
    (test-assert (fails? (lambda () (written v))))
    (test-assert (fails? (lambda () (written ring))))
    (test-assert (fails? (lambda () (written inner)))))
  (let ((shared (vector 1)))
    (test-equal "[[1],[1]]" (written (vector shared shared)))))

(test-group "accumulators"
  (test-equal "42" (accumulated 42))
  (test-equal "null" (accumulated 'null))
  (test-equal "[1,[],{},\"a\"]"
    (accumulated 'array-start 1 'array-start 'array-end 'object-start 'object-end "a" 'array-end))
  (test-equal "{\"a\":1,\"b\":{\"c\":[null]}}"
    (accumulated 'object-start "a" 1 "b" 'object-start "c" 'array-start 'null 'array-end 'object-end 'object-end))
  (test-equal "[1,2]"
    (let* ((pieces '()) (accumulate (json-accumulator (lambda (text) (set! pieces (cons text pieces))))))
      (for-each accumulate '(array-start 1 2 array-end))
      (accumulate (eof-object))
      (apply string-append (reverse pieces))))
  (for-each
   (lambda (events) (test-assert (fails? (lambda () (apply accumulated events)))))
   (list '(1 2) '(array-end) '(object-end) '(array-start object-end) '(object-start array-end)
         '(object-start 1) '(object-start null) '(object-start "a" object-end) '(object-start array-start)
         '(array-start array-end 1) '(other) (list 'array-start +inf.0) (list 'array-start (eof-object)))))

(test-group "json-null?"
  (test-assert (json-null? 'null))
  (test-assert (not (json-null? '())))
  (test-assert (not (json-null? "null"))))

(test-end "srfi-180")
