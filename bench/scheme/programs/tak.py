def tak(x: int, y: int, z: int) -> int:
    while y < x:
        x, y, z = tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)
    return z


def run() -> int:
    return tak(24, 16, 8)
