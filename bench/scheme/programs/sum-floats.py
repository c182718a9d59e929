from math import sqrt


def leibniz(terms: int) -> float:
    sign = 1.0
    total = 0.0
    for k in range(terms):
        total += sign / (2.0 * k + 1.0)
        sign = -sign
    return 4.0 * total


def norms(n: int) -> float:
    x = 0.5
    total = 0.0
    for _ in range(n):
        total += sqrt(x)
        x = 3.5 * x - 3.5 * x * x
    return total


def run() -> float:
    return leibniz(700000) + norms(700000)
