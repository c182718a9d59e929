def run() -> float:
    total = 0
    floats = 0.0
    for i in range(100000):
        text = str(i * 7919)
        digits = f"{i:x}"
        total += int(text) + int(digits, 16) + len(digits)
        floats += float(str(i / 8.0))
    return total + floats
