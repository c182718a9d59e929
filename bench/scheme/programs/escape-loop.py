def smallest_divisor(n: int) -> int:
    d = 2
    while d * d <= n:
        if n % d == 0:
            return d
        d += 1
    return n


def run() -> int:
    total = 0
    for n in range(2, 90000):
        total += smallest_divisor(n)
    return total
