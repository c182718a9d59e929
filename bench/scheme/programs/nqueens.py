from typing import Any


def safe(row: int, distance: int, placed: Any) -> bool:
    while placed:
        queen, placed = placed
        if queen == row or queen == row + distance or queen == row - distance:
            return False
        distance += 1
    return True


def queens(size: int) -> int:
    def place(column: int, placed: Any) -> int:
        if column == size:
            return 1
        count = 0
        for row in range(size):
            if safe(row, 1, placed):
                count += place(column + 1, (row, placed))
        return count

    return place(0, None)


def run() -> int:
    return queens(10)
