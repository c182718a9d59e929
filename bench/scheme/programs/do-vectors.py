def dot(a: list[int], b: list[int]) -> int:
    total = 0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def convolve(signal: list[int], kernel: list[int]) -> list[int]:
    n = len(signal)
    m = len(kernel)
    out = [0] * (n - m)
    for i in range(n - m):
        for j in range(m):
            out[i] += signal[i + j] * kernel[j]
    return out


def rule_110(cells: list[int], steps: int) -> int:
    n = len(cells)
    for _ in range(steps):
        following = [0] * n
        for i in range(1, n - 1):
            pattern = 4 * cells[i - 1] + 2 * cells[i] + cells[i + 1]
            following[i] = 0 if pattern == 0 or pattern == 4 or pattern == 7 else 1
        cells = following
    alive = 0
    for i in range(n):
        alive += cells[i]
    return alive


def run() -> int:
    n = 100000
    a = [0] * n
    for i in range(n):
        a[i] = i * 7919 % 1009
    cells = [0] * 600
    cells[598] = 1
    return dot(a, a) + dot(a, a) + convolve(a, [1, 4, 6, 4, 1])[777] + rule_110(cells, 1000)
