;;; A binary search tree of records: insertion in place, lookup, depth.
(import (scheme base))

(define-record-type node
  (make-node key left right)
  node?
  (key node-key)
  (left node-left set-node-left!)
  (right node-right set-node-right!))

(define (insert! tree key)
  (cond ((< key (node-key tree))
         (if (node-left tree)
             (insert! (node-left tree) key)
             (set-node-left! tree (make-node key #f #f))))
        ((> key (node-key tree))
         (if (node-right tree)
             (insert! (node-right tree) key)
             (set-node-right! tree (make-node key #f #f))))))

(define (found? tree key)
  (and tree
       (cond ((< key (node-key tree)) (found? (node-left tree) key))
             ((> key (node-key tree)) (found? (node-right tree) key))
             (else #t))))

(define (depth tree)
  (if tree
      (+ 1 (max (depth (node-left tree)) (depth (node-right tree))))
      0))

(define (run)
  (let ((tree (make-node 500000 #f #f)) (n 60000))
    (do ((i 0 (+ i 1))
         (seed 1 (modulo (+ (* seed 1664525) 1013904223) 1000003)))
        ((= i n))
      (insert! tree seed))
    (do ((i 0 (+ i 1))
         (hits 0 (if (found? tree (* i 97)) (+ hits 1) hits)))
        ((= i n) (+ (* 1000 (depth tree)) hits)))))
