from typing import Any


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y


class Particle:
    __slots__ = ("age", "position", "velocity")

    def __init__(self, position: Point, velocity: Point, age: int) -> None:
        self.position = position
        self.velocity = velocity
        self.age = age


def add_points(a: Point, b: Point) -> Point:
    return Point(a.x + b.x, a.y + b.y)


def move(p: Particle) -> None:
    p.position = add_points(p.position, p.velocity)
    p.age += 1


def energy(thing: Any) -> int:
    if isinstance(thing, Point):
        return thing.x * thing.x + thing.y * thing.y
    if isinstance(thing, Particle):
        return energy(thing.position) + energy(thing.velocity) + thing.age
    return 0


def run() -> int:
    swarm = [Particle(Point(i, -i), Point(1, i), 0) for i in range(200)]
    for _ in range(2500):
        for p in swarm:
            move(p)
    total = 0
    for p in swarm:
        total += energy(p)
    return total
