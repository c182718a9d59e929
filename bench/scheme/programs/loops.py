def triangle_sum(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    return total


def count_coprime_steps(n: int) -> int:
    steps = 0
    for i in range(1, n + 1):
        a, b, k = n, i, 0
        while a and b:
            a, b, k = a % b, b % a, k + 1
        steps += k
    return steps


def collatz_longest(limit: int) -> int:
    best = longest = 0
    for start in range(1, limit + 1):
        n = start
        length = 1
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            length += 1
        if length > longest:
            best, longest = start, length
    return best * 1000 + longest


def run() -> int:
    return triangle_sum(1500) + count_coprime_steps(30000) + collatz_longest(16000)
