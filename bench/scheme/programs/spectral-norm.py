from math import sqrt


def element(i: int, j: int) -> float:
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def multiply(v: list[float], n: int) -> list[float]:
    result = []
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += element(i, j) * v[j]
        result.append(total)
    return result


def multiply_transposed(v: list[float], n: int) -> list[float]:
    result = []
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += element(j, i) * v[j]
        result.append(total)
    return result


def spectral_norm(n: int, rounds: int) -> float:
    u = [1.0] * n
    v = [0.0] * n
    for _ in range(rounds):
        v = multiply_transposed(multiply(u, n), n)
        u = multiply_transposed(multiply(v, n), n)
    vbv = vv = 0.0
    for i in range(n):
        vbv += u[i] * v[i]
        vv += v[i] * v[i]
    return sqrt(vbv / vv)


def run() -> float:
    return spectral_norm(240, 3)
