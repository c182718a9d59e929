from collections.abc import Callable

Function = Callable[[int], int]


def compose(f: Function, g: Function) -> Function:
    return lambda x: f(g(x))


def adder(n: int) -> Function:
    return lambda x: x + n


def scaler(n: int) -> Function:
    return lambda x: x * n


def repeated(f: Function, n: int) -> Function:
    if n == 0:
        return lambda x: x
    return compose(f, repeated(f, n - 1))


def church(n: int) -> Callable[[Function], Function]:
    def numeral(f: Function) -> Function:
        def apply(x: int) -> int:
            for _ in range(n):
                x = f(x)
            return x

        return apply

    return numeral


def church_product(
    a: Callable[[Function], Function], b: Callable[[Function], Function]
) -> Callable[[Function], Function]:
    return lambda f: a(b(f))


def run() -> int:
    step = compose(adder(3), compose(scaler(2), adder(-1)))
    ten_times = repeated(adder(1), 10)
    hundred = church_product(church(10), church(10))
    total = 0
    for i in range(80000):
        total += step(i) + ten_times(i) + adder(i)(total) - total
    return total + church_product(hundred, church(3000))(adder(1))(0)
