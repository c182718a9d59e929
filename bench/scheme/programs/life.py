Grid = list[list[int]]

SIZE = 48


def cell(grid: Grid, i: int, j: int) -> int:
    return grid[i % SIZE][j % SIZE]


def neighbours(grid: Grid, i: int, j: int) -> int:
    return (
        cell(grid, i - 1, j - 1)
        + cell(grid, i - 1, j)
        + cell(grid, i - 1, j + 1)
        + cell(grid, i, j - 1)
        + cell(grid, i, j + 1)
        + cell(grid, i + 1, j - 1)
        + cell(grid, i + 1, j)
        + cell(grid, i + 1, j + 1)
    )


def generation(grid: Grid) -> Grid:
    following = [[0] * SIZE for _ in range(SIZE)]
    for i in range(SIZE):
        row = following[i]
        for j in range(SIZE):
            count = neighbours(grid, i, j)
            row[j] = 1 if count == 3 or (count == 2 and cell(grid, i, j) == 1) else 0
    return following


def run() -> int:
    grid = [[0] * SIZE for _ in range(SIZE)]
    for i, j in ((1, 2), (2, 3), (3, 1), (3, 2), (3, 3), (20, 20), (20, 21), (20, 22)):
        grid[i][j] = 1
    for _ in range(30):
        grid = generation(grid)
    return sum(sum(row) for row in grid)
