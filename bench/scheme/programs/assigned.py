from collections.abc import Callable


def make_counter(step: int) -> Callable[[], int]:
    count = 0

    def counter() -> int:
        nonlocal count
        count += step
        return count

    return counter


def make_account(balance: int) -> Callable[[str, int], int]:
    def deposit(amount: int) -> int:
        nonlocal balance
        balance += amount
        return balance

    def withdraw(amount: int) -> int:
        nonlocal balance
        if amount > balance:
            return balance
        balance -= amount
        return balance

    def account(action: str, amount: int) -> int:
        if action == "deposit":
            return deposit(amount)
        return withdraw(amount)

    return account


def total(items: tuple[int, ...]) -> int:
    result = largest = 0
    for x in items:
        result += x
        if x > largest:
            largest = x
    return result + largest


def run() -> int:
    by_two = make_counter(2)
    by_five = make_counter(5)
    account = make_account(100)
    for i in range(400000):
        by_two()
        by_five()
        account("deposit" if i % 2 == 0 else "withdraw", i)
    items = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5)
    result = 0
    for _ in range(60000):
        result += total(items)
    return result + by_two() + by_five() + account("deposit", 0)
