;;; Points and particles: construction, access, predicates, update in place.
(import (scheme base))

(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(define-record-type particle
  (make-particle position velocity age)
  particle?
  (position particle-position set-particle-position!)
  (velocity particle-velocity)
  (age particle-age set-particle-age!))

(define (point+ a b)
  (make-point (+ (point-x a) (point-x b)) (+ (point-y a) (point-y b))))

(define (move! p)
  (set-particle-position! p (point+ (particle-position p) (particle-velocity p)))
  (set-particle-age! p (+ (particle-age p) 1)))

(define (energy thing)
  (cond ((point? thing) (+ (* (point-x thing) (point-x thing)) (* (point-y thing) (point-y thing))))
        ((particle? thing) (+ (energy (particle-position thing)) (energy (particle-velocity thing)) (particle-age thing)))
        (else 0)))

(define (run)
  (let ((swarm (let loop ((i 0) (out '()))
                 (if (= i 200)
                     out
                     (loop (+ i 1) (cons (make-particle (make-point i (- i)) (make-point 1 i) 0) out))))))
    (do ((step 0 (+ step 1)))
        ((= step 2500))
      (for-each move! swarm))
    (let sum ((swarm swarm) (total 0))
      (if (null? swarm)
          total
          (sum (cdr swarm) (+ total (energy (car swarm))))))))
