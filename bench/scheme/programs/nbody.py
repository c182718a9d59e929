from math import sqrt


class Body:
    __slots__ = ("mass", "vx", "vy", "vz", "x", "y", "z")

    def __init__(self, x: float, y: float, z: float, vx: float, vy: float, vz: float, mass: float) -> None:
        self.x = x
        self.y = y
        self.z = z
        self.vx = vx
        self.vy = vy
        self.vz = vz
        self.mass = mass


def planets() -> list[Body]:
    return [
        Body(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47841760435743),
        Body(
            4.84143144246472, -1.16032004402742, -0.10362204447112,
            0.60632639299583, 2.81198684491626, -0.02521836165988, 0.03769367487038,
        ),
        Body(
            8.34336671824457, 4.1247985641243, -0.40352341711432,
            -1.01077434617879, 1.82566237123041, 0.00841576137658, 0.01128632613196,
        ),
        Body(
            12.8943695621391, -15.1111514016986, -0.22330757889265,
            1.08279100644153, 0.86871301816960, -0.01083263740136, 0.00172372405705,
        ),
        Body(
            15.3796971148509, -25.9193146099879, 0.17925877295037,
            0.97909073224389, 0.59469899864767, -0.03475595557623, 0.00203368686992,
        ),
    ]  # fmt: skip


def attract(a: Body, b: Body, dt: float) -> None:
    dx = a.x - b.x
    dy = a.y - b.y
    dz = a.z - b.z
    d2 = dx * dx + dy * dy + dz * dz
    mag = dt / (d2 * sqrt(d2))
    ma = a.mass * mag
    mb = b.mass * mag
    a.vx -= dx * mb
    a.vy -= dy * mb
    a.vz -= dz * mb
    b.vx += dx * ma
    b.vy += dy * ma
    b.vz += dz * ma


def move(b: Body, dt: float) -> None:
    b.x += dt * b.vx
    b.y += dt * b.vy
    b.z += dt * b.vz


def advance(bodies: list[Body], dt: float) -> None:
    for i, a in enumerate(bodies):
        for b in bodies[i + 1 :]:
            attract(a, b, dt)
    for b in bodies:
        move(b, dt)


def run() -> float:
    bodies = planets()
    for _ in range(20000):
        advance(bodies, 0.01)
    return bodies[0].x
