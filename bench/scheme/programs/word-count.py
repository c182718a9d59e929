words = (
    "the", "quick", "brown", "fox", "jumps", "over", "lazy", "dog",
    "and", "runs", "away", "from", "a", "bear", "that", "sleeps",
)  # fmt: skip


def count_words(n: int) -> int:
    counts: dict[str, int] = {}
    seed = 17
    for _ in range(n):
        word = words[seed // 268435456]
        counts[word] = counts.get(word, 0) + 1
        seed = (seed * 1664525 + 1013904223) % 4294967296
    return counts.get("the", 0) + 100000 * counts.get("bear", 0)


def count_remainders(n: int) -> int:
    counts: dict[int, int] = {}
    for i in range(n):
        key = i * i % 1009
        counts[key] = 1 + counts.get(key, 0)
    total = 0
    for key, count in counts.items():
        total += key * count
    return total


def run() -> int:
    return count_words(300000) + count_remainders(150000)
