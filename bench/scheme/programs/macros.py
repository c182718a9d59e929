def gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def operate(op: str, a: int, b: int) -> int:
    if op == "add":
        return a + b
    if op == "subtract":
        return a - b
    if op == "multiply":
        return a * b
    return 0


def run() -> int:
    total = 0
    for i in range(1, 160000):
        total += gcd(i, 360360)
        for op in ("add", "multiply", "subtract", "none"):
            total += operate(op, i, 3)
        if i == 1 or i % 2 == 0 or i == 7:
            total += 1
    return total
