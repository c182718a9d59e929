from typing import Any

NAMES = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta",
    "iota", "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi",
)  # fmt: skip


def updated(key: str, value: int, table: Any) -> Any:
    if table is None:
        return ((key, value), None)
    entry, rest = table
    if entry[0] is key:
        return ((key, value), rest)
    return (entry, updated(key, value, rest))


def lookup(key: str, table: Any, default: int) -> Any:
    while table is not None:
        entry, table = table
        if entry[0] is key:
            return entry[1]
    return default


def run() -> int:
    table: Any = None
    i = 0
    while True:
        for name in NAMES:
            if i == 120000:
                total = 0
                while table:
                    entry, table = table
                    total += entry[1]
                return total
            table = updated(name, 1 + i + lookup(name, table, 0), table)
            i += 1
