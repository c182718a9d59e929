def sieve(limit: int) -> int:
    prime = [True] * (limit + 1)
    count = 0
    for i in range(2, limit + 1):
        if prime[i]:
            for j in range(i * i, limit + 1, i):
                prime[j] = False
            count += 1
    return count


def run() -> int:
    return sieve(1500000)
