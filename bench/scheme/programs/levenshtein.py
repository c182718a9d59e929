def distance(a: str, b: str) -> int:
    n = len(b)
    row, following = list(range(n + 1)), [0] * (n + 1)
    for i, letter in enumerate(a, start=1):
        following[0] = i
        for j in range(1, n + 1):
            cost = 0 if letter == b[j - 1] else 1
            following[j] = min(1 + row[j], 1 + following[j - 1], cost + row[j - 1])
        row, following = following, row
    return row[n]


def run() -> int:
    total = 0
    for _ in range(200):
        total += distance(
            "the quick brown fox jumps over the lazy dog", "pack my box with five dozen liquor jugs today"
        )
    return total
