def random_list(n: int) -> list[int]:
    v = [0] * n
    seed = 42
    for i in range(n):
        v[i] = seed
        seed = (seed * 1103515245 + 12345) % 2147483648
    return v


def quicksort(v: list[int], low: int, high: int) -> None:
    while low < high:
        pivot = v[(low + high) // 2]
        i = low
        j = high
        while i <= j:
            while v[i] < pivot:
                i += 1
            while v[j] > pivot:
                j -= 1
            if i <= j:
                v[i], v[j] = v[j], v[i]
                i += 1
                j -= 1
        quicksort(v, low, j)
        low = i


def run() -> int:
    n = 80000
    v = random_list(n)
    quicksort(v, 0, n - 1)
    return v[0] + v[40000] + v[n - 1]
