"""Code of several interpreters in one process: equal texts make equal code, which must not be mixed up."""

from nodwyn.interp import Interpreter

TEXT = """
(define saved #f)
(define (step n)
  (let ((got (call/cc (lambda (k) (set! saved k) n))))
    (string-append owner (number->string got))))
(define (resume-once)
  (let ((result (step 1)))
    (if saved
        (let ((k saved)) (set! saved #f) (k 2))
        result)))
"""


def test_a_continuation_goes_on_in_the_interpreter_that_made_it() -> None:
    interpreters = {name: Interpreter() for name in ("first", "second")}
    for name, scheme in interpreters.items():
        scheme.define("owner", name)
        scheme.eval(TEXT)
    assert [scheme.eval("(resume-once)") for scheme in interpreters.values()] == ["first2", "second2"]
