def factorial(n: int) -> int:
    product = 1
    while n:
        product *= n
        n -= 1
    return product


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def pi_digits(count: int) -> int:
    one = 10 ** (count + 10)

    def arctan_inverse(x: int) -> int:
        xx = x * x
        term = one // x
        n = 1
        total = 0
        sign = 1
        while term:
            total += sign * (term // n)
            term //= xx
            n += 2
            sign = -sign
        return total

    return 4 * (4 * arctan_inverse(5) - arctan_inverse(239)) // 10**10


def run() -> int:
    prime = 1000000007
    return factorial(8000) % prime + fibonacci(120000) % prime + pi_digits(6000) % prime
