class Fizz(Exception):
    pass


class GameError(Exception):
    def __init__(self, message: str, *irritants: int) -> None:
        self.message = message
        self.irritants = irritants


def checked(n: int) -> int:
    if n % 3 == 0:
        raise Fizz
    if n % 5 == 0:
        raise GameError("not a number for this game", n)
    return n


def outcome(n: int) -> int:
    try:
        return 2 + checked(n)
    except Fizz:
        return 1
    except GameError as e:
        return len(e.irritants)


def nested(depth: int, n: int) -> int:
    if depth == 0:
        return checked(n)
    return 1 + nested(depth - 1, n)


def run() -> int:
    total = 0
    for n in range(100000):
        total += outcome(n)
        try:
            total += nested(5, n)
        except Exception:
            total += 7
    return total
