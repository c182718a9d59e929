;;; SRFI 151: bitwise operations.
;;; Source: https://srfi.schemers.org/srfi-151/srfi-151.html
;;;
;;; What takes no procedures is built in. Choices that the document leaves open: anything but an
;;; exact integer, or but a boolean where a bit is set, is an error; so is a negative index, and the
;;; bits of a negative integer as a list or vector, of which there would be no end.
(define-library (srfi 151)
  (export
    ;; Basic operations
    bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand bitwise-nor
    bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2
    ;; Integer operations
    arithmetic-shift bit-count integer-length bitwise-if
    ;; Single-bit operations
    bit-set? copy-bit bit-swap any-bit-set? every-bit-set? first-set-bit
    ;; Bit field operations
    bit-field bit-field-any? bit-field-every? bit-field-clear bit-field-set
    bit-field-replace bit-field-replace-same bit-field-rotate bit-field-reverse
    ;; Bits conversion
    bits->list list->bits bits->vector vector->bits bits
    ;; Fold, unfold and generate
    bitwise-fold bitwise-for-each bitwise-unfold make-bitwise-generator)
  (import (scheme base)
          (only (nodwyn builtins)
                bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand bitwise-nor
                bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2
                arithmetic-shift bit-count integer-length bitwise-if
                bit-set? copy-bit bit-swap any-bit-set? every-bit-set? first-set-bit
                bit-field bit-field-any? bit-field-every? bit-field-clear bit-field-set
                bit-field-replace bit-field-replace-same bit-field-rotate bit-field-reverse
                bits->list list->bits bits->vector vector->bits bits))
  (include "151.scm"))
