text = "The quick brown fox, 42 of them, jumps over the lazy dog. " * 2000


def count_words(text: str) -> int:
    words = 0
    inside = False
    for c in text:
        if c == " " or c == "," or c == ".":
            if inside:
                words += 1
            inside = False
        else:
            inside = True
    return words + 1 if inside else words


def count_vowels(text: str) -> int:
    vowels = 0
    for c in text:
        if c in "aeiou":
            vowels += 1
    return vowels


def sum_digits(text: str) -> int:
    total = 0
    for c in text:
        if c.isdigit():
            total += int(c)
    return total


def run() -> int:
    total = 0
    for _ in range(12):
        total += count_words(text) + count_vowels(text) + sum_digits(text)
    return total
