"""Writing JSON: what is said of what has no JSON text. What is written is tested with SRFI 180, in Scheme."""

import pytest

from nodwyn.interp import Condition, Interpreter, SchemeError

WRONG = {
    "(list 1 2)": ("an object must be an association list whose keys are symbols, got (1 2)", "list->vector"),
    "(vector 1 (list 2))": ("an object must be an association list whose keys are symbols, got (2)", "list->vector"),
    '\'(("a" . 1))': ('an object must be an association list whose keys are symbols, got (("a" . 1))', "list->vector"),
    "'((a . 1) . b)": ("an object must be a proper association list, got ((a . 1) . b)", "list->vector"),
    "'abc": ("there is no JSON text for abc", "the symbol null"),
    "1/3": ("there is no JSON text for 1/3", "finite reals"),
    "car": ("there is no JSON text for #<procedure car>", "strings, integers"),
}


@pytest.mark.parametrize(("value", "said"), WRONG.items(), ids=WRONG)
def test_what_has_no_json_text_is_told_with_what_to_write(value: str, said: tuple[str, str]) -> None:
    with pytest.raises(SchemeError) as caught:
        Interpreter().eval(f"(import (srfi 180)) (json-write {value} (open-output-string))")
    payload = caught.value.payload
    assert isinstance(payload, Condition)
    assert payload.message == said[0]
    assert said[1] in payload.hint
