(import (scheme base) (scheme char) (srfi 64) (srfi 115))

(define (found sre text)
  (let ((match (regexp-search sre text)))
    (and match (regexp-match-submatch match 0))))

(define (submatches sre text)
  (let ((match (regexp-search sre text)))
    (and match (regexp-match->list match))))

(test-begin "srfi-115")

(test-group "compiling"
  (test-assert (regexp? (regexp '(+ "a"))))
  (test-assert (not (regexp? '(+ "a"))))
  (let ((re (regexp "a")))
    (test-eq re (regexp re))
    (test-assert (regexp-matches? re "a"))
    (test-assert (regexp-matches? (regexp->sre re) "a")))
  (test-assert (regexp? (rx "a" (* "b"))))
  (let ((digits '(+ digit)))
    (test-equal "12-34" (found (rx ,digits "-" ,digits) "x12-34y"))
    (test-equal "12-34" (found (rx ,@(list digits "-") ,digits) "x12-34y")))
  (for-each (lambda (sre) (test-assert (valid-sre? sre)))
            (list "" #\a 'any '(: "a" ($ "b")) '(or) '(** 1 2 "a") '(-> name "a") '(look-behind "ab") (regexp "a")))
  (for-each (lambda (sre)
              (test-assert (not (valid-sre? sre)))
              (test-error #t (regexp sre)))
            (list 5 'nothing '() '("a" "b") '(unknown "a") '(= "a") '(= -1 "a") '(** 2 1 "a") '(-> "name" "a")
                  '(~ "ab") '(-) '(/ "abc") '(/ "za") '(look-behind (* "a")) '(backref 1) '(backref x)
                  '(char-set a) '(* . "a") #t)))

(test-group "circular, deep and huge patterns are refused"
  (let ((ring (list '* "a")))
    (set-cdr! (cdr ring) ring)
    (test-error #t (regexp ring)))
  (let ((inside (list '* "a")))
    (set-car! (cdr inside) inside)
    (test-error #t (regexp inside)))
  (test-error #t (regexp '(= 1000 (= 1000 (= 1000 "a")))))
  (test-error #t (regexp '(= 1000000000 "a"))))

(test-group "basic patterns"
  (test-equal "needle" (found "needle" "hayneedlehay"))
  (test-equal #f (found "needle" "haynEEdlehay"))
  (test-equal "one two three" (found '(: "one" space "two" space "three") "one two three"))
  (test-equal "meeney" (found '(or "eeney" "meeney" "miney") "meeney"))
  (test-equal #f (found '(or "eeney" "meeney" "miney") "moe"))
  (test-equal #f (found '(or) "moe"))
  (test-equal "" (found '(:) "moe")))

(test-group "of several matches at one place the preferred one is found"
  (test-equal "a" (found '(or "a" "ab") "ab"))
  (test-equal "ab" (found '(or "ab" "a") "ab"))
  (test-equal "aaa" (found '(* "a") "aaab")))

(test-group "case"
  (test-equal "nEEdle" (found '(w/nocase "needle") "haynEEdlehay"))
  (test-assert (regexp-search '(~ ("Aab")) "B"))
  (test-assert (not (regexp-search '(~ ("Aab")) "b")))
  (test-assert (not (regexp-search '(w/nocase (~ ("Aab"))) "B")))
  (test-assert (not (regexp-search '(w/nocase (~ ("Aab"))) "b")))
  (test-assert (not (regexp-search '(~ (w/nocase ("Aab"))) "B")))
  (test-assert (not (regexp-search '(~ (w/nocase ("Aab"))) "b")))
  (test-assert (regexp-search '(w/nocase "SMALL" (w/case "BIG")) "smallBIGsmall"))
  (test-assert (not (regexp-search '(w/nocase "SMALL" (w/case "big")) "smallBIGsmall")))
  (test-assert (not (regexp-search '(w/nocase (~ (w/case ("Aab")))) "b")))
  (test-assert (regexp-matches? '(w/nocase "σ") "ς"))
  (test-assert (regexp-matches? '(w/nocase lower) "A"))
  (test-assert (regexp-matches? '(w/nocase (/ "az")) "Q"))
  (test-assert (not (regexp-matches? '(w/ascii (w/nocase "é")) "É"))))

(test-group "ASCII and Unicode"
  (test-assert (regexp-search '(w/ascii bos (* alpha) eos) "English"))
  (test-assert (not (regexp-search '(w/ascii bos (* alpha) eos) "Ελληνική")))
  (test-assert (regexp-search '(w/unicode bos (* alpha) eos) "English"))
  (test-assert (regexp-search '(w/unicode bos (* alpha) eos) "Ελληνική"))
  (test-assert (not (regexp-matches? '(w/ascii (~ "a")) "é")))
  (test-assert (regexp-matches? '(~ "a") "é")))

(test-group "repetition"
  (test-assert (regexp-search '(: "match" (? "es") "!") "matches!"))
  (test-assert (regexp-search '(: "match" (? "es") "!") "match!"))
  (test-assert (not (regexp-search '(: "match" (? "es") "!") "matche!")))
  (test-assert (regexp-search '(: "<" (* (~ #\>)) ">") "<html>"))
  (test-assert (regexp-search '(: "<" (* (~ #\>)) ">") "<>"))
  (test-assert (not (regexp-search '(: "<" (* (~ #\>)) ">") "<html")))
  (test-assert (regexp-search '(: "<" (+ (~ #\>)) ">") "<a>"))
  (test-assert (not (regexp-search '(: "<" (+ (~ #\>)) ">") "<>")))
  (test-assert (regexp-search '(: "<" (>= 3 (~ #\>)) ">") "<table>"))
  (test-assert (regexp-search '(: "<" (>= 3 (~ #\>)) ">") "<pre>"))
  (test-assert (not (regexp-search '(: "<" (>= 3 (~ #\>)) ">") "<tr>")))
  (test-assert (regexp-search '(: "<" (= 4 (~ #\>)) ">") "<html>"))
  (test-assert (not (regexp-search '(: "<" (= 4 (~ #\>)) ">") "<table>")))
  (test-assert (regexp-search '(: (= 3 (** 1 3 numeric) ".") (** 1 3 numeric)) "192.168.1.10"))
  (test-assert (not (regexp-search '(: (= 3 (** 1 3 numeric) ".") (** 1 3 numeric)) "192.168.1")))
  (test-assert (not (regexp-search '(: bos (= 3 (** 1 3 numeric) ".") (** 1 3 numeric) eos) "192.0168.1.10")))
  (test-equal "" (found '(= 0 "a") "aa"))
  (test-equal "" (found '(* (* "b")) "aa"))
  (test-assert (regexp-matches? '(* (or (* "a") "b")) "aabab"))
  (for-each
   (lambda (long short)
     (test-equal (found short "xaaax") (found long "xaaax")))
   '((optional "xa") (zero-or-more "x") (one-or-more "xa") (exactly 2 any) (at-least 2 any) (repeated 1 2 any)
     (seq "a" "a") (submatch "a") (submatch-named n "a"))
   '((? "xa") (* "x") (+ "xa") (= 2 any) (>= 2 any) (** 1 2 any) (: "a" "a") ($ "a") (-> n "a"))))

(test-group "non-greedy repetition"
  (test-equal "<a>" (found '(: "<" (*? any) ">") "<a><b>"))
  (test-equal "<a><b>" (found '(: "<" (* any) ">") "<a><b>"))
  (test-equal "" (found '(?? "a") "a"))
  (test-equal "aa" (found '(**? 2 4 "a") "aaaa"))
  (test-equal "aaaa" (found '(** 2 4 "a") "aaaa"))
  (test-assert (regexp-matches? '(**? 2 4 "a") "aaaa"))
  (test-equal '("ab" "" "ab") (submatches '(: ($ (*? any)) ($ (* any))) "ab"))
  (test-equal "aa" (found '(non-greedy-repeated 2 4 "a") "aaaa"))
  (test-equal "" (found '(non-greedy-zero-or-more "a") "aaaa"))
  (test-equal "" (found '(non-greedy-optional "a") "aaaa")))

(test-group "submatches"
  (test-equal '("cats & dogs" "cats" "dogs")
    (submatches '(: ($ word) (+ (or space punct)) ($ word)) "cats & dogs"))
  (test-equal '("b" #f "b") (submatches '(or ($ "a") ($ "b")) "b"))
  (test-equal '("aab" "b") (submatches '(+ ($ (or "a" "b"))) "aab"))
  (let ((match (regexp-search '(: "*" ($ word) "*") "**foo**")))
    (test-assert (regexp-match? match))
    (test-equal "*foo*" (regexp-match-submatch match 0))
    (test-equal "foo" (regexp-match-submatch match 1))
    (test-equal 1 (regexp-match-submatch-start match 0))
    (test-equal 2 (regexp-match-submatch-start match 1))
    (test-equal 6 (regexp-match-submatch-end match 0))
    (test-equal 5 (regexp-match-submatch-end match 1))
    (test-equal 1 (regexp-match-count match))
    (test-error #t (regexp-match-submatch match 2))
    (test-error #t (regexp-match-submatch match -1))
    (test-error #t (regexp-match-submatch match 'name)))
  (test-equal 0 (regexp-match-count (regexp-matches "x" "x")))
  (test-equal 1 (regexp-match-count (regexp-matches '($ "x") "x")))
  (test-assert (not (regexp-match? (regexp-matches "x" "y"))))
  (test-error #t (regexp-match-count "x"))
  (let ((match (regexp-matches '(or ($ "x") ($ "y")) "y")))
    (test-equal #f (regexp-match-submatch match 1))
    (test-equal #f (regexp-match-submatch-start match 1))
    (test-equal #f (regexp-match-submatch-end match 1))))

(test-group "named submatches"
  (let ((match (regexp-matches '(: (-> key (+ alpha)) "=" (-> value (* any))) "size=10")))
    (test-equal "size" (regexp-match-submatch match 'key))
    (test-equal "10" (regexp-match-submatch match 'value))
    (test-equal "10" (regexp-match-submatch match 2))
    (test-equal 5 (regexp-match-submatch-start match 'value)))
  (let ((sre '(or (: "a" (-> n digit)) (: "b" (-> n digit)))))
    (test-equal "1" (regexp-match-submatch (regexp-matches sre "a1") 'n))
    (test-equal "2" (regexp-match-submatch (regexp-matches sre "b2") 'n))))

(test-group "w/nocapture"
  (let ((number '($ (+ digit))))
    (test-equal '("555" "867" "5309")
      (cdr (submatches `(: ,number "-" ,number "-" ,number) "555-867-5309")))
    (test-equal '("555" "5309")
      (cdr (submatches `(: ,number "-" (w/nocapture ,number) "-" ,number) "555-867-5309")))))

(test-group "sets of characters"
  (test-assert (regexp-matches? '(* #\-) "---"))
  (test-assert (not (regexp-matches? '(* #\-) "-_-")))
  (test-assert (regexp-matches? '(* ("aeiou")) "oui"))
  (test-assert (not (regexp-matches? '(* ("aeiou")) "ouais")))
  (test-assert (regexp-matches? '(* ("e\x0301;")) "e\x0301;"))
  (test-assert (not (regexp-matches? '("e\x0301;") "e\x0301;")))
  (test-assert (regexp-matches? '("e\x0301;") "e"))
  (test-assert (regexp-matches? '("e\x0301;") "\x0301;"))
  (test-assert (not (regexp-matches? '("e\x0301;") "\x00E9;")))
  (test-assert (regexp-matches? '(* (char-set "abc")) "cab"))
  (test-assert (regexp-matches? '(* (/ "AZ09")) "R2D2"))
  (test-assert (not (regexp-matches? '(* (/ "AZ09")) "C-3PO")))
  (test-assert (regexp-matches? '(* (/ "A" #\Z "09")) "R2D2"))
  (test-assert (regexp-matches? '(* (char-range "az")) "xyz"))
  (test-assert (regexp-matches? '(* (- (/ "az") ("aeiou"))) "xyzzy"))
  (test-assert (not (regexp-matches? '(* (- (/ "az") ("aeiou"))) "vowels")))
  (test-assert (regexp-matches? '(* (& (/ "az") (~ ("aeiou")))) "xyzzy"))
  (test-assert (not (regexp-matches? '(* (& (/ "az") (~ ("aeiou")))) "vowels")))
  (test-assert (regexp-matches? '(* (difference (/ "az") "q")) "abc"))
  (test-assert (regexp-matches? '(* (and alpha lower)) "abc"))
  (test-assert (regexp-matches? '(* (complement "q")) "abc"))
  (test-assert (regexp-matches? '(* (&)) "a\n")))

(test-group "named sets"
  (for-each
   (lambda (name inside outside)
     (test-assert (symbol->string name) (regexp-matches? `(* ,name) inside))
     (test-assert (symbol->string name) (not (regexp-search name outside))))
   '(any nonl ascii lower-case lower upper-case upper title-case title alphabetic alpha numeric num alphanumeric
     alphanum alnum punctuation punct symbol graphic graph whitespace white space printing print control cntrl
     hex-digit xdigit)
   '("aé\n" "aé" "a~" "aß" "aß" "AÉ" "AÉ" "\x01c5;" "\x01c5;" "aéπ" "aéπ" "09" "09" "aé9"
     "aé9" "aé9" "!?¿«" "!?¿«" "$+€" "aé9!+" "aé9!+" " \t\n" " \t\n" " \t\n" "a é+" "a é+" "\x1;\x7f;" "\x1;\x7f;"
     "09afAF" "09afAF")
   '("" "\r\n" "é" "A1" "A1" "a1" "a1" "aA" "aA" "1-" "1-" "a" "a" "-_"
     "-_" "-_" "a1" "a1" "a1" " \n" " \n" "a" "a" "a" "\x1;" "\x1;" "a " "a "
     "gG" "gG"))
  (test-assert (not (regexp-search '(w/ascii space) "\x2003;")))
  (test-assert (regexp-search 'space "\x2003;"))
  (test-assert (not (regexp-search '(w/ascii punct) "¿")))
  (test-assert (not (regexp-search '(w/ascii title) "\x01c5;"))))

(test-group "boundaries"
  (test-assert (regexp-search '(: bow "foo") "foo"))
  (test-assert (regexp-search '(: bow "foo") "<foo>>"))
  (test-assert (not (regexp-search '(: bow "foo") "snafoo")))
  (test-assert (regexp-search '(: "foo" eow) "foo"))
  (test-assert (regexp-search '(: "foo" eow) "foo!"))
  (test-assert (not (regexp-search '(: "foo" eow) "foobar")))
  (test-assert (regexp-search '(: "o" nwb "o") "foo"))
  (test-assert (not (regexp-search '(: nwb "foo") "foo")))
  (test-equal "b" (found '(: bol "b" eol) "a\nb\nc"))
  (test-equal "b" (found '(: bol "b" eol) "a\r\nb\r\nc"))
  (test-assert (not (regexp-search '(: "\r" eol) "a\r\nb")))
  (test-assert (regexp-search '(: bos "a") "a\nb"))
  (test-assert (not (regexp-search '(: bos "b") "a\nb")))
  (test-assert (regexp-search '(: "b" eos) "a\nb"))
  (test-assert (not (regexp-search '(: "a" eos) "a\nb")))
  (test-equal "a_1" (found 'word "*a_1*"))
  (test-equal "ab" (found '(word (+ alpha)) "a1 ab"))
  (test-equal "ab" (found '(word+ alpha) "a1 ab"))
  (test-equal "é" (found 'word "é"))
  (test-equal #f (found '(w/ascii word) "é")))

(test-group "boundaries are those of the selected part"
  (test-equal "b" (regexp-match-submatch (regexp-search '(: bos "b" eos) "abc" 1 2) 0))
  (test-equal "b" (regexp-match-submatch (regexp-search '(: bow "b" eow) "abc" 1 2) 0))
  (test-equal "b" (regexp-match-submatch (regexp-search '(: bol "b" eol) "abc" 1 2) 0))
  (test-assert (not (regexp-search '(look-behind "a") "ab" 1)))
  (test-assert (not (regexp-search '(: "a" (look-ahead "b")) "ab" 0 1)))
  (test-assert (regexp-matches "b" "abc" 1 2))
  (test-assert (not (regexp-matches "b" "abc" 1)))
  (test-equal 1 (regexp-match-submatch-start (regexp-search "b" "abcb" 1) 0))
  (test-error #t (regexp-search "a" "abc" 4))
  (test-error #t (regexp-search "a" 'abc)))

(test-group "graphemes"
  (test-equal '("e\x301;" "a") (regexp-extract 'grapheme "e\x301;a"))
  (test-equal '("\x1f1e9;\x1f1ea;" "\x1f1eb;\x1f1f7;") (regexp-extract 'grapheme "\x1f1e9;\x1f1ea;\x1f1eb;\x1f1f7;"))
  (test-equal '("\x1f468;\x200d;\x1f469;" "!") (regexp-extract 'grapheme "\x1f468;\x200d;\x1f469;!"))
  (test-equal '("\r\n" "\n" "a") (regexp-extract 'grapheme "\r\n\na"))
  (test-equal '("\x1100;\x1161;\x11a8;" "\xac00;") (regexp-extract 'grapheme "\x1100;\x1161;\x11a8;\xac00;"))
  (test-equal '("e" "\x301;") (regexp-extract 'any "e\x301;"))
  (test-assert (not (regexp-search '(: "e" eog) "e\x301;")))
  (test-assert (not (regexp-search '(: bog "\x301;") "e\x301;")))
  (test-assert (regexp-search '(: bog "e") "e\x301;"))
  (test-equal '("e") (regexp-extract '(w/ascii grapheme) "e\x301;")))

(test-group "looking around"
  (test-assert (regexp-matches '(: "regular" (look-ahead " expression") " expression") "regular expression"))
  (test-assert (not (regexp-matches '(: "regular" (look-ahead " ") "expression") "regular expression")))
  (test-equal "foo" (found '(: "foo" (neg-look-ahead "bar")) "foobar foobaz"))
  (test-equal 7 (regexp-match-submatch-start (regexp-search '(: "foo" (neg-look-ahead "bar")) "foobar foobaz") 0))
  (test-equal "20" (found '(: (look-behind "$") (+ digit)) "10 $20"))
  (test-equal "10" (found '(: bow (neg-look-behind "$") (+ digit)) "$20 10"))
  (test-equal '("a" "b") (submatches '(: "a" (look-ahead ($ "b"))) "ab"))
  (test-equal '("a" #f) (submatches '(: "a" (neg-look-ahead ($ "c"))) "ab")))

(test-group "references to submatches"
  (test-equal "abcabc" (found '(: ($ (+ alpha)) (backref 1)) "yx-abcabc"))
  (test-equal "\"a'\"" (found '(: (-> quote ("\"'")) (*? any) (backref quote)) "x\"a'\"y'"))
  (test-assert (regexp-matches? '(: ($ "a") (w/nocase (backref 1))) "aA"))
  (test-assert (not (regexp-matches? '(: ($ "a") (backref 1)) "aA")))
  (test-assert (not (regexp-matches? '(: (? ($ "a")) (backref 1)) "")))
  (test-assert (regexp-matches? '(: (* (* "a")) ($ "b") (backref 1)) "aabb")))

(test-group "features"
  (test-assert
      (cond-expand
        ((and regexp-non-greedy regexp-look-around regexp-backrefs regexp-unicode) #t)
        (else #f))))

(test-group "no pattern takes exponential time"
  (let ((text (make-string 3000 #\a)))
    (test-assert (not (regexp-matches? '(: (* (* (* "a"))) "b") text)))
    (test-assert (not (regexp-search '(: (+ (or "a" "aa")) "b") text)))
    (test-error #t (regexp-search '(: ($ (* "a")) (* (* "a")) (* "a") (backref 1) "b") text))))

(test-group "regexp-fold"
  (test-equal '(("not" . 1) ("or" . 1) ("be" . 2) ("to" . 2))
    (regexp-fold 'word
                 (lambda (i m str acc)
                   (let ((s (regexp-match-submatch m 0)))
                     (cond ((assoc s acc) => (lambda (x) (set-cdr! x (+ 1 (cdr x))) acc))
                           (else `((,s . 1) ,@acc)))))
                 '()
                 "to be or not to be"))
  (test-equal '((end 5) (2 5) (0 2))
    (regexp-fold '(+ digit)
                 (lambda (i m str acc) (cons (list i (regexp-match-submatch-end m 0)) acc))
                 '()
                 "12xx3yy"
                 (lambda (i m str acc) (cons (list 'end i) acc))))
  (test-equal '(1 2)
    (regexp-fold "a" (lambda (i m str acc) (cons (regexp-match-submatch-start m 0) acc)) '() "aaaa"
                 (lambda (i m str acc) (reverse acc)) 1 3))
  (test-equal '(0 1 2)
    (regexp-fold "" (lambda (i m str acc) (cons (regexp-match-submatch-start m 0) acc)) '() "ab"
                 (lambda (i m str acc) (reverse acc)))))

(test-group "extracting"
  (test-equal '("192" "168" "0" "1") (regexp-extract '(+ numeric) "192.168.0.1"))
  (test-equal '("168") (regexp-extract '(+ numeric) "192.168.0.1" 4 7))
  (test-equal '() (regexp-extract '(* numeric) "abc")))

(test-group "splitting"
  (test-equal '("" "fee" "fi" "fo" "fum" "") (regexp-split '(+ space) " fee fi  fo\tfum\n"))
  (test-equal '("a" "" "b" "") (regexp-split '(",;") "a,,b,"))
  (test-equal '("abc" "def" "ghi" "") (regexp-split '(* digit) "abc123def456ghi789"))
  (test-equal '("b" "") (regexp-split "," "a,b,c" 2 4))
  (test-equal '("") (regexp-split "," "")))

(test-group "partitioning"
  (test-equal '("") (regexp-partition '(+ (or space punct)) ""))
  (test-equal '("Hello" ", " "world" "!\n") (regexp-partition '(+ (or space punct)) "Hello, world!\n"))
  (test-equal '("" "¿" "Dónde" " " "Estás" "?") (regexp-partition '(+ (or space punct)) "¿Dónde Estás?"))
  (test-equal '("abc" "123" "def" "456" "ghi" "789") (regexp-partition '(* digit) "abc123def456ghi789")))

(test-group "replacing"
  (test-equal "one_two three" (regexp-replace '(+ space) "one two three" "_"))
  (test-equal "one_two three" (regexp-replace '(+ space) "one two three" "_" 0 #f 0))
  (test-equal "one two_three" (regexp-replace '(+ space) "one two three" "_" 0 #f 1))
  (test-equal "one two three" (regexp-replace '(+ space) "one two three" "_" 0 #f 2))
  (test-equal "one_two_three" (regexp-replace-all '(+ space) "one two three" "_"))
  (test-equal "b-c" (regexp-replace "x" "abxcd" "-" 1 4))
  (test-equal "[b]a" (regexp-replace '(: ($ "a") ($ "b")) "ab" '("[" 2 "]" 1)))
  (test-equal "size" (regexp-replace '(: (-> key (* alpha)) "=" (* any)) "size=10" 'key))
  (test-equal "ab(ab|de)de" (regexp-replace "c" "abcde" '("(" pre "|" post ")")))
  (test-equal "a" (regexp-replace '(: "a" (? ($ "b"))) "a" '("a" 1)))
  (test-equal "-a-b-c-d-" (regexp-replace-all '(* digit) "ab12cd" "-"))
  (test-equal "bb" (regexp-replace-all "a" "aa" "b"))
  (test-error #t (regexp-replace "a" "a" 1))
  (test-error #t (regexp-replace "a" "a" 'name)))

(test-end "srfi-115")
