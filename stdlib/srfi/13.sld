;; SRFI 13: string libraries, both string-lib and string-lib-internals.

(define-library (srfi 13)
  (import (except (scheme base) string-map string-for-each)
          (scheme case-lambda)
          (prefix (only (scheme base) string-map string-for-each) base:)
          (only (nodwyn builtins)
                string-hash
                %char-set
                %string-index %string-index-right %string-skip %string-skip-right %string-count
                %string-filter %string-delete %string-tokenize)
          (rename (only (nodwyn builtins)
                        %string-null? %substring/shared
                        %string-take %string-drop %string-take-right %string-drop-right
                        %string-pad %string-pad-right
                        %string= %string<> %string< %string> %string<= %string>=
                        %string-ci= %string-ci<> %string-ci< %string-ci> %string-ci<= %string-ci>=
                        %string-hash-ci
                        %string-prefix-length %string-suffix-length
                        %string-prefix-length-ci %string-suffix-length-ci
                        %string-prefix? %string-suffix? %string-prefix-ci? %string-suffix-ci?
                        %string-contains %string-contains-ci
                        %string-titlecase %string-upcase %string-downcase
                        %string-titlecase! %string-upcase! %string-downcase!
                        %string-reverse %string-reverse!
                        %string-concatenate %string-concatenate-reverse %string-join
                        %xsubstring %string-xcopy! %string-replace %reverse-list->string)
                  (%string-null? string-null?)
                  (%substring/shared substring/shared)
                  (%string-take string-take)
                  (%string-drop string-drop)
                  (%string-take-right string-take-right)
                  (%string-drop-right string-drop-right)
                  (%string-pad string-pad)
                  (%string-pad-right string-pad-right)
                  (%string= string=)
                  (%string<> string<>)
                  (%string< string<)
                  (%string> string>)
                  (%string<= string<=)
                  (%string>= string>=)
                  (%string-ci= string-ci=)
                  (%string-ci<> string-ci<>)
                  (%string-ci< string-ci<)
                  (%string-ci> string-ci>)
                  (%string-ci<= string-ci<=)
                  (%string-ci>= string-ci>=)
                  (%string-hash-ci string-hash-ci)
                  (%string-prefix-length string-prefix-length)
                  (%string-suffix-length string-suffix-length)
                  (%string-prefix-length-ci string-prefix-length-ci)
                  (%string-suffix-length-ci string-suffix-length-ci)
                  (%string-prefix? string-prefix?)
                  (%string-suffix? string-suffix?)
                  (%string-prefix-ci? string-prefix-ci?)
                  (%string-suffix-ci? string-suffix-ci?)
                  (%string-contains string-contains)
                  (%string-contains-ci string-contains-ci)
                  (%string-titlecase string-titlecase)
                  (%string-upcase string-upcase)
                  (%string-downcase string-downcase)
                  (%string-titlecase! string-titlecase!)
                  (%string-upcase! string-upcase!)
                  (%string-downcase! string-downcase!)
                  (%string-reverse string-reverse)
                  (%string-reverse! string-reverse!)
                  (%string-concatenate string-concatenate)
                  (%string-concatenate-reverse string-concatenate-reverse)
                  (%string-join string-join)
                  (%xsubstring xsubstring)
                  (%string-xcopy! string-xcopy!)
                  (%string-replace string-replace)
                  (%reverse-list->string reverse-list->string)))
  (export
   string? string-null? string-every string-any
   make-string string string-tabulate
   string->list list->string reverse-list->string string-join
   string-length string-ref string-copy substring/shared string-copy!
   string-take string-take-right string-drop string-drop-right
   string-pad string-pad-right string-trim string-trim-right string-trim-both
   string-set! string-fill!
   string-compare string-compare-ci
   string<> string= string< string> string<= string>=
   string-ci<> string-ci= string-ci< string-ci> string-ci<= string-ci>=
   string-hash string-hash-ci
   string-prefix-length string-suffix-length string-prefix-length-ci string-suffix-length-ci
   string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?
   string-index string-index-right string-skip string-skip-right string-count
   string-contains string-contains-ci
   string-titlecase string-upcase string-downcase string-titlecase! string-upcase! string-downcase!
   string-reverse string-reverse! string-append
   string-concatenate string-concatenate/shared string-append/shared
   string-concatenate-reverse string-concatenate-reverse/shared
   string-map string-map! string-fold string-fold-right string-unfold string-unfold-right
   string-for-each string-for-each-index
   xsubstring string-xcopy! string-replace string-tokenize string-filter string-delete
   string-parse-start+end string-parse-final-start+end let-string-start+end
   check-substring-spec substring-spec-ok?
   make-kmp-restart-vector kmp-step string-kmp-partial-search)
  (include "13.scm" "13-internals.scm"))
