from collections.abc import Iterator


def list_generator(items: list[int]) -> Iterator[int]:
    for item in items:  # noqa: UP028 - the twin does something for each item too
        yield item


def run() -> int:
    generator = list_generator([3] * 200000)
    total = 0
    while (item := next(generator, None)) is not None:
        total += item
    return total
