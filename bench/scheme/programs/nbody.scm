;;; Five planets as records with mutable flonum fields, all pairs at each step.
(import (scheme base) (scheme inexact))

(define-record-type body
  (make-body x y z vx vy vz mass)
  body?
  (x body-x set-body-x!)
  (y body-y set-body-y!)
  (z body-z set-body-z!)
  (vx body-vx set-body-vx!)
  (vy body-vy set-body-vy!)
  (vz body-vz set-body-vz!)
  (mass body-mass))

(define (planets)
  (list (make-body 0.0 0.0 0.0 0.0 0.0 0.0 39.47841760435743)
        (make-body 4.84143144246472 -1.16032004402742 -0.10362204447112
                   0.60632639299583 2.81198684491626 -0.02521836165988 0.03769367487038)
        (make-body 8.34336671824457 4.1247985641243 -0.40352341711432
                   -1.01077434617879 1.82566237123041 0.00841576137658 0.01128632613196)
        (make-body 12.8943695621391 -15.1111514016986 -0.22330757889265
                   1.08279100644153 0.86871301816960 -0.01083263740136 0.00172372405705)
        (make-body 15.3796971148509 -25.9193146099879 0.17925877295037
                   0.97909073224389 0.59469899864767 -0.03475595557623 0.00203368686992)))

(define (attract! a b dt)
  (let* ((dx (- (body-x a) (body-x b)))
         (dy (- (body-y a) (body-y b)))
         (dz (- (body-z a) (body-z b)))
         (d2 (+ (* dx dx) (* dy dy) (* dz dz)))
         (mag (/ dt (* d2 (sqrt d2))))
         (ma (* (body-mass a) mag))
         (mb (* (body-mass b) mag)))
    (set-body-vx! a (- (body-vx a) (* dx mb)))
    (set-body-vy! a (- (body-vy a) (* dy mb)))
    (set-body-vz! a (- (body-vz a) (* dz mb)))
    (set-body-vx! b (+ (body-vx b) (* dx ma)))
    (set-body-vy! b (+ (body-vy b) (* dy ma)))
    (set-body-vz! b (+ (body-vz b) (* dz ma)))))

(define (move! b dt)
  (set-body-x! b (+ (body-x b) (* dt (body-vx b))))
  (set-body-y! b (+ (body-y b) (* dt (body-vy b))))
  (set-body-z! b (+ (body-z b) (* dt (body-vz b)))))

(define (advance! bodies dt)
  (let each ((rest bodies))
    (unless (null? rest)
      (let ((a (car rest)))
        (let other ((others (cdr rest)))
          (unless (null? others)
            (attract! a (car others) dt)
            (other (cdr others)))))
      (each (cdr rest))))
  (for-each (lambda (b) (move! b dt)) bodies))

(define (run)
  (let ((bodies (planets)))
    (do ((i 0 (+ i 1)))
        ((= i 20000) (body-x (car bodies)))
      (advance! bodies 0.01))))
