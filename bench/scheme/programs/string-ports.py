from io import StringIO


def report(rows: int) -> str:
    port = StringIO()
    write = port.write
    for i in range(rows):
        write("row ")
        write(str(i))
        write(":")
        write("some words of text")
        write("\n")
    return port.getvalue()


def count_lines(text: str) -> int:
    readline = StringIO(text).readline
    lines = size = 0
    while line := readline():
        lines += 1
        size += len(line) - 1
    return lines + size


def count_colons(text: str) -> int:
    read = StringIO(text).read
    colons = 0
    while char := read(1):
        if char == ":":
            colons += 1
    return colons


def run() -> int:
    text = report(60000)
    return len(text) + count_lines(text) + count_colons(text)
