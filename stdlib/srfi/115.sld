;; SRFI 115: Scheme regular expressions.
;;
;; Matching is linear in the text, without backtracking, but for patterns with backref, which end with
;; an error after a great number of steps. The leftmost match is found; of several there, the one that
;; prefers earlier alternatives and, but for the non-greedy forms, more repetitions.

(define-library (srfi 115)
  (import (scheme base)
          (scheme case-lambda)
          (only (nodwyn builtins)
                regexp regexp? valid-sre? regexp->sre char-set->sre
                regexp-matches regexp-matches? regexp-search
                regexp-extract regexp-split regexp-partition regexp-replace regexp-replace-all
                regexp-match? regexp-match-count regexp-match-submatch
                regexp-match-submatch-start regexp-match-submatch-end regexp-match->list
                %regexp-search-from))
  (export
   regexp rx regexp->sre char-set->sre valid-sre? regexp? regexp-match?
   regexp-matches regexp-matches? regexp-search
   regexp-fold regexp-extract regexp-split regexp-partition regexp-replace regexp-replace-all
   regexp-match-count regexp-match-submatch regexp-match-submatch-start regexp-match-submatch-end
   regexp-match->list)
  (include "115.scm"))
