from typing import Any

# An expression is a number, a name or a tuple (operator, (argument, rest)), rest None at the end: the lists of the
# Scheme program, as tuples.


def listed(*items: Any) -> Any:
    out = None
    for item in reversed(items):
        out = (item, out)
    return out


def mapped(f: Any, items: Any) -> Any:
    if items is None:
        return None
    return (f(items[0]), mapped(f, items[1]))


def derivative(e: Any) -> Any:
    if type(e) is not tuple:
        return 1 if e == "x" else 0
    operator, arguments = e
    if operator == "+":
        return ("+", mapped(derivative, arguments))
    if operator == "-":
        return ("-", mapped(derivative, arguments))
    if operator == "*":
        terms = mapped(lambda factor: ("/", (derivative(factor), (factor, None))), arguments)
        return ("*", (e, (("+", terms), None)))
    if operator == "/":
        above, (below, _) = arguments
        return (
            "-",
            (
                ("/", (derivative(above), (below, None))),
                (("/", (above, (("*", (below, (below, (derivative(below), None)))), None))), None),
            ),
        )
    raise ValueError(f"no rule for {operator}")


def size(e: Any) -> int:
    if type(e) is tuple:
        return size(e[0]) + size(e[1])
    return 1


def run() -> int:
    expression = listed(
        "+",
        listed("*", 3, "x", "x"),
        listed("*", "a", "x", "x"),
        listed("*", "b", "x"),
        listed("/", "x", listed("-", "x", 5)),
        5,
    )
    total = 0
    for _ in range(10000):
        total += size(derivative(expression))
    return total
