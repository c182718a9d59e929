;;; Consumers of generators, and accumulators.

;;; Into sequences

;; At most k values, last one first; all of them if k is #f.
(define (reversed-values who gen k)
  (check-procedure who "gen" gen)
  (when k (check-count who "k" k))
  (let loop ((left k) (items '()))
    (if (eqv? left 0)
        items
        (let ((item (gen)))
          (if (eof-object? item)
              items
              (loop (and left (- left 1)) (cons item items)))))))

(define generator->list
  (case-lambda
    ((gen) (reverse (reversed-values "generator->list" gen #f)))
    ((gen k) (reverse (reversed-values "generator->list" gen k)))))

(define generator->reverse-list
  (case-lambda
    ((gen) (reversed-values "generator->reverse-list" gen #f))
    ((gen k) (reversed-values "generator->reverse-list" gen k))))

(define generator->vector
  (case-lambda
    ((gen) (list->vector (reverse (reversed-values "generator->vector" gen #f))))
    ((gen k) (list->vector (reverse (reversed-values "generator->vector" gen k))))))

(define (generator->vector! vector at gen)
  (unless (vector? vector)
    (reject "generator->vector!" "vector" "a vector" vector))
  (check-procedure "generator->vector!" "gen" gen)
  (let ((length (vector-length vector)))
    (check-range "generator->vector!" length at length)
    (let loop ((i at))
      (if (= i length)
          (- i at)
          (let ((item (gen)))
            (cond ((eof-object? item) (- i at))
                  (else
                   (vector-set! vector i item)
                   (loop (+ i 1)))))))))

(define generator->string
  (case-lambda
    ((gen) (list->string (reverse (reversed-values "generator->string" gen #f))))
    ((gen k) (list->string (reverse (reversed-values "generator->string" gen k))))))

;;; Into one value

(define (generator-fold proc seed gen . more)
  (check-procedure "generator-fold" "proc" proc)
  (check-generators "generator-fold" (cons gen more))
  (if (null? more)
      (let loop ((result seed))
        (let ((item (gen)))
          (if (eof-object? item)
              result
              (loop (proc item result)))))
      (let ((generators (cons gen more)))
        (let loop ((result seed))
          (let ((items (next-values generators)))
            (if items
                (loop (apply proc (append items (list result))))
                result))))))

(define (generator-for-each proc gen . more)
  (check-procedure "generator-for-each" "proc" proc)
  (check-generators "generator-for-each" (cons gen more))
  (if (null? more)
      (let loop ()
        (let ((item (gen)))
          (unless (eof-object? item)
            (proc item)
            (loop))))
      (let ((generators (cons gen more)))
        (let loop ()
          (let ((items (next-values generators)))
            (when items
              (apply proc items)
              (loop)))))))

(define (generator-map->list proc gen . more)
  (check-procedure "generator-map->list" "proc" proc)
  (check-generators "generator-map->list" (cons gen more))
  (if (null? more)
      (let loop ((results '()))
        (let ((item (gen)))
          (if (eof-object? item)
              (reverse results)
              (loop (cons (proc item) results)))))
      (let ((generators (cons gen more)))
        (let loop ((results '()))
          (let ((items (next-values generators)))
            (if items
                (loop (cons (apply proc items) results))
                (reverse results)))))))

(define (generator-find pred gen)
  (check-procedure "generator-find" "pred" pred)
  (check-procedure "generator-find" "gen" gen)
  (let loop ()
    (let ((item (gen)))
      (cond ((eof-object? item) #f)
            ((pred item) item)
            (else (loop))))))

(define (generator-count pred gen)
  (check-procedure "generator-count" "pred" pred)
  (check-procedure "generator-count" "gen" gen)
  (let loop ((count 0))
    (let ((item (gen)))
      (cond ((eof-object? item) count)
            ((pred item) (loop (+ count 1)))
            (else (loop count))))))

(define (generator-any pred gen)
  (check-procedure "generator-any" "pred" pred)
  (check-procedure "generator-any" "gen" gen)
  (let loop ()
    (let ((item (gen)))
      (if (eof-object? item)
          #f
          (or (pred item) (loop))))))

(define (generator-every pred gen)
  (check-procedure "generator-every" "pred" pred)
  (check-procedure "generator-every" "gen" gen)
  (let loop ((result #t))
    (let ((item (gen)))
      (if (eof-object? item)
          result
          (let ((result (pred item)))
            (and result (loop result)))))))

(define (generator-unfold gen unfold . arguments)
  (check-procedure "generator-unfold" "gen" gen)
  (check-procedure "generator-unfold" "unfold" unfold)
  (apply unfold eof-object? (lambda (item) item) (lambda (item) (gen)) (gen) arguments))

;;; Accumulators

(define (make-accumulator kons knil finalizer)
  (check-procedure "make-accumulator" "kons" kons)
  (check-procedure "make-accumulator" "finalizer" finalizer)
  (let ((state knil))
    (lambda (item)
      (if (eof-object? item)
          (finalizer state)
          (set! state (kons item state))))))

(define (identity object) object)

(define (count-accumulator)
  (make-accumulator (lambda (item count) (+ count 1)) 0 identity))

(define (list-accumulator) (make-accumulator cons '() reverse))

(define (reverse-list-accumulator) (make-accumulator cons '() identity))

(define (vector-accumulator)
  (make-accumulator cons '() (lambda (items) (list->vector (reverse items)))))

(define (reverse-vector-accumulator) (make-accumulator cons '() list->vector))

(define (sum-accumulator) (make-accumulator + 0 identity))

(define (product-accumulator) (make-accumulator * 1 identity))

(define (string-accumulator)
  (let ((port (open-output-string)))
    (lambda (item)
      (if (eof-object? item)
          (get-output-string port)
          (write-char item port)))))

(define (bytevector-accumulator)
  (let ((port (open-output-bytevector)))
    (lambda (item)
      (if (eof-object? item)
          (get-output-bytevector port)
          (write-u8 item port)))))

;; Puts objects into consecutive positions of an existing sequence.
(define (filling-accumulator who sequence length at set!-item)
  (check-range who length at length)
  (let ((i at))
    (lambda (item)
      (cond ((eof-object? item) sequence)
            ((= i length) (error (string-append who ": there is no room for a further object") item))
            (else
             (set!-item sequence i item)
             (set! i (+ i 1)))))))

(define (vector-accumulator! vector at)
  (unless (vector? vector)
    (reject "vector-accumulator!" "vector" "a vector" vector))
  (filling-accumulator "vector-accumulator!" vector (vector-length vector) at vector-set!))

(define (bytevector-accumulator! bytevector at)
  (unless (bytevector? bytevector)
    (reject "bytevector-accumulator!" "bytevector" "a bytevector" bytevector))
  (filling-accumulator "bytevector-accumulator!" bytevector (bytevector-length bytevector) at
                       bytevector-u8-set!))
