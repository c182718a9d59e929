def is_even(n: int) -> bool:
    even = True
    while n:
        n -= 1
        even = not even
    return even


def run() -> str:
    return "even" if is_even(4000001) else "odd"
