def row(i: int) -> str:
    return "item-" + str(i) + "," + str(i * i) + "," + ("even" if i % 2 == 0 else "odd") + "\n"


def initials(words: tuple[str, ...]) -> str:
    out = ""
    for word in words:
        out += word[0:1]
    return out


def run() -> int:
    size = marks = 0
    for i in range(150000):
        text = row(i)
        size += len(text)
        if initials((text[0:4].upper(), text, "none")) == "Iin":
            marks += 1
    return size + marks
