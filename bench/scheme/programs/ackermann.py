import sys


def ackermann(m: int, n: int) -> int:
    while m:
        if n:
            m, n = m - 1, ackermann(m, n - 1)
        else:
            m, n = m - 1, 1
    return n + 1


def run() -> int:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    return ackermann(3, 8)
