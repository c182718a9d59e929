from collections.abc import Callable

Matrix = list[list[int]]


def make_matrix(rows: int, columns: int, value: Callable[[int, int], int]) -> Matrix:
    return [[value(i, j) for j in range(columns)] for i in range(rows)]


def matrix_product(a: Matrix, b: Matrix, n: int) -> Matrix:
    def element(i: int, j: int) -> int:
        row = a[i]
        total = 0
        for k in range(n):
            total += row[k] * b[k][j]
        return total

    return make_matrix(n, n, element)


def run() -> int:
    n = 140
    a = make_matrix(n, n, lambda i, j: i + j)
    b = make_matrix(n, n, lambda i, j: i - j)
    c = matrix_product(a, b, n)
    return c[3][5] + c[99][98]
