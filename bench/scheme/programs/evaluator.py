from collections.abc import Callable
from typing import Any

Environment = tuple[Any, ...]
Code = Callable[[Environment], Any]

# A function is a list of one element, its code, so that it can be called before it is compiled.
functions: dict[str, list[Code]] = {}


def define_function(name: str, parameters: tuple[str, ...], body: Any) -> None:
    cell: list[Code] = []
    functions[name] = cell
    cell.append(compile_expression(body, parameters))


def compile_expression(e: Any, names: tuple[str, ...]) -> Code:
    if isinstance(e, str):
        return compile_variable(names.index(e))
    if not isinstance(e, tuple):
        return lambda env: e
    head = e[0]
    if head == "if":
        test, then, otherwise = (compile_expression(part, names) for part in e[1:])
        return lambda env: then(env) if test(env) else otherwise(env)
    if head in ("+", "-", "<"):
        return compile_operation(head, compile_expression(e[1], names), compile_expression(e[2], names))
    cell = functions[head]
    operands = [compile_expression(operand, names) for operand in e[1:]]
    return lambda env: cell[0]([operand(env) for operand in operands])


def compile_variable(i: int) -> Code:
    return lambda env: env[i]


def compile_operation(op: str, a: Code, b: Code) -> Code:
    if op == "+":
        return lambda env: a(env) + b(env)
    if op == "-":
        return lambda env: a(env) - b(env)
    return lambda env: a(env) < b(env)


define_function("fib", ("n",), ("if", ("<", "n", 2), "n", ("+", ("fib", ("-", "n", 1)), ("fib", ("-", "n", 2)))))
define_function(
    "tak",
    ("x", "y", "z"),
    (
        "if",
        ("<", "y", "x"),
        ("tak", ("tak", ("-", "x", 1), "y", "z"), ("tak", ("-", "y", 1), "z", "x"), ("tak", ("-", "z", 1), "x", "y")),
        "z",
    ),
)


def call(name: str, *arguments: Any) -> Any:
    return functions[name][0](arguments)


def run() -> int:
    result: int = call("fib", 24) + call("tak", 14, 8, 3)
    return result
