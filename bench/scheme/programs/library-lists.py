def run() -> int:
    total = 0
    for i in range(600):
        items = list(range(1000))
        squares = [x * x + i for x in items]
        thirds = [x for x in squares if x % 3 == 0]
        pairs = [x - y for x, y in zip(squares, items, strict=True)]
        extra = 0
        for x in thirds:
            extra += 2 * x
        state = 0
        for x in pairs[::-1] + items:
            state += x
        total += extra + state + len(thirds)
    return total
