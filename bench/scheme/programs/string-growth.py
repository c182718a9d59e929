def letters(n: int) -> str:
    text = ""
    for i in range(n):
        text += "x" + ("y" if i % 2 == 0 else "z")
    return text


def numbers(n: int) -> str:
    text = ""
    for i in range(n):
        text += str(i) + " "
    return text


def run() -> int:
    return len(letters(400000)) + len(numbers(200000))
