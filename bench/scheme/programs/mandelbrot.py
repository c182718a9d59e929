def escape_time(cr: float, ci: float, limit: int) -> int:
    zr = zi = 0.0
    for n in range(limit):
        zr2 = zr * zr
        zi2 = zi * zi
        if zr2 + zi2 > 4.0:
            return n
        zi = 2.0 * zr * zi + ci
        zr = zr2 - zi2 + cr
    return limit


def mandelbrot(size: int, limit: int) -> int:
    step = 3.0 / size
    total = 0
    for y in range(size):
        ci = y * step - 1.5
        for x in range(size):
            total += escape_time(x * step - 2.0, ci, limit)
    return total


def run() -> int:
    return mandelbrot(240, 100)
